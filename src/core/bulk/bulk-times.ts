import type { BulkRun } from '../records/bulk.ts';

/** Until the next step, where nothing can be asked right now. */
export const STEP_MS = 1_000;
/** Outcomes come within minutes; a customer who has not paid by then rarely does soon. */
const LOOKS: readonly { readonly forMs: number; readonly everyMs: number }[] = [
  { forMs: 600_000, everyMs: 2_000 },
  { forMs: 3_600_000, everyMs: 30_000 },
];
const RARELY_MS = 300_000;

/** Counting reads every payment of the run: a millisecond for each keeps it below a hundredth of the time. */
export const countEveryMs = ({ next }: Pick<BulkRun, 'next'>): number => Math.max(2_000, next);

/** When to look again at a run that asks for nothing now. */
export const nextLookMs = (run: BulkRun, nowMs: number): number => {
  const sinceMs = nowMs - (run.sentAtMs ?? run.confirmedAtMs);
  const everyMs = LOOKS.find(({ forMs }) => sinceMs < forMs)?.everyMs ?? RARELY_MS;
  return nowMs + Math.max(everyMs, countEveryMs(run));
};
