import type { ServiceAnswer } from '../gateway/gateway.ts';
import { notSentReason } from '../gateway/reason-texts.ts';
import type { Due } from '../records/due.ts';
import { leftToGive } from '../records/given-back.ts';
import { isContradicted, isSettled, type Payment } from '../records/payment.ts';
import { suits, textOf } from '../records/payment-text.ts';
import { defined } from '../runtime/defined.ts';
import { assertNever } from '../runtime/errors.ts';
import { isPseudonym } from '../values/pseudonym.ts';
import {
  afterFruitlessCheck,
  broughtForward,
  type CheckPolicy,
  firstCheck,
  type Now,
  SET_ASIDE_MS,
  withDue,
} from './check-schedule.ts';
import { contradiction, type Finding, type PaymentEvent } from './payment-event.ts';

type EventKind = PaymentEvent['kind'];
type EventOf<K extends EventKind> = Extract<PaymentEvent, { readonly kind: K }>;
type Transition<K extends EventKind> = (
  payment: Payment,
  event: EventOf<K>,
  now: Now,
) => Payment | undefined;

/**
 * The payment after an event, or undefined where the event has no meaning in its state: then nothing
 * changes and nothing is written. Pure; the one place that knows the order of states.
 */
export const afterEvent = <K extends EventKind>(
  payment: Payment,
  event: EventOf<K>,
  nowMs: number,
  policy: CheckPolicy,
): Payment | undefined => {
  const transition: Transition<K> = TRANSITIONS[event.kind as K];
  return transition(payment, event, { nowMs, policy });
};

