import { onTestFinished } from 'vitest';
import { startPostgres } from './postgres.ts';
import { PostgresDatabase } from './postgres-database.ts';

/** `TEST_STORE=postgres`: whatever runs whole runs on a real PostgreSQL; otherwise on the embedded store. */
const postgres = process.env['TEST_STORE'] === 'postgres' ? await startPostgres() : undefined;
const databases = new Map<string, PostgresDatabase>();
/** Those of tests that have finished, emptied: making one and its tables takes most of a test's CPU in the server. */
const emptied: PostgresDatabase[] = [];
let made = 0;

/** The settings for the store of one data folder: in one test, the same folder has the same store, also after a restart. */
export const storeSettings = async (dir: string): Promise<Readonly<Record<string, string>>> => {
  if (postgres === undefined) return {};
  const known = databases.get(dir);
  if (known !== undefined) return { DATABASE_URL: known.url() };
  const database = emptied.pop() ?? (await another(postgres));
  databases.set(dir, database);
  // Registered before the program that uses it starts, so it runs after that has ended.
  onTestFinished(async () => {
    databases.delete(dir);
    await leftByAll(database);
    await database.emptyTables();
    emptied.push(database);
  });
  return { DATABASE_URL: database.url() };
};

const another = async (first: PostgresDatabase): Promise<PostgresDatabase> => {
  made += 1;
  const database = `${first.database}_${made}`;
  await first.query(`CREATE DATABASE ${database}`);
  return new PostgresDatabase({ port: first.port, database });
};

/** What a killed program had in hand ends here, and not in the next test. */
const leftByAll = (database: PostgresDatabase) =>
  database.query(`
    SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`);

/** A process that died in the middle leaves leases behind, which run out by the database's clock. */
export const isSharedStore = postgres !== undefined;
