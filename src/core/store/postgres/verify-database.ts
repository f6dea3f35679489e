import type { Client } from 'pg';
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
import { rowsInBatches } from './database.ts';
import { inDatabase } from './in-database.ts';

/**
 * Rows younger than this are in no head: another instance may still write one with an earlier time, and a head
 * has to come out the same whenever it is made.
 */
export const HEAD_AGE_MS = 3_600_000;

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
    return verifyAudit(trailIn(client), {
      headPlace: nowMs - HEAD_AGE_MS,
      ...(noted === undefined ? {} : { noted }),
    });
  });

/** Columns that earlier versions did not have, as they are read. */
const LATER_COLUMNS: Readonly<Record<string, string>> = {
  settled_ms: 'settled_ms::float8 AS settled_ms',
  network: 'network',
  payment_option: 'payment_option',
  place: 'place',
  merchant: 'merchant',
  searched: 'searched',
  run: 'run',
};

/** As the transaction sees it that the client is in. Counts and sums are numbers that JavaScript reads by itself. */
export const trailIn = (client: Client): Trail => {
  const rows = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows;
  // A database is verified as it is; the next start brings its schema up to this program.
  const laterColumns = async (): Promise<string> => {
    const found = await rows<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute
        WHERE attrelid = 'payments'::regclass AND attname = ANY ($1)`,
      [Object.keys(LATER_COLUMNS)],
    );
    return found.map(({ name }) => `, ${LATER_COLUMNS[name]}`).join('');
  };
  const each = async function* <Row extends object>(query: string): AsyncGenerator<Row> {
    for await (const batch of rowsInBatches<Row>(client, query)) yield* batch;
  };
  return {
    rows: () =>
      each<StoredAuditRow>(`SELECT kind, id, seq, entry, hash, position::float8 AS position, salt, detail
        FROM audit LEFT JOIN audit_details USING (position) ORDER BY id, kind, seq`),
    others: () =>
      each<StoredBody>("SELECT kind, id, body::text AS body FROM records WHERE kind <> 'payment'"),
    payments: async (ids) =>
      rows<StoredPaymentRow>(
        `SELECT id, version, body::text AS body, salt, state, customer_number, requester, currency,
          amount_minor::float8 AS amount_minor, flag, confirmed_ms::float8 AS confirmed_ms,
          ended_ms::float8 AS ended_ms ${await laterColumns()}
        FROM payments WHERE kind = 'payment' AND id = ANY ($1)`,
        [ids],
      ),
    unaudited: async () => {
      const found = await rows<{ id: string }>(`SELECT id FROM payments p WHERE kind = 'payment'
        AND NOT EXISTS (SELECT FROM audit a WHERE a.id = p.id AND a.kind = 'payment') ORDER BY id`);
      return found.map(({ id }) => id);
    },
    tally: () =>
      rows<TallyLine>(`SELECT 'payment ' || state AS what, currency, count(*)::float8 AS count,
        sum(amount_minor)::float8 AS "amountMinor" FROM payments WHERE kind = 'payment' GROUP BY 1, 2`),
    forgottenPosition: async () => {
      const [last] = await rows<{ position: number | null }>(
        `SELECT max(position)::float8 AS position FROM audit WHERE kind = 'setting' AND id = $1`,
        [FORGOTTEN_ID],
      );
      return last?.position ?? 0;
    },
    // Instances write at once, so only the time tells what was there at an earlier moment.
    placeOf: (_, atMs) => atMs,
  };
};