const TRANSITIONS: { readonly [K in EventKind]: Transition<K> } = {
  submitting: (payment, { presumedLostAtMs, card }, now) => {
    if (payment.state !== 'confirmed') return undefined;
    if (isKnown(payment)) return contradicted(payment, now);
    return {
      // A worker that still finds it in this state knows that its sender died: unknown, never sent again.
      ...withDue(payment, { queue: 'submit', atMs: presumedLostAtMs }),
      state: 'submitting',
      submittedAtMs: now.nowMs,
      ...(card === undefined ? {} : { card }),
    };
  },
  accepted: (payment, { answer, checkoutUrl }, now) => {
    // `unknown` too: the answer of a request whose sender was presumed dead is still an answer.
    if (payment.state !== 'submitting' && payment.state !== 'unknown') return undefined;
    return {
      ...arrived(withDue(payment, firstCheck(payment, now))),
      state: 'pending',
      answer,
      ...defined({ checkoutUrl }),
    };
  },
  'not sent': (payment, event, now) =>
    payment.state === 'submitting' ? untaken(payment, 'not sent', event, now) : undefined,
  refused: (payment, event, now) =>
    payment.state === 'submitting' ? untaken(payment, 'refused', event, now) : undefined,
  'given up': (payment, event, now) =>
    payment.state === 'confirmed' ? untaken(payment, 'not sent', event, now) : undefined,
  /*
   * 429 is documented as "Rate limit exceeded" and no more. The same request is sent again because nothing
   * says that it was taken, unless a callback or a status has shown that the service knows the payment.
   */
  'rate limited': (payment, { answer, retryAtMs, submitByMs }, now) => {
    if (payment.state !== 'submitting') return undefined;
    const limited = { ...payment, answer, rateLimits: payment.rateLimits + 1 };
    if (isKnown(payment)) return contradicted(limited, now);
    const waiting = withDue(limited, { queue: 'submit', atMs: retryAtMs });
    return { ...waiting, state: 'confirmed', submitByMs };
  },
  lost: (payment, { answer, reason }, now) =>
    payment.state === 'submitting'
      ? { ...withDue(payment, firstCheck(payment, now)), state: 'unknown', answer, reason }
      : undefined,
  'set aside': (payment, _event, now) => {
    if (payment.due === undefined) return undefined;
    if (payment.state === 'confirmed') {
      const reason = 'Sending it ended Paythread three times, so it was given up.';
      return untaken(payment, 'not sent', { reason }, now);
    }
    if (isSettled(payment)) return withDue(payment, undefined);
    const flag = payment.flag ?? 'needs a person';
    const flagged = { ...payment, flag, overdue: 'set aside' } as const;
    // Sending ended the process, possibly after the request had left: only a check can tell.
    return payment.state === 'submitting'
      ? { ...withDue(flagged, firstCheck(payment, now)), state: 'unknown' }
      : withDue(flagged, { queue: 'check', atMs: now.nowMs + SET_ASIDE_MS });
  },
  // Even a `confirmed` payment may have been sent after the backup; only a check can tell.
  restored: (payment, { reason }, { nowMs }) =>
    payment.state === 'confirmed' || payment.state === 'submitting'
      ? perhapsTaken(payment, { queue: 'check', atMs: nowMs }, reason)
      : undefined,
  callback: (payment, { count = 1, message }, now) => {
    const hints = payment.hints + count;
    const known = { ...payment, hints, ...defined({ hintMessage: message }) };
    if (payment.state === 'confirmed') return contradicted(known, now);
    // The answer to the request is still to come; `isKnown` decides what it means.
    return payment.state === 'submitting' ? known : broughtForward(known, now);
  },
  texted: (payment, { of: kind, batchId }) => {
    if (!suits(kind, payment) || textOf(kind, payment) !== undefined) return undefined;
    const { texts = [], state } = payment;
    return { ...payment, texts: [...texts, { kind, state, batchId }] };
  },
  'text not sent': (payment, { batchId }) => {
    const { texts = [] } = payment;
    const others = texts.filter((text) => text.batchId !== batchId);
    return others.length === texts.length ? undefined : { ...payment, texts: others };
  },
  'given back': (payment, { id, amount, ...what }, { nowMs }) => {
    const { givenBack = [] } = payment;
    const { currency, amountMinor: leftMinor } = leftToGive(payment);
    const { amountMinor } = amount;
    const isKnown = givenBack.some((one) => one.id === id);
    if (isContradicted(payment)) return undefined;
    if (isKnown || amount.currency !== currency || !(amountMinor > 0) || amountMinor > leftMinor)
      return undefined;
    const { by, approver } = what;
    const reason = isForgotten(payment) ? undefined : what.reason;
    const one = { id, amountMinor, by, atMs: nowMs, ...defined({ reason, approver }) };
    return { ...payment, givenBack: [...givenBack, one] };
  },
  noted: (payment, { id, note, by }, { nowMs }) => {
    const { notes = [] } = payment;
    const isKnown = notes.some((one) => one.id === id);
    if (isKnown || notes.length >= MOST_NOTES || isForgotten(payment)) return undefined;
    return { ...payment, notes: [...notes, { id, note, by, atMs: nowMs }] };
  },
  // A callback that came during the check may be newer than its answer, so the next check is brought forward.
  checked: (payment, { finding, hintsBefore = payment.hints }, now) => {
    const checked = afterCheck(payment, finding, now);
    if (checked === undefined || payment.hints <= hintsBefore) return checked;
    const takesNone = checked.state === 'submitting' || isSettled(checked);
    return takesNone ? checked : broughtForward(checked, now);
  },
};

/** No words are kept about a customer who was erased, also not where that was after the words were typed. */
const isForgotten = ({ terms }: Payment): boolean => isPseudonym(terms.customerNumber);

/** A payment is read as a whole each time. */
export const MOST_NOTES = 20;

