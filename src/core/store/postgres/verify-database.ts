import type { AuditHead } from '../sql/audit-head.ts';
import { type AuditVerdict, type PlaceOf, verifyAudit } from '../sql/verify-audit.ts';
import { inDatabase } from './in-database.ts';
import { postgresSql } from './postgres-sql.ts';

/**
 * Rows younger than this are in no head: another instance may still write one with an earlier time, and a head
 * has to come out the same whenever it is made.
 */
export const HEAD_AGE_MS = 3_600_000;

/** Instances write at once, so only the time tells what was there at an earlier moment. */
export const placeByTime: PlaceOf = (_, atMs) => atMs;

/**
 * Checks the audit trail of a database and what it leads to. It sees one moment of the database, which goes on working
 * meanwhile.
 * @param noted the head of an earlier time.
 * @throws {StartError} when the database cannot be had, or has no audit trail.
 */
export const verifyDatabase = (
  url: string,
  { nowMs, noted }: { nowMs: number; noted?: AuditHead },
): Promise<AuditVerdict> =>
  inDatabase(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return verifyAudit(postgresSql(client), {
      placeOf: placeByTime,
      headPlace: nowMs - HEAD_AGE_MS,
      ...(noted === undefined ? {} : { noted }),
    });
  });
