import { KeyedLimiter } from '../cluster/limit.ts';
import type { Clock } from '../runtime/clock.ts';
import { networkOf } from './address-range.ts';

/** A secret changed too early, a doctor or a scanner of our own make as many mistakes. */
const ERROR_LIMIT = { burst: 100, perMs: 1_000 } as const;
/** A few megabytes. */
const MAX_CLIENTS = 20_000;

/**
 * How often a client may be answered with 4xx. Other answers are not counted: the payment service sends
 * thousands of callbacks a second from one address.
 */
export class ClientErrorLimit {
  readonly #limiter: KeyedLimiter;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#limiter = new KeyedLimiter(clock, ERROR_LIMIT, MAX_CLIENTS);
  }

  /** Counts one error and returns 0; or counts none and returns in how many ms one is allowed again. */
  spend(address: string): number {
    return this.#limiter.spend(networkOf(address));
  }

  /** How many clients are remembered. */
  get size(): number {
    return this.#limiter.size;
  }
}
