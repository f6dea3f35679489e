import { expect } from 'vitest';
import { isSettled, type Payment } from '../../src/core/records/payment.ts';
import type { Store } from '../../src/core/store/store.ts';
import { aPayment } from './a-payment.ts';

/** Stores a payment for each of these changes to the one that tests start from. */
export const storePayments = async (
  store: Store,
  changes: readonly Partial<Payment>[],
): Promise<void> => {
  const put = changes.map((each) => ({ kind: 'payment' as const, record: aPayment(each) }));
  expect(await store.commit({ put })).toBe(true);
};

/** Every payment in the store, newest first. */
export const storedPayments = async (store: Store): Promise<readonly Payment[]> =>
  (await store.listPayments({}, { limit: 1_000 })).payments;

/** Writes a payment again with these changes; nothing is due for one that is settled. Throws if there is none. */
export const changePayment = async (
  store: Store,
  id: string,
  changes: Partial<Payment>,
): Promise<Payment> => {
  const before = await store.get('payment', id);
  if (before === undefined) throw new Error('no such payment');
  const changed = { ...before, ...changes, version: before.version + 1 };
  const { due: _, ...ended } = changed;
  const record = isSettled(changed) ? ended : changed;
  await store.commit({ put: [{ kind: 'payment', record }] });
  return record;
};
