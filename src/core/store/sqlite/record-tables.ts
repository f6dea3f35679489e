import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Kind, Put, Records } from '../../records/records.ts';
import type { PaymentColumns } from '../sql/payment-columns.ts';
import { isStorableText } from '../sql/storable-text.ts';
import type { PaymentWrite, PreparedChange, RecordWrite } from './prepared-change.ts';

/** What an update of a payment leaves out when it is as before: its indexes then are not written. */
const INDEXED = ['state', 'customer_number', 'requester', 'flag', 'ended_ms'] as const;

type StoredPayment = { readonly version: number; readonly is_due: number } & Pick<
  PaymentColumns,
  (typeof INDEXED)[number]
>;

/** The statements of the tables `payments` and `records`. */
export class RecordTables {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get<K extends Kind>(kind: K, id: string): Records[K] | undefined {
    if (!isStorableText(id)) return undefined;
    const row =
      kind === 'payment'
        ? this.statement('SELECT body FROM payments WHERE id = ?').get(id)
        : this.statement('SELECT body FROM records WHERE kind = ? AND id = ?').get(kind, id);
    // The body is a record of the kind that was asked for; the compiler cannot know.
    return row && (JSON.parse(String(row['body'])) as Records[K]);
  }

  /** The record with its kind. */
  put(kind: Kind, id: string): Put | undefined {
    const record = this.get(kind, id);
    // Kind and record belong together, which the compiler cannot follow.
    return record && ({ kind, record } as Put);
  }

  /** Every record that is in a queue. */
  *due(): Generator<Put> {
    const payments = this.#database.prepare('SELECT body FROM payments WHERE is_due = 1');
    for (const { body } of payments.iterate())
      yield { kind: 'payment', record: JSON.parse(String(body)) };
    for (const put of this.others()) if (put.record.due !== undefined) yield put;
  }

  /** Every record that is not a payment. */
  *others(): Generator<Put> {
    const records = this.#database.prepare('SELECT kind, body FROM records');
    for (const { kind, body } of records.iterate())
      yield { kind, record: JSON.parse(String(body)) } as unknown as Put;
  }

  /** Writes all records of a change, or none: false when one has another version than expected. */
  write({ payments, records, removals, stories }: PreparedChange): boolean {
    const stored = payments.map(({ id }) => this.#storedPayment(id));
    const isCurrent =
      payments.every(({ version }, at) => version === (stored[at]?.version ?? 0) + 1) &&
      records.every(({ kind, id, version }) => version === this.#version(kind, id) + 1) &&
      removals.every(({ kind, id, version }) => version > 0 && version === this.#version(kind, id));
    if (!isCurrent) return false;
    for (const [at, payment] of payments.entries()) this.#writePayment(payment, stored[at]);
    for (const record of records) this.#writeRecord(record);
    for (const { kind, id } of removals)
      this.statement('DELETE FROM records WHERE kind = ? AND id = ?').run(kind, id);
    for (const { customer, story, sinceMs } of stories)
      this.statement(INSERT_STORY).run(customer, story, sinceMs);
    return true;
  }

  /** Prepared once for each text. */
  statement(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const made = this.#database.prepare(text);
    this.#statements.set(text, made);
    return made;
  }

  #storedPayment(id: string): StoredPayment | undefined {
    return this.statement(
      `SELECT version, is_due, ${INDEXED.join(', ')} FROM payments WHERE id = ?`,
    ).get(id) as StoredPayment | undefined;
  }

  /** 0: there is none. */
  #version(kind: Kind, id: string): number {
    const row = this.statement('SELECT version FROM records WHERE kind = ? AND id = ?').get(
      kind,
      id,
    );
    return row === undefined ? 0 : Number(row['version']);
  }

  #writePayment(payment: PaymentWrite, before: StoredPayment | undefined): void {
    const { id, version, body, salt, columns } = payment;
    const isDue = payment.isDue ? 1 : 0;
    if (before === undefined) {
      this.statement(INSERT_PAYMENT).run(id, version, body, salt, ...valuesOf(columns), isDue);
      return;
    }
    const isSame =
      before.is_due === isDue && INDEXED.every((column) => before[column] === columns[column]);
    if (isSame) this.statement(UPDATE_BODY).run(version, body, salt, id);
    else this.statement(UPDATE_PAYMENT).run(version, body, salt, ...valuesOf(columns), isDue, id);
  }

  #writeRecord({ kind, id, version, body }: RecordWrite): void {
    if (version === 1) this.statement(INSERT_RECORD).run(kind, id, version, body);
    else this.statement(UPDATE_RECORD).run(version, body, kind, id);
  }
}

const COLUMNS = [
  'state',
  'customer_number',
  'requester',
  'currency',
  'amount_minor',
  'flag',
  'confirmed_ms',
  'ended_ms',
] as const satisfies readonly (keyof PaymentColumns)[];

const valuesOf = (columns: PaymentColumns): (string | number | null)[] =>
  COLUMNS.map((column) => columns[column]);

const INSERT_PAYMENT = `INSERT INTO payments (id, version, body, salt, ${COLUMNS.join(', ')}, is_due)
  VALUES (?, ?, ?, ?, ${COLUMNS.map(() => '?').join(', ')}, ?)`;
const UPDATE_BODY = 'UPDATE payments SET version = ?, body = ?, salt = ? WHERE id = ?';
const UPDATE_PAYMENT = `UPDATE payments SET version = ?, body = ?, salt = ?,
  ${COLUMNS.map((column) => `${column} = ?`).join(', ')}, is_due = ? WHERE id = ?`;
const INSERT_RECORD = 'INSERT INTO records (kind, id, version, body) VALUES (?, ?, ?, ?)';
const UPDATE_RECORD = 'UPDATE records SET version = ?, body = ? WHERE kind = ? AND id = ?';
const INSERT_STORY =
  'INSERT OR IGNORE INTO customer_stories (customer, story, since_ms) VALUES (?, ?, ?)';
