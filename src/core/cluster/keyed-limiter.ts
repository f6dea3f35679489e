import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Limit, limitWaitMs, NOTHING_TAKEN, type Usage, withOneTaken } from './limit.ts';

/**
 * One limit for each key, in the memory of this process. By the monotonic clock: a wall clock that is set
 * changes no wait. Of more than `maxKeys` keys, the one used longest ago is forgotten.
 */
export class KeyedLimiter {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #limit: Limit;
  readonly #usage: BoundedMap<string, Usage>;

  constructor(clock: Pick<Clock, 'monotonic'>, limit: Limit, maxKeys: number) {
    this.#clock = clock;
    this.#limit = limit;
    this.#usage = new BoundedMap(maxKeys);
  }

  /** Takes one place and returns 0; or takes none and returns in how many ms one is free. */
  spend(key: string): number {
    const nowMs = this.#clock.monotonic();
    const usage = this.#usage.get(key) ?? NOTHING_TAKEN;
    const waitMs = limitWaitMs(this.#limit, usage, nowMs);
    // Set also when nothing was taken, so that a key in use is not forgotten.
    this.#usage.set(key, waitMs > 0 ? usage : withOneTaken(this.#limit, usage, nowMs));
    return waitMs;
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#usage.size;
  }
}
