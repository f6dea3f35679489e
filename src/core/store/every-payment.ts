import type { Payment, PaymentFilter } from '../records/payment.ts';
import type { Store } from './store.ts';

/** All payments that a filter lets through, newest first, however many pages they fill. */
export async function* everyPayment(
  store: Pick<Store, 'listPayments'>,
  filter: PaymentFilter,
  pageSize: number,
): AsyncGenerator<Payment> {
  for (let after: string | undefined, more = true; more; ) {
    const page = await store.listPayments(filter, {
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    yield* page.payments;
    after = page.next;
    more = after !== undefined;
  }
}
