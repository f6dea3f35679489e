import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import { recentCustomers } from '../../../src/commands/charge/recent-customers.ts';
import type { ChargeDraft } from '../../../src/core/records/draft.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama, kojo, shop } from '../../support/a-payment.ts';
import { cardText, factOf } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand, openDesk } from '../../support/desk.ts';
import { draftOn } from '../../support/draft-on.ts';
import { allGrants } from '../../support/grants.ts';
import { changePayment, storedPayments } from '../../support/stored-payments.ts';

const MINUTE_MS = 60_000;

let { clock, store, desk } = {} as DeskInHand;
let grants: (person: Person) => Grants;

beforeEach(async () => {
  grants = () => allGrants();
  ({ clock, store, desk } = await deskInHand((person) => grants(person)));
});

const all = () => storedPayments(store);
/** The transaction id that the charge of a question will have. */
const idOn = async (question: Card | undefined): Promise<string> =>
  ((await draftOn(store, question)) as ChargeDraft).paymentId;
const told = (cards: readonly Card[]): string => cards.map(cardText).join();
/** What answers a press on a card. */
const pressed = async (by: Person, card: Card | undefined, label: string): Promise<string> =>
  told(await desk.press(by, card, label));
const paymentNow = async (id: string): Promise<Payment> => {
  const payment = await store.get('payment', id);
  if (payment === undefined) throw new Error('no such payment');
  return payment;
};
const cardOfNow = async (id: string) => paymentCard(await paymentNow(id), 'UTC');
const change = (id: string, changes: Partial<Payment>) => changePayment(store, id, changes);

const REASON = 'The customer did not have enough money.';
/** A payment that ended like this, and its card. */
const charged = async (
  changes: Partial<Payment> = { state: 'failed', reason: REASON },
  words = '0244123456 50',
): Promise<{ id: string; card: Card }> => {
  clock.jump(1_000);
  const [question] = await desk.type(ama, 'charge', words);
  await desk.press(ama, question, 'Charge');
  const [{ id } = { id: '' }] = await all();
  const card = { conversation: shop, message: '1.1' };
  await change(id, { settledAtMs: clock.now(), card, ...changes });
  return { id, card: await cardOfNow(id) };
};

/** The question that a press on "Ask again" brings, a second later. */
const askAgain = async (card: Card, by = ama): Promise<Card | undefined> => {
  clock.jump(1_000);
  return (await desk.press(by, card, 'Ask again'))[0];
};
const STILL_OPEN = /^Not yet: it may still be paid/;

