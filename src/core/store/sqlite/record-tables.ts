import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Due } from '../../records/due.ts';
import type { Payment } from '../../records/payment.ts';
import { type Kind, type Put, putOf, type Records } from '../../records/records.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { StartError } from '../../runtime/errors.ts';
import {
  keyOf,
  type PaymentWrite,
  type PreparedChange,
  paymentColumns,
  type RecordWrite,
} from '../sql/prepared-change.ts';
import type { Query } from '../sql/sql.ts';
import { isStorableText } from '../sql/storable-text.ts';
import { recordIn, type StoredBody } from '../stored-body.ts';
import { DATABASE_FILE } from './store-folder.ts';

export class RecordTables {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #recent = new RecentRecords(MOST_KEPT);

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get<K extends Kind>(kind: K, id: string): Records[K] | undefined {
    const key = keyOf({ kind, id });
    const recent = this.#recent.record(key);
    if (recent === null) return undefined;
    // A record of the kind that was asked for; the compiler cannot know.
    if (recent !== undefined) return recent as Records[K];
    if (!isStorableText(id)) return undefined;
    const row =
      kind === 'payment'
        ? this.statement('SELECT body FROM payments WHERE id = ?').get(id)
        : this.statement('SELECT body FROM records WHERE kind = ? AND id = ?').get(kind, id);
    // None is remembered too: notices are looked up before they are made, as are the moves of a chat that never moved.
    this.#recent.set(key, row === undefined ? null : String(row['body']));
    return (this.#recent.record(key) ?? undefined) as Records[K] | undefined;
  }

  put(kind: Kind, id: string): Put | undefined {
    const record = this.get(kind, id);
    return record && putOf(kind, record);
  }

  /** @throws {StartError} naming what cannot be read and is in a queue, or has no other place. */
  examine(): void {
    for (const _ of this.payments('WHERE queue IS NOT NULL'));
    for (const _ of this.others());
  }

  *others(): Generator<Put> {
    const records = this.#database.prepare('SELECT kind, id, body FROM records');
    for (const row of records.iterate()) yield readable(row as StoredBody);
  }

  /** With the salts of their digests. */
  *payments(where = ''): Generator<{ readonly put: Put; readonly salt: Uint8Array }> {
    const text = `SELECT 'payment' AS kind, id, body, salt FROM payments ${where}`;
    const rows = this.#database.prepare(text);
    for (const row of rows.iterate())
      yield { put: readable(row as StoredBody), salt: row['salt'] as Uint8Array };
  }

  /** Writes all records of a change, or none: false when one has another version than expected. */
  write({ payments, records, removals, stories }: PreparedChange): boolean {
    const stored = payments.map(({ id }) => this.get('payment', id));
    const isCurrent =
      payments.every(({ version }, at) => version === (stored[at]?.version ?? 0) + 1) &&
      records.every(({ kind, id, version }) => version === this.#version(kind, id) + 1) &&
      removals.every(({ kind, id, version }) => version > 0 && version === this.#version(kind, id));
    if (!isCurrent) return false;
    for (const [at, payment] of payments.entries()) this.#writePayment(payment, stored[at]);
    for (const record of records) this.#writeRecord(record);
    for (const { kind, id } of removals) this.#remove(kind, id);
    for (const { customer, story, sinceMs } of stories)
      this.statement(INSERT_STORY).run(customer, story, sinceMs);
    return true;
  }

  /** To be called after a rollback: what was remembered may never have been stored. */
  forgetRecent(): void {
    this.#recent.clear();
  }

  /** Prepared once for each text. */
  statement(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const made = this.#database.prepare(text);
    this.#statements.set(text, made);
    return made;
  }

  /** The rows of a search; only a statement of few different texts is kept. */
  select<Row extends object>({ text, values, isKept }: Query): Row[] {
    const statement = isKept === true ? this.statement(text) : this.#database.prepare(text);
    return statement.all(...values) as Row[];
  }

  /** 0: there is none. */
  #version(kind: Kind, id: string): number {
    return this.get(kind, id)?.version ?? 0;
  }

  #writePayment(payment: PaymentWrite, before: Payment | undefined): void {
    const { id, version, body, salt, columns, due } = payment;
    const content = { version, body, salt };
    const row = { ...columns, ...dueColumns(due) };
    if (before === undefined) {
      const all = { id, ...content, ...row };
      const names = Object.keys(all);
      this.#change(
        `INSERT INTO payments (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        ...Object.values(all),
      );
    } else {
      const was: Readonly<Record<string, unknown>> = {
        ...paymentColumns(before),
        ...dueColumns(before.due),
      };
      // What is as before is left out: its indexes then are not written.
      const changed = Object.entries(row).filter(([name, value]) => value !== was[name]);
      const all = { ...content, ...Object.fromEntries(changed) };
      const set = Object.keys(all).map((name) => `${name} = ?`);
      this.#change(
        `UPDATE payments SET ${set.join(', ')} WHERE id = ? AND version = ?`,
        ...Object.values(all),
        id,
        before.version,
      );
    }
    this.#recent.set(keyOf(payment), body);
  }

  #writeRecord({ kind, id, version, body, due }: RecordWrite): void {
    const { queue, due_ms } = dueColumns(due);
    if (version === 1) this.#change(INSERT_RECORD, kind, id, version, body, queue, due_ms);
    else this.#change(UPDATE_RECORD, version, body, queue, due_ms, kind, id, version - 1);
    this.#recent.set(keyOf({ kind, id }), body);
  }

  #remove(kind: Kind, id: string): void {
    this.#change('DELETE FROM records WHERE kind = ? AND id = ?', kind, id);
    this.#recent.set(keyOf({ kind, id }), null);
  }

  /** @throws when no row was changed: the database is not what was read from it. */
  #change(text: string, ...values: readonly SQLInputValue[]): void {
    if (this.statement(text).run(...values).changes === 1) return;
    throw new Error(`A record was changed outside of the store: ${text}`);
  }
}

/** @throws {StartError} naming the record: a caller that reads all of them cannot go on without one. */
const readable = (row: StoredBody): Put => {
  const put = recordIn(row);
  if (put !== undefined) return put;
  throw new StartError(
    `The ${row.kind} ${row.id} in ${DATABASE_FILE} cannot be read. It was changed or cut off after it was written. Bring back a backup with "npm run restore". Without a backup, set all ${DATABASE_FILE}* aside: then nothing is known of earlier payments.`,
  );
};

const dueColumns = (due: Due | undefined) => ({
  is_due: due === undefined ? 0 : 1,
  queue: due?.queue ?? null,
  // Never early: a moment may have a fraction.
  due_ms: due === undefined ? null : Math.ceil(due.atMs),
});

const INSERT_RECORD =
  'INSERT INTO records (kind, id, version, body, queue, due_ms) VALUES (?, ?, ?, ?, ?, ?)';
const UPDATE_RECORD =
  'UPDATE records SET version = ?, body = ?, queue = ?, due_ms = ? WHERE kind = ? AND id = ? AND version = ?';
const INSERT_STORY =
  'INSERT OR IGNORE INTO customer_stories (customer, story, since_ms) VALUES (?, ?, ?)';

/** About 8 MB: the payments of a busy hour with what belongs to them. */
const MOST_KEPT = 4_000;

/**
 * A record as the text of the body that the database has, or will have with the COMMIT of the running transaction, until
 * it is asked for, and from then on as an object; null: there is none.
 */
type Recent = string | Records[Kind] | null;

/**
 * The newest versions of the records that were read or written last, so that the callbacks of a payment read it
 * without SQL. The object is the one that the stored text gives, frozen because all callers share it.
 */
class RecentRecords extends BoundedMap<string, Recent> {
  /** Undefined: it is not among them, and may be stored; null: it is known that none is stored. */
  record(key: string): Records[Kind] | null | undefined {
    const recent = this.get(key);
    if (typeof recent !== 'string') return recent;
    const record = frozen(JSON.parse(recent) as Records[Kind]);
    this.set(key, record);
    return record;
  }
}

const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
};
