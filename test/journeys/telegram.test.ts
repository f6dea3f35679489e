import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { refusalOf } from '../support/telegram/refusal-of.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const ACCESS = `
roles:
  sales:
    commands: [charge, lookup, status, sms, payments]
    maxCharge: 500 GHS
    dailyLimit: 1000 GHS
  finance:
    commands: [balance, payments, status]
    approve: true
  lead:
    commands: [charge]
    maxCharge: 500 GHS
    approve: true
members: { lead: [<@adjoa>], sales: [<@ama>, <@kojo>], finance: [<@efua>] }
`;

/** A shop on Telegram: two sales people and one of finance; the clock runs fast for everybody. */
const openShop = (transport: 'polling' | 'webhook') =>
  openTelegramShop({
    transport,
    people: {
      ama: 'Ama Mensah',
      efua: 'Efua Owusu',
      kojo: 'Kojo Boateng',
      stranger: 'Somebody Else',
      adjoa: 'Adjoa Asante',
    },
    chats: ({ telegram, ama, efua, kojo, stranger }) => ({
      group: telegram.group('Sales', [ama, efua, kojo, stranger]),
      own: telegram.privateChat(ama),
    }),
    env: { SMS_SENDER_ID: 'SHOP' },
    access: ACCESS,
  });

describe.each(['polling', 'webhook'] as const)('a charge on Telegram by %s', (transport) => {
  const it = together();

  it('comes back paid as a reply to its card, which replies to the command', async () => {
    const { ama, group, payments } = await openShop(transport);
    const command = ama.type(group, '/charge 0244123456 50 GHS Invoice 17');
    const question = await group.waitFor(/Charge GHS 50\.00\?/);
    expect(question.text).toMatch(/024 412 3456/);
    expect(question.text).toMatch(/MTN MoMo/);
    expect(question.text).toMatch(/Invoice 17/);
    expect(question.text).toContain('TEST');
    const outcome = await ama.choose(group, question, 'Charge GHS 50.00', /: completed/);
    expect(outcome.text).toContain('Ama Mensah');
    const card = outcome.replyTo;
    expect(card?.id).toBe(question.id);
    expect(card?.replyTo?.id).toBe(command.id);
    await eventually(() => expect(card?.text).toMatch(/GHS 50\.00 completed/));
    expect(payments().map(({ times }) => times)).toEqual([1]);
    expect(group.fromBot).toEqual([card, outcome]);
    await eventually(() => expect(card?.buttons).toEqual([['Charge again', 'Details']]));
  });

  it('is pressed by the requester alone, and twice is once', { tags: ['T5'] }, async () => {
    const { telegram, ama, kojo, group, payments } = await openShop(transport);
    const question = await ama.ask(group, '/charge 0244123456 50', /Charge GHS 50\.00\?/);
    const press = kojo.press(question, 'Charge GHS 50.00');
    expect(await refusalOf(press, telegram.privateChat(kojo))).toMatch(/Ama Mensah/);
    expect(group.fromBot).toEqual([question]);
    ama.press(question, 'Charge GHS 50.00');
    const second = ama.press(question, 'Charge GHS 50.00', { version: 0 });
    expect(await refusalOf(second, telegram.privateChat(ama))).toMatch(/Already confirmed/);
    await group.waitFor(/: completed/);
    await eventually(() => expect(question.text).toMatch(/GHS 50\.00 completed/));
    expect(question.versions.map(({ text }) => text).join()).not.toContain('Already confirmed');
    expect(payments().map(({ times }) => times)).toEqual([1]);
  });

  it('is asked for step by step, in a group by replies, with Back and Cancel', async () => {
    const { ama, kojo, group } = await openShop(transport);
    const form = await ama.ask(group, '/charge', /Customer number\?/);
    kojo.type(group, '0244000000', { replyTo: form });
    ama.type(group, '12', { replyTo: form });
    await eventually(() => expect(form.text).toMatch(/⚠.*Customer number\?/s));
    ama.type(group, '0244123456', { replyTo: form });
    await eventually(() => expect(form.text).toMatch(/Customer number: 024 412 3456.*Amount\?/s));
    ama.press(form, 'Back');
    await eventually(() => expect(form.text).toMatch(/Customer number\?/));
    ama.type(group, '0244123457', { replyTo: form });
    await eventually(() => expect(form.text).toMatch(/Customer number: 024 412 3457.*Amount\?/s));
    const question = await ama.choose(group, form, 'GHS 20.00', /Charge GHS 20\.00\?/);
    expect(question.text).toContain('024 412 3457');
    // A group takes few messages a minute: the questions, and the one that becomes the card, are one message.
    expect(group.fromBot).toEqual([form]);
    ama.press(question, 'Cancel');
    await eventually(() => expect(question.text).toMatch(/Nothing was charged/));
    ama.type(group, '/charge 0244123456');
    const asked = await group.waitFor(/Amount\?/, { after: question });
    ama.press(asked, 'Cancel');
    await eventually(() => expect(asked.text).toMatch(/Cancelled/));
  });

  it('to a number that shows no network asks for the network and says why', async () => {
    const { ama, own } = await openShop(transport);
    const pay = await ama.ask(own, '/charge 0231234567 50', /Paid by\?\s+Glo has no wallet here\./);
    const question = await ama.choose(own, pay, 'Telecel Cash', /Charge GHS 50\.00\?/);
    expect(question.text).toMatch(/Network: ?Telecel Cash/);
  });

  it('keeps half-given answers over a restart', async () => {
    const { ama, own, restart } = await openShop(transport);
    await ama.ask(own, '/charge', /Customer number\?/);
    await ama.ask(own, '0244123456', /Amount\?/);
    await restart();
    await ama.ask(own, '35', /Charge GHS 35\.00\?/);
  });

  it('is cancelled by a typed word, which takes the buttons of its question away', async () => {
    const { ama, group, payments } = await openShop(transport);
    const question = await ama.ask(group, '/charge 0244123456 50', /Charge GHS 50\.00\?/);
    const typed = ama.type(group, '/cancel');
    await eventually(() => expect(question.text).toContain('Cancelled'));
    expect(question.buttons).toEqual([]);
    await eventually(() => expect(group.fromBot.at(-1)).toMatchObject({ replyTo: typed }));
    expect(group.fromBot).toHaveLength(2);
    expect(payments()).toEqual([]);
  });

  it('is cancelled by a typed word where its question came in the place of the form', async () => {
    const { ama, group, payments } = await openShop(transport);
    const question = await ama.ask(group, '/charge 0244123456', /Amount\?/);
    ama.press(question, 'GHS 20.00');
    await eventually(() => expect(question.text).toMatch(/Charge GHS 20\.00\?/));
    ama.type(group, '/cancel');
    await eventually(() => expect(question.text).toContain('Cancelled'));
    expect(question.buttons).toEqual([]);
    expect(payments()).toEqual([]);
  });

  it('above the limit needs somebody else who may approve', { tags: ['T8'] }, async () => {
    const { telegram, ama, efua, kojo, group, payments } = await openShop(transport);
    await chargeInTelegram(ama, group, '0244123456 600');
    const approval = await group.waitFor(/asks to charge GHS 600\.00/);
    for (const person of [kojo, ama]) {
      const press = person.press(approval, 'Approve GHS 600.00');
      const refusal = await refusalOf(press, telegram.privateChat(person));
      expect(refusal).toMatch(
        person === ama ? /Only Efua Owusu can approve this/ : /You cannot approve charges yet/,
      );
    }
    expect(group.fromBot.at(-1)).toBe(approval);
    expect(payments()).toEqual([]);
    const outcome = await efua.choose(group, approval, 'Approve GHS 600.00', /: completed/);
    // The outcome goes before the edit of the card.
    await eventually(() => expect(outcome.replyTo?.text).toContain('approved by Efua Owusu'));
  });

  it('above the limit is not approved by the one who asked, whatever they may', async () => {
    const { telegram, adjoa, group, payments } = await openShop(transport);
    await chargeInTelegram(adjoa, group, '0244123456 600');
    const approval = await group.waitFor(/asks to charge GHS 600\.00/);
    const press = adjoa.press(approval, 'Approve GHS 600.00');
    expect(await refusalOf(press, telegram.privateChat(adjoa))).toMatch(/You asked for this/);
    expect(payments()).toEqual([]);
  });

  it('stops at the daily limit', { tags: ['T8'] }, async () => {
    const { ama, group } = await openShop(transport);
    for (const number of ['0244123456', '0244123457']) {
      ama.type(group, `/charge ${number} 400`);
      const question = await group.waitFor(
        (message) =>
          message.text.includes(`024 412 ${number.slice(-4)}`) && message.text.includes('?'),
      );
      ama.press(question, 'Charge GHS 400.00');
      await group.waitFor(/: completed/, { after: question });
    }
    ama.type(group, '/charge 0244123458 400');
    await group.waitFor(
      /The daily limit is GHS 1,000\.00\. GHS 800\.00 is used today\. GHS 200\.00 is left\./,
    );
  });
});

describe('Telegram', () => {
  const it = together();

  it('answers the callback that comes before the acknowledgement, three times, or never, with one outcome each', async () => {
    const { ama, own, payments } = await openShop('polling');
    for (const ending of ['02', '03', '04', '05']) {
      ama.type(own, `/charge 02441234${ending} 1${ending.slice(1)}`);
      const question = await own.waitFor(new RegExp(`024 412 34${ending}`));
      ama.press(question, `Charge GHS 1${ending.slice(1)}.00`);
      await own.waitFor(new RegExp(`GHS 1${ending.slice(1)}\\.00 from .*: completed`));
    }
    expect(payments().map(({ times }) => times)).toEqual([1, 1, 1, 1]);
    expect(own.fromBot.filter(({ text }) => /: completed/.test(text))).toHaveLength(4);
  });

  it('keeps to the topic in a forum', async () => {
    const { ama, telegram } = await openShop('polling');
    const forum = telegram.forum('Shop', [ama]);
    const topic = forum.topic('Monday');
    ama.type(forum, '/charge 0244123456 50', { topic });
    const question = await forum.waitFor(/Charge GHS/);
    await ama.choose(forum, question, 'Charge GHS 50.00', /: completed/);
    expect(new Set(forum.fromBot.map(({ topicId }) => topicId))).toEqual(new Set([topic]));
  });

  it('follows a group that becomes a supergroup while a payment is under way', {
    tags: ['F54'],
  }, async () => {
    const { ama, group } = await openShop('polling');
    await chargeInTelegram(ama, group, '0244123402 50');
    await group.waitFor(/pending ·/);
    const moved = group.migrate();
    await moved.waitFor(/: completed/);
  });

  it('tells the requester directly when the group is gone', { tags: ['F54'] }, async () => {
    const { ama, own, group } = await openShop('polling');
    await chargeInTelegram(ama, group, '0244123402 50');
    await group.waitFor(/pending ·/);
    group.kickBot();
    await own.waitFor(/: completed/);
  });

  it('takes no choice for another question than the one it stands under', {
    tags: ['F18'],
  }, async () => {
    const { ama, own } = await openShop('polling');
    const pay = await ama.ask(own, '/charge 0511234567 50', /Paid by\?/);
    ama.press(pay, 'Bank card');
    // Pressed before the bot answered: the update says that the message still had this button.
    ama.press(pay, 'MTN MoMo');
    const card = await own.waitFor(/Card\?/);
    const question = await ama.choose(own, card, 'Mastercard', /Charge GHS 50\.00\?/);
    expect(question.text).toMatch(/Network: ?Mastercard/);
  });

  it('understands a command without a slash in a private chat, and a greeting', async () => {
    const { ama, own, efua, stranger, telegram } = await openShop('polling');
    await ama.ask(own, 'Charge 0244123456 50', /Charge GHS 50\.00\?/);
    const hello = await ama.ask(own, 'hi', /Hello Ama\n+I ask customers to pay by MoMo/);
    ama.type(own, '/chrage');
    await own.waitFor(/Did you mean \/charge\?/, { after: hello });
    const finance = telegram.privateChat(efua);
    const unclear = await efua.ask(finance, 'chrage', /I did not understand that/);
    expect(unclear.text).not.toContain('charge');
    const strange = telegram.privateChat(stranger);
    await stranger.ask(strange, 'hi', /telegram:1004/);
  });

  it('serves every other command, and refuses with the id to grant', async () => {
    const { ama, own, efua, stranger, telegram, group } = await openShop('polling');
    await ama.ask(own, '/lookup 0244123456', /Name: ?\w+/);
    await ama.ask(own, '/lookup', /Customer number\?/);
    const network = await ama.ask(own, '0244123408', /Network\?/);
    await ama.choose(own, network, 'Skip', /There is no account for this number/);
    await ama.ask(own, '/payments today', /No payments today/);
    await ama.ask(own, '/status 0123456789AB', /I have no payment with this id/);
    await ama.ask(own, '/status', /Transaction id\?/);
    await ama.ask(own, '/sms', /To\?/);
    await ama.ask(own, '0244123456, 0201234567', /Text\?/);
    const preview = await ama.ask(own, 'Your order\nis ready', /Send this SMS to 2 people\?/);
    await ama.choose(own, preview, 'Send 2 SMS', /SMS ".*": 2 of 2 sent/);
    await ama.ask(own, '/balance', /You cannot see balances yet/);
    const finance = telegram.privateChat(efua);
    await efua.ask(finance, '/balance', /Collection: ?GHS/);
    await ama.ask(own, '/help charge', /\/charge 0244123456 50 GHS/);
    await ama.ask(own, '/nonsense', /I did not understand that/);
    await ama.ask(own, '/charge 0244123456 50,00', /Please check/);
    const strangersOwn = telegram.privateChat(stranger);
    stranger.type(strangersOwn, '/charge 0244123456 50');
    const refusal = await strangersOwn.waitFor(/You cannot charge yet/);
    expect(refusal.text).toContain('Your id: telegram:1004');
    const who = await stranger.ask(group, '/whoami', /You: /);
    expect(who.text).toContain(`Id of this conversation: telegram:${group.id}`);
  });

  it('pages through payments', async () => {
    const { ama, own, payments } = await openShop('polling');
    for (let i = 10; i < 20; i++) {
      const question = await ama.ask(own, `/charge 02441235${i} 2`, new RegExp(`024 412 35${i}`));
      ama.press(question, 'Charge GHS 2.00');
      await eventually(() => expect(payments()).toHaveLength(i - 9));
    }
    const list = await ama.ask(own, '/payments', /Recent payments/);
    const firstPage = list.text;
    expect(firstPage).toMatch(
      /Recent payments\n+\d+ completed · GHS \d+\.00 · \d+ pending · 0 failed\n/,
    );
    ama.press(list, 'More');
    await eventually(() => expect(list.text).not.toBe(firstPage));
    ama.press(list, 'Newest');
    // In between more of them were paid.
    const rows = firstPage.split('\n').slice(3).join('\n').replaceAll('⏳', '✅');
    await eventually(() => expect(list.text.replaceAll('⏳', '✅')).toContain(rows));
  });
});
