import type { Clock } from '../runtime/clock.ts';
import type { Worker } from './worker.ts';

const LOOK_EVERY_MS = 30_000;
/** Five minutes of looks. Counted, not measured: a process that was paused, or a clock that was set, is not stuck. */
const MOST_STILL_LOOKS = 10;

/**
 * Notices a worker that neither looks for work nor finishes any: its loop has died, or every piece in its
 * hands hangs. Nothing inside the process can mend that, and payments would wait without a word.
 */
export class Watchdog {
  readonly #clock: Clock;
  readonly #workers: readonly Pick<Worker, 'queue' | 'signsOfLife'>[];
  readonly #onStuck: (queue: string) => void;
  readonly #stop = new AbortController();
  #watching: Promise<void> = Promise.resolve();

  constructor(options: {
    clock: Clock;
    workers: readonly Pick<Worker, 'queue' | 'signsOfLife'>[];
    /** Called once; the caller has to end the process. */
    onStuck: (queue: string) => void;
  }) {
    this.#clock = options.clock;
    this.#workers = options.workers;
    this.#onStuck = options.onStuck;
  }

  start(): void {
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const seen = this.#workers.map((worker) => ({ worker, signs: worker.signsOfLife, still: 0 }));
    while (!this.#stop.signal.aborted) {
      await this.#clock.sleep(LOOK_EVERY_MS, this.#stop.signal);
      for (const each of seen) {
        each.still = each.worker.signsOfLife === each.signs ? each.still + 1 : 0;
        each.signs = each.worker.signsOfLife;
        if (each.still >= MOST_STILL_LOOKS) return this.#onStuck(each.worker.queue);
      }
    }
  }
}
