import type { ClientBase } from 'pg';
import type { Change, Setting } from '../../records/records.ts';
import {
  type DatabaseHome,
  databaseHome,
  markChange,
  restoreMark,
} from '../../records/stored-values.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { SqlReader } from '../sql/sql-reader.ts';
import { commitOn } from './change-statement.ts';
import { inTransaction } from './database.ts';
import { sqlState } from './database-errors.ts';
import { LOCK_KEY } from './migrations.ts';
import { postgresSql } from './postgres-sql.ts';

const IDS_IN_SERVER = `
  (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS database,
  'paythread.payments'::regclass::oid::text AS payments`;

const DATABASE_IDENTITY = `
  SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system,
    left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline, ${IDS_IN_SERVER}`;

/** Hosted servers refuse the rest: insufficient privilege, undefined function, feature not supported. */
const PORTABLE_IDENTITY = `SELECT NULL AS system, NULL AS timeline, ${IDS_IN_SERVER}`;
const NOT_PERMITTED = /^(42501|42883|0A000)$/;

/**
 * Compares where the database is with where it was. When it came back from a backup, charges are frozen from
 * this moment on: what was paid meanwhile is not in it. To be called on a connection before it is used.
 */
export const noticeRestore = async (
  client: ClientBase,
  { clock, log, place }: { clock: Clock; log: Log; place: string },
): Promise<void> => {
  const here = await homeOf(client);
  if (isSame(await storedHome(client), here)) return;
  await inTransaction(client, async () => {
    // Of several instances that come at once, one moves in; the others then find that it is the same.
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY]);
    const before = await storedHome(client);
    if (isSame(before, here)) return;
    const moved = await storeHome(client, before, here, clock.now());
    if (!(await commitOn(client, moved, clock.now())))
      throw new Error('others write where the database lives');
    if (before !== undefined)
      log.error(
        { place, before: before.home, now: here },
        'the database came back from a backup, or from a replica: nothing is charged until "npm run reconcile" has run',
      );
  });
};

type Stored = { readonly setting: Setting; readonly home: DatabaseHome };

/** Rejects on a replica: a connection made there would outlive its promotion, and notice nothing of it. */
const homeOf = async (client: ClientBase): Promise<DatabaseHome> => {
  const ask = async (text: string): Promise<DatabaseHome> => {
    const [home] = (await client.query<DatabaseHome>(text)).rows;
    if (home === undefined) throw new Error('the database does not say where it is');
    return home;
  };
  try {
    return await ask(DATABASE_IDENTITY);
  } catch (error) {
    if (!NOT_PERMITTED.test(sqlState(error) ?? '')) throw error;
    return ask(PORTABLE_IDENTITY);
  }
};

const storedHome = async (client: ClientBase): Promise<Stored | undefined> => {
  const setting = await settingOf(client, databaseHome.id);
  const home = databaseHome.read(setting);
  return setting && home && { setting, home };
};

const settingOf = (client: ClientBase, id: string): Promise<Setting | undefined> =>
  new SqlReader(postgresSql(client)).get('setting', id);

/** What was not known on one of the sides says nothing. */
const isSame = (stored: Stored | undefined, here: DatabaseHome): boolean =>
  stored !== undefined &&
  (Object.keys(here) as (keyof DatabaseHome)[]).every(
    (part) => here[part] === null || stored.home[part] === null || here[part] === stored.home[part],
  );

/** The first time nothing is known to have been elsewhere, so that is no restore. */
const storeHome = async (
  client: ClientBase,
  before: Stored | undefined,
  here: DatabaseHome,
  nowMs: number,
): Promise<Change> => {
  const put = [databaseHome.put(here, before?.setting)];
  if (before === undefined) return { put };
  const lastMs = await lastCommitMs(client);
  const mark = { sinceMs: Math.max(nowMs, lastMs ?? 0), backupAtMs: lastMs ?? nowMs };
  const earlier = await settingOf(client, restoreMark.id);
  const marked = markChange(mark, earlier, nowMs, { before: before.home, now: here });
  return { ...marked, put: [...put, ...(marked.put ?? [])] };
};

/** The last thing it knows of; later commits are lost. */
const lastCommitMs = async (client: ClientBase): Promise<number | undefined> => {
  const { rows } = await client.query<{ ms: number | null }>(`
    SELECT greatest(
      (SELECT max(extract(epoch FROM seen_at) * 1000) FROM paythread.commit_marks),
      (SELECT max(confirmed_ms) FROM paythread.payments)
    )::float8 AS ms`);
  const ms = rows[0]?.ms;
  return ms === null || ms === undefined ? undefined : Math.floor(ms);
};

/** For readers: the schema may not have been made yet. */
export const settingIn = async (client: ClientBase, id: string): Promise<Setting | undefined> => {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('paythread.records') IS NOT NULL AS there`,
  );
  return rows[0]?.there === true ? settingOf(client, id) : undefined;
};
