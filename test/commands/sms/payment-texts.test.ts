import { beforeEach, describe, expect, it } from 'vitest';
import { cardOf } from '../../../src/commands/cards/card.ts';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import { textButtons } from '../../../src/commands/sms/text-buttons.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { allGrants } from '../../support/grants.ts';
import { smsSettings } from '../../support/sms-templates.ts';
import { changePayment } from '../../support/stored-payments.ts';
import { statusOf } from '../../support/stub-gateway.ts';
import { ACCEPTED, openTextingShop } from '../../support/texting-shop.ts';

const HOUR_MS = 3_600_000;
const kojo = { platform: 'slack', id: 'U0KOJO', name: 'kojo' };

type Opened = Awaited<ReturnType<typeof openTextingShop>>;
let { shop, payment, paid, labels, press, texts, reports } = {} as Opened;
const open = async (...how: Parameters<typeof openTextingShop>): Promise<void> => {
  ({ shop, payment, paid, labels, press, texts, reports } = await openTextingShop(...how));
};

const giveBack = ({ id }: Payment, amountMinor: number) =>
  changePayment(shop.store, id, { givenBack: [{ id: 'g1', by: ama, atMs: 0, amountMinor }] });

describe('a receipt that is pressed for', () => {
  beforeEach(() => open());

  it('is sent at once, and the presser is told what it costs', async () => {
    const done = await paid();
    expect(await labels()).toEqual(['Receipt']);
    expect(await press('Receipt', done)).toBe(
      'The receipt is being sent | To 024 *** 3456. Costs 1 SMS.',
    );
    await shop.pass(1_000);
    expect(texts()).toEqual([
      `Thank you customer. Adjoa Stores received GHS 50.00 on 15 Jan 2026. Reference ${done.id}.`,
    ]);
    expect(shop.gateway.texted[0]).toMatchObject({ recipients: ['+233244123456'] });
    expect(reports()).toEqual(['Receipt SMS: sent']);
    expect(await labels()).toEqual([]);
  });

  it('is reported also where the chat is away for days', { tags: ['F53'] }, async () => {
    const done = await paid();
    shop.chatSays = () => 'not sent';
    await press('Receipt', done);
    await shop.pass(50 * HOUR_MS);
    expect(reports()).toEqual([]);
    shop.chatSays = () => 'delivered';
    await shop.pass(HOUR_MS);
    expect(reports()).toEqual(['Receipt SMS: sent']);
  });

  it('is not offered and not sent once everything was given back', async () => {
    const done = await paid();
    await giveBack(done, 4_999);
    expect(await labels()).toEqual(['Receipt']);
    await giveBack(done, 5_000);
    expect(await labels()).toEqual([]);
    expect(await press('Receipt', done)).toContain('The customer got all of the money back.');
    await shop.pass(1_000);
    expect(texts()).toEqual([]);
  });

  it('is not sent where everything was given back between its press and its request', async () => {
    const done = await paid();
    await press('Receipt', done);
    await giveBack(done, 5_000);
    await shop.pass(1_000);
    expect(texts()).toEqual([]);
    expect(reports()).toEqual(['Receipt SMS: not sent']);
  });

  it('is sent once, however often and by whomever it is pressed', { tags: ['T42'] }, async () => {
    const done = await paid();
    const answers = await Promise.all([press('Receipt', done), press('Receipt', done, kojo)]);
    expect(answers.filter((answer) => answer.startsWith('The receipt is being sent'))).toHaveLength(
      1,
    );
    await shop.pass(1_000);
    expect(await press('Receipt', done)).toBe(
      'Not sent again | The receipt was sent before, or may have been.',
    );
    expect(texts()).toHaveLength(1);
  });

  it('is sent once over a restart', async () => {
    const done = await paid();
    await press('Receipt', done);
    await shop.stop();
    await shop.start();
    await shop.pass(60_000);
    expect(await press('Receipt', done)).toMatch(/^Not sent again/);
    expect(texts()).toHaveLength(1);
  });

  it('is sent once when the process dies between the press and the request', async () => {
    const done = await paid();
    shop.dieAt('work-claimed');
    await press('Receipt', done);
    await shop.pass(0);
    expect(texts()).toEqual([]);
    await shop.start();
    await shop.pass(60_000);
    expect(texts()).toHaveLength(1);
    expect(await press('Receipt', done)).toMatch(/^Not sent again/);
  });

  it('may be sent again after the payment service refused it, from the report', async () => {
    const done = await paid();
    shop.gateway.onSms = () => ({ kind: 'refused', reason: 'No SMS are left.', answer: {} });
    await press('Receipt', done);
    await shop.pass(1_000);
    const report = shop.posted.find(({ key }) => key.includes('.sms.'))?.card;
    expect(report?.title).toBe('Receipt SMS: not sent');
    expect(cardText(report)).toContain('No SMS are left.');
    shop.gateway.onSms = () => ACCEPTED;
    const [again] = await shop.press(report, 'Receipt');
    expect(again?.title).toBe('The receipt is being sent');
    await shop.pass(1_000);
    expect((await shop.press(report, 'Receipt'))[0]?.title).toBe('Not sent again');
    expect(texts()).toHaveLength(2);
  });

  it.each([
    ['on the same day', 1_000],
    ['after a year', 366 * 24 * HOUR_MS],
  ])('is offered by the card again when the payment service refused it, %s', async (_, afterMs) => {
    const done = await paid();
    shop.gateway.onSms = () => ({ kind: 'refused', reason: 'No SMS are left.', answer: {} });
    await press('Receipt', done);
    expect(await labels()).toEqual([]);
    await shop.pass(1_000);
    expect(await labels()).toEqual(['Receipt']);
    expect(shop.edited.at(-1)?.buttons?.map(({ label }) => label)).toContain('Receipt');
    shop.gateway.onSms = () => ACCEPTED;
    shop.clock.jump(afterMs);
    await shop.pass(60_000);
    expect(await press('Receipt', done)).toMatch(/^The receipt is being sent/);
    await shop.pass(1_000);
    expect(texts()).toHaveLength(2);
    shop.clock.jump(afterMs);
    await shop.pass(60_000);
    expect(await press('Receipt', done)).toMatch(/^Not sent again/);
    expect(texts()).toHaveLength(2);
  });

  it('is not sent again where the service may have sent it', { tags: ['F79'] }, async () => {
    const done = await paid();
    const reason = 'The payment service says "failed" of this SMS.';
    shop.gateway.onSms = () => ({ kind: 'unknown', reason, answer: {} });
    await press('Receipt', done);
    await shop.pass(49 * HOUR_MS);
    expect(reports()).toEqual(['Receipt SMS: not clear']);
    expect(await press('Receipt', done)).toBe(
      'Not sent again | The receipt was sent before, or may have been.',
    );
    expect(texts()).toHaveLength(1);
  });

  it('needs the right to send SMS, of the presser and at the press', {
    tags: ['T42'],
  }, async () => {
    const done = await paid();
    shop.grants = allGrants({ may: (command) => command !== 'sms' });
    expect(await press('Receipt', done)).toMatch(/^You cannot send SMS yet/);
    expect(texts()).toEqual([]);
  });

  it('counts in the day of the presser', { tags: ['T42'] }, async () => {
    const first = await paid();
    await shop.charge('0201234567 50');
    await shop.pass(15_000);
    const second = await payment();
    shop.grants = allGrants({ dailySms: 1 });
    await press('Receipt', first);
    expect(await press('Receipt', second)).toContain('You may send 1 SMS a day. Used today: 1.');
    await shop.pass(1_000);
    expect(texts()).toHaveLength(1);
  });

  it('is not sent of a payment that the payment service contradicts', async () => {
    const done = await paid();
    shop.gateway.onStatus = (id) => statusOf(id, 'failed');
    await shop.pass(HOUR_MS);
    expect(await payment()).toMatchObject({ state: 'completed', flag: 'conflict' });
    expect(await press('Receipt', done)).toMatch(/The payment service contradicts this payment/);
    expect(texts()).toEqual([]);
  });
});

