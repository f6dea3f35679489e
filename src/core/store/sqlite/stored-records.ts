import type { DatabaseSync } from 'node:sqlite';
import type { AuditRow, Put } from '../../records/records.ts';
import { auditRowOf } from '../sql/audit-entry.ts';
import { openLocked } from './locked-folder.ts';
import { readBeside } from './read-beside.ts';
import { RecordTables } from './record-tables.ts';
import { hasDatabase } from './store-folder.ts';

/** Whether anything is stored in a folder. */
export const hasRecords = async (dir: string): Promise<boolean> =>
  hasDatabase(dir) &&
  readBeside(dir, (database) => isFilled(database, 'payments') || isFilled(database, 'records'));

const isFilled = (database: DatabaseSync, table: string): boolean =>
  database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined;

/** The end of the audit trail: tells one store from another. */
export type TrailEnd = { readonly rows: number; readonly hash: string };

/**
 * Opens all that an embedded store has, while no process works with it.
 * @throws {StartError} when there is no store, or when a process has it.
 */
export const openStoredRecords = (
  dir: string,
): { readonly stored: StoredRecords; readonly close: () => void } => {
  const { database, close } = openLocked(dir, { mayMake: false, mayBeMoved: true });
  return { stored: new StoredRecords(database), close };
};

/** All that is in a database. */
export class StoredRecords {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  end(): TrailEnd {
    const last = this.#database
      .prepare('SELECT position, hash FROM audit ORDER BY position DESC LIMIT 1')
      .get();
    return {
      rows: Number(last?.['position'] ?? 0),
      hash: Buffer.from((last?.['hash'] ?? new Uint8Array()) as Uint8Array).toString('hex'),
    };
  }

  *records(): Generator<Put> {
    yield* new RecordTables(this.#database).others();
    for (const { body } of this.#database.prepare('SELECT body FROM payments').iterate())
      yield { kind: 'payment', record: JSON.parse(String(body)) };
  }

  /** In the order of writing. */
  *audit(): Generator<AuditRow> {
    const rows = this.#database.prepare(
      'SELECT entry, detail FROM audit LEFT JOIN audit_details USING (position) ORDER BY position',
    );
    for (const { entry, detail } of rows.iterate())
      yield auditRowOf(String(entry), detail === null ? null : String(detail));
  }
}