const afterCheck = (payment: Payment, finding: Finding, now: Now): Payment | undefined => {
  if (payment.state === 'confirmed' || payment.state === 'submitting')
    return afterEarlyCheck(payment, finding, now);
  const checked = { ...payment, checks: payment.checks + 1, lastCheckAtMs: now.nowMs };
  if (isSettled(payment)) return afterLateCheck(checked, finding);
  switch (finding.kind) {
    case 'completed':
      return settled(checked, 'completed', now, finding);
    case 'failed':
      return settled(checked, 'failed', now, finding);
    case 'mismatch':
    case 'unproven': {
      const { answer, reason } = finding;
      return { ...stillOpen(checked, now), answer, flag: 'conflict', reason };
    }
    case 'pending':
      return { ...stillOpen(arrived(checked), now), state: 'pending', answer: finding.answer };
    case 'nothing':
      return stillOpen(checked, now);
    default:
      return assertNever(finding);
  }
};

/** Checked before the request was answered with more than 429: a payment that the service knows was taken. */
const afterEarlyCheck = (payment: Payment, finding: Finding, now: Now): Payment | undefined => {
  if (finding.kind === 'nothing' && finding.knowsIt === undefined) return undefined;
  const known = { ...payment, hints: payment.hints + 1 };
  return payment.state === 'submitting'
    ? known
    : afterCheck(contradicted(known, now), finding, now);
};

/** A settled state never changes; an answer that contradicts it is shown to a person instead. */
const afterLateCheck = (payment: Payment, finding: Finding): Payment | undefined => {
  const reason = contradiction(payment, finding);
  if (reason !== undefined && payment.flag !== 'conflict')
    return { ...withDue(payment, undefined), flag: 'conflict', reason };
  // Without a conflict only the due time is removed that a callback had set.
  return payment.due === undefined ? undefined : withDue(payment, undefined);
};

/** A check without an outcome: the next one is scheduled, and a person is called when it takes too long. */
const stillOpen = (payment: Payment, { nowMs, policy }: Now): Payment => {
  const { overdue, nextMs } = afterFruitlessCheck(policy, payment, nowMs);
  return {
    ...withDue(payment, nextMs === undefined ? undefined : { queue: 'check', atMs: nextMs }),
    ...(overdue === undefined ? {} : { overdue, flag: payment.flag ?? 'needs a person' }),
  };
};

/** A callback or a status has shown that the service has the payment; its answer to the request may say otherwise. */
const isKnown = ({ hints }: Payment): boolean => hints > 0;

/** The service knows it although the answer to the request says otherwise: only asking can tell. */
const contradicted = (payment: Payment, now: Now): Payment =>
  perhapsTaken(
    payment,
    firstCheck(payment, now),
    'The payment service knows this payment after all.',
  );

const perhapsTaken = (payment: Payment, due: Due, reason: string): Payment => ({
  ...withDue(payment, due),
  state: 'unknown',
  submittedAtMs: payment.submittedAtMs ?? payment.confirmedAtMs,
  reason,
});

/** Ends a payment of which nothing was taken, unless the service knows it. */
const untaken = (
  payment: Payment,
  state: 'not sent' | 'refused',
  { answer, reason }: { answer?: ServiceAnswer; reason: string },
  now: Now,
): Payment => {
  if (isKnown(payment)) return contradicted(payment, now);
  const why = state === 'not sent' ? notSentReason(payment.rateLimits, reason) : reason;
  return settled(payment, state, now, { answer: answer ?? payment.answer, reason: why });
};

const settled = (
  payment: Payment,
  state: 'completed' | 'failed' | 'not sent' | 'refused',
  { nowMs }: Now,
  { answer, reason }: { answer?: ServiceAnswer | undefined; reason?: string },
): Payment => {
  const { reason: _, flag: __, overdue: ___, ...rest } = withDue(payment, undefined);
  return { ...rest, state, settledAtMs: nowMs, ...defined({ answer, reason }) };
};

/** The service knows the payment, so the reason why it was unknown is removed. The reason of a conflict stays. */
const arrived = (payment: Payment): Payment => {
  if (payment.flag === 'conflict') return payment;
  const { reason: _, ...rest } = payment;
  return rest;
};
