import type { Due, Queue } from '../../records/due.ts';
import type { Payment, PaymentFilter, PaymentPage } from '../../records/payment.ts';
import type { AuditRow, Change, Kind, Put, Records } from '../../records/records.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isEmpty, mustBeOrderly } from '../change-check.ts';
import type { DueListeners } from '../due-listeners.ts';
import { FOR_POSTGRES, pageOf, paymentPageQuery } from '../sql/payment-query.ts';
import { isStorableText } from '../sql/storable-text.ts';
import type { Store } from '../store.ts';
import { auditRowsOf } from './audit-rows.ts';
import { SharedTrips } from './batcher.ts';
import type { Claims } from './claims.ts';
import type { Commits } from './commits.ts';
import type { Database } from './database.ts';
import { numbered } from './query.ts';
import type { DueSignals } from './wake-ups.ts';

type Parts = {
  readonly clock: Clock;
  readonly database: Database;
  readonly commits: Commits;
  readonly claims: Claims;
  readonly listeners: DueListeners;
  readonly signals: DueSignals;
  /** Ends what runs beside the store; called once, before the connections go. */
  readonly stop: () => Promise<void>;
};

type RecordName = { readonly kind: Kind; readonly id: string };

/** Of the pool's connections. */
const MOST_READS_AT_ONCE = 2;
const MOST_READ_TOGETHER = 100;

/** The store in a database that several instances may share. */
export class PostgresStore implements Store {
  readonly #parts: Parts;
  readonly #reads: SharedTrips<RecordName, Records[Kind] | undefined>;
  #closing: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#reads = new SharedTrips({
      clock: parts.clock,
      mostAtOnce: MOST_READS_AT_ONCE,
      mostOnOne: MOST_READ_TOGETHER,
      mayJoin: ({ kind }, [first]) => first === undefined || first.kind === kind,
      make: (names) => recordsOf(parts.database, names),
    });
  }

  async get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined> {
    this.#parts.database.mustBeOpen();
    if (!isStorableText(id)) return undefined;
    // It is of the kind that was asked for; the compiler cannot know.
    return (await this.#reads.ask({ kind, id })) as Records[K] | undefined;
  }

  async commit(change: Change): Promise<boolean> {
    this.#parts.database.mustBeOpen();
    if (isEmpty(change)) return true;
    mustBeOrderly(change);
    const dues = (change.put ?? []).flatMap(({ record }) => record.due ?? []);
    const stored = await this.#parts.commits.commit(change);
    if (stored) for (const due of dues) this.#parts.signals.tell(due);
    return stored;
  }

  claim(queue: Queue, options: { nowMs: number; leaseMs: number; limit: number }): Promise<Put[]> {
    return this.#parts.claims.claim(queue, options);
  }

  release(kind: Kind, id: string, atMs: number): Promise<void> {
    return this.#parts.claims.release(kind, id, atMs);
  }

  nextDueMs(queue: Queue): Promise<number | undefined> {
    return this.#parts.claims.nextDueMs(queue);
  }

  countDue(queue: Queue): Promise<number> {
    return this.#parts.claims.count(queue);
  }

  onDue(listener: (due: Due) => void): () => void {
    return this.#parts.listeners.add(listener);
  }

  async listPayments(
    filter: PaymentFilter,
    page: { limit: number; after?: string },
  ): Promise<PaymentPage> {
    const query = paymentPageQuery(filter, page, FOR_POSTGRES);
    if (query === undefined) return { payments: [] };
    const rows = await this.#parts.database.rows<{ body: Payment }>(numbered(query));
    return pageOf(
      rows.map(({ body }) => body),
      page,
    );
  }

  auditOf(id: string): Promise<AuditRow[]> {
    return auditRowsOf((query) => this.#parts.database.rows(query), id);
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    const { database, stop } = this.#parts;
    // From here on nothing new is taken; what is under way gives its connection back first.
    const closed = database.close();
    await stop();
    await closed;
  }
}

/** All of one kind. */
const recordsOf = async (
  database: Database,
  names: readonly RecordName[],
): Promise<(Records[Kind] | undefined)[]> => {
  const rows = await database.rows<{ id: string; body: Records[Kind] }>({
    name: 'get',
    text: 'SELECT id, body FROM records WHERE kind = $1 AND id = ANY ($2)',
    values: [names[0]?.kind, names.map(({ id }) => id)],
  });
  const bodies = new Map(rows.map(({ id, body }) => [id, body]));
  return names.map(({ id }) => bodies.get(id));
};
