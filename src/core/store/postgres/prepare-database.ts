import type { Client } from 'pg';
import type { Clock } from '../../runtime/clock.ts';
import { type ConnectionSettings, connectionSettings } from './connection-settings.ts';
import { openClient } from './database.ts';
import { inDatabase } from './in-database.ts';
import { migrate } from './migrations.ts';
import { checkRights, checkServer, grantRights } from './server-checks.ts';
import { asStartError, isFinal } from './start-refusals.ts';

/** A server that starts together with this program gets this long. */
const REACH_WITHIN_MS = 10_000;
const REACH_AGAIN_MS = 500;

/**
 * Checks the server and makes the schema or brings it up to date, on a connection of its own.
 * @throws {StartError} when the database cannot be had, or must not be used; it never shows the password.
 */
export const prepareDatabase = async (
  settings: ConnectionSettings,
  clock: Clock,
): Promise<void> => {
  try {
    const client = await reach(settings, clock);
    try {
      await checkServer(client, settings.place);
      await migrate(client);
      await checkRights(client, settings.place);
    } finally {
      // Where connections are few, the next one needs its place.
      await client.end();
    }
  } catch (error) {
    throw asStartError(error, settings.place);
  }
};

/**
 * The same as the schema's owner.
 * @param role that instances work with; it gets the rights that it needs.
 * @throws {StartError} when the database cannot be had, or its role may not do this.
 */
export const migrateDatabase = async (
  url: string,
  role: string | undefined,
  clock: Clock,
): Promise<void> => {
  await prepareDatabase(connectionSettings(url), clock);
  if (role !== undefined) await inDatabase(url, (client) => grantRights(client, role));
};

const reach = async (settings: ConnectionSettings, clock: Clock): Promise<Client> => {
  const untilMs = clock.monotonic() + REACH_WITHIN_MS;
  for (;;) {
    try {
      // A migration may take longer than any other statement.
      return await openClient(settings, { query_timeout: 0 });
    } catch (error) {
      if (clock.monotonic() >= untilMs || isFinal(error)) throw error;
    }
    await clock.sleep(REACH_AGAIN_MS);
  }
};
