import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { together } from '../support/together.ts';

/** A shop on Slack: ama and kojo sell, efua is of finance by her user group, yaw is nobody. */
const openShop = (transport: 'socket' | 'http') =>
  openSlackShop({
    transport,
    people: ['ama', 'kojo', 'efua', 'yaw'],
    channels: ['sales', { name: 'elsewhere', bot: false }],
    groups: [{ handle: 'finance', members: ['efua'] }],
    env: { SMS_SENDER_ID: 'SHOP' },
    access: `
roles:
  sales: {commands: [charge, lookup, status, sms, payments], maxCharge: 500 GHS}
  finance: {commands: [balance, payments], approve: true}
members: { sales: [<@ama>, <@kojo>], finance: [<!finance>] }
`,
  });

describe.each(['socket', 'http'] as const)('a charge on Slack by %s', (transport) => {
  const it = together();

  it('is confirmed in private and comes back paid in the thread of its card', async () => {
    const { slack, ama, payments } = await openShop(transport);
    await ama.slash('sales', '/charge', '0244123456 50 GHS Invoice 17');
    const question = await ama.ephemeral(/Charge GHS 50\.00\?/);
    expect(ama.ephemerals().join('\n')).toMatch(/024 412 3456[\s\S]*MTN MoMo[\s\S]*Invoice 17/);
    // Nothing of it is public before the press.
    expect(await slack.messages('sales')).toEqual([]);
    await ama.press(question, 'Charge GHS 50.00');
    const outcome = await slack.message('sales', /: completed/);
    const card = await slack.message('sales', /GHS 50\.00 completed/);
    expect(outcome.thread).toBe(card.ts);
    expect(card.thread).toBeUndefined();
    expect(outcome.text).toContain(`<@${ama.id}>`);
    // The card says all, so nothing is left of the question.
    expect(ama.ephemerals()).toEqual([]);
    expect(payments().map(({ times }) => times)).toEqual([1]);
    expect(
      (await slack.messages('sales')).filter(({ text }) => text.includes(': completed')),
    ).toHaveLength(1);
    expect(slack.acks.every(({ ok }) => ok)).toBe(true);
  });

  it('whose card cannot be posted says so to the requester, though its question is gone', async () => {
    const { slack, ama, payments } = await openShop(transport);
    await ama.slash('sales', '/charge', '0244123456 50');
    const question = await ama.ephemeral(/Charge GHS 50\.00\?/);
    slack.fail('chat.postMessage', { kind: 'error', error: 'not_in_channel' });
    await ama.press(question, 'Charge GHS 50.00');
    await ama.ephemeral(/Nothing was charged/);
    expect(ama.ephemerals()).toHaveLength(1);
    expect(payments()).toEqual([]);
  });

  it('whose question cannot be taken away is shown as confirmed there', async () => {
    const { slack, ama } = await openShop(transport);
    await ama.slash('sales', '/charge', '0244123456 50');
    const question = await ama.ephemeral(/Charge GHS 50\.00\?/);
    slack.fail('response_url', { kind: 'http', status: 500 }, 1);
    await ama.press(question, 'Charge GHS 50.00');
    await ama.ephemeral(/Confirmed: GHS 50\.00/);
    await slack.message('sales', /: completed/);
  });

  it('pressed twice and delivered twice is charged once', {
    tags: ['F17', 'F56', 'I9', 'T4'],
  }, async () => {
    const { slack, ama, payments } = await openShop(transport);
    const typed = await ama.slash('sales', '/charge', '0244123456 50');
    const question = await ama.ephemeral(/Charge GHS 50\.00\?/);
    await typed.again();
    const press = await ama.press(question, 'Charge GHS 50.00');
    await press.again();
    await ama.press(question, 'Charge GHS 50.00');
    await slack.message('sales', /: completed/);
    expect(payments().map(({ times }) => times)).toEqual([1]);
    // The one question was answered; a second one would have come long before the outcome.
    expect(ama.ephemerals().filter((text) => text.includes('Charge GHS 50.00?'))).toEqual([]);
  });

  it('where the bot is not a member charges nothing, tells how to invite it, and can be asked again', async () => {
    const { ama, payments } = await openShop(transport);
    await chargeInSlack(ama, 'elsewhere', '0244123456 50');
    const refused = await ama.ephemeral(/Nothing was charged[\s\S]*\/invite @Paythread/);
    await ama.choose(refused, 'Ask again', /Charge GHS 50\.00\?/);
    expect(payments()).toEqual([]);
  });

  it('asked for in a thread stays in that thread', async () => {
    const { slack, ama } = await openShop(transport);
    const parent = await ama.write('sales', 'Customer at the door');
    await ama.mention('sales', 'charge 0244123456 50', { thread: parent });
    const question = await ama.ephemeral(/Charge GHS 50\.00\?/);
    await ama.press(question, 'Charge GHS 50.00');
    const outcome = await slack.message('sales', /: completed/);
    const card = await slack.message('sales', /GHS 50\.00 completed/);
    expect([outcome.thread, card.thread]).toEqual([parent, parent]);
  });

  it('with parts missing opens a modal that names wrong fields', async () => {
    const { slack, ama } = await openShop(transport);
    const modal = await ama.form('sales', '/charge 0244123456');
    const refused = await ama.submit(modal, { Amount: '50,00' });
    expect(refused.kind).toBe('errors');
    const sent = await ama.submit(modal, {
      Amount: '75',
      Reference: 'Rent',
    });
    expect(sent.kind).toBe('closed');
    const question = await ama.ephemeral(/Charge GHS 75\.00\?/);
    await ama.press(question, 'Charge GHS 75.00');
    await slack.message('sales', /: completed/);
  });

  it('in a modal keeps the network that was typed for a checkout', async () => {
    const { ama } = await openShop(transport);
    await ama.slash('sales', '/charge', '0264123456 telecel checkout');
    await ama.submit(await ama.modal(), { Amount: '75' });
    await ama.ephemeral(/Charge GHS 75\.00\?[\s\S]*Network:\s*Checkout link, Telecel Cash/);
  });

  it('in a modal asks how the customer pays only where the number does not tell', async () => {
    const { ama } = await openShop(transport);
    const fieldsAfter = async (words: string) => {
      await ama.slash('sales', '/charge', words);
      const modal = await ama.modal();
      ama.close(modal);
      return modal.view.blocks.map(({ block_id: id }) => id);
    };
    expect(await fieldsAfter('0244123456')).toEqual(['number', 'amount', 'reference']);
    for (const words of ['', '0511234567', '0244123456 checkout', '0244123456 card'])
      expect(await fieldsAfter(words)).toEqual(expect.arrayContaining(['pay', 'card']));
  });

  it('in a modal whose number is changed asks for the network that it no longer shows', async () => {
    const { ama } = await openShop(transport);
    const opened = await ama.form('sales', '/charge 0244123456');
    const changed = await ama.submit(opened, {
      'Customer number': '0511234567',
      Amount: '50',
    });
    if (changed.kind !== 'updated') throw new Error(`the form was ${changed.kind}`);
    await ama.submit({ ...opened, view: changed.view }, { 'Paid by': 'AT Money' });
    await ama.ephemeral(/Charge GHS 50\.00\?[\s\S]*Network:\s*AT Money/);
  });

  it('to a number that shows no network is not sent before one is picked', async () => {
    const { ama } = await openShop(transport);
    const modal = await ama.form('sales', '/charge 0511234567 50');
    const refused = await ama.submit(modal, { 'Paid by': 'Mobile money' });
    expect(refused.kind).toBe('errors');
    await ama.submit(modal, { 'Paid by': 'AT Money' });
    await ama.ephemeral(/Charge GHS 50\.00\?[\s\S]*Network:\s*AT Money/);
  });

  it('above the limit waits for somebody of finance', async () => {
    const { slack, ama, kojo, efua, payments } = await openShop(transport);
    await chargeInSlack(ama, 'sales', '0244123456 600');
    const approval = await slack.message('sales', /asks to charge GHS 600\.00/);
    await kojo.choose(approval, 'Approve', /You cannot approve charges yet/);
    expect(payments()).toEqual([]);
    await efua.press(approval, 'Approve');
    await slack.message('sales', /: completed/);
  });
});

