import { describe, expect } from 'vitest';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { together } from '../support/together.ts';

const it = together();

/** A shop on Slack: whoever types in #sales may charge, kojo is not in it; efua may see payments; yaw may nothing. */
const openShop = async (transport: 'socket' | 'http', holder = '<#sales>') => {
  const shop = await openSlackShop({
    transport,
    people: ['ama', 'kojo', 'efua', 'yaw'],
    channels: [
      { name: 'sales', members: ['ama', 'efua', 'yaw'] },
      { name: 'board', private: true, bot: false },
      { name: 'elsewhere', bot: false },
    ],
    access: `
roles: { sales: {commands: [charge]}, finance: {commands: [payments]} }
members: { sales: [${holder}], finance: [<@efua>] }
`,
  });
  const charged = () => shop.payments().length;
  return { ...shop, sales: await shop.slack.channelId('sales'), charged };
};

describe.each(['socket', 'http'] as const)(
  'the shortcut "Charge a customer" by %s',
  (transport) => {
    it('asks where the card goes, the last place first, and the card stands there', async () => {
      const { slack, ama, sales } = await openShop(transport);
      await ama.shortcut('Charge a customer');
      const asked = await ama.modal();
      const filled = { Channel: sales, 'Customer number': '0244123456', Amount: '50' };
      const submitted = await ama.submit(asked, filled);
      expect(submitted.kind).toBe('updated');
      expect(JSON.stringify(submitted)).toContain(`"channel_id":"${sales}"`);
      await ama.press(await ama.ephemeral(/Charge GHS 50\.00\?/), 'Charge GHS 50.00');
      const outcome = await slack.message('sales', /: completed/);
      expect(outcome.thread).toBe((await slack.message('sales', /GHS 50\.00 completed/)).ts);
      await ama.shortcut('Charge a customer');
      const again = await ama.modal();
      expect(JSON.stringify(again.view.blocks[0])).toContain(`"initial_conversation":"${sales}"`);
      expect(slack.acks.every(({ ok }) => ok)).toBe(true);
    });
  },
);

describe('a shortcut of a person without the right', () => {
  it('is refused at once where no conversation could give it', async () => {
    const { slack, yaw, efua } = await openShop('http', 'slack:U0KWAKU000');
    await yaw.shortcut('Charge a customer');
    await slack.message('@yaw', /You cannot charge yet/);
    await efua.shortcut('Charge a customer');
    await slack.message('@efua', /You cannot charge yet/);
  });
});

describe('a channel that is picked', () => {
  it('is refused beside its field where the bot or the person is not in it, or Slack does not tell', {
    tags: ['T6'],
  }, async () => {
    const { slack, ama, kojo, sales, charged } = await openShop('http');
    const problemIn = async (person: typeof ama, Channel: string) => {
      await person.shortcut('Charge a customer');
      const modal = await person.modal();
      const answers = { Channel, 'Customer number': '0244123456', Amount: '50' };
      const submitted = await person.submit(modal, answers);
      person.close(modal);
      return submitted.kind === 'errors' ? Object.values(submitted.errors).join() : submitted.kind;
    };
    expect(await problemIn(ama, await slack.channelId('board'))).toMatch(/Invite me there/);
    expect(await problemIn(ama, await slack.channelId('elsewhere'))).toMatch(/Invite me there/);
    expect(await problemIn(kojo, sales)).toMatch(/You are not in that channel/);
    expect(await problemIn(ama, 'D0AMA000000')).toMatch(/You are not in that channel/);
    slack.fail('conversations.members', { kind: 'http', status: 500 });
    expect(await problemIn(ama, sales)).toMatch(/Slack does not answer/);
    slack.heal();
    await slack.archive('sales');
    expect(await problemIn(ama, sales)).toMatch(/archived/);
    expect([ama.ephemerals(), kojo.ephemerals(), charged()]).toEqual([[], [], 0]);
  });

  it('counts for what may be done there: without one it is the chat with the bot', async () => {
    const { slack, ama, charged } = await openShop('http');
    await ama.shortcut('Charge a customer');
    const answers = { 'Customer number': '0244123456', Amount: '50' };
    expect((await ama.submit(await ama.modal(), answers)).kind).toBe('closed');
    // What #sales grants counts in #sales alone.
    await slack.message('@ama', /You cannot charge yet/);
    expect(charged()).toBe(0);
  });
});

