import { mkdirSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { IsGuest, MembersOf } from '../../../src/commands/access/membership-answers.ts';
import { NotPermittedError } from '../../../src/commands/access/role-membership.ts';
import type { Caller } from '../../../src/commands/inbound.ts';
import { NO_RULES } from '../../../src/core/records/notify-rules.ts';
import { StartError } from '../../../src/core/runtime/errors.ts';
import { AccessFileInUse, caller, ONE_ROLE, terminal } from './access-file-in-use.ts';

let file: AccessFileInUse;
beforeEach(async () => {
  file = await AccessFileInUse.create();
});

const open = (...how: Parameters<AccessFileInUse['open']>) => file.open(...how);

const nobody: MembersOf = async () => new Set();

const ama = caller('slack', 'U1');

it('without an access file nothing is told elsewhere', async () => {
  expect((await open()).toldRules()).toEqual(NO_RULES);
});

it('a role that can be given says what it grants, also when that is nothing', async () => {
  const opened = await open(
    `roles:
  sales: {commands: [charge, lookup, status], maxCharge: 500 GHS}
  empty: {}
  boss: {commands: [balance], approve: true}
  owner: {commands: "*"}
  admin: {commands: [lookup], admin: true}
`,
  );
  expect(opened.givableRoles()).toEqual([
    { name: 'sales', grants: 'charge up to GHS 500.00, lookup and more' },
    { name: 'empty', grants: 'nothing' },
    { name: 'boss', grants: 'approve, balance' },
  ]);
});

describe('the approvers of a platform', () => {
  it('are the entries of every role that approves, each once', async () => {
    const opened = await open(
      [
        'roles:',
        '  sales: {commands: [charge]}',
        '  finance: {commands: [balance], approve: true}',
        '  owner: {commands: "*", approve: true}',
        'members:',
        '  sales: [slack:U7]',
        '  finance: [slack:U1, slack:S9, slack:C5, telegram:1001]',
        '  owner: [slack:U1]',
      ].join('\n'),
    );
    expect(opened.approvers('slack').map(({ id }) => id)).toEqual(['U1', 'S9', 'C5']);
    expect(opened.approvers('telegram').map(({ id }) => id)).toEqual(['1001']);
  });

  it('are none without an access file', async () => {
    const opened = await open();
    expect(opened.approvers('slack')).toEqual([]);
  });
});

describe('without an access file', () => {
  it('the terminal may do everything, and nobody else anything but help and whoami', async () => {
    const opened = await open();
    const own = await opened.grantsOf(terminal);
    expect(['charge', 'sms', 'export'].every((name) => own.may(name))).toBe(true);
    expect(own).toMatchObject({ approve: true });
    const others = await opened.grantsOf(ama);
    expect(['charge', 'lookup', 'status', 'payments'].some((name) => others.may(name))).toBe(false);
    expect(['help', 'whoami'].every((name) => others.may(name))).toBe(true);
    expect(others).toMatchObject({ roles: [], approve: false });
    expect(file.log.entries).toMatchObject([{ level: 'warn' }]);
  });
});

describe('with an access file', () => {
  it('the terminal needs a grant like everybody', async () => {
    const opened = await open(`${ONE_ROLE}members: {sales: [slack:U1]}`);
    expect((await opened.grantsOf(terminal)).may('charge')).toBe(false);
    await opened.stop();
    const again = await open(`${ONE_ROLE}members: {sales: [terminal:local]}`);
    expect((await again.grantsOf(terminal)).may('charge')).toBe(true);
  });

  it.each([
    ['the person', 'slack:U1', true],
    ['another person', 'slack:U2', false],
    ['the channel typed in', 'slack:C1', true],
    ['another channel', 'slack:C2', false],
    ['the same id on another platform', 'terminal:U1', false],
    ['a group without members', 'slack:S1', false],
  ])('grants by %s, which is %s here: %s', async (_what, member, granted) => {
    const opened = await open(`${ONE_ROLE}members: {sales: ["${member}"]}`);
    const grants = await opened.grantsOf(ama);
    expect(grants.may('charge')).toBe(granted);
    expect(grants.roles).toEqual(granted ? ['sales'] : []);
    expect(grants.may('balance')).toBe(false);
  });

  it('grants to everyone in a Telegram group chat, for what is typed there', async () => {
    const opened = await open(`${ONE_ROLE}members: {sales: ["telegram:-1005"]}`);
    expect((await opened.grantsOf(caller('telegram', '7', '-1005'))).may('charge')).toBe(true);
    expect((await opened.grantsOf(caller('telegram', '7', '7'))).may('charge')).toBe(false);
  });

  it('takes no name for an id', { tags: ['I17', 'T7'] }, async () => {
    const opened = await open(`${ONE_ROLE}members: {sales: [slack:U1]}`);
    const impostor: Caller = { ...caller('slack', 'U9'), name: 'U1' };
    expect((await opened.grantsOf(impostor)).may('charge')).toBe(false);
  });

  it('grants every command with "*"', async () => {
    const opened = await open('roles: {all: {commands: "*"}}\nmembers: {all: [slack:U1]}');
    expect((await opened.grantsOf(ama)).may('refund')).toBe(true);
  });
});

describe('several roles', () => {
  const grantsWith = async (roles: string) => {
    const names = [...roles.matchAll(/^ {2}(\w+):/gm)].map((match) => match[1]);
    const members = names.map((name) => `  ${name}: [slack:U1]`).join('\n');
    return (await open(`roles:\n${roles}\nmembers:\n${members}\n`)).grantsOf(ama);
  };

  it('give the most generous limits of those that grant charge', async () => {
    const grants = await grantsWith(`
  small:  {commands: [charge], maxCharge: 100 GHS, dailyLimit: 900 GHS}
  large:  {commands: "*", maxCharge: 500 GHS, dailyLimit: 600 GHS}
  other:  {commands: [lookup], maxCharge: 9000 GHS}
  unlimited: {commands: [lookup]}`);
    expect(grants.maxCharge).toEqual({ amountMinor: 50_000, currency: 'GHS' });
    expect(grants.dailyLimit).toEqual({ amountMinor: 90_000, currency: 'GHS' });
    expect(grants.approve).toBe(false);
  });

  it('have no limit when one of them grants charge without', async () => {
    const grants = await grantsWith(`
  small:  {commands: [charge], maxCharge: 100 GHS, dailyLimit: 900 GHS}
  free:   {commands: [charge], dailyLimit: 100 GHS}`);
    expect(grants.maxCharge).toBeUndefined();
    expect(grants.dailyLimit).toEqual({ amountMinor: 90_000, currency: 'GHS' });
  });

  it('may approve when one of them may', async () => {
    const grants = await grantsWith(`
  sales:   {commands: [charge]}
  finance: {commands: [balance], approve: true}`);
    expect(grants).toMatchObject({ approve: true, roles: ['sales', 'finance'] });
    expect(grants.may('charge') && grants.may('balance')).toBe(true);
  });
});

describe('a user group', () => {
  const GROUP = `${ONE_ROLE}members: {sales: [slack:S1]}`;

  it('grants to its members, asked anew each time', async () => {
    let members = new Set(['U1']);
    const opened = await open(GROUP, async (platform, id) => {
      expect([platform, id]).toEqual(['slack', 'S1']);
      return members;
    });
    expect((await opened.grantsOf(ama)).may('charge')).toBe(true);
    members = new Set();
    expect((await opened.grantsOf(ama)).may('charge')).toBe(false);
  });

  it('is not asked about people of another platform', async () => {
    const opened = await open(GROUP, async () => {
      throw new Error('asked');
    });
    expect((await opened.grantsOf(caller('telegram', 'U1'))).may('charge')).toBe(false);
    expect(file.log.entries).toEqual([]);
  });

  it('grants nothing when the platform does not answer; told once, and again after it worked', async () => {
    let broken = true;
    const opened = await open(GROUP, async () => {
      if (broken) throw new Error('no answer');
      return new Set(['U1']);
    });
    const mayCharge = async () => (await opened.grantsOf(ama)).may('charge');
    expect(await mayCharge()).toBe(false);
    expect(await mayCharge()).toBe(false);
    expect(file.log.entries).toMatchObject([{ level: 'error', fields: { group: 'slack:S1' } }]);
    broken = false;
    expect(await mayCharge()).toBe(true);
    broken = true;
    expect(await mayCharge()).toBe(false);
    expect(file.log.entries).toHaveLength(2);
  });
});

describe('a guest', () => {
  const guest: IsGuest = async (platform, id) => platform === 'slack' && id === 'U1';
  const inGroup: MembersOf = async () => new Set(['U1', 'U2']);

  it.each([
    ['the channel typed in', 'slack:C1', false],
    ['a user group', 'slack:S1', false],
    ['an entry of their own', 'slack:U1', true],
  ])('is granted by %s, which is %s here: %s', async (_what, member, granted) => {
    const opened = await open(`${ONE_ROLE}members: {sales: ["${member}"]}`, inGroup, guest);
    const grants = await opened.grantsOf(ama);
    expect(grants.may('charge')).toBe(granted);
    expect(grants.withheld).toBe(granted ? undefined : 'guest');
    const kofi = await opened.grantsOf(caller('slack', 'U2'));
    expect(kofi.may('charge')).toBe(member !== 'slack:U1');
  });

  it('is nobody of whom it need not be known', async () => {
    const opened = await open(`${ONE_ROLE}members: {sales: [slack:U1, slack:C9]}`, nobody, () => {
      throw new Error('asked');
    });
    expect((await opened.grantsOf(ama)).may('charge')).toBe(true);
    expect((await opened.grantsOf(caller('slack', 'U2'))).may('charge')).toBe(false);
    expect(file.log.entries).toEqual([]);
  });

  it('may be anybody while the platform does not tell: a channel grants nothing then', async () => {
    let broken = true;
    const opened = await open(`${ONE_ROLE}members: {sales: [slack:C1]}`, nobody, async () => {
      if (broken) throw new Error('no answer');
      return false;
    });
    const grants = await opened.grantsOf(ama);
    expect(grants.may('charge')).toBe(false);
    expect(grants.withheld).toBe('not known');
    await opened.grantsOf(ama);
    expect(file.log.entries).toMatchObject([{ level: 'error', fields: { person: 'slack:U1' } }]);
    broken = false;
    expect(await opened.grantsOf(ama)).toMatchObject({ roles: ['sales'] });
    expect(await opened.grantsOf(ama)).not.toHaveProperty('withheld');
  });
});

it('a channel grants nothing when the app may not ask who is a guest', async () => {
  const opened = await open(`${ONE_ROLE}members: {sales: [slack:C1]}`, nobody, async () => {
    throw new NotPermittedError('missing_scope');
  });
  const grants = await opened.grantsOf(ama);
  expect(grants.may('charge')).toBe(false);
  expect(grants.withheld).toBe('not permitted');
});

it('a user group grants nothing when the app may not ask who is in it', async () => {
  const opened = await open(`${ONE_ROLE}members: {sales: [slack:S1]}`, async () => {
    throw new NotPermittedError('missing_scope');
  });
  expect((await opened.grantsOf(ama)).withheld).toBe('not permitted');
});

describe('at the start', () => {
  it.each([
    ['a mistake', 'roles:\n  sales: {commands: [chrage]}\n', 'line 2, roles.sales.commands.0'],
    ['no YAML', 'roles: [', 'line 1'],
  ])('refuses a file with %s, with 78 and the place', async (_what, text, place) => {
    const refused = await open(text).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartError);
    expect(refused).toMatchObject({ exitCode: 78, message: expect.stringContaining(place) });
    expect(String(refused)).toContain(file.path);
  });

  it('refuses a folder in its place', async () => {
    mkdirSync(file.path);
    await expect(open()).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining('EISDIR'),
    });
  });
});

