import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { runApp } from '../support/run-app.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

/** Whoever charges may see payments; what is given back has a limit of its own. */
const ACCESS = `
roles:
  sales: {commands: [charge, payments]}
  till: {commands: [refund], maxCharge: 20 GHS}
  finance: {commands: [payments], approve: true}
members: { sales: [<@ama>], till: [<@ama>], finance: [<@efua>] }
`;

const BY_HAND = /GHS 15\.00 given back by hand, not by the payment service/;
const NET = /1 completed · GHS 50\.00 · GHS 15\.00 given back · net GHS 35\.00/;

describe('money that was given back by hand', () => {
  it.each(['http', 'socket'] as const)(
    'is written down in Slack over %s from the Details, above the limit once it is approved, and the card and the list say so',
    async (transport) => {
      const { slack, ama, efua, payments, app } = await openSlackShop({
        transport,
        people: ['ama', 'efua'],
        access: ACCESS,
      });
      await chargeInSlack(ama, 'sales', '0244123456 50');
      const card = await slack.message('sales', /GHS 50\.00 completed/);
      await efua.press(card, 'Details');
      const others = await efua.ephemeral(/Transaction/);
      expect(JSON.stringify(others.blocks)).not.toContain('Given back');
      await ama.press(card, 'Details');
      await ama.press(await ama.ephemeral(/Transaction/), 'Given back');
      const modal = await ama.modal();
      expect(JSON.stringify(modal)).toContain('At most GHS 50.00');
      const tooMuch = await ama.submit(modal, { 'Amount given back': '51', Reason: 'Broken' });
      expect(tooMuch.kind).toBe('errors');
      await ama.submit(modal, { 'Amount given back': '15', Reason: 'Broken <!channel>' });
      await ama.ephemeral(/Written down: GHS 15\.00 given back/);
      await slack.message('sales', BY_HAND);
      await ama.ask('sales', '/payments', NET);
      await ama.press(card, 'Details');
      const told = await ama.ephemeral(/GHS 15\.00 given back today .* by .*: Broken/);
      expect(told.text).not.toContain('<!channel>');
      await ama.press(told, 'Given back');
      await ama.submit(await ama.modal(), { 'Amount given back': '30', Reason: 'Came back' });
      await ama.ephemeral(/Waiting for approval/);
      const asked = await slack.message('sales', /ama asks to give back GHS 30\.00/);
      await ama.press(asked, 'Approve GHS 30.00');
      await ama.ephemeral(/You asked for this/);
      await efua.press(asked, 'Approve GHS 30.00');
      await slack.message('sales', /GHS 45\.00 given back by hand/);
      expect(payments()).toHaveLength(1);
      const { payments: stored } = await app.store.listPayments({}, { limit: 2 });
      expect(stored[0]?.givenBack?.map(({ approver }) => approver?.name)).toEqual([
        undefined,
        'efua',
      ]);
    },
  );

  it.each(['polling', 'webhook'] as const)(
    'above the limit waits in Telegram by %s for another person, who approves it in the group',
    async (transport) => {
      const { ama, efua, telegram, group, app } = await openTelegramShop({
        transport,
        people: { ama: 'Ama', efua: 'Efua' },
        chats: ({ telegram: all, ama: one, efua: other }) => ({
          group: all.group('Sales', [one, other]),
        }),
        access: ACCESS,
      });
      const own = telegram.privateChat(ama);
      const card = await chargeInTelegram(ama, group, '0244123456 50');
      await group.waitFor(/: completed/);
      ama.press(card, 'Details');
      const details = await own.waitFor(/Transaction/);
      ama.press(details, 'Given back');
      await own.waitFor(/At most GHS 50\.00/);
      ama.type(own, '15');
      await own.waitFor(/Reason/);
      ama.type(own, 'Wrong size');
      await own.waitFor(/Written down: GHS 15\.00 given back/);
      await eventually(() => expect(card.text).toMatch(BY_HAND));
      ama.press(details, 'Given back');
      await own.waitFor(/At most GHS 35\.00/);
      ama.type(own, '30');
      await eventually(() => expect(own.fromBot.at(-1)?.text).toMatch(/Reason/));
      ama.type(own, 'Came back');
      await own.waitFor(/Waiting for approval/);
      const asked = await group.waitFor(/Ama asks to give back GHS 30\.00/);
      efua.press(asked, 'Approve GHS 30.00');
      await own.waitFor(/Approved: GHS 30\.00 back to/);
      await eventually(() => expect(card.text).toMatch(/GHS 45\.00 given back by hand/));
      const { payments } = await app.store.listPayments({}, { limit: 2 });
      expect(payments[0]?.givenBack?.map(({ approver }) => approver?.name)).toEqual([
        undefined,
        'Efua',
      ]);
    },
  );

  it.each(['polling', 'webhook'] as const)(
    'within the limit is written down in Telegram by %s without another person, and the list says so',
    async (transport) => {
      const { ama, telegram, app } = await openTelegramShop({
        transport,
        people: { ama: 'Ama' },
        access: ACCESS.replace('<@efua>', ''),
      });
      const own = telegram.privateChat(ama);
      const card = await chargeInTelegram(ama, own, '0244123456 50');
      await own.waitFor(/: completed/);
      const details = await ama.choose(own, card, 'Details', /Transaction/);
      await ama.choose(own, details, 'Given back', /At most GHS 50\.00/);
      await ama.ask(own, '51', /at most|left/i);
      await ama.ask(own, '15', /Reason/);
      await ama.ask(own, 'Wrong size', /Written down: GHS 15\.00 given back/);
      await eventually(() => expect(card.text).toMatch(BY_HAND));
      await ama.ask(own, '/payments', NET);
      expect(own.transcript()).not.toMatch(/approval/i);
      const { payments } = await app.store.listPayments({}, { limit: 2 });
      expect(payments.map(({ givenBack = [] }) => givenBack.length)).toEqual([1]);
    },
  );

  it('is written down in the terminal, with a note', async () => {
    const shop = await runApp();
    await shop.ask('/charge 0244123456 50 GHS', 'Charge GHS 50.00?');
    await shop.ask('yes', ': completed');
    await shop.ask('/payments', '1 completed · GHS 50.00');
    await shop.ask('details 1', 'given back');
    await shop.ask('given back', 'Amount given back');
    await shop.ask('15', 'Reason');
    await shop.ask('Wrong size', 'Written down: GHS 15.00 given back');
    await shop.ask('/payments', 'GHS 15.00 given back · net GHS 35.00');
    await shop.ask('details 1', /given back today/);
    await shop.ask('note', 'Note');
    await shop.ask('Comes back on Friday', 'The note is kept');
  });
});

