import { expect, it } from 'vitest';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import { ama, aPayment, efua } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { deskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { changePayment, storePayments } from '../../support/stored-payments.ts';

const PSEUDONYM = 'forgotten-0123456789ab';

it.each([
  ['Given back', { amount: '5', reason: 'Kofi lives in Osu' }, 'Written down'],
  ['Note', { note: 'Kofi lives in Osu' }, 'This customer was erased'],
] as const)(
  'a customer who is erased while %s is written down has no words kept about them',
  async (button, answers, title) => {
    const { store, desk } = await deskInHand();
    const { due: _, ...paid } = aPayment({ state: 'completed', settledAtMs: 2_000 });
    await storePayments(store, [paid]);
    const [details] = await desk.press(ama, paymentCard(paid, 'UTC'), 'Details');
    await desk.press(ama, details, button);
    const get = store.get.bind(store) as typeof store.get;
    let isErased = false;
    // Erased right after the first look at the payment.
    store.get = (async (kind: 'payment', id: string) => {
      const found = await get(kind, id);
      if (kind !== 'payment' || isErased || found === undefined) return found;
      isErased = true;
      const { customerName: __, ...terms } = found.terms;
      const version = found.version + 1;
      const record = { ...found, version, terms: { ...terms, customerNumber: PSEUDONYM } };
      expect(await store.commit({ put: [{ kind: 'payment', record }] })).toBe(true);
      return found;
    }) as typeof store.get;
    expect(cardText((await desk.submit(ama, answers))[0])).toContain(title);
    expect(JSON.stringify(await get('payment', paid.id))).not.toContain('Osu');
  },
);

it('a customer who is erased while giving back waits for approval has no words in its audit row', {
  tags: ['T27'],
}, async () => {
  const limit = { amountMinor: 1_000, currency: 'GHS' };
  const { store, desk } = await deskInHand(({ id }) =>
    allGrants(id === ama.id ? { maxCharge: limit } : {}),
  );
  const { due: _, ...paid } = aPayment({ state: 'completed', settledAtMs: 2_000 });
  await storePayments(store, [paid]);
  const [details] = await desk.press(ama, paymentCard(paid, 'UTC'), 'Details');
  await desk.press(ama, details, 'Given back');
  await desk.submit(ama, { amount: '30', reason: 'Kofi lives in Osu' });
  await desk.runUntil(() => expect(desk.posted).toHaveLength(1));
  const terms = { ...paid.terms, customerNumber: PSEUDONYM, customerName: 'forgotten' };
  await changePayment(store, paid.id, { terms });
  const [end] = await desk.press(
    efua,
    desk.posted[0]?.card,
    'Approve',
    desk.posted[0]?.conversation,
  );
  expect(cardText(end)).toMatch(/^Approved/);
  const row = (await store.auditOf(paid.id)).find(({ what }) => what === 'given back');
  expect(row?.detail).toMatchObject({ amount: { amountMinor: 3_000 }, by: ama, approver: efua });
  expect(JSON.stringify(row)).not.toContain('Osu');
});
