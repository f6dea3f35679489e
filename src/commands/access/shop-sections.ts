import { z } from 'zod';
import type { Branch } from '../../core/records/branches.ts';
import {
  LEVELS,
  MIRRORED_STATES,
  type MirroredState,
  type MirrorRule,
  type NotifyRule,
  type ToldRules,
} from '../../core/records/notify-rules.ts';
import { defined } from '../../core/runtime/defined.ts';
import { type Money, parseMoney } from '../../core/values/money.ts';
import {
  exampleIds,
  type IdKind,
  type PlatformId,
  type Platforms,
  parsePlatformId,
} from '../../core/values/platform.ts';

/** What the sections `branches` and `notify` are read with. */
type SectionReading = { readonly currency: string; readonly platforms: Platforms };

const idText = ({ platform, id }: PlatformId): string => `${platform}:${id}`;

/** An id of one of these kinds. */
const idOf = (platforms: Platforms, kinds: readonly IdKind[], expected: string) =>
  z.string(`Expected ${expected}.`).transform((text, context): PlatformId => {
    const id = parsePlatformId(platforms, text);
    if (id !== undefined && kinds.includes(id.kind)) return id;
    context.addIssue(`"${text}" is not ${expected}.`);
    return z.NEVER;
  });

/** A channel, a group chat, or the private chat with a person. */
const place = (platforms: Platforms) => {
  const [example = ''] = exampleIds(platforms, 'place');
  return idOf(platforms, ['place', 'person'], `a conversation such as ${example}`);
};

const person = (platforms: Platforms) => {
  const [example = ''] = exampleIds(platforms, 'person');
  return idOf(platforms, ['person'], `a person such as ${example}`);
};

const unknownKey =
  (known: string) =>
  (issue: z.core.$ZodRawIssue): string =>
    issue.code === 'unrecognized_keys'
      ? `There is nothing called ${issue.keys.map((key) => `"${key}"`).join(', ')} here, only ${known}.`
      : `Expected ${known}.`;

/** `branches:`, each place and person in one branch at most: a payment belongs to one. */
export const branchesSection = ({ platforms }: SectionReading) =>
  z
    .record(
      z.string(),
      z.strictObject(
        {
          conversations: z.array(place(platforms), 'Expected a list of conversations.').default([]),
          members: z.array(person(platforms), 'Expected a list of people.').default([]),
        },
        { error: unknownKey('conversations and members') },
      ),
      'Expected names of branches, and what belongs to each.',
    )
    .nullable()
    .default(null)
    .transform((sections): readonly Branch[] =>
      Object.entries(sections ?? {}).map(([name, { conversations, members }]) => ({
        name,
        conversations: conversations.map(idText),
        members: members.map(idText),
      })),
    )
    .superRefine((branches, context) => {
      const seen = new Map<string, string>();
      for (const { name, conversations, members } of branches)
        for (const id of [
          ...conversations.map((each) => `what is typed in ${each}`),
          ...members.map((each) => `the person ${each}`),
        ]) {
          const other = seen.get(id);
          if (other !== undefined)
            context.addIssue({
              code: 'custom',
              path: [name],
              message: `${name} and ${other} both have ${id}.`,
            });
          seen.set(id, name);
        }
    });

/** `all`, or `from 500 GHS`. */
const amountFrom = (currency: string) =>
  z.string('Expected all, or an amount such as from 500 GHS.').transform((text, context) => {
    const words = text.trim().toLowerCase();
    if (words === 'all') return 'all' as const;
    const [, amount] = /^from\s+(.+)$/i.exec(text.trim()) ?? [];
    const read = amount === undefined ? undefined : parseMoney(amount, currency);
    if (read?.ok === true) return read.value;
    context.addIssue(
      read === undefined
        ? 'Expected all, or an amount such as from 500 GHS.'
        : read.problem.message,
    );
    return z.NEVER;
  });

type RuleEntry = { readonly [state in MirroredState]?: 'all' | Money | undefined } & {
  readonly branch?: string | undefined;
  readonly person?: PlatformId | undefined;
};

const mirrorRule = ({ currency, platforms }: SectionReading) => {
  const known = [...MIRRORED_STATES, 'branch', 'person'].join(', ');
  const states = Object.fromEntries(
    MIRRORED_STATES.map((state) => [state, amountFrom(currency).exactOptional()]),
  ) as Record<MirroredState, z.ZodExactOptional<ReturnType<typeof amountFrom>>>;
  return z
    .strictObject(
      {
        ...states,
        branch: z.string('Expected the name of a branch.').exactOptional(),
        person: person(platforms).exactOptional(),
      },
      { error: unknownKey(known) },
    )
    .transform((entry: RuleEntry, context): MirrorRule => {
      const named = MIRRORED_STATES.flatMap((state) => {
        const from = entry[state];
        return from === undefined ? [] : [[state, from] as const];
      });
      if (named.length === 0)
        context.addIssue(
          `Name a state, such as completed: all. There are ${MIRRORED_STATES.join(', ')}.`,
        );
      return {
        states: Object.fromEntries(named),
        ...defined({ branch: entry.branch, person: entry.person && idText(entry.person) }),
      };
    });
};

/** `notify:`, a conversation each: how much of its own it is told, or what of others. */
export const notifySection = (reading: SectionReading) =>
  z
    .record(
      z.string(),
      z.union(
        [z.enum(LEVELS), z.looseObject({})],
        `Expected ${LEVELS.join(', ')}, or states with what is told.`,
      ),
      'Expected conversations, and what each is told.',
    )
    .nullable()
    .default(null)
    .transform((entries, context): readonly NotifyRule[] =>
      Object.entries(entries ?? {}).flatMap(([text, entry]): NotifyRule[] => {
        const at = place(reading.platforms).safeParse(text);
        const rule = typeof entry === 'string' ? undefined : mirrorRule(reading).safeParse(entry);
        for (const issue of at.error?.issues ?? [])
          context.addIssue({ code: 'custom', path: [text], message: issue.message });
        for (const issue of rule?.error?.issues ?? [])
          context.addIssue({
            code: 'custom',
            path: [text, ...issue.path] as (string | number)[],
            message: issue.message,
          });
        if (!at.success) return [];
        const told = { platform: at.data.platform, channel: at.data.id };
        if (typeof entry === 'string') return [{ place: told, level: entry }];
        return rule?.success === true ? [{ place: told, mirror: rule.data }] : [];
      }),
    );

/** Rules of branches that there are not, each with its place in the file. */
export const unknownBranches = ({
  notify,
  branches,
}: ToldRules): readonly { readonly path: string[]; readonly message: string }[] =>
  notify.flatMap(({ place: { platform, channel }, mirror }) =>
    mirror?.branch === undefined || branches.some(({ name }) => name === mirror.branch)
      ? []
      : [
          {
            path: ['notify', `${platform}:${channel}`, 'branch'],
            message: `There is no branch "${mirror.branch}" under branches.`,
          },
        ],
  );