describe('what several roles grant together', () => {
  const FILE = `
roles:
  osu: {commands: [charge, sms], dailyTotal: 100 GHS, dailySms: 20, approvals: [telegram:-5, slack:C0OSU]}
  kumasi: {commands: [charge, sms], dailyTotal: 200 GHS, dailySms: 50, approvals: slack:C0KUMASI}
  open: {commands: "*"}
  lead: {commands: [payments], admin: true, reveal: true}
members:
  osu: [slack:U1, slack:U2, telegram:7]
  kumasi: [slack:U1]
  open: [slack:U2]
  lead: [slack:U3]
`;

  it('is each total, the most SMS parts, and the first place for approvals on that platform', async () => {
    const opened = await open(FILE);
    expect(await opened.grantsOf(ama)).toMatchObject({
      charging: [
        { role: 'osu', dailyTotal: { amountMinor: 10_000 } },
        { role: 'kumasi', dailyTotal: { amountMinor: 20_000 } },
      ],
      dailySms: 50,
      approvalsIn: 'C0OSU',
      admin: false,
      reveal: false,
    });
    expect((await opened.grantsOf(caller('telegram', '7'))).approvalsIn).toBe('-5');
  });

  it('has no limit of SMS where one of the roles has none, and no total there', async () => {
    const both = await (await open(FILE)).grantsOf(caller('slack', 'U2'));
    expect(both).not.toHaveProperty('dailySms');
    expect(both.charging).toContainEqual({ role: 'open' });
  });

  it('leaves suspending to administrators, whatever "*" grants', async () => {
    const opened = await open(FILE);
    const [everything, lead] = await Promise.all([
      opened.grantsOf(caller('slack', 'U2')),
      opened.grantsOf(caller('slack', 'U3')),
    ]);
    for (const command of ['suspend', 'reinstate'])
      expect([everything.may(command), lead.may(command)]).toEqual([false, true]);
    expect(lead).toMatchObject({ admin: true, reveal: true, charging: [] });
  });
});
