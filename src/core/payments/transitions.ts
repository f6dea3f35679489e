import type { ServiceAnswer } from '../gateway/service-answer.ts';
import { isSettled, type Payment } from '../records/payment.ts';
import { assertNever } from '../runtime/errors.ts';
import type { MessageRef } from '../values/conversation.ts';
import { afterCheck, followedUp } from './after-check.ts';
import { type CheckPolicy, SET_ASIDE_MS } from './check-schedule.ts';
import type { PaymentEvent } from './payment-event.ts';
import {
  arrived,
  broughtForward,
  contradicted,
  firstCheck,
  isKnown,
  untaken,
  withDue,
} from './payment-moves.ts';

/**
 * The payment after an event, or undefined where the event has no meaning in its state: then nothing
 * changes and nothing is written. Pure; the one place that knows the order of states.
 */
export const afterEvent = (
  payment: Payment,
  event: PaymentEvent,
  nowMs: number,
  policy: CheckPolicy,
): Payment | undefined => {
  switch (event.kind) {
    case 'submitting':
      return afterSubmitting(payment, event, nowMs, policy);
    case 'accepted':
      return afterAccepted(payment, event, nowMs, policy);
    case 'not sent':
      return payment.state === 'submitting'
        ? untaken(payment, 'not sent', event, nowMs, policy)
        : undefined;
    case 'given up':
      return payment.state === 'confirmed'
        ? untaken(payment, 'not sent', event, nowMs, policy)
        : undefined;
    case 'refused':
      return payment.state === 'submitting'
        ? untaken(payment, 'refused', event, nowMs, policy)
        : undefined;
    case 'rate limited':
      return afterRateLimit(payment, event, nowMs, policy);
    case 'lost':
      return payment.state === 'submitting'
        ? {
            ...withDue(payment, firstCheck(payment, nowMs, policy)),
            state: 'unknown',
            answer: event.answer,
            reason: event.reason,
          }
        : undefined;
    case 'set aside':
      return afterSetAside(payment, nowMs, policy);
    case 'restored':
      return afterRestore(payment, event.reason, nowMs);
    case 'callback':
      return afterCallback(payment, event, nowMs, policy);
    case 'checked':
      return followedUp(payment, afterCheck(payment, event.finding, nowMs, policy), event, nowMs);
    default:
      return assertNever(event);
  }
};

const afterSubmitting = (
  payment: Payment,
  event: { presumedLostAtMs: number; card?: MessageRef },
  nowMs: number,
  policy: CheckPolicy,
): Payment | undefined => {
  if (payment.state !== 'confirmed') return undefined;
  if (isKnown(payment)) return contradicted(payment, nowMs, policy);
  return {
    // A worker that still finds it in this state knows that its sender died: unknown, never sent again.
    ...withDue(payment, { queue: 'submit', atMs: event.presumedLostAtMs }),
    state: 'submitting',
    submittedAtMs: nowMs,
    ...(event.card === undefined ? {} : { card: event.card }),
  };
};

const afterAccepted = (
  payment: Payment,
  event: { answer: ServiceAnswer; checkoutUrl?: string },
  nowMs: number,
  policy: CheckPolicy,
): Payment | undefined => {
  // `unknown` too: the answer of a request whose sender was presumed dead is still an answer.
  if (payment.state !== 'submitting' && payment.state !== 'unknown') return undefined;
  const { checkoutUrl, answer } = event;
  return {
    ...arrived(withDue(payment, firstCheck(payment, nowMs, policy))),
    state: 'pending',
    answer,
    ...(checkoutUrl === undefined ? {} : { checkoutUrl }),
  };
};

/**
 * 429 is documented as "Rate limit exceeded" and no more. The same request goes out again because nothing
 * says that it was taken; a service that has shown that it knows the payment says just that.
 */
const afterRateLimit = (
  payment: Payment,
  event: { answer: ServiceAnswer; retryAtMs: number; submitByMs: number },
  nowMs: number,
  policy: CheckPolicy,
): Payment | undefined => {
  if (payment.state !== 'submitting') return undefined;
  const limited = { ...payment, answer: event.answer, rateLimits: payment.rateLimits + 1 };
  return isKnown(payment)
    ? contradicted(limited, nowMs, policy)
    : {
        ...withDue(limited, { queue: 'submit', atMs: event.retryAtMs }),
        state: 'confirmed',
        submitByMs: event.submitByMs,
      };
};

const afterSetAside = (
  payment: Payment,
  nowMs: number,
  policy: CheckPolicy,
): Payment | undefined => {
  if (payment.due === undefined) return undefined;
  if (payment.state === 'confirmed') {
    const reason = 'Sending it ended Paythread three times, so it was given up.';
    return untaken(payment, 'not sent', { reason }, nowMs, policy);
  }
  if (isSettled(payment)) return withDue(payment, undefined);
  const flagged = {
    ...payment,
    flag: payment.flag ?? 'needs a person',
    overdue: 'set aside',
  } as const;
  // Sending ended the process, and perhaps the request had left: only asking about it can tell.
  return payment.state === 'submitting'
    ? { ...withDue(flagged, firstCheck(payment, nowMs, policy)), state: 'unknown' }
    : withDue(flagged, { queue: 'check', atMs: nowMs + SET_ASIDE_MS });
};

/** Not even `confirmed` is certainly unsent, and only the service can tell. */
const afterRestore = (payment: Payment, reason: string, nowMs: number): Payment | undefined =>
  payment.state === 'confirmed' || payment.state === 'submitting'
    ? {
        ...withDue(payment, { queue: 'check', atMs: nowMs }),
        state: 'unknown',
        submittedAtMs: payment.submittedAtMs ?? payment.confirmedAtMs,
        reason,
      }
    : undefined;

const afterCallback = (
  payment: Payment,
  event: { message?: string; count?: number },
  nowMs: number,
  policy: CheckPolicy,
): Payment | undefined => {
  const hinted = {
    ...payment,
    hints: payment.hints + (event.count ?? 1),
    ...(event.message === undefined ? {} : { hintMessage: event.message }),
  };
  if (payment.state === 'confirmed') return contradicted(hinted, nowMs, policy);
  // The answer to the request is still to come; it is read in the light of this hint.
  return payment.state === 'submitting' ? hinted : broughtForward(hinted, nowMs);
};
