import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';

/** A token bucket: at most `burst` at once, then one every `perMs`. */
export type TokenBucket = { readonly burst: number; readonly perMs: number };

/** A sliding window: at most `most` in any stretch of `windowMs`. */
export type SlidingWindow = { readonly most: number; readonly windowMs: number };

export type Limit = TokenBucket | SlidingWindow;

export type Usage = {
  /** When the token bucket is full again. */
  readonly fullAtMs: number;
  /** The places taken of a sliding window, oldest first. */
  readonly takenAtMs: readonly number[];
};

export const NOTHING_TAKEN: Usage = { fullAtMs: 0, takenAtMs: [] };

/** Returns in how many ms so many places are free at once; 0 when they are free now. */
export const limitWaitMs = (limit: Limit, usage: Usage, nowMs: number, places = 1): number => {
  if ('burst' in limit) {
    const missingMs = Math.max(usage.fullAtMs - nowMs, 0);
    return Math.max(0, missingMs - (limit.burst - places) * limit.perMs);
  }
  const { most, windowMs } = limit;
  const wanted = Math.min(places, most);
  const last = usage.takenAtMs[usage.takenAtMs.length - most + wanted - 1];
  // Places beyond the window's own come one window later.
  const beyondMs = ((places - wanted) * windowMs) / most;
  return beyondMs + (last === undefined ? 0 : Math.max(0, last + windowMs - nowMs));
};

/** The usage after one more place was taken, whether it was free or not. */
export const withOneTaken = (limit: Limit, usage: Usage, nowMs: number): Usage => {
  if ('burst' in limit)
    return { ...usage, fullAtMs: Math.max(usage.fullAtMs, nowMs) + limit.perMs };
  const inWindow = usage.takenAtMs.filter((atMs) => atMs > nowMs - limit.windowMs);
  return { ...usage, takenAtMs: [...inWindow, nowMs].slice(-limit.most) };
};

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

  /** Takes one place when so many are free, and returns 0; or takes none and returns in how many ms they are. */
  spend(key: string, places = 1): number {
    const nowMs = this.#clock.monotonic();
    const usage = this.#usage.get(key) ?? NOTHING_TAKEN;
    const waitMs = limitWaitMs(this.#limit, usage, nowMs, places);
    // Set also when nothing was taken, so that a key in use is not forgotten.
    this.#usage.set(key, waitMs > 0 ? usage : withOneTaken(this.#limit, usage, nowMs));
    return waitMs;
  }

  get size(): number {
    return this.#usage.size;
  }
}
