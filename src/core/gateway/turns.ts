import type { Cluster } from '../cluster/cluster.ts';
import { KeyedLimiter } from '../cluster/limit.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Urgency } from './gateway.ts';

/**
 * Resolves when one more request may be sent; never rejects, and is called once at a time. `paymentCame` is aborted as
 * soon as a person's payment waits: it takes the turn.
 */
export type NextSlot = (paymentCame: AbortSignal) => Promise<void>;

/** While the store cannot be reached, it is asked again after this long. */
const STORE_RETRY_MS = 1_000;

/**
 * The whole rate for this process: a sliding window of about a second, so that no stretch of that length sees
 * more requests than the rate allows. A token bucket would let burst and refill through together.
 * Others leave one place free, so that a person's payment does not wait while a file is charged.
 * @param requestsPerSecond may be below one, such as 0.5 for a request every two seconds
 */
export const localSlots = (clock: Clock, requestsPerSecond: number): NextSlot => {
  const most = Math.max(1, Math.floor(requestsPerSecond));
  const windowMs = (most / requestsPerSecond) * 1000;
  const limiter = new KeyedLimiter(clock, { most, windowMs }, 1);
  const placesForOthers = most < LEAST_TO_SPARE_ONE ? 1 : 2;
  return async (paymentCame) => {
    for (;;) {
      const waitMs = limiter.spend('gateway', paymentCame.aborted ? 1 : placesForOthers);
      if (waitMs === 0) return;
      await clock.sleep(waitMs, paymentCame.aborted ? undefined : paymentCame);
    }
  };
};

/** Of fewer places, one left free would slow the others down by a third or more. */
const LEAST_TO_SPARE_ONE = 4;

/**
 * The rate of several instances: each reserves one request at a time, so the store serves the instances
 * in the order they asked. Polling for a free token would always favour the one nearest to the store.
 */
const sharedSlots =
  (
    cluster: Pick<Cluster, 'reserve'>,
    requestsPerSecond: number,
    { clock, log }: QueueParts,
  ): NextSlot =>
  async () => {
    for (;;) {
      try {
        const waitMs = await cluster.reserve('gateway', 1_000 / requestsPerSecond);
        if (waitMs > 0) await clock.sleep(waitMs);
        return;
      } catch (error) {
        log.warn({ err: error }, 'the shared rate could not be reached');
        await clock.sleep(STORE_RETRY_MS);
      }
    }
  };

/** Where requests wait for their turn under the rate, which is that of all merchants together. */
export const createQueue = (requestsPerSecond: number, parts: QueueParts): FairQueue => {
  const { clock, cluster } = parts;
  const slots =
    cluster === undefined
      ? localSlots(clock, requestsPerSecond)
      : sharedSlots(cluster, requestsPerSecond, parts);
  return new FairQueue(clock, slots);
};

export type QueueParts = {
  readonly clock: Clock;
  readonly log: Log;
  /** What several instances agree on, so that together they keep to the rate. @default this process has the whole rate */
  readonly cluster?: Pick<Cluster, 'reserve'>;
};

/** Whose part of the rate a request uses: `money` is `make_payment`, of files `bulk`; the others are told apart by who waits. */
export type Share = 'money' | Turned;

/** Those that go in turns while several of them wait. */
const IN_TURNS = ['person', 'background', 'bulk'] as const satisfies readonly (Urgency | 'bulk')[];
type Turned = (typeof IN_TURNS)[number];

/** Most requests that wait in one share. Workers never reach it; people who ask faster than the service may do. */
const MOST_WAITING = 200;

/**
 * Decides which waiting request is sent next: people's payments first; then requests of people, background checks and
 * payments of files in turns, without those of which none waits; each kind in the order it came.
 */
export class FairQueue {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #nextSlot: NextSlot;
  readonly #waiting: Record<Share, Set<() => void>> = {
    money: new Set(),
    person: new Set(),
    background: new Set(),
    bulk: new Set(),
  };
  #servedLast: Turned = 'bulk';
  #isServing = false;
  #paymentCame = new AbortController();

  constructor(clock: Pick<Clock, 'sleep'>, nextSlot: NextSlot) {
    this.#clock = clock;
    this.#nextSlot = nextSlot;
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
      if (share === 'money') this.#paymentCame.abort('came');
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
      this.#paymentCame = new AbortController();
      if (this.#waiting.money.size > 0) this.#paymentCame.abort('came');
      await this.#nextSlot(this.#paymentCame.signal);
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
    const last = IN_TURNS.indexOf(this.#servedLast);
    const next = [...IN_TURNS.slice(last + 1), ...IN_TURNS.slice(0, last + 1)];
    return next.find((share) => this.#waiting[share].size > 0) ?? this.#servedLast;
  }
}
