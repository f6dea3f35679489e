import type { Payment } from './payment.ts';

/** When the service is asked about an unsettled payment. */
export type CheckPolicy = {
  /** Delay before the first, second, … check; the last one repeats. */
  readonly scheduleMs: readonly number[];
  /** This long after sending, the payment is handed to a person. */
  readonly giveUpMs: number;
};

/**
 * Callbacks bring a check forward, but a flood of them must not become a flood of checks. The first is
 * followed at once; the second soon, because a service's status may lag behind its own callback.
 */
const HINT_SPACING_MS = [0, 4_000, 10_000] as const;

/** When the next check by schedule is due, counted from `fromMs`. */
export const scheduledCheckMs = (policy: CheckPolicy, checks: number, fromMs: number): number => {
  const { scheduleMs } = policy;
  return fromMs + (scheduleMs[Math.min(checks, scheduleMs.length - 1)] ?? 0);
};

/** When the check that a callback asks for may happen. */
export const hintedCheckMs = (payment: Payment, nowMs: number): number => {
  const spacingMs = HINT_SPACING_MS[Math.min(payment.hintChecks, HINT_SPACING_MS.length - 1)] ?? 0;
  return Math.max(nowMs, (payment.lastCheckAtMs ?? 0) + spacingMs);
};
