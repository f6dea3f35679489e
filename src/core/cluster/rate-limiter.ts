import type { Clock } from '../runtime/clock.ts';
import {
  blocked,
  type PaceEntry,
  type PaceLimit,
  spent,
  type Turn,
  takePlaces,
  UNUSED,
} from './pace-book.ts';

/** What the bots ask before they post. Where several instances share a conversation, the answer comes from their store. */
export interface Pace {
  /** Takes one from every limit and gives 0; or takes none and gives how many ms to wait. Never rejects. */
  take(limits: readonly PaceLimit[], turn: Turn): number | Promise<number>;
  /** Counts a message that goes out at once. */
  spend(limits: readonly PaceLimit[]): void;
  /** The platform asked for patience: nothing under this key for `ms`. */
  block(key: string, ms: number): void;
}

const MOST_REMEMBERED = 1_000;

/**
 * Keeps messages within what a chat platform bears. A key that is idle again is forgotten, so idle
 * conversations cost nothing. By the monotonic clock: set back by a day, the other one would keep every
 * conversation silent for a day.
 */
export class RateLimiter implements Pace {
  readonly #clock: Clock;
  readonly #entries = new Map<string, PaceEntry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  take(limits: readonly PaceLimit[], turn: Turn): number {
    const known = limits.map(({ key }) => this.#entryOf(key));
    const { waitMs, entries } = takePlaces(limits, known, turn, this.#clock.monotonic());
    for (const [at, { key }] of limits.entries()) this.#entries.set(key, entries[at] ?? UNUSED);
    if (this.#entries.size > MOST_REMEMBERED) this.#forgetIdle();
    return waitMs;
  }

  spend(limits: readonly PaceLimit[]): void {
    const nowMs = this.#clock.monotonic();
    for (const limit of limits)
      this.#entries.set(limit.key, spent(limit, this.#entryOf(limit.key), nowMs));
  }

  block(key: string, ms: number): void {
    this.#entries.set(key, blocked(this.#entryOf(key), this.#clock.monotonic() + ms));
  }

  #entryOf(key: string): PaceEntry {
    return this.#entries.get(key) ?? UNUSED;
  }

  #forgetIdle(): void {
    const nowMs = this.#clock.monotonic();
    for (const [key, { idleAtMs }] of this.#entries)
      if (idleAtMs <= nowMs) this.#entries.delete(key);
  }
}
