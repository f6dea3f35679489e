import type { DatabaseSync } from 'node:sqlite';
import { FORGOTTEN_ID } from '../customer-erasure.ts';
import type { AuditHead } from '../sql/audit-head.ts';
import {
  type AuditVerdict,
  type StoredAuditRow,
  type StoredPaymentRow,
  type Trail,
  verifyAudit,
} from '../sql/verify-audit.ts';
import type { TallyLine } from '../store-tally.ts';
import type { StoredBody } from '../stored-body.ts';
import { readBeside } from './read-beside.ts';

/**
 * Checks the audit trail in a data folder and what it leads to, while a process works with it or not.
 * @param noted the head of an earlier time.
 * @throws {StartError} when there is no store of this version in it.
 */
export const verifyFolder = (dir: string, noted?: AuditHead): Promise<AuditVerdict> =>
  readBeside(dir, async (database) => {
    const verdict = await verifyAudit(trailOf(database), {
      headPlace: numberOf(database, 'SELECT max(position) FROM audit'),
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

const trailOf = (database: DatabaseSync): Trail => ({
  rows: () =>
    database
      .prepare(
        `SELECT kind, id, seq, entry, hash, position, salt, detail
          FROM audit LEFT JOIN audit_details USING (position) ORDER BY id, kind, seq`,
      )
      .iterate() as unknown as Iterable<StoredAuditRow>,
  payments: (ids) =>
    database
      .prepare('SELECT * FROM payments WHERE id IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify(ids)) as unknown as StoredPaymentRow[],
  others: () =>
    database
      .prepare('SELECT kind, id, body FROM records')
      .iterate() as unknown as Iterable<StoredBody>,
  unaudited: () =>
    database
      .prepare(
        `SELECT id FROM payments p WHERE NOT EXISTS
          (SELECT 1 FROM audit a WHERE a.id = p.id AND a.kind = 'payment') ORDER BY id`,
      )
      .all()
      .map(({ id }) => String(id)),
  tally: () =>
    database
      .prepare(
        `SELECT 'payment ' || state AS what, currency, count(*) AS count,
          sum(amount_minor) AS amountMinor FROM payments GROUP BY 1, 2`,
      )
      .all() as unknown as TallyLine[],
  forgottenPosition: () =>
    numberOf(
      database,
      `SELECT max(position) FROM audit WHERE kind = 'setting' AND id = '${FORGOTTEN_ID}'`,
    ),
  placeOf: (position) => position,
});

/** 0 for NULL. */
const numberOf = (database: DatabaseSync, sql: string): number =>
  Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