describe('Ask again on the card of a payment that was not paid', () => {
  it.each(['failed', 'refused', 'not sent'] as const)(
    'asks with its own confirmation and a new transaction id after %s',
    async (state) => {
      const { id, card } = await charged({ state, reason: REASON });
      const question = await askAgain(card);
      expect(question?.title).toBe('Charge GHS 50.00?');
      expect(cardText(question)).toContain(
        `Second try. The first ${state === 'failed' ? '' : 'was '}${state}: the customer did not have enough money.`,
      );
      expect(await idOn(question)).not.toBe(id);
      expect(await all()).toHaveLength(1);
      await desk.press(ama, question, 'Charge GHS 50.00');
      expect(await all()).toMatchObject([
        { state: 'confirmed', retryOf: id, terms: { customerNumber: '+233244123456' } },
        { id, retriedAs: (await all())[0]?.id },
      ]);
    },
  );

  it('looks the customer up anew', async () => {
    const { card } = await charged();
    desk.gateway.lookUpAccount = (async () => ({
      kind: 'found',
      name: 'KOFI MENSAH',
      status: 'active',
      answer: {},
    })) as never;
    const [question] = await desk.press(ama, card, 'Ask again');
    expect(factOf(question, 'Customer')).toBe('KOFI MENSAH');
  });

  it('names each other: in the Details of both, and on the card of the one that was not paid', async () => {
    const { id, card } = await charged();
    const question = await askAgain(card);
    await desk.press(ama, question, 'Charge');
    const [second] = await all();
    const details = await desk.press(ama, await cardOfNow(second?.id ?? ''), 'Details');
    expect(factOf(details[0], 'Another try of')).toBe(id);
    const first = await cardOfNow(id);
    expect(cardText(first)).toContain(`Asked again: ${second?.id}`);
    // The second may be paid: what can be done next is on its card alone.
    expect(first.buttons?.map(({ label }) => label)).toEqual(['Details']);
    await change(second?.id ?? '', { state: 'completed', settledAtMs: clock.now() });
    expect((await desk.press(ama, card, 'Ask again'))[0]?.title).toBe('It is paid');
    await desk.runUntil(() => expect(told(desk.edited)).toContain(`Asked again: ${second?.id}`));
    expect(told(await desk.type(ama, 'audit', id))).toContain(
      `asked again: transaction ${second?.id}`,
    );
  });

  it.each<Partial<Payment>>([
    { state: 'pending' },
    { state: 'unknown' },
    { state: 'failed', flag: 'conflict' },
    { state: 'not sent', flag: 'conflict' },
  ])('is refused while the first may still be paid: %o', { tags: ['I14'] }, async (changes) => {
    const { id, card } = await charged();
    await change(id, changes);
    expect(await pressed(ama, card, 'Ask again')).toMatch(STILL_OPEN);
    expect(await pressed(ama, card, 'Change')).toMatch(STILL_OPEN);
    expect(desk.asked).toEqual([]);
    expect(await all()).toHaveLength(1);
  });

  it('is not confirmed when the first has come into conflict since the question was asked', {
    tags: ['I14'],
  }, async () => {
    const { id, card } = await charged();
    const [question] = await desk.press(ama, card, 'Ask again');
    await change(id, { flag: 'conflict', reason: 'The payment service now says completed.' });
    expect(await pressed(ama, question, 'Charge')).toMatch(STILL_OPEN);
    expect(await all()).toHaveLength(1);
  });

  it('is refused when the time of its question was over, and the first may have been paid since', {
    tags: ['I14'],
  }, async () => {
    const { id, card } = await charged();
    const [question] = await desk.press(ama, card, 'Ask again');
    clock.jump(10 * MINUTE_MS);
    const [tooLate] = await desk.press(ama, question, 'Charge');
    await change(id, { flag: 'conflict' });
    expect(await pressed(ama, tooLate, 'Ask again')).toMatch(/^Not yet/);
  });

  it('pressed twice makes one question, and tells a colleague that it is open', async () => {
    const { id: first, card } = await charged();
    const [one, two] = await Promise.all([
      desk.press(ama, card, 'Ask again'),
      desk.press(ama, card, 'Ask again'),
    ]);
    const [again] = await desk.press(ama, card, 'Ask again');
    const ids = await Promise.all([one[0], two[0], again].map(idOn));
    expect(new Set(ids).size).toBe(1);
    expect(await pressed(kojo, card, 'Ask again')).toBe('ama is asking again already');
    await desk.press(ama, one[0], 'Charge');
    const [already] = await desk.press(ama, two[0], 'Charge');
    const id = (await all()).map((one) => one.id).find((one) => one !== first);
    expect(cardText(already)).toMatch(/^Already confirmed .* It is not charged again\.$/);
    expect(already?.buttons).toMatchObject([{ label: 'Details', id }]);
    expect(await all()).toHaveLength(2);
  });

  it('asks once more after the question was cancelled or its time was over', async () => {
    const { card } = await charged();
    const [first] = await desk.press(ama, card, 'Ask again');
    await desk.press(ama, first, 'Cancel');
    const second = await askAgain(card);
    expect(await idOn(second)).not.toBe(await idOn(first));
    clock.jump(11 * MINUTE_MS);
    expect((await desk.press(kojo, card, 'Ask again'))[0]?.title).toBe('Charge GHS 50.00?');
  });

  it('goes on with the last try, and is confirmed once over Ask again and Change', {
    tags: ['I14'],
  }, async () => {
    const { card } = await charged();
    const asked = await askAgain(card);
    await desk.press(kojo, card, 'Change');
    const [changed] = await desk.submit(kojo, {});
    await desk.press(kojo, changed, 'Charge');
    const [second] = await all();
    const [already] = await desk.press(ama, asked, 'Charge');
    expect(cardText(already)).toBe('It was asked again already');
    expect(already?.buttons).toMatchObject([{ label: 'Details', id: second?.id }]);
    expect(await pressed(ama, card, 'Ask again')).toMatch(STILL_OPEN);
    await change(second?.id ?? '', { state: 'failed', reason: REASON });
    const [third] = await desk.press(ama, card, 'Ask again');
    expect(cardText(third)).toContain('Another try. The last failed: the customer');
    await desk.press(ama, third, 'Charge');
    expect(await all()).toHaveLength(3);
  });

  it('is confirmed once on two instances that are pressed at the same moment', {
    tags: ['F17'],
  }, async () => {
    const other = openDesk(store, clock, (person) => grants(person));
    const { card } = await charged();
    await desk.press(ama, card, 'Change');
    const [one] = await desk.submit(ama, { amount: '51' });
    await other.press(kojo, card, 'Change');
    const [two] = await other.submit(kojo, { amount: '52' });
    await Promise.all([desk.press(ama, one, 'Charge'), other.press(kojo, two, 'Charge')]);
    expect(await all()).toHaveLength(2);
  });

  it('is refused to people who may not charge', async () => {
    const { card } = await charged();
    grants = () => ({ ...allGrants(), may: () => false });
    for (const label of ['Ask again', 'Change'])
      expect(await pressed(kojo, card, label)).toMatch(/^You cannot charge yet/);
    expect(desk.asked).toEqual([]);
  });

  it('is refused of a customer who was erased', async () => {
    const { id, card } = await charged();
    const terms = { ...(await paymentNow(id)).terms, customerNumber: 'forgotten-0123456789ab' };
    await change(id, { terms });
    for (const label of ['Ask again', 'Change'])
      expect(await pressed(ama, card, label)).toMatch(/^This customer was erased/);
  });
});

