import type { Queue } from '../records/due.ts';
import type { Put } from '../records/records.ts';
import { backoffMs } from '../runtime/backoff.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';
import { failpoint } from '../runtime/failpoints.ts';
import { InFlight } from '../runtime/in-flight.ts';
import type { Log } from '../runtime/log.ts';
import type { Random } from '../runtime/random.ts';
import type { Store } from '../store/store.ts';

/** After this another process takes over the work of one that died. */
export const LEASE_MS = 45_000;
/** Work that takes longer renews its lease this long after it was taken or renewed. */
const RENEW_AFTER_MS = LEASE_MS / 3;
/** Work that takes longer than this hangs: its lease is not renewed, so it is begun once more. */
const LONGEST_WORK_MS = 5 * 60_000;
/** The queue is read at least this often. */
const LONGEST_NAP_MS = 30_000;
/** The same where other instances leave work in it, of which this one hears nothing. */
export const SHARED_NAP_MS = 2_000;
const FAILED_WORK_BACKOFF = { firstMs: 1_000, longestMs: 60_000 };

type WorkSource = Pick<Store, 'claim' | 'release' | 'nextDueMs' | 'onDue'>;

type WorkerOptions = {
  readonly queue: Queue;
  readonly store: WorkSource;
  readonly clock: Clock;
  readonly log: Log;
  readonly atOnce: number;
  /** As many while they end fast. @default atOnce */
  readonly atMost?: number;
  /** How often the queue is read at least. @default 30 s */
  readonly longestNapMs?: number;
  /** @default the system's */
  readonly random?: Random;
  readonly serve: (work: Put) => Promise<void>;
};

/** Serves one queue of due work, a few pieces at a time, for as long as it is started. */
export class Worker {
  readonly queue: Queue;
  readonly #options: WorkerOptions;
  readonly #width: AdaptiveWidth;
  readonly #inFlight = new InFlight();
  /** Of the work in flight, by the monotonic clock. */
  readonly #leases = new Map<Put, { readonly beganMs: number; leasedMs: number }>();
  /** Bounded: work that failed here may be done by another process, or be gone. */
  readonly #failures = new BoundedMap<string, number>(1_000);
  #signsOfLife = 0;
  #stopping = new AbortController();
  #nap = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #stopListening: () => void = () => {};

  constructor(options: WorkerOptions) {
    const { queue, atOnce, atMost = atOnce } = options;
    this.queue = queue;
    this.#options = options;
    this.#width = new AdaptiveWidth({ least: atOnce, most: atMost });
  }

  /** Grows with each look for work and each piece that is done. */
  get signsOfLife(): number {
    return this.#signsOfLife;
  }

  start(): void {
    this.#stopping = new AbortController();
    this.#stopListening = this.#options.store.onDue((due) => {
      // With its hands full it looks for more as soon as a piece is done.
      if (due.queue === this.queue && this.#free > 0) this.#wake();
    });
    this.#loop = this.#run();
  }

  get #free(): number {
    return this.#width.places - this.#inFlight.size;
  }

  /** Claims nothing new and waits for the work in flight. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#stopListening();
    this.#wake();
    await this.#loop;
    await this.#inFlight.ended();
  }

  #wake(): void {
    // Told many times in one nap, of which one is enough; without a reason it would make an error each time.
    if (!this.#nap.signal.aborted) this.#nap.abort('work');
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options;
    while (!this.#stopping.signal.aborted) {
      // Made before looking, so that a wake-up between looking and sleeping is not lost.
      this.#nap = new AbortController();
      const nap = this.#nap;
      try {
        const free = this.#free;
        await this.#renewLeases();
        // With its hands full it only waits, and only a piece that is done shows that they are not stuck.
        if (free > 0) this.#signsOfLife++;
        const taken = free > 0 ? await this.#take(free) : 0;
        if (free > 0 && taken === free) continue;
        await clock.sleep(await this.#napMs(), nap.signal);
      } catch (error) {
        log.error({ err: error, queue: this.queue }, 'could not look for due work');
        await clock.sleep(FAILED_WORK_BACKOFF.firstMs, this.#stopping.signal);
      }
    }
  }

  async #take(limit: number): Promise<number> {
    const { store, clock } = this.#options;
    const leasedMs = clock.monotonic();
    const work = await store.claim(this.queue, { nowMs: clock.now(), leaseMs: LEASE_MS, limit });
    for (const piece of work) {
      failpoint('work-claimed', `${piece.kind}/${piece.record.id}`);
      const beganMs = clock.monotonic();
      this.#leases.set(piece, { beganMs, leasedMs });
      void this.#inFlight.add(this.#serveOne(piece)).finally(() => {
        this.#signsOfLife++;
        this.#leases.delete(piece);
        this.#width.ended(clock.monotonic() - beganMs, work.length === limit);
        this.#wake();
      });
    }
    return work.length;
  }

  async #renewLeases(): Promise<void> {
    const { store, clock } = this.#options;
    const nowMs = clock.monotonic();
    for (const [{ kind, record }, lease] of this.#leases) {
      const isDue = nowMs - lease.leasedMs >= RENEW_AFTER_MS;
      if (!isDue || nowMs - lease.beganMs >= LONGEST_WORK_MS) continue;
      await store.release(kind, record.id, clock.now() + LEASE_MS, true);
      lease.leasedMs = nowMs;
    }
  }

  async #napMs(): Promise<number> {
    const { store, clock, longestNapMs = LONGEST_NAP_MS } = this.#options;
    const longestMs = this.#leases.size > 0 ? Math.min(RENEW_AFTER_MS, longestNapMs) : longestNapMs;
    if (this.#free <= 0) return longestMs;
    const nextMs = await store.nextDueMs(this.queue);
    return nextMs === undefined
      ? longestMs
      : Math.min(longestMs, Math.max(0, nextMs - clock.now()));
  }

  async #serveOne(work: Put): Promise<void> {
    const { store, clock, log, random, serve } = this.#options;
    const { id } = work.record;
    const key = `${work.kind}/${id}`;
    try {
      await serve(work);
      this.#failures.delete(key);
    } catch (error) {
      const failures = (this.#failures.get(key) ?? 0) + 1;
      this.#failures.set(key, failures);
      log.error({ err: error, queue: this.queue, id, failures }, 'work failed');
      const retryAtMs = clock.now() + backoffMs(failures, FAILED_WORK_BACKOFF, random);
      await store.release(work.kind, id, retryAtMs).catch((releaseError) => {
        // The lease runs out by itself.
        log.error({ err: releaseError, id }, 'could not give work back');
      });
    }
  }
}

/** A piece of work that takes longer shows that the other side, or this process, has enough to do. */
const SLOW_MS = 1_000;

/**
 * A concurrency limit that follows how long pieces of work take, by additive increase and multiplicative decrease:
 * a service that answers fast is asked more at once, and a slow one no more than `least`.
 */
class AdaptiveWidth {
  readonly #limits: { readonly least: number; readonly most: number };
  places: number;

  constructor(limits: { readonly least: number; readonly most: number }) {
    this.#limits = limits;
    this.places = limits.least;
  }

  /** Counts a piece that has ended. `wasFull`: it took one of the last places; otherwise more would be of no use. */
  ended(tookMs: number, wasFull: boolean): void {
    const { least, most } = this.#limits;
    if (tookMs > SLOW_MS) this.places = Math.max(least, Math.floor(this.places / 2));
    else if (wasFull) this.places = Math.min(most, this.places + 1);
  }
}
