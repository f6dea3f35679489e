import type { Client } from 'pg';
import { StartError } from '../../runtime/errors.ts';
import { connectionSettings } from './connection-settings.ts';
import { openClient } from './database.ts';
import { isWorthAnotherTry } from './database-errors.ts';
import { asStartError } from './start-refusals.ts';

/**
 * Works on a connection of its own to a database that has a store, for as long as it takes. A transaction that is not
 * over when `work` is, is undone.
 * @param mostTries how often `work` may run in all, when others are in its way or the connection is cut. @default 1
 * @throws {StartError} when the database cannot be had, or the role in it may not do this.
 */
export const inDatabase = async <T>(
  url: string,
  work: (client: Client) => Promise<T>,
  mostTries = 1,
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
        return await work(client);
      } finally {
        void client.end();
      }
    } catch (error) {
      if (tries >= mostTries || !isWorthAnotherTry(error))
        throw asStartError(error, settings.place);
    }
  }
};

const mustHaveAudit = async (client: Client, place: string): Promise<void> => {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('paythread.audit') IS NOT NULL AS there`,
  );
  if (rows[0]?.there !== true) throw new StartError(`There is no store of Paythread in ${place}.`);
};