describe('a colleague who may charge and not reveal', { tags: ['T26'] }, () => {
  beforeEach(() => {
    grants = () => allGrants({ reveal: false });
  });

  it('asks again for a number that they see masked, now and afterwards', async () => {
    const { card } = await charged();
    const question = await askAgain(card, kojo);
    expect(cardText(question)).toContain('Number: 024 *** 3456');
    await desk.press(kojo, question, 'Charge');
    const [second] = await all();
    expect(second?.terms.customerNumber).toBe('+233244123456');
    const [details] = await desk.press(kojo, await cardOfNow(second?.id ?? ''), 'Details');
    expect(details?.buttons?.map(({ label }) => label)).toEqual(['Note']);
    expect(await recentCustomers(store, kojo)).toEqual([]);
    expect(await recentCustomers(store, ama)).toHaveLength(1);
  });

  it('fills a form in with the number masked, which is read from the payment', async () => {
    for (const [changes, label] of [
      [{ state: 'completed' }, 'Charge again'],
      [{ state: 'failed' }, 'Change'],
    ] as const) {
      const { card } = await charged(changes, '0244123456 70');
      await desk.press(kojo, card, label);
      expect(JSON.stringify(desk.asked.at(-1)?.answers)).not.toMatch(/244 ?123/);
      expect(desk.asked.at(-1)?.answers).toMatchObject({ number: '024 *** 3456' });
      clock.jump(11 * MINUTE_MS);
      const [question] = await desk.submit(kojo, { amount: '80' });
      expect(cardText(question)).toContain('Number: 024 *** 3456');
      await desk.press(kojo, question, 'Change');
      expect(desk.asked.at(-1)?.answers).toMatchObject({ number: '024 *** 3456' });
      const [last] = await desk.submit(kojo, {});
      await desk.press(kojo, last, 'Charge');
      expect((await all())[0]?.terms.customerNumber).toBe('+233244123456');
      await change((await all())[0]?.id ?? '', { state: 'failed', settledAtMs: clock.now() });
    }
  });
});

