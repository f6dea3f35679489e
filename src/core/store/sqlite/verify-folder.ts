import type { AuditHead } from '../sql/audit-head.ts';
import { type AuditVerdict, verifyAudit } from '../sql/verify-audit.ts';
import { readBeside } from './read-beside.ts';
import { sqliteSql } from './sqlite-sql.ts';

/**
 * Checks the audit trail in a data folder and what it leads to, while a process works with it or not.
 * @param noted the head of an earlier time.
 * @throws {StartError} when there is no store of this version in it.
 */
export const verifyFolder = (dir: string, noted?: AuditHead): Promise<AuditVerdict> =>
  readBeside(dir, async (database) => {
    const last = database.prepare('SELECT max(position) AS position FROM audit').get();
    const verdict = await verifyAudit(sqliteSql(database), {
      placeOf: (position) => position,
      headPlace: Number(last?.['position'] ?? 0),
      ...(noted === undefined ? {} : { noted }),
    });
    const damages = database.prepare('PRAGMA integrity_check(20)').all();
    const found = damages.map((row) => String(Object.values(row)[0])).filter((one) => one !== 'ok');
    return {
      ...verdict,
      places: [...found.map((one) => `paythread.db: ${one}`), ...verdict.places],
      broken: verdict.broken + found.length,
    };
  });
