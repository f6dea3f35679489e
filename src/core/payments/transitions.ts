import type { MessageRef } from '../conversation.ts';
import { assertNever } from '../errors.ts';
import type { Due } from '../store/store.ts';
import {
  afterFruitlessCheck,
  type CheckPolicy,
  hintedCheckMs,
  SET_ASIDE_MS,
  scheduledCheckMs,
} from './check-schedule.ts';
import { isSettled, type Payment, type ServiceAnswer } from './payment.ts';

/** What a status check found out. */
export type Finding =
  | { readonly kind: 'completed'; readonly answer: ServiceAnswer }
  | { readonly kind: 'failed'; readonly answer: ServiceAnswer; readonly reason: string }
  /** The service says it is under way. */
  | { readonly kind: 'pending'; readonly answer: ServiceAnswer }
  /** No usable answer: nothing is known that was not known before. */
  | { readonly kind: 'nothing'; readonly answer: ServiceAnswer }
  /** The answer is about another id or amount than ours. */
  | { readonly kind: 'mismatch'; readonly answer: ServiceAnswer; readonly reason: string };

/** Everything that can happen to a payment after its confirmation. */
export type PaymentEvent =
  /** `card`: it was posted just now. */
  | {
      readonly kind: 'submitting';
      readonly presumedLostAtMs: number;
      readonly card?: MessageRef;
    }
  | { readonly kind: 'accepted'; readonly answer: ServiceAnswer; readonly checkoutUrl?: string }
  | { readonly kind: 'not sent'; readonly reason: string; readonly answer?: ServiceAnswer }
  /** It is not to be sent any more. Whoever sends it at this moment was faster. */
  | { readonly kind: 'given up'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly answer: ServiceAnswer }
  | {
      readonly kind: 'rate limited';
      readonly answer: ServiceAnswer;
      readonly retryAtMs: number;
      readonly submitByMs: number;
    }
  | { readonly kind: 'lost'; readonly reason: string; readonly answer: ServiceAnswer }
  /** Serving it ended the process again and again, so nobody serves it for a while. */
  | { readonly kind: 'set aside' }
  /** Found in a store that went back to a backup: whatever it was about to do may have been done since. */
  | { readonly kind: 'restored'; readonly reason: string }
  /** `count`: so many of them. @default 1 */
  | { readonly kind: 'callback'; readonly message?: string; readonly count?: number }
  /** `hintsBefore`: those that had come when the service was asked. @default all */
  | { readonly kind: 'checked'; readonly finding: Finding; readonly hintsBefore?: number };

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
      return afterSubmitting(payment, event, nowMs);
    case 'accepted':
      return afterAccepted(payment, event, nowMs, policy);
    case 'not sent':
      return payment.state === 'submitting'
        ? settled(payment, 'not sent', nowMs, event.answer, event.reason)
        : undefined;
    case 'given up':
      return payment.state === 'confirmed'
        ? settled(payment, 'not sent', nowMs, payment.answer, event.reason)
        : undefined;
    case 'refused':
      return payment.state === 'submitting'
        ? settled(payment, 'refused', nowMs, event.answer, event.reason)
        : undefined;
    case 'rate limited':
      return afterRateLimit(payment, event);
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
      return afterCallback(payment, event, nowMs);
    case 'checked':
      return followedUp(afterCheck(payment, event.finding, nowMs, policy), event, nowMs);
    default:
      return assertNever(event);
  }
};

const afterSubmitting = (
  payment: Payment,
  event: { presumedLostAtMs: number; card?: MessageRef },
  nowMs: number,
): Payment | undefined =>
  payment.state === 'confirmed'
    ? {
        // Whoever still finds it in this state then knows that its sender died: unknown, never sent again.
        ...withDue(payment, { queue: 'submit', atMs: event.presumedLostAtMs }),
        state: 'submitting',
        submittedAtMs: nowMs,
        ...(event.card === undefined ? {} : { card: event.card }),
      }
    : undefined;

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

