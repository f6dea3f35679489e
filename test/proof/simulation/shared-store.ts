import { type Due, LONGEST_WAIT_MS, type Queue } from '../../../src/core/records/due.ts';
import type { Payment, PaymentFilter } from '../../../src/core/records/payment.ts';
import type { AuditRow, Change, Kind, Put, Records } from '../../../src/core/records/records.ts';
import { isFromClockAhead } from '../../../src/core/runtime/clock.ts';
import { type Store, StoreAwayError } from '../../../src/core/store/store.ts';
import { figuresOf } from '../../support/figures-of.ts';
import { frozenCopy } from '../../support/frozen-copy.ts';
import type { Instance } from './instance.ts';
import { matchesFilter } from './payment-filter.ts';
import type { Timeline } from './timeline.ts';

type Row = { put: Put; claimAtMs: number; leasedBy: Instance | undefined; order: number };

/** What the database does to those who ask it; the answer comes after so many ms, or never. */
export type DatabaseTemper = () => { readonly tookMs: number; readonly fails: boolean };

/**
 * A model of the store that several instances share: one table, changes that are taken whole or not at
 * all, claims by the clock of the server. Each instance reaches it like everything else outside of it.
 */
export class SharedDatabase {
  readonly audit: AuditRow[] = [];
  readonly #timeline: Timeline;
  readonly #rows = new Map<string, Row>();
  readonly #listeners = new Map<Instance, Set<(due: Due) => void>>();
  readonly #temper: DatabaseTemper;
  #order = 0;

  constructor(timeline: Timeline, temper: DatabaseTemper) {
    this.#timeline = timeline;
    this.#temper = temper;
  }

