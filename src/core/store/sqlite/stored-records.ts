import type { DatabaseSync } from 'node:sqlite';
import type { Put } from '../../records/records.ts';
import type { CustomerStory } from '../sql/prepared-change.ts';
import { readBeside } from './read-beside.ts';
import { RecordTables } from './record-tables.ts';
import { hasDatabase } from './store-folder.ts';

export const hasRecords = async (dir: string): Promise<boolean> =>
  hasDatabase(dir) &&
  readBeside(dir, (database) => isFilled(database, 'payments') || isFilled(database, 'records'));

const isFilled = (database: DatabaseSync, table: string): boolean =>
  database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined;

/** All records, with the salt that the digest of a payment's body has in the trail. */
export function* storedRecords(database: DatabaseSync): Generator<{ put: Put; salt?: Uint8Array }> {
  const tables = new RecordTables(database);
  for (const put of tables.others()) yield { put };
  yield* tables.payments();
}

/** The end of the audit trail: tells one store from another. */
export const trailEnd = (database: DatabaseSync): { rows: number; hash: string } => {
  const last = database
    .prepare('SELECT position, hash FROM audit ORDER BY position DESC LIMIT 1')
    .get();
  return {
    rows: Number(last?.['position'] ?? 0),
    hash: Buffer.from((last?.['hash'] ?? new Uint8Array()) as Uint8Array).toString('hex'),
  };
};

export const storedStories = (database: DatabaseSync): Iterable<CustomerStory> =>
  database
    .prepare('SELECT customer, story, since_ms AS sinceMs FROM customer_stories')
    .iterate() as unknown as Iterable<CustomerStory>;