describe('what a payment offers', () => {
  it('is a reminder while it is pending alone', { tags: ['T65'] }, async () => {
    await open('pending');
    const pending = await paid();
    expect(await labels()).toEqual(['Reminder']);
    await press('Reminder', pending);
    expect(await labels()).toEqual([]);
    shop.gateway.onStatus = (id) => statusOf(id, 'failed');
    await shop.pass(60_000);
    expect((await payment()).state).toBe('failed');
    expect(await labels()).toEqual([]);
    expect(texts()).toEqual(['Adjoa Stores: please approve GHS 50.00.']);
  });

  it.each(['completed', 'failed'] as const)(
    'is no reminder of one that has %s since its card was shown',
    { tags: ['T65'] },
    async (end) => {
      await open('pending');
      const pending = await paid();
      shop.gateway.onStatus = (id) => statusOf(id, end);
      await shop.pass(60_000);
      expect(await press('Reminder', pending)).toBe(
        `Nothing was sent | The payment is ${end} now.`,
      );
      await shop.pass(1_000);
      expect(texts()).toEqual([]);
    },
  );

  it('is no reminder of one that failed and whose next try was paid', {
    tags: ['T65'],
  }, async () => {
    await open('failed');
    const failed = await paid();
    const card = paymentCard(failed, 'Africa/Accra', 'one person', { sms: smsSettings() });
    shop.gateway.onStatus = (id) => statusOf(id, 'completed');
    const [again] = await shop.press(card, 'Ask again');
    await shop.press(again, 'Charge');
    await shop.pass(15_000);
    expect(card.buttons?.map(({ label }) => label)).not.toContain('Reminder');
    const older = cardOf('', [], {
      buttons: textButtons({ ...failed, state: 'pending' }, smsSettings()),
    });
    expect((await shop.press(older, 'Reminder')).map(cardText)).toEqual([
      'Nothing was sent | The payment is failed now.',
    ]);
    expect(texts()).toEqual([]);
  });

  it('is the link of a checkout while that is open', async () => {
    await open('pending');
    const checkoutUrl = 'https://pay.example.com/c/1?a=1&b=2';
    shop.gateway.onPayment = () => ({ kind: 'accepted', answer: {}, checkoutUrl });
    await shop.charge('0244123456 50 checkout');
    await shop.pass(1_000);
    expect(await labels()).toEqual(['Reminder', 'Link by SMS']);
    await press('Link', await payment());
    await shop.pass(1_000);
    expect(texts()).toEqual([`Adjoa Stores: pay GHS 50.00 here: ${checkoutUrl}`]);
  });

  it.each([
    ['RECEIPT=never', smsSettings({ receipt: 'never' })],
    ['no template', smsSettings({ templates: new Map() })],
    ['no sender id', { ...smsSettings(), senderIds: [] }],
  ])('is nothing with %s, and an older button sends nothing', async (_, sms) => {
    await open('completed', sms);
    const done = await paid();
    expect(await labels()).toEqual([]);
    const older = cardOf('', [], { buttons: textButtons(done, smsSettings()) });
    expect((await shop.press(older, 'Receipt')).map(cardText).join()).toContain('Nothing was sent');
    await shop.pass(1_000);
    expect(texts()).toEqual([]);
  });

  it('is nothing of a payment that is gone from the screen: a forged id', async () => {
    await open();
    const card = cardOf('', [], {
      buttons: textButtons({ ...(await paid()), id: 'NONE' }, smsSettings()),
    });
    expect((await shop.press(card, 'Receipt')).map(({ title }) => title)).toEqual([
      'This button is too old',
    ]);
  });
});

describe('a reminder on its way', () => {
  it('is not sent once the payment has ended', async () => {
    await open('pending');
    const pending = await paid();
    shop.gateway.onSms = () => ({ kind: 'rateLimited', answer: {}, retryAfterMs: 20_000 });
    await press('Reminder', pending);
    await shop.pass(1_000);
    shop.gateway.onStatus = (id) => statusOf(id, 'completed');
    shop.gateway.onSms = () => ACCEPTED;
    await shop.pass(60_000);
    expect(texts()).toHaveLength(1);
    expect(reports()).toEqual(['Reminder SMS: not sent']);
  });
});