describe('Slack', () => {
  const it = together();

  it('serves every other command, its form and its refusals', async () => {
    const { slack, ama, efua, yaw } = await openShop('http');
    await ama.ask('sales', '/lookup 0244123456', /Name:\s*\w+/);
    await ama.submit(await ama.form('sales', '/lookup'), { 'Customer number': '0244123408' });
    await ama.ephemeral(/There is no account for this number/);
    await ama.ask('sales', '/paystatus 0123456789AB', /I have no payment with this id/);
    await ama.submit(await ama.form('sales', '/paystatus'), { 'Transaction id': '0123456789AB' });
    await ama.slash('sales', '/sms', '0244123456,0201234567 Your order is ready');
    await ama.press(await ama.ephemeral(/Send this SMS to 2 people\?/), 'Send 2 SMS');
    await slack.message('sales', /SMS ".*": 2 of 2 sent/);
    await ama.submit(await ama.form('sales', '/sms'), { To: '0244123456', Text: 'Hello' });
    await ama.ephemeral(/Send this SMS to 1 person\?/);
    await ama.ask('sales', '/payments today', /No payments today/);
    await ama.ask('sales', '/balance', /You cannot see balances yet/);
    await efua.ask('sales', '/balance', /Collection:\s*GHS/);
    await ama.ask('sales', '/help', /\/paystatus 01JD2M4X9QK7T3VB · check a payment now/);
    await ama.ask('sales', '/charge 0244123456 1.5k', /Please check[\s\S]*Correct it/);
    const refusal = await yaw.ask('sales', '/charge 0244123456 50', /You cannot charge yet/);
    expect(JSON.stringify(refusal.blocks)).toContain(`slack:${yaw.id}`);
    await yaw.ask('sales', '/whoami', /You: /);
    await ama.mention('sales', 'nonsense');
    await ama.ephemeral(/I did not understand that/);
    await ama.mention('sales', 'hi');
    await ama.ephemeral(/Hello /);
  });

  it('names commands as they are typed there, and people as the workspace calls them, never by id', async () => {
    const { slack, ama, efua } = await openShop('http');
    slack.changeAccount('ama', { profile: { display_name: 'Ama Mensah', real_name: '' } });
    for (const words of ['help', 'help paystatus', 'whoami', 'nonsense', 'status !'])
      await ama.mention('sales', words);
    await ama.ephemeral(/I did not understand that/);
    await ama.ephemeral(/\/paystatus <transaction id>/);
    await ama.ephemeral(/May use:[^\n]*\/paystatus/);
    await ama.ephemeral(/not a transaction id|transaction id has/);
    expect(ama.ephemerals().join('\n')).not.toMatch(/\/(status|help)\b/);
    await ama.mention('sales', 'charge 0244123456 600');
    await ama.press(await ama.ephemeral(/Charge GHS 600\.00\?/), 'Charge GHS 600.00');
    const approval = await slack.message('sales', /asks to charge GHS 600\.00/);
    expect(approval.text).toMatch(/Ama Mensah asks to charge/);
    await efua.press(approval, 'Approve GHS 600.00');
    await slack.message('sales', /: completed/);
    const said = (await slack.messages('sales')).map(({ text }) => text).join('\n');
    expect(said.replaceAll(/<@\w+>/g, '')).not.toContain(ama.id);
  });

  it('serves direct messages', async () => {
    const { slack, ama } = await openShop('socket');
    await ama.directMessage('charge 0244123456 50');
    const question = await slack.message('@ama', /Charge GHS 50\.00\?/);
    await ama.press(question, 'Charge GHS 50.00');
    const outcome = await slack.message('@ama', /: completed/);
    expect((await slack.messages('@ama')).map(({ text }) => text).join()).not.toMatch(
      /Charge GHS 50\.00\?|Confirmed/,
    );
    expect(outcome.thread).toBeDefined();
  });

  it('shows customers and replies to commands without their tricks', async () => {
    const { slack, ama } = await openShop('socket');
    await ama.slash(
      'sales',
      '/charge',
      '0244123456 50 <!channel> *bold* <https://evil.example|click>',
    );
    const question = await ama.ephemeral(/Charge GHS 50\.00\?/);
    await ama.press(question, 'Charge GHS 50.00');
    await slack.message('sales', /: completed/);
    for (const { args } of slack.calls('chat.postMessage')) {
      expect(args.text).not.toMatch(/<(?!@U)/);
      expect(JSON.stringify(args.blocks)).not.toContain('mrkdwn');
    }
    // In rich text there are no active tokens: it is shown as it was typed.
    expect(await slack.transcript('sales')).toContain('<!channel> *bold*');
  });

  it('posts the outcome although Slack limits, fails and loses answers meanwhile', async () => {
    const { slack, ama, app } = await openShop('socket');
    await chargeInSlack(ama, 'sales', '0244123456 50');
    await slack.message('sales', /pending ·/);
    slack.fail('chat.postMessage', { kind: 'rateLimited', retryAfterSeconds: 1 }, 1);
    slack.fail('chat.postMessage', { kind: 'cut after' }, 1);
    slack.fail('chat.update', { kind: 'cut after' }, 1);
    await slack.message('sales', /: completed/);
    await eventually(async () => {
      expect(await app.store.nextDueMs('notice')).toBeUndefined();
    });
    // The answer was lost after Slack had done the work: it is found by its mark and not posted again.
    expect(
      (await slack.messages('sales')).filter(({ text }) => text.includes(': completed')),
    ).toHaveLength(1);
  });
});
