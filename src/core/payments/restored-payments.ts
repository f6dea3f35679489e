import { everyPayment } from '../store/every-payment.ts';
import type { Store } from '../store/store.ts';
import type { PaymentEvent } from './payment-event.ts';
import type { Payments } from './payments.ts';

const PAGE = 100;

/** What happens to a payment that was on its way when the backup was made. */
export const RESTORED: Extract<PaymentEvent, { kind: 'restored' }> = {
  kind: 'restored',
  reason: 'Paythread was restored from a backup. This payment may have been sent since.',
};

/** In a restored store nothing that was about to be sent may be sent: it becomes `unknown`, and is asked about. */
export const distrustRestored = async (payments: Payments, store: Store): Promise<void> => {
  const states = ['confirmed', 'submitting'] as const;
  for await (const { id } of everyPayment(store, { states }, PAGE))
    await payments.record(id, RESTORED);
};
