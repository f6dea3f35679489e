import { z } from 'zod';
import { type Money, parseMoney } from '../../core/values/money.ts';
import { GRANTABLE } from '../command-rights.ts';

/** Whom a line under `members` names. */
export type Member = {
  readonly platform: string;
  /** A person, everyone in a channel or group chat, or the members of a Slack user group. */
  readonly kind: 'person' | 'place' | 'group';
  readonly id: string;
};

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

const expected = (what: string) => ({ error: `Expected ${what}.` });

const objectError =
  (known: string) =>
  (issue: z.core.$ZodRawIssue): string =>
    issue.code === 'unrecognized_keys'
      ? `There is nothing called ${issue.keys.map((key) => `"${key}"`).join(', ')} here, only ${known}.`
      : `Expected ${known}.`;

const money = (currency: string) =>
  z
    .union([z.string(), z.number()], expected('an amount such as 500 GHS'))
    .transform((amount, context): Money => {
      const read = parseMoney(String(amount), currency);
      if (read.ok) return read.value;
      context.addIssue({ code: 'custom', message: read.problem.message });
      return z.NEVER;
    });

const commands = z
  .union([z.literal('*'), z.array(z.string())], expected('a list of commands, or "*"'))
  .superRefine((granted, context) => {
    if (granted === '*') return;
    for (const [index, name] of granted.entries())
      if (name !== '*' && !GRANTABLE.includes(name))
        context.addIssue({
          code: 'custom',
          path: [index],
          message: `There is no command "${name}". There are ${GRANTABLE.join(', ')}.`,
        });
  });

const MEMBER_FORMS: readonly (readonly [RegExp, Member['kind']])[] = [
  [/^(slack):([UW][A-Z0-9]+)$/, 'person'],
  [/^(slack):([CGD][A-Z0-9]+)$/, 'place'],
  [/^(slack):(S[A-Z0-9]+)$/, 'group'],
  [/^(telegram):([1-9]\d*)$/, 'person'],
  [/^(telegram):(-[1-9]\d*)$/, 'place'],
  [/^(terminal):([\w.-]+)$/, 'person'],
];

/** Whom an id such as `slack:U024BE7LH` names; undefined: it is none. */
export const memberOf = (text: string): Member | undefined => {
  for (const [form, kind] of MEMBER_FORMS) {
    const [, platform, id] = form.exec(text) ?? [];
    if (platform !== undefined && id !== undefined) return { platform, kind, id };
  }
  return undefined;
};

/** What is wrong with such an id, and how they look. */
export const notAnId = (text: string): string =>
  `"${text}" is no id. Ids look like slack:U024BE7LH or telegram:123456789; /whoami shows them.`;

const memberFrom = (text: string, context: z.RefinementCtx): Member => {
  const member = memberOf(text);
  if (member !== undefined) return member;
  context.addIssue({ code: 'custom', message: notAnId(text) });
  return z.NEVER;
};

/** One conversation, or one for each platform. */
const approvals = z
  .union([z.string(), z.array(z.string())], expected('a conversation such as slack:C0FINANCE'))
  .transform((entries) => (typeof entries === 'string' ? [entries] : entries))
  .pipe(z.array(z.string().transform(memberFrom)))
  .superRefine((places, context) => {
    for (const [index, { kind, platform, id }] of places.entries())
      if (kind !== 'place')
        context.addIssue({
          code: 'custom',
          path: [index],
          message: `${platform}:${id} is no channel or group. Approvals are asked where approvers talk, such as slack:C0FINANCE.`,
        });
    if (new Set(places.map(({ platform }) => platform)).size < places.length)
      context.addIssue({
        code: 'custom',
        message: 'Please give one conversation for each platform.',
      });
  });

const role = (currency: string) =>
  z.strictObject(
    {
      commands: commands.default([]),
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
      approvals: approvals.default([]),
    },
    {
      error: objectError(
        'commands, maxCharge, dailyLimit, dailyTotal, dailySms, approve, approvals, admin and reveal',
      ),
    },
  );

type RoleEntry = z.output<ReturnType<typeof role>>;

/** `members: sales:` with nothing behind it is what remains when the last entry is taken away. */
const memberList = z
  .array(
    z.string(expected('an id such as slack:U024BE7LH')),
    expected('a list such as [slack:U024BE7LH, telegram:123456789]'),
  )
  .nullable()
  .transform((entries) => entries ?? [])
  .pipe(z.array(z.string().transform(memberFrom)));

const rolesFrom = (file: {
  roles: Readonly<Record<string, RoleEntry>>;
  members: Readonly<Record<string, readonly Member[]>>;
}): Role[] =>
  Object.entries(file.roles).map(([name, { commands: granted, ...limits }]) => ({
    name,
    commands: granted === '*' || granted.includes('*') ? '*' : new Set(granted),
    members: Object.hasOwn(file.members, name) ? (file.members[name] ?? []) : [],
    ...limits,
  }));

/** The whole file, as roles with their members. Amounts without a currency are in `currency`. */
export const accessSchema = (currency: string) =>
  z
    .strictObject(
      {
        roles: z.record(z.string(), role(currency), expected('role names and what each may do')),
        members: z
          .record(z.string(), memberList, expected('role names and who holds each'))
          .nullable()
          .default(null)
          .transform((members) => members ?? {}),
      },
      { error: objectError('roles and members') },
    )
    .superRefine((file, context) => {
      for (const name of Object.keys(file.members))
        if (!Object.hasOwn(file.roles, name))
          context.addIssue({
            code: 'custom',
            path: ['members', name],
            message: `There is no role "${name}" under roles.`,
          });
      // One currency, because the most generous of two limits has to be found.
      const limits = Object.values(file.roles).flatMap((each) => [
        each.maxCharge,
        each.dailyLimit,
        each.dailyTotal,
      ]);
      const currencies = [...new Set(limits.flatMap((limit) => limit?.currency ?? []))];
      if (currencies.length > 1)
        context.addIssue({
          code: 'custom',
          path: ['roles'],
          message: `The limits are in ${currencies.join(' and ')}; please use one currency for all.`,
        });
    })
    .transform(rolesFrom);
