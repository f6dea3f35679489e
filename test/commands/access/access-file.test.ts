import { describe, expect, it } from 'vitest';
import { platforms } from '../../../src/bots/all-platforms.ts';
import type { Role } from '../../../src/commands/access/access-file.ts';
import { readAccessFile } from '../../../src/commands/access/access-file.ts';
import { RIGHTS } from '../../../src/commands/all-commands.ts';

const roles = (text: string): readonly Role[] => {
  const read = readAccessFile(text, { currency: 'GHS', platforms, rights: RIGHTS });
  if (read.ok) return read.roles;
  throw new Error(read.problems.join('\n'));
};

const problems = (text: string): readonly string[] => {
  const read = readAccessFile(text, { currency: 'GHS', platforms, rights: RIGHTS });
  if (read.ok) throw new Error('It was accepted.');
  return read.problems;
};

const CONTRACT = `
roles:
  sales:
    commands: [charge, lookup, status, sms, payments]   # or "*"
    maxCharge: 500 GHS        # one payment; above it an approver must confirm as well
    dailyLimit: 5000 GHS      # per person and day
  finance:
    commands: [balance, lookup, status, payments, report, export]
    approve: true             # may approve what others request, never their own
members:
  sales:   [slack:U024BE7LH, slack:C0SALES, telegram:123456789]   # user, everyone in a channel, user
  finance: [slack:S0614TZR7, telegram:-1001234567890]             # user group, everyone in a group chat
`;

describe('an access file', () => {
  it('is read as the contract shows it', () => {
    expect(roles(CONTRACT)).toEqual([
      {
        name: 'sales',
        commands: new Set(['charge', 'lookup', 'status', 'sms', 'payments']),
        maxCharge: { amountMinor: 50_000, currency: 'GHS' },
        dailyLimit: { amountMinor: 500_000, currency: 'GHS' },
        approve: false,
        admin: false,
        reveal: false,
        approvals: [],
        members: [
          { platform: 'slack', kind: 'person', id: 'U024BE7LH' },
          { platform: 'slack', kind: 'place', id: 'C0SALES' },
          { platform: 'telegram', kind: 'person', id: '123456789' },
        ],
      },
      {
        name: 'finance',
        commands: new Set(['balance', 'lookup', 'status', 'payments', 'report', 'export']),
        approve: true,
        admin: false,
        reveal: false,
        approvals: [],
        members: [
          { platform: 'slack', kind: 'group', id: 'S0614TZR7' },
          { platform: 'telegram', kind: 'place', id: '-1001234567890' },
        ],
      },
    ]);
  });

  it('may be JSON', () => {
    const file = { roles: { all: { commands: ['*'] } }, members: { all: ['terminal:local'] } };
    const [role] = roles(JSON.stringify(file));
    expect(role?.commands).toBe('*');
    expect(role?.members).toEqual([{ platform: 'terminal', kind: 'person', id: 'local' }]);
  });

  it.each([
    ['maxCharge: 500', 50_000, 'GHS'],
    ['maxCharge: 500.5', 50_050, 'GHS'],
    ['maxCharge: "1,200.50"', 120_050, 'GHS'],
    ['maxCharge: USD 20', 2_000, 'USD'],
  ])('takes an amount written %s', (line, amountMinor, currency) => {
    expect(roles(`roles: {a: {${line}}}`)[0]?.maxCharge).toEqual({ amountMinor, currency });
  });

  it.each([
    ['slack:W012A3CDE', 'person'],
    ['slack:G012A3CDE', 'place'],
    ['slack:D012A3CDE', 'place'],
    ['terminal:local', 'person'],
  ])('knows %s', (id, kind) => {
    expect(roles(`roles: {a: {}}\nmembers: {a: [${id}]}`)[0]?.members).toMatchObject([{ kind }]);
  });

  it.each([
    ['approvals: slack:C0FINANCE', [{ platform: 'slack', kind: 'place', id: 'C0FINANCE' }]],
    [
      'approvals: [slack:C0FINANCE, "telegram:-100"]',
      [
        { platform: 'slack', kind: 'place', id: 'C0FINANCE' },
        { platform: 'telegram', kind: 'place', id: '-100' },
      ],
    ],
  ])('knows where approvals are given: %s', (line, approvals) => {
    expect(roles(`roles: {a: {${line}}}`)[0]?.approvals).toEqual(approvals);
  });

  it('may have roles that nobody holds, and the same member twice', () => {
    expect(roles('roles: {a: {commands: "*"}}')[0]?.members).toEqual([]);
    expect(roles('roles: {a: {}}\nmembers:')[0]?.members).toEqual([]);
    expect(roles('roles: {a: {}}\nmembers:\n  a:')[0]?.members).toEqual([]);
    const twice = 'roles: {a: {}}\nmembers: {a: [telegram:5, telegram:5]}';
    expect(roles(twice)[0]?.members).toHaveLength(2);
  });
});

