import { isSettled, type Payment } from '../records/payment.ts';
import type { Put, Watch } from '../records/records.ts';
import { nextLookMs } from './check-schedule.ts';

/** A payment whose request was never sent cannot be contradicted; every other one, a 429 included, is checked again. */
export const watchOver = (before: Payment, after: Payment, nowMs: number): Put[] => {
  const isNew = isSettled(after) && !isSettled(before) && after.submittedAtMs !== undefined;
  return isNew ? nextLook({ id: after.id, version: 1, looks: 0 }, nowMs) : [];
};

/** Empty: it was checked often enough. */
export const nextLook = (watch: Omit<Watch, 'due'>, nowMs: number): Put[] => {
  const atMs = nextLookMs(watch.looks, nowMs);
  if (atMs === undefined) return [];
  return [{ kind: 'watch', record: { ...watch, due: { queue: 'check', atMs } } }];
};
