import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { AuditRow, Put } from '../../../src/core/records/records.ts';
import { auditRowOf, chainHash } from '../../../src/core/store/sql/audit-entry.ts';
import { RecordTables } from '../../../src/core/store/sqlite/record-tables.ts';
import type { Stored } from './premises.ts';

/**
 * Reads everything out of a database of the embedded store.
 * @throws when the chain of a record's audit rows has a gap or another hash.
 */
export const storedRecords = (database: DatabaseSync): Stored => {
  const records: Put[] = [...new RecordTables(database).others()];
  for (const { body } of database.prepare('SELECT body FROM payments').all())
    records.push({ kind: 'payment', record: JSON.parse(String(body)) });
  const rows = database
    .prepare('SELECT * FROM audit LEFT JOIN audit_details USING (position) ORDER BY position')
    .all();
  const chains = new Map<string, { seq: number; hash: Uint8Array }>();
  const digest = createHash('sha256');
  const audit = rows.map(({ kind, id, seq, entry, hash, detail }): AuditRow => {
    const name = `${kind}/${id}`;
    const before = chains.get(name);
    const next = (before?.seq ?? 0) + 1;
    const expected = chainHash(before?.hash, next, String(entry));
    if (seq !== next || !expected.equals(hash as Uint8Array))
      throw new Error(`10: the chain of ${name} is broken at row ${seq}`);
    chains.set(name, { seq: next, hash: expected });
    digest.update(expected);
    return auditRowOf(String(entry), detail === null ? null : String(detail));
  });
  return { records, audit, digest: digest.digest('hex') };
};