describe('the access file names line and place', () => {
  it.each([
    [
      'a command',
      'commands: [charge, chrage]',
      'commands.1: There is no command "chrage". Write one of charge, ',
    ],
    [
      'a single command',
      'commands: charge',
      'commands: Expected a list of commands such as [charge, payments], or "*". Found "charge".',
    ],
    [
      'an amount',
      'maxCharge: lots',
      'maxCharge: Expected an amount above 0, such as 500 GHS. Found "lots".',
    ],
    [
      'an amount below zero',
      'dailyLimit: -5 GHS',
      'dailyLimit: Expected an amount above 0, such as 500 GHS. Found "-5 GHS".',
    ],
    ['an amount of another kind', 'maxCharge: [5]', 'maxCharge: Expected an amount'],
    ['a yes', 'approve: yes', 'approve: Expected true or false.'],
    ['an administrator', 'admin: 1', 'admin: Expected true or false. Found 1.'],
    ['half an SMS', 'dailySms: 1.5', 'dailySms: Expected a whole number of SMS parts. Found 1.5.'],
    ['less than no SMS', 'dailySms: -1', 'dailySms: Expected 0 or more.'],
    ['approvals by a person', 'approvals: slack:U1A', 'approvals.0: slack:U1A is no channel'],
    [
      'two places for approvals',
      'approvals: [slack:C1, slack:C2]',
      'approvals: Please give one conversation for each platform.',
    ],
  ])('of a mistake in %s', (_what, line, message) => {
    const found = problems(`roles:\n  sales:\n    approve: true\n  other:\n    ${line}\n`);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`line 5, roles.other.${message}`);
  });

  it('of a key that does not exist', () => {
    expect(problems('roles:\n  sales:\n    commands: "*"\n    maxChrage: 5 GHS\n')).toEqual([
      'line 4, roles.sales: There is nothing called "maxChrage" here, only commands, maxCharge, dailyLimit, dailyTotal, dailySms, approve, approvals, admin and reveal. Did you mean maxCharge?',
    ]);
    expect(problems('roles: {}\nadmins: []\n')).toEqual([
      'line 2: There is nothing called "admins" here, only roles, members, branches and notify.',
    ]);
  });

  it.each(['slack:kofi', 'slack:u024be7lh', 'telegram:@kofi', 'telegram:0', 'U024BE7LH', 'x:1'])(
    'of the member %s',
    (id) => {
      const [found] = problems(`roles: {a: {}}\nmembers:\n  a:\n    - telegram:5\n    - "${id}"\n`);
      expect(found).toContain(`line 5, members.a.1: "${id}" is no id.`);
    },
  );

  it.each(['sales', 'toString'])('of members of %s, which is no role', (name) => {
    const found = problems(`roles:\n  a: {}\nmembers:\n  ${name}: [telegram:5]\n`);
    expect(found).toEqual([
      `line 4, members.${name}: There is no role "${name}" under roles, only a.`,
    ]);
  });

  it('of limits in two currencies', () => {
    const text = 'roles:\n  a: {maxCharge: 5 GHS}\n  b: {dailyTotal: 5 USD}\n';
    expect(problems(text)).toEqual([
      'line 1, roles: The limits are in GHS and USD; please use one currency for all.',
    ]);
  });

  it('of each of several mistakes', () => {
    const text = 'roles:\n  a: {commands: [x], approve: 1}\n  b: {commands: [y]}\n';
    expect(problems(text)).toHaveLength(3);
  });

  it.each([
    ['no YAML', 'roles:\n\t- a', 'line 2: '],
    ['a role twice', 'roles:\n  a: {}\n  a: {}\n', 'line 3: '],
    ['a second document', 'roles: {}\n---\nroles: {}\n', 'line 2: '],
    ['a tag of its own', 'roles: !secret {}\n', 'line 1: '],
    ['an empty file', '', 'the file: Expected roles, members, branches and notify.'],
    ['a list', '- a\n', 'line 1: Expected roles, members, branches and notify.'],
  ])('of %s', (_what, text, message) => {
    expect(problems(text)[0]).toContain(message);
  });

  it('of aliases that multiply without end, once', () => {
    const steps = 'bcdefgh'.split('').map((name, step) => {
      const before = 'abcdefgh'[step] ?? '';
      return `${name}: &${name} [${Array(10).fill(`*${before}`).join(', ')}]`;
    });
    expect(problems(['a: &a [1, 1]', ...steps, 'roles: {}'].join('\n'))).toHaveLength(1);
  });
});
