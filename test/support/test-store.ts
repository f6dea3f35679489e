import { startPostgres } from './postgres.ts';

/** `TEST_STORE=postgres`: whatever runs whole runs on a real PostgreSQL; otherwise on the embedded store. */
const postgres = process.env['TEST_STORE'] === 'postgres' ? await startPostgres() : undefined;
const databases = new Map<string, string>();

/** The settings for the store of one data folder: the same folder has the same store, also after a restart. */
export const storeSettings = async (dir: string): Promise<Readonly<Record<string, string>>> => {
  if (postgres === undefined) return {};
  const known = databases.get(dir);
  const database = known ?? `${postgres.database}_${databases.size + 1}`;
  if (known === undefined) {
    databases.set(dir, database);
    await postgres.query(`CREATE DATABASE ${database}`);
  }
  return { DATABASE_URL: postgres.url({ database }) };
};

/** A process that died in the middle leaves leases behind, which run out by the database's clock. */
export const isSharedStore = postgres !== undefined;
