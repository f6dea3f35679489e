import { expect } from 'vitest';
import type { Payment } from '../../src/core/records/payment.ts';
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
