import type { Clock } from '../../core/runtime/clock.ts';

/** Counts the changes of a page, for those who wait for the next one. */
export class Revision {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #waiting = new Set<() => void>();
  #count = 1;

  constructor(clock: Pick<Clock, 'sleep'>) {
    this.#clock = clock;
  }

  get count(): number {
    return this.#count;
  }

  bump(): void {
    this.#count += 1;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Resolves at a change after that `seen`, or after `longestMs`. */
  async changedAfter(seen: number, longestMs: number): Promise<void> {
    if (this.#count !== seen) return;
    const change = new AbortController();
    const wake = (): void => change.abort();
    this.#waiting.add(wake);
    await this.#clock.sleep(longestMs, change.signal);
    this.#waiting.delete(wake);
  }
}
