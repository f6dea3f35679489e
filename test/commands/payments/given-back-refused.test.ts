import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, efua, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { changePayment, storePayments } from '../../support/stored-payments.ts';

const ID = '01JD2M4X9QK7T3VB';
const LIMIT = { amountMinor: 1_000, currency: 'GHS' };

let { clock, store, desk } = {} as DeskInHand;
let grants: (person: Person) => Partial<Grants>;

beforeEach(async () => {
  grants = ({ id }) => (id === ama.id ? { maxCharge: LIMIT } : {});
  ({ clock, store, desk } = await deskInHand((person) => allGrants(grants(person))));
  const { due: _, ...paid } = aPayment({ state: 'completed', settledAtMs: 2_000 });
  await storePayments(store, [paid]);
});

const told = (cards: readonly Card[]): string => cards.map(cardText).join('\n');
const posted = (): string => told(desk.posted.map(({ card }) => card));

const give = async (amount: string, event?: string): Promise<string> => {
  const payment = (await store.get('payment', ID)) ?? aPayment();
  const [details] = await desk.press(ama, paymentCard(payment, 'UTC'), 'Details');
  await desk.press(ama, details, 'Given back');
  return told(await desk.submit(ama, { amount, reason: 'Wrong size' }, shop, event));
};

/** The question to approvers, and where it was asked. */
const asked = async () => {
  expect(await give('30')).toMatch(/^Waiting for approval/);
  await desk.runUntil(() => expect(posted()).toMatch(/asks to give back/));
  return desk.posted.at(-1);
};

describe('giving back that is refused', () => {
  it('leaves no question behind where it is refused at once: cancel is of the open charge', async () => {
    grants = ({ id }) => (id === ama.id ? { maxCharge: LIMIT } : { approve: false });
    const [question] = await desk.type(ama, 'charge', '0209999999 5');
    clock.jump(1_000);
    expect(await give('30', 'E1')).toMatch(/^Nothing was written down/);
    expect(told(await desk.type(ama, 'audit', ID))).toContain(
      'ama (slack:U0AMA) asked to write down GHS 30.00 as given back in slack:C0SALES, 09:00:01 it could not be written down',
    );
    expect(await store.draftsIn('open')).toHaveLength(1);
    // The same event once more asks nothing again.
    expect(await give('30', 'E1')).toBe('Not possible | Nothing was written down.');
    expect(told(await desk.type(ama, 'cancel', ''))).toBe('Cancelled | Nothing was charged.');
    expect(told(await desk.press(ama, question, 'Charge'))).toMatch(/^Already cancelled/);
  });

  it.each([
    [
      'the payment service contradicts the payment',
      () => changePayment(store, ID, { flag: 'conflict', reason: 'The service says failed.' }),
      'Perhaps the customer has not paid this',
    ],
    [
      'less is left by now',
      async () => {
        grants = () => ({});
        await give('40');
      },
      'More than is left to give back',
    ],
  ] as const)('is over where %s, and the requester reads why', async (_what, happen, why) => {
    const { card: question, conversation: place } = (await asked()) ?? {};
    await happen();
    expect(told(await desk.press(efua, question, 'Approve', place))).toContain(why);
    const end = `Not possible: GHS 30.00 back to Kofi M. | ${why}. Nothing was written down.`;
    await desk.runUntil(() => expect(posted()).toContain(end));
    expect(told(desk.edited)).toContain('Not possible for ama: GHS 30.00 back');
    expect(await store.draftsIn('awaiting approval')).toEqual([]);
    expect(told(await desk.press(efua, question, 'Approve', place))).toBe(
      `Not possible | ${why}. Nothing was written down.`,
    );
    expect(told(await desk.type(efua, 'audit', ID))).toContain(
      `it could not be written down: ${why}`,
    );
    clock.jump(600_000);
    await desk.runUntil(() => expect(posted()).toContain(end));
    expect(posted()).not.toContain('No approver answered');
  });
});
