import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, kojo } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { statusOf } from '../../support/stub-gateway.ts';

let { clock, store, desk } = {} as DeskInHand;
let grants: (person: Person) => Grants;

beforeEach(async () => {
  grants = () => allGrants();
  ({ clock, store, desk } = await deskInHand((person) => grants(person)));
});

const stored = async (changes: Partial<Payment>): Promise<Card> => {
  const times = { confirmedAtMs: clock.now(), submittedAtMs: clock.now() };
  const payment = aPayment({ due: { queue: 'check', atMs: 9e15 }, ...times, ...changes });
  await store.commit({ put: [{ kind: 'payment', record: payment }] });
  return paymentCard(payment, 'UTC');
};
const press = async (card: Card, who = kojo): Promise<string> =>
  (await desk.press(who, card, 'Check now')).map(cardText).join();

describe('Check now', () => {
  it('asks the payment service and says to the presser what it found', async () => {
    const card = await stored({ state: 'pending' });
    expect(await press(card)).toMatch(/^GHS 50\.00: still pending \| Not approved yet/);
    expect(desk.gateway.checked).toEqual([aPayment().id]);
  });

  it('settles the payment by what it found, with the presser in the audit trail', async () => {
    const card = await stored({ state: 'pending' });
    desk.gateway.onStatus = (id) => statusOf(id, 'completed');
    expect(await press(card)).toBe('GHS 50.00: completed');
    expect(await store.get('payment', aPayment().id)).toMatchObject({ state: 'completed' });
    expect(await store.auditOf(aPayment().id)).toMatchObject([{ what: 'checked', who: kojo }]);
  });

  it('asks about a payment once in 10 s, however many press', async () => {
    const card = await stored({ state: 'pending' });
    await press(card);
    expect(await press(card, ama)).toBe('Still pending | I asked just now. Check again in 10 s.');
    await clock.advance(9_000);
    expect(await press(card)).toContain('Check again in 1 s.');
    expect(desk.gateway.checked).toHaveLength(1);
    await clock.advance(1_000);
    await press(card);
    expect(desk.gateway.checked).toHaveLength(2);
  });

  it('asks once in 10 s over two instances as well', async () => {
    const card = await stored({ state: 'pending' });
    await press(card);
    const other = openDesk(store, clock);
    expect((await other.press(ama, card, 'Check now'))[0]?.title).toBe('Still pending');
    expect(other.gateway.checked).toEqual([]);
  });

  it('says of an unknown one that it is not clear, and never to ask again', async () => {
    const card = await stored({ state: 'unknown' });
    desk.gateway.onStatus = () => ({ kind: 'noStatus', answer: {} });
    expect(await press(card)).toBe(
      'Still unknown | The payment service does not know this transaction.',
    );
  });

  it('on an old card of a payment that has ended says how, and asks nothing', async () => {
    const card = await stored({ state: 'pending' });
    const payment = aPayment({ state: 'failed', version: 2, reason: 'The customer said no.' });
    await store.commit({ put: [{ kind: 'payment', record: payment }] });
    expect(await press(card)).toBe('GHS 50.00: failed | The customer said no.');
    expect(desk.gateway.checked).toEqual([]);
  });

  it('is refused to people who may not check payments', async () => {
    const card = await stored({ state: 'pending' });
    grants = () => ({ ...allGrants(), may: (command) => command !== 'status' });
    expect(await press(card)).toMatch(/^You cannot check payments yet/);
    expect(desk.gateway.checked).toEqual([]);
  });
});

describe('Details', () => {
  it('shows times, the transaction id and what happened, to the requester and to those who may see payments', async () => {
    const [question] = await desk.type(ama, 'charge', '0244123456 50');
    await desk.press(ama, question, 'Charge');
    const [payment] = (await store.listPayments({}, { limit: 1 })).payments;
    if (payment === undefined) throw new Error('nothing was confirmed');
    const card = paymentCard(payment, 'UTC');
    grants = ({ id }) => ({ ...allGrants({ reveal: false }), may: () => id === kojo.id });
    for (const who of [ama, kojo]) {
      expect(textOf(await desk.press(who, card, 'Details'))).toMatch(
        new RegExp(`⏳ being sent · today \\d\\d:\\d\\d.*Transaction: ${payment.id}`),
      );
    }
  });

  it('is refused to others', async () => {
    const card = await stored({ state: 'completed' });
    grants = () => ({ ...allGrants(), may: () => false });
    expect((await desk.press(kojo, card, 'Details')).map(cardText).join()).toMatch(
      /^You cannot see payments yet/,
    );
  });
});
