import type { Clock } from '../runtime/clock.ts';

/** While the service refuses the keys, one charge a minute finds out whether it still does. */
const PROBE_EVERY_MS = 60_000;

/**
 * Open while the payment service refuses our keys: charges are then not sent at all, rather than refused
 * one by one. In memory: another instance, or the next start, finds out with one charge of its own.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  #isOpen = false;
  #probeAtMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a charge may be sent now; report its answer to `heard`. */
  lets(): boolean {
    const nowMs = this.#clock.now();
    const waitMs = this.#probeAtMs - nowMs;
    // Longer than a probe is ever away: the clock was set back meanwhile.
    if (this.#isOpen && waitMs > 0 && waitMs <= PROBE_EVERY_MS) return false;
    this.#probeAtMs = nowMs + PROBE_EVERY_MS;
    return true;
  }

  /** The answer to a charge. */
  heard(answer: { readonly keysRefused: boolean }): void {
    this.#isOpen = answer.keysRefused;
  }
}