describe('Charge again on a completed card', () => {
  it('opens the form with the customer, and the last amount as a placeholder alone', async () => {
    const { card } = await charged({ state: 'completed' }, '0244123456 50 telecel Invoice 17');
    await desk.press(ama, card, 'Charge again');
    expect(desk.asked).toMatchObject([
      {
        answers: { number: '024 412 3456', pay: 'VOD' },
        annotations: { placeholders: { amount: 'Last time GHS 50.00' } },
      },
    ]);
    expect(Object.keys(desk.asked[0]?.answers ?? {})).toEqual(['number', 'pay']);
    clock.jump(11 * MINUTE_MS);
    const [question] = await desk.submit(ama, { amount: '20' });
    expect(question?.title).toBe('Charge GHS 20.00?');
    expect(cardText(question)).not.toContain('try');
  });
});

describe('Change on the card of a payment that was not paid', () => {
  const changed = async (answers: Record<string, string>, of = ama) => {
    const { id, card } = await charged();
    clock.jump(1_000);
    await desk.press(of, card, 'Change');
    const [question] = await desk.submit(of, answers);
    return { id, card, question };
  };

  it('to another customer is no other try of it, which can still be asked for', {
    tags: ['T65'],
  }, async () => {
    const { id, question } = await changed({ number: '0201234567', amount: '20' });
    expect(cardText(question)).not.toContain('Second try');
    await desk.press(ama, question, 'Charge');
    const [other, first] = await all();
    expect([other?.retryOf, first?.retriedAs]).toEqual([undefined, undefined]);
    await change(other?.id ?? '', { state: 'completed', settledAtMs: clock.now() });
    const again = await askAgain(await cardOfNow(id));
    expect(cardText(again)).toContain('Second try. The first failed');
    await desk.press(ama, again, 'Charge');
    expect((await paymentNow(id)).retriedAs).toBe((await all())[0]?.id);
  });

  it('to another amount or network is another try of it, and only one is made', {
    tags: ['T65'],
  }, async () => {
    const { id, card, question } = await changed({ amount: '40' });
    expect(question?.title).toBe('Charge GHS 40.00?');
    expect(cardText(question)).toContain('Second try. The first failed');
    await desk.press(ama, question, 'Charge');
    const [second] = await all();
    expect(second?.retryOf).toBe(id);
    await change(second?.id ?? '', { state: 'completed', settledAtMs: clock.now() });
    expect(await pressed(ama, card, 'Ask again')).toBe(
      'It is paid | GHS 40.00 from 024 *** 3456 is completed. For a second sale, press Charge again.',
    );
  });

  it('to another customer is none for the approver either', { tags: ['T65'] }, async () => {
    grants = ({ id }) =>
      id === kojo.id
        ? allGrants()
        : allGrants({ maxCharge: { amountMinor: 1_000, currency: 'GHS' }, approve: false });
    const { id, card } = await charged({ state: 'failed', reason: REASON }, '0244123456 5');
    await desk.press(ama, card, 'Change');
    const [question] = await desk.submit(ama, { number: '0201234567', amount: '20' });
    await desk.press(ama, question, 'Charge');
    await desk.engine.start();
    const asks = () => desk.posted.find(({ card: { title } }) => title.includes('asks to charge'));
    await expect.poll(asks).toBeDefined();
    await desk.press(kojo, asks()?.card, 'Approve');
    await desk.engine.stop();
    const other = (await all()).find(({ terms }) => terms.customerNumber === '+233201234567');
    expect(other).toMatchObject({ approver: { id: kojo.id } });
    expect(other?.retryOf).toBeUndefined();
    expect((await paymentNow(id)).retriedAs).toBeUndefined();
  });
});
