import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ChatGrants } from '../../src/core/guards/chat-grants.ts';
import { chatGrantSeal } from '../../src/core/records/seals.ts';
import { MERCHANT } from '../../src/sandbox/sandbox.ts';
import { healthyEnv } from '../support/examined.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { runCommand } from '../support/run-command.ts';
import { openSlack } from '../support/slack-shop.ts';
import { openStoreIn } from '../support/store-folder.ts';

const ACCESS = `
roles:
  sales:
    commands: [charge, lookup]
    maxCharge: 500 GHS
    dailyLimit: 5000 GHS
  finance:
    commands: [balance]
    approve: true
members:
  sales: [slack:U024BE7LH, slack:C0SALES, telegram:123456789, telegram:-1001234567890]
  finance: [slack:S0FINANCE, slack:U024BE7LH]
`;

/** With a person who may give roles in chats. */
const WITH_BOSS = ACCESS.replace(
  'members:',
  '  owner: {commands: [lookup], admin: true}\nmembers:\n  owner: [slack:U0BOSS]',
);

/** The real program over this access file. */
const check = async (
  words: readonly string[],
  { access = ACCESS, ...env }: Readonly<Record<string, string>> = {},
) => runCommand('access', ['check', ...words], { ...(await healthyEnv(access)), ...env });

describe('npm run access -- check', () => {
  it('lists the roles with what they grant and who has them', async () => {
    const { code, output } = await check([]);
    expect(code).toBe(0);
    expect(output).toMatch(/access\.yml is right\. 2 roles\./);
    expect(output).toMatch(
      /sales\n +May use: +\/charge, \/lookup, \/today, \/help, \/whoami\n +One charge up to: +GHS 500\.00\n +In a day up to: +GHS 5,000\.00\n +Members: +slack:U024BE7LH, slack:C0SALES \(everyone who types there\), telegram:123456789, telegram:-1001234567890 \(everyone who types there\)/,
    );
    expect(output).toMatch(
      /finance\n.*\/balance.*\n +May approve: +charges that others ask for.*\n +Members: +slack:S0FINANCE \(user group\)/,
    );
  });

  it('warns of what is allowed and worth a second look, and leaves with 0 all the same', async () => {
    const { code, output } = await check([], {
      access: `
roles: { sales: {commands: [charge]}, empty: {}, nobody: {commands: [lookup], maxCharge: 5 GHS} }
members: { sales: [slack:C0SALES, slack:U1, slack:U1], empty: [slack:U2] }
notify:
  telegram:-1001234567890: { failed: all }
`,
    });
    expect(code).toBe(0);
    for (const warning of [
      '! Everybody who can type in slack:C0SALES may charge, without a limit, as sales.',
      '! slack:U1 is named twice as sales.',
      '! The role empty grants nothing.',
      '! No one has the role nobody.',
      '! There is a maxCharge, and no one may approve what is above it.',
      '! The access file names people on slack, which is not configured.',
      '! The access file has telegram under notify, which is not configured.',
    ])
      expect(output).toContain(warning);
  });

  it('warns of a limit above which no other person of that platform can approve', {
    tags: ['T77'],
  }, async () => {
    const access = (approvers: string) => `
roles:
  sales: {commands: [charge], maxCharge: 500 GHS}
  boss: {commands: [balance], approve: true}
members:
  sales: [slack:U1, telegram:1001]
  boss: [${approvers}]
`;
    const warning = /On (\w+) no one else can approve what sales charges above GHS 500\.00/g;
    const warned = async (approvers: string) =>
      [...(await check([], { access: access(approvers) })).output.matchAll(warning)].map(
        ([, platform]) => platform,
      );
    expect(await warned('slack:U2')).toEqual(['telegram']);
    expect(await warned('slack:U1, telegram:1002')).toEqual(['slack']);
    expect(await warned('slack:C0BOSSES, telegram:1002')).toEqual([]);
  });

  it('leaves with 78 when the file is broken, and names the lines', async () => {
    const { code, output } = await check([], { access: ACCESS.replace('balance', 'balances') });
    expect(code).toBe(78);
    expect(output).toMatch(/is not right:\n {2}line 8, roles\.finance\.commands\.0: .*"balances"/);
    expect((await check(['slack:U1'], { access: 'roles: [' })).code).toBe(78);
  });

  it('says what holds without a file', async () => {
    const env = await healthyEnv(ACCESS);
    await rm(env['ACCESS_FILE'] ?? '');
    const person = await runCommand('access', ['check', 'slack:U1'], env);
    expect(person).toMatchObject({ code: 1, output: expect.stringContaining('no access file at') });
    expect((await runCommand('access', ['check', 'terminal:ama'], env)).code).toBe(0);
  });

  it('leaves with 64 and its usage when it is told something else', async () => {
    const env = await healthyEnv(ACCESS);
    for (const words of [[], ['chek'], ['check', 'slack:U1', '--in'], ['check', 'a', 'b', 'c']]) {
      const { code, output } = await runCommand('access', words, env);
      expect(code).toBe(64);
      expect(output).toContain('npm run paythread -- access check slack:U024BE7LH');
    }
  });
});

