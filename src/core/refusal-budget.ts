import { networkOf } from './address-range.ts';
import type { Clock } from './clock.ts';

/** So many mistakes are nobody's attack: a secret that was changed too early, a doctor, a scanner of our own. */
const BURST = 100;
const PER_MS = 1_000;
/** With more addresses than this, those that were refused longest ago are forgotten. Some megabytes. */
const MOST_SENDERS = 20_000;

/**
 * How often a sender may be told no. Only refusals count: the payment service sends thousands of
 * callbacks a second from one address, and what proves itself needs no limit.
 * Token buckets, written as the moment at which each is full again.
 */
export class RefusalBudget {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #fullAtMs = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Takes one and gives 0; or takes none, and gives how many ms until there is one again. */
  spend(sender: string): number {
    const key = networkOf(sender);
    const nowMs = this.#clock.monotonic();
    const fullAtMs = Math.max(this.#fullAtMs.get(key) ?? 0, nowMs);
    const waitMs = fullAtMs - nowMs - (BURST - 1) * PER_MS;
    if (waitMs > 0) return waitMs;
    // Deleted first, so that the map stays in the order of the last refusals.
    this.#fullAtMs.delete(key);
    this.#fullAtMs.set(key, fullAtMs + PER_MS);
    if (this.#fullAtMs.size > MOST_SENDERS) this.#forgetOldest();
    return 0;
  }

  /** How many senders are remembered. */
  get size(): number {
    return this.#fullAtMs.size;
  }

  #forgetOldest(): void {
    for (const key of this.#fullAtMs.keys()) {
      this.#fullAtMs.delete(key);
      return;
    }
  }
}
