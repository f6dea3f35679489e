import type { Clock } from '../runtime/clock.ts';
import { networkOf } from './address-range.ts';

/** So many mistakes are nobody's attack: a secret that was changed too early, a doctor, a scanner of our own. */
const BURST = 100;
const PER_MS = 1_000;
/** Some megabytes, whoever comes. */
const MOST_SENDERS = 20_000;

/**
 * How often a sender may be told no. Only refusals count: the payment service sends thousands of
 * callbacks a second from one address, and what proves itself needs no limit.
 * Token buckets, written as the moment at which each is full again.
 */
export class ClientErrorLimit {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Of late, and before that. A full one takes the other's place, so those refused longest ago are forgotten. */
  #recent = new Map<string, number>();
  #earlier = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Takes one and gives 0; or takes none, and gives how many ms until there is one again. */
  spend(sender: string): number {
    const key = networkOf(sender);
    const nowMs = this.#clock.monotonic();
    const fullAtMs = Math.max(this.#recent.get(key) ?? this.#earlier.get(key) ?? 0, nowMs);
    const waitMs = Math.max(0, fullAtMs - nowMs - (BURST - 1) * PER_MS);
    // Also without a change: whoever goes on is not forgotten.
    this.#recent.set(key, waitMs > 0 ? fullAtMs : fullAtMs + PER_MS);
    if (this.#recent.size >= MOST_SENDERS / 2) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    return waitMs;
  }

  /** How many senders are remembered; one may be counted twice. */
  get size(): number {
    return this.#recent.size + this.#earlier.size;
  }
}
