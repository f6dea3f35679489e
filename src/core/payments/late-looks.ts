import { isSettled, type Payment } from '../records/payment.ts';
import type { Put, Watch } from '../records/records.ts';

const HOUR_MS = 3_600_000;

/** A settled payment is checked again this long after it settled: a wrong outcome is usually corrected within a day. */
const LOOKS_AFTER_MS = [HOUR_MS / 6, 2 * HOUR_MS, 24 * HOUR_MS] as const;

/** A payment whose request was never sent cannot be contradicted; every other one, a 429 included, is checked again. */
export const watchOver = (before: Payment, after: Payment, nowMs: number): Put[] => {
  const isNew = isSettled(after) && !isSettled(before) && after.submittedAtMs !== undefined;
  return isNew ? nextLook({ id: after.id, version: 1, looks: 0 }, nowMs) : [];
};

/** Empty: it was checked often enough. */
export const nextLook = (watch: Omit<Watch, 'due'>, nowMs: number): Put[] => {
  const afterMs = LOOKS_AFTER_MS[watch.looks];
  if (afterMs === undefined) return [];
  const atMs = nowMs + afterMs - (LOOKS_AFTER_MS[watch.looks - 1] ?? 0);
  return [{ kind: 'watch', record: { ...watch, due: { queue: 'check', atMs } } }];
};
