import { tooManyRequests } from './api-error.ts';
import type { ChatRecord } from './message.ts';

/** How much Telegram bears; the numbers are not published, these are the ones its FAQ hints at. */
export type FloodLimits = {
  /** Messages and edits in one chat at once, before one a second holds. */
  readonly chatBurst: number;
  readonly groupPerMinute: number;
  readonly allPerSecond: number;
};

export const DEFAULT_FLOOD_LIMITS: FloodLimits = {
  chatBurst: 8,
  groupPerMinute: 20,
  allPerSecond: 30,
};

/** Counts what a bot sends and refuses what is too much with 429. */
export class FloodControl {
  readonly #limits: FloodLimits;
  readonly #now: () => number;
  readonly #sentMs = new Map<number | 'all', number[]>();

  constructor(limits: FloodLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Counts one message to a chat, or throws 429. */
  count({ id, kind }: ChatRecord): void {
    const { chatBurst, groupPerMinute, allPerSecond } = this.#limits;
    const waitMs = Math.max(
      this.#burstWaitMs(id, chatBurst),
      kind === 'private' ? 0 : this.#windowWaitMs(id, groupPerMinute, 60_000),
      this.#windowWaitMs('all', allPerSecond, 1_000),
    );
    if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / 1000));
    for (const key of [id, 'all'] as const) this.#timesOf(key).push(this.#now());
  }

  /** A bucket of `burst` that fills up by one a second. */
  #burstWaitMs(key: number, burst: number): number {
    let fullAtMs = 0;
    for (const atMs of this.#timesOf(key)) fullAtMs = Math.max(fullAtMs, atMs) + 1_000;
    return fullAtMs - this.#now() - (burst - 1) * 1_000;
  }

  #windowWaitMs(key: number | 'all', most: number, windowMs: number): number {
    const nowMs = this.#now();
    const recent = this.#timesOf(key).filter((atMs) => atMs > nowMs - windowMs);
    const oldest = recent[recent.length - most];
    return oldest === undefined ? 0 : oldest + windowMs - nowMs;
  }

  #timesOf(key: number | 'all'): number[] {
    const times = (this.#sentMs.get(key) ?? []).filter((atMs) => atMs > this.#now() - 120_000);
    this.#sentMs.set(key, times);
    return times;
  }
}