describe('a note on a payment', () => {
  it.each(['http', 'socket'] as const)(
    'is written in Slack over %s, and the Details show it as it was typed',
    async (transport) => {
      const { slack, ama, efua } = await openSlackShop({
        transport,
        people: ['ama', 'efua'],
        access: ACCESS,
      });
      await chargeInSlack(ama, 'sales', '0244123456 50');
      const card = await slack.message('sales', /GHS 50\.00 completed/);
      await ama.press(card, 'Details');
      await ama.press(await ama.ephemeral(/Transaction/), 'Note');
      const modal = await ama.modal();
      const refused = await ama.submit(modal, { Note: 'Card 4111 1111 1111 1111' });
      expect(refused.kind).toBe('errors');
      await ama.submit(modal, { Note: 'Comes <!channel> back on Friday' });
      await ama.ephemeral(/The note is kept/);
      await efua.press(card, 'Details');
      const told = await efua.ephemeral(/Note today .* by ama: Comes .* back on Friday/);
      expect(told.text).not.toContain('<!channel>');
      for (const { text } of await slack.messages('sales')) expect(text).not.toContain('Friday');
    },
  );

  it.each(['polling', 'webhook'] as const)(
    'is written in Telegram by %s in private, and the group does not read it',
    async (transport) => {
      const { ama, telegram, group } = await openTelegramShop({
        transport,
        people: { ama: 'Ama' },
        chats: ({ telegram: all, ama: one }) => ({ group: all.group('Sales', [one]) }),
        access: ACCESS.replace('<@efua>', ''),
      });
      const own = telegram.privateChat(ama);
      const card = await chargeInTelegram(ama, group, '0244123456 50');
      await group.waitFor(/: completed/);
      ama.press(card, 'Details');
      ama.press(await own.waitFor(/Transaction/), 'Note');
      await own.waitFor(/Note/);
      await ama.ask(own, 'Comes <b>back</b> on Friday', /The note is kept/);
      ama.press(card, 'Details');
      await own.waitFor(/Note today .* by Ama: Comes <b>back<\/b> on Friday/);
      expect(group.transcript()).not.toContain('Friday');
    },
  );
});
