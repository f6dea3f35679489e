import type { DatabaseSync } from 'node:sqlite';
import type { Payment } from '../../records/payment.ts';
import type { Change, Kind, Put, Records } from '../../records/records.ts';
import type { Log } from '../../runtime/log.ts';
import type {
  Customer,
  CustomerErasure,
  DetailedRow,
  EndedBefore,
  EndedPayment,
  Erased,
  InErasure,
} from '../customer-erasure.ts';
import { auditRowOf } from '../sql/audit-entry.ts';
import { storyBounds } from '../sql/audit-order.ts';
import { checkpoint } from './checkpoints.ts';
import { inFolder } from './in-folder.ts';
import { RecordTables } from './record-tables.ts';
import type { SqliteStore } from './sqlite-store.ts';

/**
 * Erases in a folder that no process works with. No byte of what was deleted is left in the database or its log.
 * @throws {StartError} when the store cannot be had.
 */
export const eraseInFolder =
  ({ dir, log }: { readonly dir: string; readonly log: Log }): InErasure =>
  (work) =>
    inFolder({ dir, log }, async (store, database) => {
      const done = await work(new SqliteErasure(store, database));
      checkpoint(database, 'TRUNCATE');
      return done;
    });

/** The same in a store that is in use. Each `commit` is a transaction. */
export const eraseInStore =
  (store: SqliteStore, database: DatabaseSync): InErasure =>
  (work) =>
    work(new SqliteErasure(store, database));

const DETAILS = 'SELECT position, entry, detail FROM audit_details JOIN audit USING (position)';

/** By the index that has no other payments; of two in the same order SQLite takes either. */
export const ENDED_PAYMENTS = `SELECT ended_ms, body FROM payments INDEXED BY payments_to_forget
  WHERE (ended_ms, id) > (?, ?) AND ended_ms < ? AND customer_number LIKE '+%' AND is_due = 0
  ORDER BY ended_ms, id LIMIT ?`;

class SqliteErasure implements CustomerErasure {
  readonly #store: SqliteStore;
  readonly #database: DatabaseSync;
  readonly #tables: RecordTables;

  constructor(store: SqliteStore, database: DatabaseSync) {
    this.#store = store;
    this.#database = database;
    this.#tables = new RecordTables(database);
  }

  get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined> {
    return this.#store.get(kind, id);
  }

  /** All of them: other customers' references and the service's words may have the number. */
  *records(): Generator<Put> {
    yield* this.#tables.others();
    for (const { put } of this.#tables.payments()) yield put;
  }

  stories({ number, pseudonym }: Customer): string[] {
    return this.#texts(
      `SELECT story FROM customer_stories one WHERE customer IN (?, ?) AND NOT EXISTS
        (SELECT 1 FROM customer_stories other WHERE other.story = one.story AND other.customer NOT IN (?, ?))`,
      [number, pseudonym, number, pseudonym],
    );
  }

  detailsAbout(): Generator<DetailedRow> {
    return detailed(this.#database.prepare(DETAILS).iterate());
  }

  *detailsIn(stories: Iterable<string>): Generator<DetailedRow> {
    const rows = this.#database.prepare(`${DETAILS} WHERE id = ? OR (id > ? AND id < ?)`);
    for (const story of stories) yield* detailed(rows.all(...storyBounds(story)));
  }

  endedPayments({
    beforeMs,
    after,
    limit,
  }: EndedBefore & { readonly after?: EndedPayment }): EndedPayment[] {
    return this.#database
      .prepare(ENDED_PAYMENTS)
      .all(after?.endedMs ?? Number.MIN_SAFE_INTEGER, after?.payment.id ?? '', beforeMs, limit)
      .map(({ ended_ms: endedMs, body }) => ({
        endedMs: Number(endedMs),
        payment: JSON.parse(String(body)) as Payment,
      }));
  }

  endedStories({ beforeMs, limit }: EndedBefore): string[] {
    return this.#texts(
      `SELECT DISTINCT story FROM customer_stories WHERE since_ms < ? AND NOT EXISTS
        (SELECT 1 FROM payments WHERE id = story AND customer_number LIKE '+%')
      AND NOT EXISTS (SELECT 1 FROM records WHERE id = story AND kind IN ('draft', 'sms'))
      LIMIT ?`,
      [beforeMs, limit],
    );
  }

  async held(puts: readonly Put[]): Promise<readonly Put[]> {
    return puts;
  }

  async commit(change: Change, erased: Erased): Promise<boolean> {
    const isStored = await this.#store.commitWith(change, () => this.#erase(erased));
    if (isStored) this.#store.truncateLog();
    return isStored;
  }

  #erase({ details = [], customer, stories = [] }: Erased): void {
    for (const position of details)
      this.#run('DELETE FROM audit_details WHERE position = ?', position);
    if (customer !== undefined)
      this.#run(
        'UPDATE OR REPLACE customer_stories SET customer = ? WHERE customer = ?',
        customer.pseudonym,
        customer.number,
      );
    for (const story of stories) {
      // A payment's details went with its number.
      this.#run(
        `DELETE FROM audit_details WHERE position IN
          (SELECT position FROM audit WHERE id = ? OR (id > ? AND id < ?))
          AND NOT EXISTS (SELECT 1 FROM payments WHERE id = ?)`,
        ...storyBounds(story),
        story,
      );
      this.#run('DELETE FROM customer_stories WHERE story = ?', story);
    }
  }

  #run(sql: string, ...values: (string | number)[]): void {
    this.#tables.statement(sql).run(...values);
  }

  #texts(sql: string, values: readonly (string | number)[]): string[] {
    return this.#database
      .prepare(sql)
      .all(...values)
      .map(({ story }) => String(story));
  }
}

function* detailed(rows: Iterable<Record<string, unknown>>): Generator<DetailedRow> {
  for (const { position, entry, detail } of rows)
    yield { position: Number(position), row: auditRowOf(String(entry), String(detail)) };
}
