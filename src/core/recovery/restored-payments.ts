import { RESTORED } from '../payments/payment-event.ts';
import type { Payments } from '../payments/payments.ts';
import { everyPayment } from '../store/every-payment.ts';
import type { Store } from '../store/store.ts';

const PAGE = 100;

/** In a restored store a payment that was about to be sent becomes `unknown` and is checked; it is never sent. */
export const distrustRestored = async (payments: Payments, store: Store): Promise<void> => {
  const states = ['confirmed', 'submitting'] as const;
  for await (const { id } of everyPayment(store, { states }, PAGE))
    await payments.record(id, RESTORED);
};
