import type { DatabaseSync } from 'node:sqlite';
import type { Put } from '../../records/records.ts';
import type { CustomerStory } from '../sql/prepared-change.ts';
import type { StoredAuditRow } from '../sql/verify-audit.ts';
import { openLocked } from './locked-folder.ts';
import { readBeside } from './read-beside.ts';
import { RecordTables } from './record-tables.ts';
import { hasDatabase } from './store-folder.ts';

export const hasRecords = async (dir: string): Promise<boolean> =>
  hasDatabase(dir) &&
  readBeside(dir, (database) => isFilled(database, 'payments') || isFilled(database, 'records'));

const isFilled = (database: DatabaseSync, table: string): boolean =>
  database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined;

/** A record, and the salt of the digest of a payment's body. */
export type StoredRecord = { readonly put: Put; readonly salt?: Uint8Array };

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

  /** With the salts that they have in the trail. */
  *records(): Generator<StoredRecord> {
    const tables = new RecordTables(this.#database);
    for (const put of tables.others()) yield { put };
    yield* tables.payments();
  }

  /** In the order of writing. */
  audit(): Iterable<StoredAuditRow> {
    return this.#database
      .prepare(
        `SELECT position, kind, id, seq, entry, hash, salt, detail
          FROM audit LEFT JOIN audit_details USING (position) ORDER BY position`,
      )
      .iterate() as unknown as Iterable<StoredAuditRow>;
  }

  stories(): Iterable<CustomerStory> {
    return this.#database
      .prepare('SELECT customer, story, since_ms AS sinceMs FROM customer_stories')
      .iterate() as unknown as Iterable<CustomerStory>;
  }
}
