import { provider } from '../gateway/provider.ts';
import type { Cause } from '../payments/payment-audit.ts';
import type { Payments } from '../payments/payments.ts';
import type { Payment } from '../records/payment.ts';
import type { Clock } from '../runtime/clock.ts';
import { InFlight } from '../runtime/in-flight.ts';
import type { Log } from '../runtime/log.ts';

/** The first callbacks of a payment are kept with their bodies. */
const MOST_KEPT = 5;
/** Longer bodies are cut: no sibling of the service sends more than 1 KB. */
const LONGEST_KEPT_BYTES = 4 * 1024;
const COUNT_EVERY_MS = 10_000;

/** Callbacks of one payment that are counted and not stored yet. */
type Tally = { count: number; message: string | undefined };

/** What recording takes. */
export type CallbackRecorderOptions = {
  readonly payments: Pick<Payments, 'record'>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Records callbacks as hints. An address in wrong hands takes any number of them, so the cost of a payment is
 * bounded: the first ones are stored with their bodies; of the others those that bring a check forward are stored
 * at once, which the spacing of the checks bounds, and the rest are counted. The count is stored every 10 seconds
 * and may be lost with the process.
 */
export class CallbackRecorder {
  readonly #options: CallbackRecorderOptions;
  readonly #tallies = new Map<string, Tally>();
  readonly #counting = new InFlight();
  readonly #stopping = new AbortController();

  constructor(options: CallbackRecorderOptions) {
    this.#options = options;
  }

  /** Resolves once everything new about a callback is durable; false: no such payment. */
  async record(id: string, body: string, contentType: string): Promise<boolean> {
    const message = provider.callbackMessage(body);
    let isWritten = false;
    const causeOf = (before: Payment, after: Payment): Cause | undefined => {
      if (before.hints < MOST_KEPT) return { detail: kept(body, contentType) };
      // Decided once: after a stale commit this is called a second time.
      isWritten ||= this.#opensTally(id) || !addsOnlyACount(before, after);
      if (isWritten) return {};
      this.#count(id, message);
      return undefined;
    };
    const { payments } = this.#options;
    return (await payments.record(id, callbackEvent(message), { cause: causeOf })) !== undefined;
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#counting.ended();
  }

  /** Whether this is the first callback of a payment for 10 seconds: it is stored, and the next ones are counted. */
  #opensTally(id: string): boolean {
    if (this.#tallies.has(id)) return false;
    const tally: Tally = { count: 0, message: undefined };
    this.#tallies.set(id, tally);
    const written = this.#counting.add(this.#writeCounts(id, tally));
    void written.finally(() => this.#tallies.delete(id));
    return true;
  }

  #count(id: string, message: string | undefined): void {
    const tally = this.#tallies.get(id);
    if (tally === undefined) return;
    tally.count += 1;
    tally.message = message;
  }

  /** Every 10 seconds while callbacks come, and a last time when the program stops. */
  async #writeCounts(id: string, tally: Tally): Promise<void> {
    const { payments, clock, log } = this.#options;
    do {
      await clock.sleep(COUNT_EVERY_MS, this.#stopping.signal);
      const { count, message } = tally;
      if (count === 0) return;
      try {
        await payments.record(id, { ...callbackEvent(message), count });
        tally.count -= count;
      } catch (error) {
        log.warn({ err: error, payment: id, count }, 'callbacks could not be counted yet');
      }
    } while (!this.#stopping.signal.aborted);
  }
}

const callbackEvent = (message: string | undefined) =>
  ({ kind: 'callback', ...(message === undefined ? {} : { message }) }) as const;

const kept = (body: string, contentType: string): Record<string, unknown> => {
  const bytes = Buffer.from(body);
  if (bytes.length <= LONGEST_KEPT_BYTES) return { body, contentType };
  // `stream` leaves out a character that is cut through.
  const cut = new TextDecoder().decode(bytes.subarray(0, LONGEST_KEPT_BYTES), { stream: true });
  return { body: cut, bodyBytes: bytes.length, contentType };
};

const COUNTED: ReadonlySet<string> = new Set(['hints', 'hintMessage']);

/** Whether a callback changed nothing but the count, above all not when the next check is due. */
const addsOnlyACount = (before: Payment, after: Payment): boolean =>
  hasAllOf(before, after) && hasAllOf(after, before);

const hasAllOf = (one: object, other: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(one).every(([key, value]) => COUNTED.has(key) || other[key] === value);
