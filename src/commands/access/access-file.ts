import { z } from 'zod';
import type { ToldRules } from '../../core/records/notify-rules.ts';
import type { Money } from '../../core/values/money.ts';
import {
  exampleIds,
  type PlatformId,
  type Platforms,
  parsePlatformId,
} from '../../core/values/platform.ts';
import {
  didYouMean,
  expected,
  mistakeAt,
  objectError,
  readYaml,
  unknownName,
} from '../../core/values/yaml-text.ts';
import { grantable, type Rights } from '../command-rights.ts';
import { branchesSection, checkBranches, notifySection, readMoney } from './shop-sections.ts';

/** The subject of one line under `members`. */
export type Member = PlatformId;

export type Role = {
  readonly name: string;
  readonly commands: '*' | ReadonlySet<string>;
  readonly maxCharge?: Money;
  readonly dailyLimit?: Money;
  /** Of all its holders together. */
  readonly dailyTotal?: Money;
  /** SMS parts a person may have sent in a day. */
  readonly dailySms?: number;
  readonly approve: boolean;
  readonly admin: boolean;
  /** May see whole numbers and names of customers where they are shortened. */
  readonly reveal: boolean;
  /** Where its charges are approved, one conversation of a platform; elsewhere in the one they were typed in. */
  readonly approvals: readonly Member[];
  readonly members: readonly Member[];
};

export type Vocabulary = {
  /** Of amounts that name none. */
  readonly currency: string;
  readonly platforms: Platforms;
  readonly rights: Rights;
};

const money = (currency: string) =>
  z.unknown().transform((found, context) => readMoney(found, currency, context));

const commands = (rights: Rights) => {
  const names = grantable(rights);
  return z
    .union(
      [z.literal('*'), z.array(z.string())],
      expected('a list of commands such as [charge, payments], or "*"'),
    )
    .superRefine((granted, context) => {
      if (granted === '*') return;
      for (const [index, name] of granted.entries())
        if (name !== '*' && !names.includes(name)) {
          const known = `Write one of ${names.join(', ')}.${didYouMean(name, names)}`;
          context.addIssue(mistakeAt([index], `There is no command "${name}". ${known}`));
        }
    });
};

/** What is wrong with an id, and how ids look. */
export const notAnId = (platforms: Platforms, text: string): string =>
  `"${text}" is no id. Ids look like ${exampleIds(platforms, 'person').join(' or ')}; /whoami shows them.`;

const member = (platforms: Platforms) =>
  z.string().transform((text, context): Member => {
    const id = parsePlatformId(platforms, text);
    if (id !== undefined) return id;
    context.addIssue(notAnId(platforms, text));
    return z.NEVER;
  });

/** One conversation, or one for each platform. */
const approvals = (platforms: Platforms) => {
  const [example = ''] = exampleIds(platforms, 'place');
  return z
    .union([z.string(), z.array(z.string())], expected(`a conversation such as ${example}`))
    .transform((entries) => (typeof entries === 'string' ? [entries] : entries))
    .pipe(z.array(member(platforms)))
    .superRefine((places, context) => {
      const where = `Approvals are asked where approvers talk, such as ${example}.`;
      for (const [index, { kind, platform, id }] of places.entries())
        if (kind !== 'place')
          context.addIssue(
            mistakeAt([index], `${platform}:${id} is no channel or group. ${where}`),
          );
      if (new Set(places.map(({ platform }) => platform)).size < places.length)
        context.addIssue('Please give one conversation for each platform.');
    });
};

const role = ({ currency, platforms, rights }: Vocabulary) =>
  z.strictObject(
    {
      commands: commands(rights).default([]),
      maxCharge: money(currency).exactOptional(),
      dailyLimit: money(currency).exactOptional(),
      dailyTotal: money(currency).exactOptional(),
      dailySms: z
        .int(expected('a whole number of SMS parts'))
        .min(0, expected('0 or more'))
        .exactOptional(),
      approve: z.boolean(expected('true or false')).default(false),
      admin: z.boolean(expected('true or false')).default(false),
      reveal: z.boolean(expected('true or false')).default(false),
      approvals: approvals(platforms).default([]),
    },
    {
      error: objectError(
        'commands, maxCharge, dailyLimit, dailyTotal, dailySms, approve, approvals, admin and reveal',
      ),
    },
  );

/** `members: sales:` with nothing behind it is what remains when the last entry is taken away. */
const memberList = (platforms: Platforms) => {
  const examples = exampleIds(platforms, 'person');
  return z
    .array(
      z.string(expected(`an id such as ${examples[0]}`)),
      expected(`a list such as [${examples.join(', ')}]`),
    )
    .nullable()
    .transform((entries) => entries ?? [])
    .pipe(z.array(member(platforms)));
};

const accessSchema = (reading: Vocabulary) =>
  z
    .strictObject(
      {
        roles: z.record(z.string(), role(reading), expected('role names and what each may do')),
        members: z
          .record(
            z.string(),
            memberList(reading.platforms),
            expected('role names and who holds each'),
          )
          .nullish()
          .transform((members) => members ?? {}),
        branches: branchesSection(reading),
        notify: notifySection(reading),
      },
      { error: objectError('roles, members, branches and notify') },
    )
    .superRefine((file, context) => {
      const known = Object.keys(file.roles);
      for (const name of Object.keys(file.members))
        if (!Object.hasOwn(file.roles, name)) {
          const message = unknownName('role', { name, section: 'roles', known });
          context.addIssue(mistakeAt(['members', name], message));
        }
      checkBranches(file, context);
      // One currency, because the most generous of two limits has to be found.
      const currencies = Object.values(file.roles)
        .flatMap(({ maxCharge, dailyLimit, dailyTotal }) => [maxCharge, dailyLimit, dailyTotal])
        .flatMap((limit) => limit?.currency ?? []);
      const named = [...new Set(currencies)];
      if (named.length > 1) {
        const message = `The limits are in ${named.join(' and ')}; please use one currency for all.`;
        context.addIssue(mistakeAt(['roles'], message));
      }
    })
    .transform(
      ({ roles, members, ...sections }): AccessRules => ({
        roles: Object.entries(roles).map(([name, { commands: granted, ...limits }]) => ({
          name,
          commands: granted === '*' || granted.includes('*') ? '*' : new Set(granted),
          members: Object.hasOwn(members, name) ? (members[name] ?? []) : [],
          ...limits,
        })),
        ...sections,
      }),
    );

export type AccessRules = ToldRules & { readonly roles: readonly Role[] };

export type AccessFile =
  | (AccessRules & { readonly ok: true })
  | { readonly ok: false; readonly problems: readonly string[] };

export const readAccessFile = (text: string, reading: Vocabulary): AccessFile => {
  const read = readYaml(text, accessSchema(reading));
  return read.ok ? { ok: true, ...read.value } : read;
};
