import { isSettled, type Payment } from '../records/payment.ts';
import { assertNever } from '../runtime/errors.ts';
import { afterFruitlessCheck, type CheckPolicy } from './check-schedule.ts';
import type { Finding } from './payment-event.ts';
import { arrived, broughtForward, contradicted, settled, withDue } from './payment-moves.ts';

/** The payment after a status check, or undefined where its finding has no meaning. Pure. */
export const afterCheck = (
  payment: Payment,
  finding: Finding,
  nowMs: number,
  policy: CheckPolicy,
): Payment | undefined => {
  if (payment.state === 'confirmed' || payment.state === 'submitting')
    return afterEarlyCheck(payment, finding, nowMs, policy);
  const checked = { ...payment, checks: payment.checks + 1, lastCheckAtMs: nowMs };
  if (isSettled(payment)) return afterLateCheck(checked, finding);
  switch (finding.kind) {
    case 'completed':
      return settled(checked, 'completed', nowMs, finding.answer);
    case 'failed':
      return settled(checked, 'failed', nowMs, finding.answer, finding.reason);
    case 'mismatch':
    case 'unproven':
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

/** Asked before the request was answered with more than 429: what the service knows, it has taken. */
const afterEarlyCheck = (
  payment: Payment,
  finding: Finding,
  nowMs: number,
  policy: CheckPolicy,
): Payment | undefined => {
  if (finding.kind === 'nothing' && finding.knowsIt === undefined) return undefined;
  const hinted = { ...payment, hints: payment.hints + 1 };
  return payment.state === 'submitting'
    ? hinted
    : afterCheck(contradicted(hinted, nowMs, policy), finding, nowMs, policy);
};

/** A callback that came while the service was asked may know more than its answer: it is asked again, soon. */
export const followedUp = (
  before: Payment,
  checked: Payment | undefined,
  { hintsBefore = before.hints }: { hintsBefore?: number },
  nowMs: number,
): Payment | undefined => {
  if (checked === undefined || before.hints <= hintsBefore) return checked;
  return checked.state === 'submitting' || isSettled(checked)
    ? checked
    : broughtForward(checked, nowMs);
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
      return state === 'completed' ? undefined : 'The payment service now says completed.';
    case 'failed':
      return state === 'completed' ? 'The payment service now says failed.' : undefined;
    case 'pending':
      // What the service has under way it can neither have refused nor never have received.
      return state === 'refused' || state === 'not sent'
        ? 'The payment service now says that it is under way.'
        : undefined;
    case 'unproven':
      // It may be about this payment or not: enough for a person to look if the payment ended otherwise.
      return state === finding.word || (finding.word === 'failed' && state !== 'completed')
        ? undefined
        : finding.reason;
    case 'mismatch':
      return finding.reason;
    case 'nothing':
      return undefined;
    default:
      return assertNever(finding);
  }
};

/** Checked without an outcome: asked again later, and shown to a person when it takes too long. */
const stillOpen = (payment: Payment, nowMs: number, policy: CheckPolicy): Payment => {
  const { overdue, nextMs } = afterFruitlessCheck(policy, payment, nowMs);
  return {
    ...withDue(payment, nextMs === undefined ? undefined : { queue: 'check', atMs: nextMs }),
    ...(overdue === undefined ? {} : { overdue, flag: payment.flag ?? 'needs a person' }),
  };
};
