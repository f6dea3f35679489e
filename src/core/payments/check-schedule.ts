import { type Due, LONGEST_WAIT_MS } from '../records/due.ts';
import type { Overdue, Payment } from '../records/payment.ts';
import { isFromClockAhead } from '../runtime/clock.ts';

/** When the service is asked about an unsettled payment. */
export type CheckPolicy = {
  /** Delay before the first, second, … check; the last one repeats. */
  readonly scheduleMs: readonly number[];
  /** This long after sending, the payment is handed to a person. */
  readonly giveUpMs: number;
};

/** When an event happens, and how checks are scheduled after it. */
export type Now = { readonly nowMs: number; readonly policy: CheckPolicy };

/**
 * Callbacks bring a check forward, but a flood of them must not become a flood of checks. The first is
 * followed at once; the second soon, because a service's status may lag behind its own callback.
 */
const FIRST_CALLBACK_SPACINGS_MS = [0, 4_000];
const CALLBACK_SPACING_MS = 10_000;

const delayMs = ({ scheduleMs }: CheckPolicy, checks: number): number =>
  Math.min(scheduleMs[checks] ?? scheduleMs.at(-1) ?? 0, LONGEST_WAIT_MS.check);

/** When the next check by schedule is due, counted from `fromMs`. */
export const scheduledCheckMs = (policy: CheckPolicy, checks: number, fromMs: number): number =>
  fromMs + delayMs(policy, checks);

/** How long so many checks take by schedule. */
const scheduledMs = (policy: CheckPolicy, checks: number): number => {
  let sumMs = 0;
  for (let check = 0; check < checks; check += 1) sumMs += delayMs(policy, check);
  return sumMs;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** After this long without an outcome a person is called; the checks go on. */
const CALLS_FOR_A_PERSON: readonly { afterMs: number; overdue: Overdue }[] = [
  { afterMs: 30 * MINUTE_MS, overdue: 'half an hour' },
  { afterMs: 24 * HOUR_MS, overdue: 'a day' },
];

/** No more time counts than so many times what the checks take by schedule: a clock that jumps gives nothing up. */
const SLOWEST_CHECKS = 2;

/** A payment that was set aside is checked again after this: another piece of work may have ended the process. */
export const SET_ASIDE_MS = HOUR_MS;

/** How overdue an outcome is, and when the next check is due; without `nextMs` no check follows. */
export const afterFruitlessCheck = (
  policy: CheckPolicy,
  payment: Payment,
  nowMs: number,
): { overdue?: Overdue; nextMs?: number } => {
  const sentAtMs = payment.submittedAtMs ?? payment.confirmedAtMs;
  const byChecksMs = SLOWEST_CHECKS * scheduledMs(policy, payment.checks);
  const isAhead = isFromClockAhead(sentAtMs, nowMs, 0);
  const waitedMs = isAhead ? byChecksMs : Math.min(nowMs - sentAtMs, byChecksMs);
  if (waitedMs >= policy.giveUpMs) return { overdue: 'given up' };
  const passed = CALLS_FOR_A_PERSON.findLast(({ afterMs }) => waitedMs >= afterMs);
  const milestones = [...CALLS_FOR_A_PERSON.map(({ afterMs }) => afterMs), policy.giveUpMs];
  const nextMs = Math.min(
    scheduledCheckMs(policy, payment.checks, nowMs),
    ...milestones.map((afterMs) => sentAtMs + afterMs).filter((atMs) => atMs > nowMs),
  );
  return { nextMs, ...(passed === undefined ? {} : { overdue: passed.overdue }) };
};

/** When the check that a callback asks for may happen. */
export const checkAfterCallbackMs = (payment: Payment, nowMs: number): number => {
  const spacingMs = FIRST_CALLBACK_SPACINGS_MS[payment.hintChecks] ?? CALLBACK_SPACING_MS;
  const { lastCheckAtMs = 0 } = payment;
  const isAhead = isFromClockAhead(lastCheckAtMs, nowMs, 0);
  return isAhead ? nowMs : Math.max(nowMs, lastCheckAtMs + spacingMs);
};

export const withDue = (payment: Payment, due: Due | undefined): Payment => {
  const { due: _, ...rest } = payment;
  return due === undefined ? rest : { ...rest, due };
};

/** Due at once if a callback has come already, which may be before our own write. */
export const firstCheck = ({ hints }: Payment, { nowMs, policy }: Now): Due => ({
  queue: 'check',
  atMs: hints > 0 ? nowMs : scheduledCheckMs(policy, 0, nowMs),
});

/** Brings the check forward to the moment at which a callback may have one. */
export const broughtForward = (payment: Payment, { nowMs }: Now): Payment => {
  const atMs = checkAfterCallbackMs(payment, nowMs);
  const isSooner = payment.due === undefined || atMs < payment.due.atMs;
  return isSooner
    ? { ...withDue(payment, { queue: 'check', atMs }), hintChecks: payment.hintChecks + 1 }
    : payment;
};