describe('npm run access -- check <id>', () => {
  it('says what somebody may do, and through which entry', async () => {
    const { code, output } = await check(['telegram:123456789']);
    expect(code).toBe(0);
    expect(output).toMatch(/^telegram:123456789, alone with the bot\n +Roles: +sales\n/);
    expect(output).toMatch(/May use: +\/charge, \/lookup/);
    expect(output).toContain('sales: yes, named under members');
    expect(output).toContain('finance: no');
  });

  it.each([
    [
      'telegram:7',
      ['--in', 'telegram:-1001234567890'],
      0,
      'like everyone who types in telegram:-1001234567890',
    ],
    ['telegram:7', ['--in', '-1001234567890'], 0, 'sales: yes, like everyone'],
    [
      'telegram:7',
      ['--in', '-100999'],
      1,
      'no, that is for what is typed in telegram:-1001234567890',
    ],
    ['telegram:7', [], 1, 'May use: /help, /whoami'],
    ['slack:C0SALES', [], 0, 'Everyone who types in slack:C0SALES'],
    ['slack:S0FINANCE', [], 0, 'Members of the user group slack:S0FINANCE'],
    ['slack:C0OTHER', [], 1, 'Guests are granted nothing'],
    ['ama', [], 1, '"ama" is no id. Ids look like slack:U024BE7LH'],
    ['slack:U9', ['--in', 'telegram:-100999'], 1, 'is no conversation on slack'],
  ] as const)('%s %j: leaves with %i', async (id, more, code, words) => {
    const ran = await check([id, ...more]);
    expect(ran.output.replaceAll(/: +/g, ': ')).toContain(words);
    expect(ran.code).toBe(code);
  });

  it('says that it cannot know a user group or a guest without SLACK_BOT_TOKEN', async () => {
    const { code, output } = await check(['slack:U9', '--in', 'C0SALES']);
    expect(code).toBe(1);
    for (const role of [
      'sales: not known, so no. slack:C0SALES',
      'finance: not known, so no. slack:S0FINANCE',
    ])
      expect(output).toContain(
        `${role} has it. SLACK_BOT_TOKEN is not set, so Slack cannot be asked.`,
      );
  });

  it('asks Slack about user groups and guests, and prints no token', async () => {
    const { slack, settings, ama, kofi } = await openSlack({
      people: ['ama', 'kofi'],
      groups: [{ handle: 'finance', members: ['ama'] }],
    });
    const member = await check([`slack:${ama.id}`], settings);
    expect(member).toMatchObject({
      code: 0,
      output: expect.stringContaining(
        'finance: yes, as a member of the user group slack:S0FINANCE',
      ),
    });
    expect((await check([`slack:${kofi.id}`], settings)).output).toContain('finance: no');
    slack.changeAccount('kofi', { is_restricted: true });
    const guest = await check([`slack:${kofi.id}`, '--in', 'slack:C0SALES'], settings);
    expect(guest).toMatchObject({
      code: 1,
      output: expect.stringContaining('sales: no. slack:C0SALES has it, but only for full members'),
    });
    slack.fail('usergroups.users.list', { kind: 'error', error: 'missing_scope' }, 1);
    const untold = await check([`slack:${ama.id}`], settings);
    expect(untold).toMatchObject({
      code: 1,
      output: expect.stringContaining(
        'finance: not known, so no. slack:S0FINANCE has it. Slack does not say who is in the user group S0FINANCE: missing_scope.',
      ),
    });
    for (const { output } of [member, guest, untold]) expect(output).not.toContain(slack.botToken);
    expect(slack.calls('chat.postMessage')).toEqual([]);
  });
});