describe('a shortcut on a message', () => {
  it('charges its number, and the card stands in its thread', async () => {
    const { slack, ama } = await openShop('http');
    const text = 'Please ask Kofi, 024 412 3456, for GHS 50';
    const ts = await slack.postAs('yaw', 'sales', { text });
    const started = await ama.messageShortcut('Charge this number', { channel: 'sales', ts, text });
    const question = await ama.ephemeral(/Charge GHS 50\.00\?/);
    // Slack shows no private message in a thread without messages.
    expect(question.thread).toBeUndefined();
    await started.again();
    await ama.press(question, 'Charge GHS 50.00');
    const card = await slack.message('sales', /GHS 50\.00 completed/);
    expect(card.thread).toBe(ts);
    expect(ama.ephemerals().filter((each) => each.includes('Charge GHS 50.00?'))).toEqual([]);
  });

  it('with several numbers asks which, and picks none', async () => {
    const { slack, ama, charged } = await openShop('http');
    const text = 'Kofi 0244123456 or Esi 0501234567: GHS 50';
    const ts = await slack.postAs('yaw', 'sales', { text });
    await ama.messageShortcut('Charge this number', { channel: 'sales', ts, text });
    const { view } = await ama.modal();
    expect(JSON.stringify(view)).toMatch(/Which one\?[^"]*024 412 3456, 050 123 4567/);
    expect(JSON.stringify(view)).not.toContain('"initial_value":"02');
    expect(JSON.stringify(view)).toContain('"initial_value":"GHS 50.00"');
    expect(charged()).toBe(0);
  });

  it('lists the payments of its number, in private', async () => {
    const { slack, efua } = await openShop('http');
    const text = 'Did 0244123456 pay?';
    const ts = await slack.postAs('yaw', 'sales', { text });
    const where = { channel: 'sales', ts, text };
    await efua.messageShortcut('Payments of this number', where);
    await efua.ephemeral(/no payment for .024 412 3456/);
    await efua.messageShortcut('Payments of this number', { ...where, text: 'Did Kofi pay?' });
    await efua.ephemeral(/No number in this message/);
    const two = '0244123456, 0501234567';
    await efua.messageShortcut('Payments of this number', { ...where, text: two });
    await efua.ephemeral(/2 numbers in this message[\s\S]*\/payments 050 123 4567/);
    expect((await slack.messages('sales')).map((each) => each.text)).toEqual([text]);
  });

  it('lists payments, and their Details have a link to the card', async () => {
    const { slack, ama, efua } = await openShop('http');
    await chargeInSlack(ama, 'sales', '0244123456 50');
    const { ts } = await slack.message('sales', /GHS 50\.00 completed/);
    const where = { channel: 'sales', ts, text: 'Did 0244123456 pay?' };
    await efua.messageShortcut('Payments of this number', where);
    const listed = await efua.ephemeral(/Payments of 024 412 3456/);
    await efua.press(listed, '1');
    const details = await efua.ephemeral(/Transaction:/);
    expect(JSON.stringify(details.blocks)).toMatch(
      new RegExp(`"type":"link","url":"http[^"]+/p${ts.replace('.', '')}"`),
    );
  });

  it('does nothing without the right, for another company, or on a card number', {
    tags: ['T6', 'T15'],
  }, async () => {
    const { slack, ama, kojo, efua, charged } = await openShop('http');
    const text = '0244123456 GHS 50';
    const ts = await slack.postAs('yaw', 'sales', { text });
    const where = { channel: 'sales', ts, text };
    await ama.messageShortcut('Payments of this number', where);
    await ama.ephemeral(/You cannot see payments yet/);
    // The channel grants to its members and to no guest of another company.
    await kojo.fromTeam('T0OTHER').messageShortcut('Charge this number', where);
    await kojo.ephemeral(/Not from another workspace/);
    const card = 'My card is 4111 1111 1111 1111';
    await efua.messageShortcut('Payments of this number', { ...where, text: card });
    await efua.ephemeral(/card number/);
    expect(charged()).toBe(0);
  });
});
