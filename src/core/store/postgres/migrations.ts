import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { EX_CONFIG, StartError } from '../../runtime/errors.ts';
import { failpoint } from '../../runtime/failpoints.ts';
import { knownMigrations, type Migration, mustNotBeNewer } from '../sql/known-migrations.ts';
import { inTransaction } from './database.ts';
import { fillColumns } from './fill-columns.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
/** Any number that no other program uses in this database; the same in all versions of the program. */
export const LOCK_KEY = 720_241_121;
/** Another instance may be changing a large database at this moment. */
const LOCK_WITHIN_MS = 60_000;
/** Up to here the rows of the audit trail had everything in them, so that forgetting had to write them again. */
const LAST_OF_0_6 = 4;

/**
 * Brings the schema up to this program, one step a transaction, under a lock: instances that start
 * together do it once.
 * @throws {StartError} when the schema is newer than the program, or that of 0.6.
 */
export const migrate = async (client: Client): Promise<void> => {
  await client.query(`SET lock_timeout = ${LOCK_WITHIN_MS}; SET statement_timeout = 0`);
  await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
  failpoint('schema-locked');
  try {
    await makeUnlessThere(client);
    const applied = await mustBeKnown(client);
    for (const one of knownMigrations(FOLDER)) if (one.version > applied) await apply(client, one);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK_KEY]);
  }
};

/**
 * The version of a schema that has migrations. 0: an empty database.
 * @throws {StartError} when this program does not work with it; then nothing was changed.
 */
export const mustBeKnown = async (client: Client): Promise<number> => {
  const { rows } = await client.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM paythread.migrations',
  );
  const applied = rows[0]?.version ?? 0;
  mustNotBeNewer('The database', applied, FOLDER);
  if (applied > 0 && applied <= LAST_OF_0_6)
    throw new StartError(
      `The database was made by Paythread 0.6 or older (its schema has version ${applied}), which this version does not read. Start that version on it, or set DATABASE_URL to a new database.`,
      EX_CONFIG,
    );
  return applied;
};

/** Looked for first, and not made IF NOT EXISTS: that wants rights which a role that only runs Paythread need not have. */
export const makeUnlessThere = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ schema: boolean; migrations: boolean }>(
    `SELECT to_regnamespace('paythread') IS NOT NULL AS schema,
      to_regclass('paythread.migrations') IS NOT NULL AS migrations`,
  );
  if (rows[0]?.schema !== true) await client.query('CREATE SCHEMA paythread');
  if (rows[0]?.migrations !== true)
    await client.query(`
      CREATE TABLE paythread.migrations (
        version integer PRIMARY KEY,
        file text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
      )`);
};

/** The step with columns that only the program can fill. */
const FILLED = 9;

export const apply = async (client: Client, { version, file }: Migration): Promise<void> => {
  const sql = readFileSync(new URL(file, FOLDER), 'utf8');
  await inTransaction(client, async () => {
    await client.query(sql);
    if (version === FILLED) await fillColumns(client);
    await client.query('INSERT INTO migrations (version, file) VALUES ($1, $2)', [version, file]);
    failpoint('schema-step', file);
  });
};