describe('what was given in the chat', () => {
  const esi = { platform: 'slack', id: 'U0ESI', name: 'Esi' };
  const SALES = { platform: 'slack', channel: 'C0SALES' };
  /** Settings over a store in which Esi asked in #sales and was given this role. */
  const given = async (role: string, secret: string = MERCHANT.secretKey, name = 'Esi') => {
    const env = await healthyEnv(WITH_BOSS);
    const clock = new ManualClock();
    const store = await openStoreIn(env['DATA_DIR'] ?? '', { clock });
    const seal = chatGrantSeal(secret);
    const grants = new ChatGrants({ store, clock, seal, operators: [SALES] });
    const asked = await grants.ask(
      { by: { ...esi, name }, conversation: SALES, where: SALES },
      'UTC',
    );
    const boss = { platform: 'slack', id: 'U0BOSS', name: 'Adwoa' };
    await grants.answer(asked?.request.id ?? '', { role, by: boss, at: SALES });
    await store.close();
    return env;
  };

  it('is listed beside the file, with who gave it and when', async () => {
    const { code, output } = await runCommand('access', ['check'], await given('sales'));
    expect(code).toBe(0);
    expect(output).toMatch(
      /Given in the chat, and taken back with \/access\n {2}slack:U0ESI Esi: sales, in slack:C0SALES and in private, by Adwoa, \d+ \w+ \d{4}, \d\d:\d\d, asked for access\n/,
    );
  });

  it('shows a name without what would rewrite the screen or turn the line', async () => {
    const name = 'Esi\u202e seirter\u001b[2K\u001b[1A\u001b]0;owned\u0007\r';
    const env = await given('sales', MERCHANT.secretKey, name);
    const { output } = await runCommand('access', ['check'], env);
    expect(output).toContain('slack:U0ESI Esi  seirter [2K [1A ]0;owned : sales');
    expect(output).not.toMatch(/[^\n\P{C}]/u);
  });

  it('counts for the person where it was asked for and in private, as in the chat', async () => {
    const env = await given('finance');
    for (const more of [['--in', 'slack:C0SALES'], []]) {
      const ran = await runCommand('access', ['check', 'slack:U0ESI', ...more], env);
      expect(ran.output).toContain('finance: yes, given in the chat by Adwoa');
      expect(ran.code).toBe(0);
    }
    for (const words of [['slack:U0ESI', '--in', 'slack:C0ELSE'], ['slack:U0OTHER']]) {
      const ran = await runCommand('access', ['check', ...words], env);
      expect(ran.output).not.toContain('given in the chat');
      expect(ran.code).toBe(1);
    }
  });

  it.each([
    ['a role that the file no longer has', 'gone', MERCHANT.secretKey, 'the role is gone'],
    ['a grant without a valid seal', 'sales', 'another key', 'it was changed'],
  ])('does not count: %s', async (_what, role, secret, words) => {
    const env = await given(role, secret);
    expect((await runCommand('access', ['check'], env)).output).toContain(words);
    const person = await runCommand('access', ['check', 'slack:U0ESI'], env);
    expect(person.output).not.toContain('given in the chat');
    expect(person.code).toBe(1);
  });
});
