import type { Alerts } from '../notices/alerts.ts';
import { SET_ASIDE_MS } from '../payments/check-schedule.ts';
import type { Payments } from '../payments/payments.ts';
import { type Put, putOf, type Setting } from '../records/records.ts';
import { triesOf } from '../records/stored-values.ts';
import type { Clock } from '../runtime/clock.ts';
import { failpoint } from '../runtime/failpoints.ts';
import { KeyedLock } from '../runtime/keyed-lock.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/store.ts';
import { removeRecord } from '../work/remove-record.ts';

const MOST_DEATHS = 3;
/** A count is removed after this, if its work was never served again. */
const KEEP_MS = 7 * 24 * 3_600_000;

type PoisonGuardOptions = {
  readonly store: Store;
  readonly payments: Payments;
  readonly alerts: Alerts;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Sets a poison message aside: work that ends the process each time it is served. Only work that an earlier
 * process left over can be one, so only that is counted, durably, before it is served; newer work costs nothing
 * here.
 */
export class PoisonGuard {
  readonly #options: PoisonGuardOptions;
  readonly #startedAtMs: number;
  readonly #suspects = new KeyedLock();
  /** The counts of what is being served. */
  readonly #counts = new Set<Setting>();
  #isStopping = false;

  constructor(options: PoisonGuardOptions) {
    this.#options = options;
    this.#startedAtMs = options.clock.now();
  }

  /** The process was told to stop: from here on its end, which may cut work off, is no work's doing. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#counts].map((count) => this.#forget(count)));
  }

  /** Serves work unless it has ended the process too often; a failure that leaves the process alive does not count. */
  async around(work: Put, serve: () => Promise<void>): Promise<void> {
    const { due } = work.record;
    const isOld = due !== undefined && due.atMs < this.#startedAtMs;
    if (!isOld || this.#isStopping) return serve();
    if ((await this.#tries(work)) === undefined) return this.#serveCounted(work, undefined, serve);
    // It was being served when a process ended, possibly beside the poison message: serving one at a time tells which.
    await this.#suspects.run('', async () => {
      const tries = await this.#tries(work);
      if ((triesOf(work).read(tries) ?? 0) >= MOST_DEATHS) return this.#setAside(work, tries);
      await this.#serveCounted(work, tries, serve);
    });
  }

  #tries(work: Put): Promise<Setting | undefined> {
    return this.#options.store.get('setting', triesOf(work).id);
  }

  async #serveCounted(
    work: Put,
    earlier: Setting | undefined,
    serve: () => Promise<void>,
  ): Promise<void> {
    const { store, clock } = this.#options;
    const tries = triesOf(work);
    const due = { queue: 'tidy', atMs: clock.now() + KEEP_MS } as const;
    const put = tries.put((tries.read(earlier) ?? 0) + 1, earlier, due);
    this.#counts.add(put.record);
    // Refused: another instance serves it too, and counts.
    await store.commit({ put: [put] });
    if (this.#isStopping) await this.#forget(put.record);
    failpoint('work-counted', put.record.id);
    try {
      await serve();
    } finally {
      this.#counts.delete(put.record);
      await this.#forget(put.record);
    }
  }

  async #forget(record: Setting): Promise<void> {
    await removeRecord(this.#options.store, { kind: 'setting', record });
  }

  async #setAside(work: Put, tries: Setting | undefined): Promise<void> {
    const { store, payments, alerts, clock, log } = this.#options;
    const { kind, record } = work;
    log.error({ kind, id: record.id }, 'work that ended the process is set aside');
    const isPayment = kind === 'payment';
    if (isPayment) await payments.record(record.id, { kind: 'set aside' });
    const alert = { kind: 'set aside', work: kind, id: record.id } as const;
    const alerted = await alerts.owed(`aside.${kind}.${record.id}`, alert);
    const nowMs = clock.now();
    const row = { atMs: nowMs, kind, id: record.id, what: 'set aside', before: null, after: null };
    // One commit: a crash between two would set it aside without an alert.
    await store.commit({
      put: isPayment ? alerted : [dueAgain(work, nowMs + SET_ASIDE_MS), ...alerted],
      audit: isPayment ? [] : [row],
    });
    if (tries !== undefined) await this.#forget(tries);
  }
}

const dueAgain = ({ kind, record }: Put, atMs: number): Put => {
  const due = record.due && { ...record.due, atMs };
  return putOf(kind, { ...record, due, version: record.version + 1 });
};
