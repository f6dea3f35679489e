import type { Money } from '../values/money.ts';
import type { Payment, PaymentState } from './payment.ts';

export type PaymentFilter = {
  readonly states?: readonly PaymentState[];
  /** E.164. */
  readonly customerNumber?: string;
  /** `platform:id`. */
  readonly requester?: string;
  readonly amount?: Money;
  readonly flag?: NonNullable<Payment['flag']>;
  /** Only payments confirmed at or after this moment. */
  readonly sinceMs?: number;
  /** Only payments confirmed or settled at or after this moment. */
  readonly endedSinceMs?: number;
};

/** Newest first. `next` goes into the following call; absent: that was the last page. */
export type PaymentPage = { readonly payments: readonly Payment[]; readonly next?: string };
