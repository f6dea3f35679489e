import type { Client } from 'pg';
import { EX_CONFIG, StartError } from '../../runtime/errors.ts';
import { mustBeKnown } from './migrations.ts';

const OLDEST_VERSION = 140_000;

type Server = {
  readonly version: number;
  readonly version_text: string;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly recovering: boolean;
  readonly read_only: string;
  readonly encoding: string;
};

/**
 * Payments are kept only where what was acknowledged survives a power cut.
 * @throws {StartError} with exit code 78 and what to change.
 */
export const checkServer = async (client: Client, place: string): Promise<void> => {
  const { rows } = await client.query<Server>(`
    SELECT current_setting('server_version_num')::integer AS version,
      current_setting('server_version') AS version_text,
      current_setting('fsync') AS fsync,
      current_setting('full_page_writes') AS full_page_writes,
      current_setting('synchronous_commit') AS synchronous_commit,
      pg_is_in_recovery() AS recovering,
      current_setting('transaction_read_only') AS read_only,
      current_setting('server_encoding') AS encoding`);
  const wrong = rows.flatMap(whatIsWrong)[0];
  if (wrong !== undefined)
    throw new StartError(`Paythread cannot keep payments in ${place}: ${wrong}`, EX_CONFIG);
};

/** What an instance needs of each table. The audit trail it may only add to; details go with their customer. */
const RIGHTS = `(VALUES
  ('records', 'SELECT, INSERT, UPDATE, DELETE'), ('payments', 'SELECT'),
  ('audit', 'SELECT, INSERT'), ('audit_details', 'SELECT, INSERT, DELETE'),
  ('customer_stories', 'SELECT, INSERT, DELETE'), ('commit_marks', 'SELECT, INSERT, UPDATE, DELETE'),
  ('paces', 'SELECT, INSERT, UPDATE, DELETE'), ('migrations', 'SELECT')
) AS tables (name, needed)`;

/**
 * The rights that are needed once the schema is there; the role that made it has them.
 * @throws {StartError} naming the tables that lack them.
 */
export const checkRights = async (client: Client, place: string): Promise<void> => {
  const { rows } = await client.query<{ name: string; needed: string }>(`
    SELECT name, needed FROM ${RIGHTS}
    WHERE to_regclass(name) IS NOT NULL AND NOT (SELECT bool_and(has_table_privilege(name, each))
      FROM regexp_split_to_table(needed, ', ') AS each)`);
  if (rows.length === 0) return;
  const grants = rows.map(({ name, needed }) => `GRANT ${needed} ON paythread.${name}`).join('; ');
  throw new StartError(
    `The role in DATABASE_URL lacks rights in ${place}. The owner of the schema can give them: ${grants}.`,
    EX_CONFIG,
  );
};

/** Gives a role what an instance needs to work with the tables, and nothing else. */
export const grantRights = async (client: Client, role: string): Promise<void> => {
  const to = client.escapeIdentifier(role);
  const { rows } = await client.query<{ name: string; needed: string }>(
    `SELECT name, needed FROM ${RIGHTS}`,
  );
  const grants = rows.map(({ name, needed }) => `GRANT ${needed} ON paythread.${name} TO ${to}`);
  await client.query([`GRANT USAGE ON SCHEMA paythread TO ${to}`, ...grants].join('; '));
};

/**
 * Whether a start could make the schema, or work with the one that is there. Makes nothing.
 * @throws {StartError} with what is missing.
 */
export const checkRightsToStart = async (client: Client, place: string): Promise<void> => {
  const { rows } = await client.query<{ schema: 'there' | 'can be made' | 'out of reach' }>(`
    SELECT CASE
      WHEN to_regnamespace('paythread') IS NULL THEN
        CASE WHEN has_database_privilege(current_database(), 'CREATE') THEN 'can be made' END
      WHEN NOT has_schema_privilege('paythread', 'USAGE') THEN NULL
      WHEN to_regclass('paythread.records') IS NOT NULL THEN 'there'
      WHEN has_schema_privilege('paythread', 'CREATE') THEN 'can be made'
    END AS schema`);
  const schema = rows[0]?.schema ?? 'out of reach';
  if (schema === 'there') {
    // First, because a role without rights cannot read which version the schema has.
    await checkRights(client, place);
    await mustBeKnown(client);
  }
  if (schema === 'out of reach')
    throw new StartError(
      `The role in DATABASE_URL may neither make nor use the schema paythread in ${place}. Make it the owner of the database, or of a schema named paythread in it.`,
      EX_CONFIG,
    );
};

const whatIsWrong = (server: Server): string[] => {
  const checks: [boolean, string][] = [
    [
      server.version < OLDEST_VERSION,
      `it is PostgreSQL ${server.version_text}. Use version 14 or newer.`,
    ],
    [
      server.recovering,
      'it is a replica, which cannot be written. Point DATABASE_URL to the primary server.',
    ],
    [
      server.read_only === 'on',
      'it is read-only for this role (default_transaction_read_only). Turn that off.',
    ],
    [server.fsync === 'off', loses('fsync')],
    [server.full_page_writes === 'off', loses('full_page_writes')],
    [server.synchronous_commit === 'off', loses('synchronous_commit')],
    [
      server.encoding !== 'UTF8',
      `its encoding is ${server.encoding}. Make a database with ENCODING 'UTF8'.`,
    ],
  ];
  return checks.flatMap(([wrong, why]) => (wrong ? [why] : []));
};

const loses = (setting: string): string =>
  `${setting} is off there, so a crash could lose payments that were acknowledged. Turn it on.`;
