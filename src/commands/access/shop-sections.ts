import { z } from 'zod';
import type { Branch } from '../../core/records/branches.ts';
import {
  LEVELS,
  MIRRORED_STATES,
  type MirroredState,
  type MirrorRule,
  type NotifyRule,
  placeKey,
  type ToldRules,
} from '../../core/records/notify-rules.ts';
import { defined } from '../../core/runtime/defined.ts';
import { type Money, parseMoney } from '../../core/values/money.ts';
import {
  exampleIds,
  type PlatformId,
  type Platforms,
  parsePlatformId,
} from '../../core/values/platform.ts';
import {
  expected,
  expectedNot,
  mistakeAt,
  objectError,
  unknownName,
} from '../../core/values/yaml-text.ts';

type SectionReading = { readonly currency: string; readonly platforms: Platforms };

const idText = ({ platform, id }: PlatformId): string => `${platform}:${id}`;

/** An id of the kind `like`; a private chat with a person is a conversation too. */
const idOf = (platforms: Platforms, like: 'place' | 'person') => {
  const [example = ''] = exampleIds(platforms, like);
  const what = `a ${like === 'place' ? 'conversation' : 'person'} such as ${example}`;
  return z.string(expected(what)).transform((text, context): PlatformId => {
    const id = parsePlatformId(platforms, text);
    if (id !== undefined && [like, 'person'].includes(id.kind)) return id;
    context.addIssue(`"${text}" is not ${what}.`);
    return z.NEVER;
  });
};

const idsOf = (platforms: Platforms, kind: 'person' | 'place') =>
  z
    .array(idOf(platforms, kind), expected(`a list such as [${exampleIds(platforms, kind)[0]}]`))
    .default([]);

/** `branches:`, each place and person in one branch at most: a payment belongs to one. */
export const branchesSection = ({ platforms }: SectionReading) =>
  z
    .record(
      z.string(),
      z.strictObject(
        { conversations: idsOf(platforms, 'place'), members: idsOf(platforms, 'person') },
        { error: objectError('conversations and members') },
      ),
      expected('names of branches, and what belongs to each'),
    )
    .nullish()
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
            context.addIssue(mistakeAt([name], `${name} and ${other} both have ${id}.`));
          seen.set(id, name);
        }
    });

/** An amount inside of a schema's transform. */
export const readMoney = (found: unknown, currency: string, context: z.RefinementCtx): Money => {
  const isText = typeof found === 'string' || typeof found === 'number';
  const read = isText ? parseMoney(String(found), currency) : undefined;
  if (read?.ok === true) return read.value;
  context.addIssue(expectedNot('an amount above 0, such as 500 GHS', found));
  return z.NEVER;
};

const ALL_OR_FROM = 'all, or an amount such as from 500 GHS';

/** `all`, or `from 500 GHS`. */
const amountFrom = (currency: string) =>
  z.string(expected(ALL_OR_FROM)).transform((text, context) => {
    const [, amount] = /^from\s+(.+)$/i.exec(text.trim()) ?? [];
    if (text.trim().toLowerCase() === 'all') return 'all' as const;
    if (amount !== undefined) return readMoney(amount, currency, context);
    context.addIssue(expectedNot(ALL_OR_FROM, text));
    return z.NEVER;
  });

const mirrorRule = ({ currency, platforms }: SectionReading) => {
  const known = [...MIRRORED_STATES, 'branch', 'person'].join(', ');
  const states = Object.fromEntries(
    MIRRORED_STATES.map((state) => [state, amountFrom(currency).exactOptional()]),
  ) as Record<MirroredState, z.ZodExactOptional<ReturnType<typeof amountFrom>>>;
  return z
    .strictObject(
      {
        ...states,
        branch: z.string(expected('the name of a branch')).exactOptional(),
        person: idOf(platforms, 'person').exactOptional(),
      },
      { error: objectError(known) },
    )
    .transform((entry, context): MirrorRule => {
      const named = MIRRORED_STATES.flatMap((state) => {
        const from = entry[state];
        return from === undefined ? [] : [[state, from] as const];
      });
      if (named.length === 0)
        context.addIssue(
          `Name a state, such as completed: all. The states are ${MIRRORED_STATES.join(', ')}.`,
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
        expected(`${LEVELS.join(', ')}, or states such as completed: all`),
      ),
      expected('conversations, and the messages of each'),
    )
    .nullish()
    .transform((entries, context): readonly NotifyRule[] =>
      Object.entries(entries ?? {}).flatMap(([text, entry]): NotifyRule[] => {
        const at = idOf(reading.platforms, 'place').safeParse(text);
        const rule = typeof entry === 'string' ? undefined : mirrorRule(reading).safeParse(entry);
        for (const issue of at.error?.issues ?? [])
          context.addIssue(mistakeAt([text], issue.message));
        for (const { path, message } of rule?.error?.issues ?? [])
          context.addIssue(mistakeAt([text, ...(path as (string | number)[])], message));
        if (!at.success) return [];
        const told = { platform: at.data.platform, channel: at.data.id };
        if (typeof entry === 'string') return [{ place: told, level: entry }];
        return rule?.success === true ? [{ place: told, mirror: rule.data }] : [];
      }),
    );

/** Tells the rules of branches that there are not. */
export const checkBranches = ({ notify, branches }: ToldRules, context: z.RefinementCtx): void => {
  for (const { place, mirror: { branch } = {} } of notify)
    if (branch !== undefined && branches.every(({ name }) => name !== branch)) {
      const known = branches.map(({ name }) => name);
      const message = unknownName('branch', { name: branch, section: 'branches', known });
      context.addIssue(mistakeAt(['notify', placeKey(place), 'branch'], message));
    }
};
