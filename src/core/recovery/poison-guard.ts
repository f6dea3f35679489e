import type { Alerts } from '../notices/alerts.ts';
import { SET_ASIDE_MS } from '../payments/check-schedule.ts';
import type { Payments } from '../payments/payments.ts';
import type { Put, Setting } from '../records/records.ts';
import { triesOf } from '../records/settings.ts';
import type { Clock } from '../runtime/clock.ts';
import { failpoint } from '../runtime/failpoints.ts';
import { KeyedLock } from '../runtime/keyed-lock.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/store.ts';

const MOST_TRIES = 3;
/** A count is removed after this, if its work was never served again. */
const KEEP_MS = 7 * 24 * 3_600_000;

/**
 * Sets a poison message aside: work that ends the process each time it is served. Only work that an earlier
 * process left over can be one, so only that is counted, durably, before it is served; newer work costs nothing
 * here.
 */
export class PoisonGuard {
  readonly #store: Store;
  readonly #payments: Payments;
  readonly #alerts: Alerts;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #startedAtMs: number;
  readonly #suspects = new KeyedLock();

  constructor(options: {
    store: Store;
    payments: Payments;
    alerts: Alerts;
    clock: Clock;
    log: Log;
  }) {
    this.#store = options.store;
    this.#payments = options.payments;
    this.#alerts = options.alerts;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#startedAtMs = options.clock.now();
  }

  /** Serves work unless it has ended the process too often; a failure that leaves the process alive does not count. */
  async around(work: Put, serve: () => Promise<void>): Promise<void> {
    if (!this.#isLeftOver(work)) return serve();
    const tries = await this.#store.get('setting', triesOf(work).id);
    if (tries === undefined) return this.#serveCounted(work, undefined, serve);
    // It was being served when a process ended, perhaps only beside the poison message: one at a time tells which.
    await this.#suspects.run('', () => this.#trySuspect(work, serve));
  }

  async #trySuspect(work: Put, serve: () => Promise<void>): Promise<void> {
    const tries = await this.#store.get('setting', triesOf(work).id);
    if ((triesOf(work).read(tries) ?? 0) >= MOST_TRIES) return this.#setAside(work, tries);
    await this.#serveCounted(work, tries, serve);
  }

  async #serveCounted(
    work: Put,
    tries: Setting | undefined,
    serve: () => Promise<void>,
  ): Promise<void> {
    const counted = await this.#count(work, tries);
    failpoint('work-counted', counted.id);
    try {
      await serve();
    } finally {
      await this.#forget(counted);
    }
  }

  #isLeftOver({ record }: Put): boolean {
    return record.due !== undefined && record.due.atMs < this.#startedAtMs;
  }

  async #count(work: Put, tries: Setting | undefined): Promise<Setting> {
    const due = { queue: 'tidy', atMs: this.#clock.now() + KEEP_MS } as const;
    const put = triesOf(work).put((triesOf(work).read(tries) ?? 0) + 1, tries, due);
    // Refused: another instance serves it too, and counts.
    await this.#store.commit({ put: [put] });
    return put.record;
  }

  async #forget({ id, version }: Setting): Promise<void> {
    await this.#store.commit({ remove: [{ kind: 'setting', id, version }] });
  }

  async #setAside(work: Put, tries: Setting | undefined): Promise<void> {
    const { kind, record } = work;
    this.#log.error({ kind, id: record.id }, 'work that ended the process is set aside');
    const payment = kind === 'payment';
    if (payment) await this.#payments.record(record.id, { kind: 'set aside' });
    const alert = { kind: 'set aside', work: kind, id: record.id } as const;
    // One commit: a crash between two would set it aside without an alert.
    await this.#store.commit({
      put: [
        ...(payment ? [] : [dueAgain(work, this.#clock.now() + SET_ASIDE_MS)]),
        ...(await this.#alerts.owed(`aside.${kind}.${record.id}`, alert)),
      ],
      audit: payment ? [] : [setAsideRow(work, this.#clock.now())],
    });
    if (tries !== undefined) await this.#forget(tries);
  }
}

const dueAgain = ({ kind, record }: Put, atMs: number): Put => {
  const due = record.due && { ...record.due, atMs };
  // Kind and record still belong together, which the compiler cannot follow.
  return { kind, record: { ...record, due, version: record.version + 1 } } as Put;
};

const setAsideRow = ({ kind, record }: Put, atMs: number) => ({
  atMs,
  kind,
  id: record.id,
  what: 'set aside',
  before: null,
  after: null,
});
