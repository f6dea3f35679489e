import type { Clock } from './clock.ts';

/** At most `burst` at once under this key, then one every `perMs`. */
export type PaceLimit = { readonly key: string; readonly burst: number; readonly perMs: number };

/** What the bots ask before they post. Where several instances share a conversation, the answer comes from their store. */
export interface Pace {
  /** Takes one from every limit and gives 0; or takes none and gives how many ms to wait. Never rejects. */
  take(limits: readonly PaceLimit[]): number | Promise<number>;
  /** Counts a message that goes out at once, come what may: somebody waits for this answer. */
  spend(limits: readonly PaceLimit[]): void;
  /** The platform asked for patience: nothing under this key for `ms`. */
  block(key: string, ms: number): void;
}

/**
 * Keeps messages within what a chat platform bears. Token buckets, written as the moment at which the
 * bucket would be full again; a bucket that is full again is forgotten, so idle conversations cost nothing.
 * By the monotonic clock: set back by a day, the other one would keep every conversation silent for a day.
 */
export class Pacer implements Pace {
  readonly #clock: Clock;
  readonly #fullAtMs = new Map<string, number>();
  readonly #blockedUntilMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(limits: readonly PaceLimit[]): number {
    const waitMs = Math.max(0, ...limits.map((limit) => this.#waitMs(limit)));
    if (waitMs === 0) this.spend(limits);
    return waitMs;
  }

  spend(limits: readonly PaceLimit[]): void {
    const nowMs = this.#clock.monotonic();
    for (const { key, perMs } of limits)
      this.#fullAtMs.set(key, Math.max(this.#fullAtMs.get(key) ?? 0, nowMs) + perMs);
    if (this.#fullAtMs.size > 1000) this.#forgetIdle(nowMs);
  }

  block(key: string, ms: number): void {
    this.#blockedUntilMs.set(key, this.#clock.monotonic() + ms);
  }

  #waitMs({ key, burst, perMs }: PaceLimit): number {
    const nowMs = this.#clock.monotonic();
    const blockedMs = (this.#blockedUntilMs.get(key) ?? 0) - nowMs;
    const fullInMs = (this.#fullAtMs.get(key) ?? 0) - nowMs;
    return Math.max(0, Math.ceil(Math.max(blockedMs, fullInMs - (burst - 1) * perMs)));
  }

  #forgetIdle(nowMs: number): void {
    for (const times of [this.#fullAtMs, this.#blockedUntilMs])
      for (const [key, atMs] of times) if (atMs <= nowMs) times.delete(key);
  }
}
