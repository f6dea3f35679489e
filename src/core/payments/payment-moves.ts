import type { ServiceAnswer } from '../gateway/service-answer.ts';
import type { Due } from '../records/due.ts';
import type { Payment } from '../records/payment.ts';
import { type CheckPolicy, hintedCheckMs, scheduledCheckMs } from './check-schedule.ts';

/** A callback or a status has shown that the service has the payment, whatever it answers to the request. */
export const isKnown = ({ hints }: Payment): boolean => hints > 0;

/** Taken as it seems, although the answer to the request says otherwise: only asking can tell. */
export const contradicted = (payment: Payment, nowMs: number, policy: CheckPolicy): Payment => ({
  ...withDue(payment, firstCheck(payment, nowMs, policy)),
  state: 'unknown',
  submittedAtMs: payment.submittedAtMs ?? payment.confirmedAtMs,
  reason: 'The payment service knows this payment after all.',
});

/** What was answered with 429 was reached, so it is never said that it was not. */
const TOO_BUSY = 'The payment service was too busy and took nothing.';

/** Ends a payment of which nothing was taken, unless the service knows it. */
export const untaken = (
  payment: Payment,
  state: 'not sent' | 'refused',
  { answer, reason }: { answer?: ServiceAnswer; reason: string },
  nowMs: number,
  policy: CheckPolicy,
): Payment => {
  if (isKnown(payment)) return contradicted(payment, nowMs, policy);
  const wasBusy = state === 'not sent' && payment.rateLimits > 0 && !reason.startsWith(TOO_BUSY);
  const why = wasBusy ? `${TOO_BUSY} ${reason}` : reason;
  return settled(payment, state, nowMs, answer ?? payment.answer, why);
};

export const settled = (
  payment: Payment,
  state: 'completed' | 'failed' | 'not sent' | 'refused',
  nowMs: number,
  answer: ServiceAnswer | undefined,
  reason?: string,
): Payment => {
  const { reason: _, flag: __, overdue: ___, ...rest } = withDue(payment, undefined);
  return {
    ...rest,
    state,
    settledAtMs: nowMs,
    ...(answer === undefined ? {} : { answer }),
    ...(reason === undefined ? {} : { reason }),
  };
};

/** A callback may have come before our own write; then the first check is due at once. */
export const firstCheck = (payment: Payment, nowMs: number, policy: CheckPolicy): Due => ({
  queue: 'check',
  atMs: payment.hints > 0 ? nowMs : scheduledCheckMs(policy, 0, nowMs),
});

export const withDue = (payment: Payment, due: Due | undefined): Payment => {
  const { due: _, ...rest } = payment;
  return due === undefined ? rest : { ...rest, due };
};

/** The service knows it: why it was unknown is over. The reason of a conflict stays as long as that does. */
export const arrived = (payment: Payment): Payment => {
  if (payment.flag === 'conflict') return payment;
  const { reason: _, ...rest } = payment;
  return rest;
};

/** Its check, to the moment at which a callback may have one. */
export const broughtForward = (payment: Payment, nowMs: number): Payment => {
  const atMs = hintedCheckMs(payment, nowMs);
  const sooner = payment.due === undefined || atMs < payment.due.atMs;
  return sooner
    ? { ...withDue(payment, { queue: 'check', atMs }), hintChecks: payment.hintChecks + 1 }
    : payment;
};
