import type { ChargeDraft } from '../records/draft.ts';
import type { Payment } from '../records/payment.ts';
import type { ConfirmingPress } from '../records/records.ts';
import { defined } from '../runtime/defined.ts';
import type { Person } from '../values/conversation.ts';

/** A confirmed payment that could not be sent within this is given up: its requester does not wait any longer. */
export const SUBMIT_WITHIN_MS = 120_000;

type Confirmed = Pick<Payment, 'id' | 'terms' | 'requester' | 'conversation' | 'card' | 'bulk'> &
  Pick<Payment, 'approver' | 'askedAtMs' | 'countedFor' | 'retryOf' | 'maskedFrom'>;

/** A row of a file that a press confirmed. */
export type RowOfFile = Confirmed & Required<Pick<Payment, 'bulk'>>;

/** Version 1 of a payment, due to be sent. */
export const confirmedPayment = (confirmed: Confirmed, nowMs: number): Payment => ({
  ...confirmed,
  version: 1,
  due: { queue: 'submit', atMs: nowMs },
  state: 'confirmed',
  confirmedAtMs: nowMs,
  submitByMs: nowMs + SUBMIT_WITHIN_MS,
  rateLimits: 0,
  checks: 0,
  hints: 0,
  hintChecks: 0,
});

export const paymentOfDraft = (
  draft: ChargeDraft,
  presser: Person,
  { card, countedFor }: Partial<ConfirmingPress>,
  nowMs: number,
): Payment => {
  const { paymentId: id, terms, requester, conversation, askedAtMs, retryOf, maskedFrom } = draft;
  const approver = draft.status === 'awaiting approval' ? presser : undefined;
  const more = defined({ approver, askedAtMs, countedFor, retryOf, maskedFrom, card });
  return confirmedPayment({ id, terms, requester, conversation, ...more }, nowMs);
};
