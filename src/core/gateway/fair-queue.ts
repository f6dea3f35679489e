import type { Clock } from '../runtime/clock.ts';
import type { Urgency } from './gateway.ts';

/** Whose part of the rate a request uses: `money` is `make_payment`, the others are told apart by who waits. */
export type Share = 'money' | Urgency;

/**
 * Most requests that wait in one share. Workers send a few at a time and never reach it;
 * people who ask faster than the service may be asked do.
 */
const MOST_WAITING = 200;

/**
 * Decides which waiting request is sent next: payments first; then requests of people and background
 * checks in turns, or one kind alone while none of the other waits; each kind in the order it came.
 */
export class FairQueue {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #nextTurn: () => Promise<void>;
  readonly #waiting: Record<Share, Set<() => void>> = {
    money: new Set(),
    person: new Set(),
    background: new Set(),
  };
  #servedLast: Urgency = 'background';
  #isServing = false;

  /** `nextTurn` resolves when one more request may be sent; it never rejects, and is asked once at a time. */
  constructor(clock: Pick<Clock, 'sleep'>, nextTurn: () => Promise<void>) {
    this.#clock = clock;
    this.#nextTurn = nextTurn;
  }

  /** Returns true when the request may be sent now, false when too many wait or none was free within `patienceMs`. */
  take(share: Share, patienceMs: number): Promise<boolean> {
    const waiting = this.#waiting[share];
    if (waiting.size >= MOST_WAITING) return Promise.resolve(false);
    return new Promise((resolve) => {
      const admitted = new AbortController();
      const admit = (): void => {
        // Without a reason it would make an error, with its stack, for each request.
        admitted.abort('admitted');
        resolve(true);
      };
      waiting.add(admit);
      void this.#clock.sleep(patienceMs, admitted.signal).then(() => {
        if (waiting.delete(admit)) resolve(false);
      });
      void this.#serve();
    });
  }

  async #serve(): Promise<void> {
    if (this.#isServing) return;
    this.#isServing = true;
    while (Object.values(this.#waiting).some(({ size }) => size > 0)) {
      await this.#nextTurn();
      this.#admitNext();
    }
    this.#isServing = false;
  }

  /** Chosen when the turn has come, not when it was asked for: a payment that came meanwhile takes it. */
  #admitNext(): void {
    const share = this.#nextShare();
    const [admit] = this.#waiting[share];
    // All gave up while the turn was awaited.
    if (admit === undefined) return;
    this.#waiting[share].delete(admit);
    if (share !== 'money') this.#servedLast = share;
    admit();
  }

  #nextShare(): Share {
    if (this.#waiting.money.size > 0) return 'money';
    const other = this.#servedLast === 'person' ? 'background' : 'person';
    return this.#waiting[other].size > 0 ? other : this.#servedLast;
  }
}
