import type { Client } from 'pg';
import type { Put } from '../../records/records.ts';
import type { Clock } from '../../runtime/clock.ts';
import { asPut, CustomerErasure, type InErasure } from '../sql/customer-erasure.ts';
import { commitOn } from './change-statement.ts';
import { inTransaction } from './database.ts';
import { inDatabase } from './in-database.ts';
import { numbered, postgresSql } from './postgres-sql.ts';

/** Others that hold what is wanted here, or a connection that was cut. */
const MOST_ERASURE_TRIES = 5;

/**
 * Erases in one transaction, while instances work with the database.
 * @throws {StartError} when the database cannot be had, or its role may not do this.
 */
export const eraseInDatabase =
  ({ url, clock }: { readonly url: string; readonly clock: Clock }): InErasure =>
  (work) =>
    inDatabase(
      url,
      (client) => inTransaction(client, () => work(erasureOn(client, clock))),
      MOST_ERASURE_TRIES,
    );

const erasureOn = (client: Client, clock: Clock): CustomerErasure =>
  new CustomerErasure(postgresSql(client), {
    held: (puts) => heldOn(client, puts),
    commit: async (change, more) => {
      if (!(await commitOn(client, change, clock.now()))) return false;
      for (const query of more) await client.query(numbered(query));
      return true;
    },
  });

/** Locked, in the order in which all lock. */
const heldOn = async (client: Client, puts: readonly Put[]): Promise<Put[]> => {
  const { rows } = await client.query<{ kind: Put['kind']; body: unknown }>(
    `SELECT r.kind, r.body FROM records r
      JOIN unnest($1::text[], $2::text[]) AS wanted (kind, id) USING (kind, id)
      ORDER BY r.kind, r.id FOR UPDATE OF r`,
    [puts.map(({ kind }) => kind), puts.map(({ record }) => record.id)],
  );
  return rows.map(asPut);
};
