import type { Payment } from '../../src/core/records/payment.ts';
import type { Store } from '../../src/core/store/store.ts';

/** Every payment of a small store, the newest first. */
export const allPayments = async (store: Store): Promise<readonly Payment[]> =>
  (await store.listPayments({}, { limit: 100 })).payments;

/** The only one that is stored. Throws where there is none, or another. */
export const onlyPayment = async (store: Store): Promise<Payment> => {
  const [only, ...others] = await allPayments(store);
  if (only === undefined || others.length > 0) throw new Error(`${others.length} others`);
  return only;
};
