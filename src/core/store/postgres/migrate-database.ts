import type { Clock } from '../../runtime/clock.ts';
import { connectionSettings } from './connection-settings.ts';
import { openClient } from './database.ts';
import { prepareDatabase } from './open-postgres-store.ts';
import { grantRights } from './server-checks.ts';
import { asStartError } from './start-refusals.ts';

/**
 * Makes the schema or brings it up to date, as its owner.
 * @param role that instances work with; it gets the rights that it needs.
 * @throws {StartError} when the database cannot be had, or its role may not do this.
 */
export const migrateDatabase = async (
  url: string,
  role: string | undefined,
  clock: Clock,
): Promise<void> => {
  const settings = connectionSettings(url);
  try {
    await prepareDatabase(settings, clock);
    if (role === undefined) return;
    const client = await openClient(settings);
    try {
      await grantRights(client, role);
    } finally {
      await client.end();
    }
  } catch (error) {
    throw asStartError(error, settings.place);
  }
};
