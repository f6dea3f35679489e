import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { Change, Put } from '../../records/records.ts';
import { StartError } from '../../runtime/errors.ts';
import { mustHaveAudit } from './audit-rows.ts';
import { commitStatement, draughtOf } from './change-statement.ts';
import { connectionSettings } from './connection-settings.ts';
import { openClient } from './database.ts';
import { isWorthAnotherTry } from './database-errors.ts';
import { asStartError } from './start-refusals.ts';

/** Others that hold what is wanted here, or a connection that was cut. */
const MOST_TRIES = 5;

/**
 * Works in one transaction, on a connection of its own: stored when it resolves, undone when it rejects.
 * @throws {StartError} when the database cannot be had, or its role may not do this.
 */
export const inErasure = async <T>(
  url: string,
  work: (client: Client) => Promise<T>,
): Promise<T> => {
  const settings = connectionSettings(url);
  for (let tries = 1; ; tries++) {
    try {
      const client = await openClient(settings, { query_timeout: 0 });
      try {
        await mustHaveAudit(client, settings.place);
        await client.query(
          'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0',
        );
        await client.query('BEGIN');
        const done = await work(client);
        await client.query('COMMIT');
        return done;
      } finally {
        // Ends the transaction as well, if it is not over.
        void client.end();
      }
    } catch (error) {
      if (tries === MOST_TRIES || !isWorthAnotherTry(error))
        throw asStartError(error, settings.place);
    }
  }
};

/** The body is the record of its kind, as it was committed; the compiler cannot know. */
export const asPut = ({ kind, body }: { kind: Put['kind']; body: Put['record'] }): Put =>
  ({ kind, record: body }) as Put;

/** The records as they are now, and nobody changes them until this is over. In the order in which all lock. */
export const locked = async (client: Client, puts: readonly Put[]): Promise<Put[]> => {
  const { rows } = await client.query<{ kind: Put['kind']; body: Put['record'] }>(
    `SELECT r.kind, r.body FROM records r
      JOIN unnest($1::text[], $2::text[]) AS wanted (kind, id) USING (kind, id)
      ORDER BY r.kind COLLATE "C", r.id FOR UPDATE OF r`,
    [puts.map(({ kind }) => kind), puts.map(({ record }) => record.id)],
  );
  return rows.map(asPut);
};

export const commit = async (client: Client, change: Change, nowMs: number): Promise<void> => {
  const mark = { connection: randomUUID(), serial: 1, givenMs: null };
  const query = commitStatement([draughtOf(change, nowMs)], mark);
  const { rows } = await client.query<{ stored: boolean }>(query);
  if (rows[0]?.stored !== true)
    throw new StartError('Others changed the same records at this moment. Run it again.');
};