  *records(): Generator<Put> {
    for (const { put } of this.#rows.values()) yield put;
  }

  /** When the earliest piece of work may be claimed. */
  nextDueMs(queue?: Queue): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { put, claimAtMs } of this.#rows.values()) {
      const { due } = put.record;
      if (due !== undefined && (queue === undefined || due.queue === queue))
        nextMs = Math.min(nextMs, claimAtMs);
    }
    return nextMs;
  }

  storeFor(instance: Instance): Store {
    const ask = <T>(what: string, work: () => T): Promise<T> =>
      instance.call(`database ${what}`, (answer, fail) => {
        const { tookMs, fails } = this.#temper();
        // Nothing was done: what became of a commit that was cut off, the store looks up by itself.
        if (fails) return fail(new StoreAwayError('The database cannot be reached.'));
        const result = work();
        if (tookMs === 0) answer(result);
        else this.#timeline.after(tookMs, () => answer(result));
      });
    const { clock } = instance;
    return {
      get: <K extends Kind>(kind: K, id: string) =>
        ask(
          `get ${kind}`,
          () => this.#rows.get(`${kind}/${id}`)?.put.record as Records[K] | undefined,
        ),
      commit: (change) => ask('commit', () => this.#commit(change, clock.now())),
      claim: (queue, { leaseMs, limit }) =>
        ask(`claim ${queue}`, () => this.#claim(instance, queue, leaseMs, limit)),
      release: (kind, id, atMs, isKept = false) =>
        ask('release', () => this.#release(instance, `${kind}/${id}`, atMs - clock.now(), isKept)),
      nextDueMs: (queue) =>
        ask(`next due ${queue}`, () => {
          const nextMs = this.nextDueMs(queue);
          return nextMs === Number.POSITIVE_INFINITY
            ? undefined
            : clock.now() + nextMs - this.#timeline.nowMs;
        }),
      draftsIn: (status, requester) =>
        ask(`drafts ${status}`, () =>
          [...this.#rows.values()].flatMap(({ put: { kind, record } }) =>
            kind === 'draft' &&
            record.status === status &&
            (requester === undefined || record.requester.id === requester.id)
              ? [record]
              : [],
          ),
        ),
      countDue: (queue) => ask('count', () => this.#due(queue).length),
      onDue: (listener) => this.#listen(instance, listener),
      listPayments: async (filter, page) => {
        const found = (await ask('list', () => this.#paymentsLike(filter))).sort(
          (a, b) => b.confirmedAtMs - a.confirmedAtMs || (a.id < b.id ? 1 : -1),
        );
        found.splice(0, 1 + found.findIndex(({ id }) => id === page.after));
        const last = found[page.limit - 1];
        return {
          payments: found.slice(0, page.limit),
          ...(found.length > page.limit && last !== undefined ? { next: last.id } : {}),
        };
      },
      totalPayments: (filter) =>
        ask('total', () => ({
          isWhole: true,
          totals: [...Map.groupBy(this.#paymentsLike(filter), ({ state }) => state)].map(
            ([state, same]) => ({
              state,
              currency: 'GHS',
              count: same.length,
              amountMinor: same.reduce((sum, { terms }) => sum + terms.amount.amountMinor, 0),
            }),
          ),
        })),
      paymentFigures: (asked) => ask('figures', () => figuresOf(this.#paymentsLike({}), asked)),
      auditOf: (id) =>
        ask('audit', () =>
          this.audit.filter((row) => row.id === id || row.id.startsWith(`${id}.`)),
        ),
      close: async () => {},
    };
  }

  #paymentsLike(filter: PaymentFilter): Payment[] {
    return [...this.records()].flatMap((put) =>
      put.kind === 'payment' && matchesFilter(put.record, filter) ? [put.record] : [],
    );
  }

  #commit({ put = [], remove = [], audit = [] }: Change, instanceNowMs: number): boolean {
    const versionOf = (kind: Kind, id: string) =>
      this.#rows.get(`${kind}/${id}`)?.put.record.version ?? 0;
    const isFresh =
      put.every(({ kind, record }) => record.version === versionOf(kind, record.id) + 1) &&
      remove.every(({ kind, id, version }) => version > 0 && version === versionOf(kind, id));
    if (!isFresh) return false;
    for (const each of put) this.#put(frozenCopy(each), instanceNowMs);
    for (const { kind, id } of remove) this.#rows.delete(`${kind}/${id}`);
    this.audit.push(...frozenCopy(audit));
    return true;
  }

  #put(put: Put, instanceNowMs: number): void {
    const { due } = put.record;
    // The time travels as a distance, so that the clocks of instances and server need not agree.
    const claimAtMs = this.#timeline.nowMs + (due === undefined ? 0 : due.atMs - instanceNowMs);
    const row = { put, claimAtMs, leasedBy: undefined, order: this.#order++ };
    this.#rows.set(`${put.kind}/${put.record.id}`, row);
    if (due === undefined) return;
    for (const [instance, listeners] of this.#listeners)
      instance.hear(() => {
        for (const listener of listeners) listener(due);
      });
  }

  #due(queue: Queue): Row[] {
    return [...this.#rows.values()].filter(({ put }) => put.record.due?.queue === queue);
  }

  #claim(instance: Instance, queue: Queue, leaseMs: number, limit: number): Put[] {
    const nowMs = this.#timeline.nowMs;
    const rows = this.#due(queue)
      .filter(
        ({ claimAtMs }) =>
          claimAtMs <= nowMs || isFromClockAhead(claimAtMs, nowMs, LONGEST_WAIT_MS[queue]),
      )
      .sort((a, b) => a.claimAtMs - b.claimAtMs || a.order - b.order)
      .slice(0, limit);
    for (const row of rows) {
      row.claimAtMs = nowMs + leaseMs;
      row.leasedBy = instance;
    }
    return rows.map(({ put }) => put);
  }

  #release(instance: Instance, name: string, inMs: number, isKept: boolean): void {
    const row = this.#rows.get(name);
    if (row?.leasedBy !== instance) return;
    row.claimAtMs = this.#timeline.nowMs + inMs;
    if (!isKept) row.leasedBy = undefined;
  }

  #listen(instance: Instance, listener: (due: Due) => void): () => void {
    const listeners = this.#listeners.get(instance) ?? new Set();
    this.#listeners.set(instance, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** A dead process hears nothing. */
  forget(instance: Instance): void {
    this.#listeners.delete(instance);
  }
}
