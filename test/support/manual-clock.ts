import type { Clock } from '../../src/core/runtime/clock.ts';

type Sleeper = { atMs: number; readonly wake: () => void };

/** A clock in the test's hand: time stands still until `advance`, and everybody asleep wakes in order. */
export class ManualClock implements Clock {
  #nowMs: number;
  /** By how much it was set. */
  #setByMs = 0;
  readonly #sleepers = new Set<Sleeper>();

  constructor(startMs = Date.UTC(2026, 0, 15, 9, 0, 0)) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs - this.#setByMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const wake = () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper: Sleeper = { atMs: this.#nowMs + Math.max(ms, 0), wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  /** How many sleep right now. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** When the next sleeper wakes; undefined when nobody sleeps. */
  get nextWakeMs(): number | undefined {
    return this.#earliest()?.atMs;
  }

  /**
   * Moves time on by `ms`. Sleepers wake one by one at their own moment, and what they start may settle
   * before the next one wakes, so somebody who falls asleep again on the way is woken again.
   */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settle();
    for (;;) {
      const next = this.#earliest();
      if (next === undefined || next.atMs > untilMs) break;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.wake();
      await settle();
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
    await settle();
  }

  /** The wall clock jumps, as when somebody sets it; nobody wakes. */
  jump(ms: number): void {
    this.#nowMs += ms;
    this.#setByMs += ms;
  }

  /** The wall clock is set while time goes on: everybody asleep wakes as late as without it. */
  set(byMs: number): void {
    this.jump(byMs);
    for (const sleeper of this.#sleepers) sleeper.atMs += byMs;
  }

  /** The one who fell asleep first, of those who wake at the same moment. */
  #earliest(): Sleeper | undefined {
    let earliest: Sleeper | undefined;
    for (const sleeper of this.#sleepers)
      if (earliest === undefined || sleeper.atMs < earliest.atMs) earliest = sleeper;
    return earliest;
  }
}

/** Two turns of the event loop: every promise that can settle without outside help has settled by then. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
};
