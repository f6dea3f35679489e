import { describe, expect } from 'vitest';
import { capturedLog } from '../support/captured-log.ts';
import { eventually } from '../support/eventually.ts';
import { FastClock } from '../support/fast-clock.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { together } from '../support/together.ts';

const it = together();

const IN_FORCE = 'the access file has changed and is in force';

/** Runs fast, and a test can move it on. */
class JumpingClock extends FastClock {
  #aheadMs = 0;

  override now(): number {
    return super.now() + this.#aheadMs;
  }

  jump(ms: number): void {
    this.#aheadMs += ms;
  }
}

/** Ama may charge by her id, whoever types in #till by the channel, efua approves as one of the group finance. */
const openShop = async (transport: 'socket' | 'http') => {
  const access = (seller = '<@ama>') => `
roles:
  sales: {commands: [charge, lookup], maxCharge: 500 GHS}
  finance: {commands: [balance], approve: true}
members: { sales: [${seller}, <#till>], finance: [<!finance>] }
`;
  const clock = new JumpingClock();
  const { log, entries } = capturedLog();
  const shop = await openSlackShop({
    transport,
    people: ['ama', 'kojo', 'efua'],
    channels: ['sales', 'till', 'ops'],
    groups: [{ handle: 'finance', members: ['efua'] }],
    env: { OPERATORS: '<#ops>' },
    access: access(),
    clock,
    log,
  });
  const inForce = () =>
    eventually(() => expect(entries.map(({ message }) => message)).toContain(IN_FORCE));
  return { ...shop, clock, access, inForce };
};

describe.each(['socket', 'http'] as const)('who may press, in Slack over %s', (transport) => {
  it('is asked when pressed: who was taken out of the user group approves nothing any more', async () => {
    const { slack, ama, efua, payments } = await openShop(transport);
    await chargeInSlack(ama, 'sales', '0244123456 600');
    const approval = await slack.message('sales', /asks to charge GHS 600\.00/);
    // Known by now, and good for five minutes.
    await efua.ask('sales', '/balance', /Collection/);
    await slack.tells.group('finance', ['kojo']);
    await efua.press(approval, 'Approve');
    await efua.ephemeral(/You cannot approve charges yet[\s\S]*for access[\s\S]*slack:U/);
    expect(payments()).toEqual([]);
    await slack.person('kojo').press(approval, 'Approve');
    await slack.message('sales', /: completed/);
    expect(payments()).toHaveLength(1);
  });

  it('is asked when pressed: who was taken out of the file charges nothing any more', {
    tags: ['T5'],
  }, async () => {
    const { ama, access, writeAccess, inForce, payments } = await openShop(transport);
    const question = await ama.ask('sales', '/charge 0244123456 50', /Charge GHS 50\.00\?/);
    await writeAccess(access('<@kojo>'));
    await inForce();
    await ama.choose(question, 'Charge GHS 50.00', /You cannot charge yet/);
    expect(payments()).toEqual([]);
  });
});

describe('what a channel is granted in Slack', () => {
  it('is for full members and not for guests, who are told why, unless the file names them', {
    tags: ['T6'],
  }, async () => {
    const { slack, ama, kojo, payments } = await openShop('http');
    slack.changeAccount('kojo', { is_restricted: true, is_ultra_restricted: true });
    slack.changeAccount('ama', { is_restricted: true });
    await kojo.slash('till', '/charge', '0244123456 50');
    await kojo.ephemeral(/You cannot charge yet\nA guest needs access of their own/);
    // The channel is granted already: only an entry of their own helps.
    expect(kojo.ephemerals().join()).not.toContain('Id of this conversation');
    await chargeInSlack(ama, 'till', '0244123456 50');
    await slack.message('till', /: completed/);
    expect(payments()).toHaveLength(1);
  });

  it('is over at the press of somebody who became a guest meanwhile', async () => {
    const { slack, kojo, clock, payments } = await openShop('http');
    const question = await kojo.ask('till', '/charge 0244123456 50', /Charge GHS 50\.00\?/);
    slack.changeAccount('kojo', { is_restricted: true });
    clock.jump(5 * 60_000);
    await kojo.choose(question, 'Charge GHS 50.00', /You cannot charge yet/);
    expect(payments()).toEqual([]);
  });

  it.each([
    ['users.info', 'till', '/lookup', '0244123456'],
    ['usergroups.users.list', 'sales', '/balance', ''],
  ])('is nobody’s while Slack does not answer %s', async (method, channel, command, words) => {
    const { slack, efua } = await openShop('http');
    // The name of the sender is asked as well.
    slack.fail(method, { kind: 'http', status: 503 }, method === 'users.info' ? 2 : 1);
    await efua.slash(channel, command, words);
    await efua.ephemeral(/I cannot see now who is a guest[\s\S]*Try again in a minute/);
    await efua.slash(channel, command, words);
    await efua.ephemeral(/Name:|Collection:/);
  });
});

describe('an app without the scope users:read', () => {
  it('gives nobody what a channel is granted, and says why in the refusal and in /whoami', async () => {
    const { slack, kojo, payments } = await openShop('http');
    slack.fail('users.info', { kind: 'error', error: 'missing_scope' });
    await kojo.ask('till', '/charge 0244123456 50', /I may not see who is a guest/);
    await kojo.ask('till', '/whoami', /You: \S+ · no role[\s\S]*I may not see who is a guest/);
    expect(payments()).toEqual([]);
  });
});

describe('the access file', () => {
  it('that is broken is told to the operators with its line, once, and again when it is mended', async () => {
    const { slack, ama, access, writeAccess } = await openShop('http');
    await writeAccess(access().replace('lookup]', 'lokup]'));
    await slack.message(
      'ops',
      /The access file has a mistake[\s\S]*line 3, roles\.sales\.commands\.1: There is no command "lokup"/,
    );
    await ama.ask('sales', '/lookup 0244123456', /Name:/);
    await writeAccess(access());
    await slack.message('ops', /The access file is correct again/);
    const told = await slack.messages('ops');
    expect(told.map(({ text }) => text.split('\n')[0])).toEqual([
      expect.stringContaining('has a mistake'),
      expect.stringContaining('is correct again'),
    ]);
  });
});
