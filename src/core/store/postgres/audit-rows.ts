import type { Client, QueryConfig } from 'pg';
import type { AuditRow } from '../../records/records.ts';
import { StartError } from '../../runtime/errors.ts';
import { AUDIT_KINDS, inOrderOfTime } from '../sql/audit-order.ts';
import { isStorable } from './change-statement.ts';
import { connectionSettings } from './connection-settings.ts';
import { openClient } from './database.ts';
import { asStartError } from './start-refusals.ts';

/** Asks on a connection of the caller's choosing. */
export type Rows = <Row extends object>(query: QueryConfig) => Promise<Row[]>;

/**
 * The audit rows under an id, as `Store.auditOf` has them. Ids are compared byte by byte, and right behind
 * the dot comes the slash, so what begins with the id and a dot is a stretch of the primary key.
 */
export const auditRowsOf = async (rows: Rows, id: string): Promise<AuditRow[]> => {
  if (!isStorable(id)) return [];
  const found = await rows<{ kind: string; id: string; entry: AuditRow }>({
    text: `SELECT kind, id, entry FROM audit
      WHERE kind = ANY ($1) AND (id = $2 OR (id >= $2 || '.' AND id < $2 || '/'))
      ORDER BY array_position($1, kind), id, seq`,
    values: [AUDIT_KINDS, id],
  });
  const byRecord = Map.groupBy(found, (row) => `${row.kind}/${row.id}`);
  return inOrderOfTime([...byRecord.values()].map((some) => some.map(({ entry }) => entry)));
};

/** The same without a store, for whoever only looks. */
export const auditInDatabase = async (url: string, id: string): Promise<AuditRow[]> => {
  const settings = connectionSettings(url);
  try {
    const client = await openClient(settings);
    try {
      await mustHaveAudit(client, settings.place);
      return await auditRowsOf(
        async <Row extends object>(query: QueryConfig) => (await client.query<Row>(query)).rows,
        id,
      );
    } finally {
      void client.end();
    }
  } catch (error) {
    throw asStartError(error, settings.place);
  }
};

/** @throws {StartError} */
export const mustHaveAudit = async (client: Client, place: string): Promise<void> => {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('paythread.audit') IS NOT NULL AS there`,
  );
  if (rows[0]?.there !== true) throw new StartError(`There is no store of Paythread in ${place}.`);
};