const afterRateLimit = (
  payment: Payment,
  event: { answer: ServiceAnswer; retryAtMs: number; submitByMs: number },
): Payment | undefined => {
  if (payment.state !== 'submitting') return undefined;
  // 429 is documented as not processed, so nothing was sent: the one way back.
  const { submittedAtMs: _, ...rest } = withDue(payment, {
    queue: 'submit',
    atMs: event.retryAtMs,
  });
  return {
    ...rest,
    state: 'confirmed',
    answer: event.answer,
    rateLimits: payment.rateLimits + 1,
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
    return settled(payment, 'not sent', nowMs, payment.answer, reason);
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
): Payment | undefined => {
  const hinted = {
    ...payment,
    hints: payment.hints + (event.count ?? 1),
    ...(event.message === undefined ? {} : { hintMessage: event.message }),
  };
  // Before the answer to our own request is written there is nothing to check yet: it will be checked then.
  if (payment.state === 'confirmed' || payment.state === 'submitting') return hinted;
  return broughtForward(hinted, nowMs);
};

/** Its check, to the moment at which a callback may have one. */
const broughtForward = (payment: Payment, nowMs: number): Payment => {
  const atMs = hintedCheckMs(payment, nowMs);
  const sooner = payment.due === undefined || atMs < payment.due.atMs;
  return sooner
    ? { ...withDue(payment, { queue: 'check', atMs }), hintChecks: payment.hintChecks + 1 }
    : payment;
};

const afterCheck = (
  payment: Payment,
  finding: Finding,
  nowMs: number,
  policy: CheckPolicy,
): Payment | undefined => {
  if (payment.state === 'confirmed' || payment.state === 'submitting') return undefined;
  const checked = { ...payment, checks: payment.checks + 1, lastCheckAtMs: nowMs };
  if (isSettled(payment)) return afterLateCheck(checked, finding);
  switch (finding.kind) {
    case 'completed':
      return settled(checked, 'completed', nowMs, finding.answer);
    case 'failed':
      return settled(checked, 'failed', nowMs, finding.answer, finding.reason);
    case 'mismatch':
      return {
        ...stillOpen(checked, nowMs, policy),
        answer: finding.answer,
        flag: 'conflict',
        reason: finding.reason,
      };
    case 'pending':
      return {
        ...stillOpen(arrived(checked), nowMs, policy),
        state: 'pending',
        answer: finding.answer,
      };
    case 'nothing':
      return stillOpen(checked, nowMs, policy);
    default:
      return assertNever(finding);
  }
};

/** A callback that came while the service was asked may know more than its answer: it is asked again, soon. */
const followedUp = (
  checked: Payment | undefined,
  { hintsBefore }: { hintsBefore?: number },
  nowMs: number,
): Payment | undefined => {
  if (checked === undefined || hintsBefore === undefined || checked.hints <= hintsBefore)
    return checked;
  return isSettled(checked) ? checked : broughtForward(checked, nowMs);
};

/** The service knows it: why it was unknown is over. The reason of a conflict stays as long as that does. */
const arrived = (payment: Payment): Payment => {
  if (payment.flag === 'conflict') return payment;
  const { reason: _, ...rest } = payment;
  return rest;
};

/** A settled state never changes; an answer that contradicts it is shown to a person instead. */
const afterLateCheck = (payment: Payment, finding: Finding): Payment | undefined => {
  const reason = contradiction(payment, finding);
  if (reason !== undefined && payment.flag !== 'conflict')
    return { ...withDue(payment, undefined), flag: 'conflict', reason };
  // A callback after the end had asked for this check; nothing else is worth writing down.
  return payment.due === undefined ? undefined : withDue(payment, undefined);
};

const contradiction = ({ state }: Payment, finding: Finding): string | undefined => {
  switch (finding.kind) {
    case 'completed':
      return state === 'completed' ? undefined : 'The service now says completed.';
    case 'failed':
      return state === 'completed' ? 'The service now says failed.' : undefined;
    case 'pending':
      // What the service has under way it can neither have refused nor never have received.
      return state === 'refused' || state === 'not sent'
        ? 'The service now says that it is under way.'
        : undefined;
    case 'mismatch':
      return finding.reason;
    case 'nothing':
      return undefined;
    default:
      return assertNever(finding);
  }
};

const settled = (
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
const firstCheck = (payment: Payment, nowMs: number, policy: CheckPolicy): Due => ({
  queue: 'check',
  atMs: payment.hints > 0 ? nowMs : scheduledCheckMs(policy, 0, nowMs),
});

/** Checked without an outcome: asked again later, and shown to a person when it takes too long. */
const stillOpen = (payment: Payment, nowMs: number, policy: CheckPolicy): Payment => {
  const { overdue, nextMs } = afterFruitlessCheck(policy, payment, nowMs);
  return {
    ...withDue(payment, nextMs === undefined ? undefined : { queue: 'check', atMs: nextMs }),
    ...(overdue === undefined ? {} : { overdue, flag: payment.flag ?? 'needs a person' }),
  };
};

const withDue = (payment: Payment, due: Due | undefined): Payment => {
  const { due: _, ...rest } = payment;
  return due === undefined ? rest : { ...rest, due };
};
