import type { Clock } from '../runtime/clock.ts';
import type { Worker } from './worker.ts';

const LOOK_EVERY_MS = 30_000;
/** Five minutes of looks. Counted, not measured: a process that was paused, or a clock that was set, is not stuck. */
const MOST_STILL_LOOKS = 10;

/**
 * Calls `onStuck` once, and resolves, when a worker neither looks for work nor finishes any: its loop has died, or
 * every piece in its hands hangs. Nothing inside the process can mend that, and payments would wait without a word.
 */
export const watchWorkers = async (
  {
    clock,
    workers,
    onStuck,
  }: {
    clock: Clock;
    workers: readonly Pick<Worker, 'queue' | 'signsOfLife'>[];
    /** The caller has to end the process. */
    onStuck: (queue: string) => void;
  },
  stop: AbortSignal,
): Promise<void> => {
  const seen = workers.map((worker) => ({ worker, signs: worker.signsOfLife, still: 0 }));
  while (!stop.aborted) {
    await clock.sleep(LOOK_EVERY_MS, stop);
    for (const each of seen) {
      each.still = each.worker.signsOfLife === each.signs ? each.still + 1 : 0;
      each.signs = each.worker.signsOfLife;
      if (each.still >= MOST_STILL_LOOKS) return onStuck(each.worker.queue);
    }
  }
};
