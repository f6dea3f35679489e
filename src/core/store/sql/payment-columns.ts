import type { Payment } from '../../records/payment.ts';

/** What a payment's row is searched and summed by, beside its body. */
export type PaymentColumns = {
  readonly state: string;
  readonly customer_number: string;
  readonly requester: string;
  readonly currency: string;
  readonly amount_minor: number;
  readonly flag: string | null;
  readonly confirmed_ms: number;
  /** When it was confirmed or settled, whichever is later. */
  readonly ended_ms: number;
};

export const paymentColumns = (payment: Payment): PaymentColumns => {
  const { state, terms, requester, flag, confirmedAtMs, settledAtMs = 0 } = payment;
  return {
    state,
    customer_number: terms.customerNumber,
    requester: `${requester.platform}:${requester.id}`,
    currency: terms.amount.currency,
    amount_minor: terms.amount.amountMinor,
    flag: flag ?? null,
    confirmed_ms: confirmedAtMs,
    ended_ms: Math.max(confirmedAtMs, settledAtMs),
  };
};
