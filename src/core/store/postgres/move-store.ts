import type { DatabaseSync } from 'node:sqlite';
import type { Client } from 'pg';
import type { Put } from '../../records/records.ts';
import { databaseHome } from '../../records/stored-values.ts';
import type { Clock } from '../../runtime/clock.ts';
import { EX_CONFIG, StartError } from '../../runtime/errors.ts';
import { type CustomerStory, preparedChange } from '../sql/prepared-change.ts';
import { trailIn } from '../sql/sql-trail.ts';
import { verifyAudit } from '../sql/verify-audit.ts';
import { openLocked } from '../sqlite/locked-folder.ts';
import { RecordTables } from '../sqlite/record-tables.ts';
import { sqliteSql } from '../sqlite/sqlite-sql.ts';
import { markAsMoved } from '../sqlite/store-folder.ts';
import { verifyFolder } from '../sqlite/verify-folder.ts';
import { AUDIT_ROWS, StoreTally, type TallyLine } from '../store-tally.ts';
import { hexOf, recordRows } from './change-statement.ts';
import { connectionSettings } from './connection-settings.ts';
import { inTransaction } from './database.ts';
import { inDatabase } from './in-database.ts';
import { postgresSql } from './postgres-sql.ts';
import { prepareDatabase } from './prepare-database.ts';
import { placeByTime } from './verify-database.ts';

const BATCH = 500;

export type Moved = {
  /** `false`: it had been moved before, and only what is in the database was counted. */
  readonly now: boolean;
  readonly folder: StoreTally;
  readonly database: StoreTally;
};

export type MoveOptions = {
  readonly dir: string;
  readonly url: string;
  readonly clock: Clock;
};

/**
 * Moves all that an embedded store has into an empty database, in one transaction, so an interruption
 * leaves nothing half done, and it can be run again. The folder keeps its files, and gets a mark with which
 * no embedded store starts from it.
 * @throws {StartError} when it could not be moved.
 */
export const moveStore = async ({ dir, url, clock }: MoveOptions): Promise<Moved> => {
  using folder = openLocked(dir, { mayMake: false, mayBeMoved: true });
  const { database } = folder;
  await mustBeWhole(dir);
  await prepareDatabase(connectionSettings(url), clock);
  const moved = await inDatabase(url, async (client) => {
    const done = await inTransaction(client, () => moveAll(client, database, clock.now()));
    // Until the server looks by itself it would take the tables for empty and choose its ways accordingly.
    await client.query('ANALYZE payments, other_records, audit, audit_details');
    return done;
  });
  markAsMoved(dir);
  return moved;
};

/** What the database has is believed afterwards. */
const mustBeWhole = async (dir: string): Promise<void> => {
  const { broken, places } = await verifyFolder(dir);
  if (broken > 0)
    throw new StartError(
      `The audit trail in ${dir} is not whole: ${places[0]}. Nothing was moved. "npm run audit -- verify" says more.`,
    );
};

const moveAll = async (client: Client, folder: DatabaseSync, nowMs: number): Promise<Moved> => {
  // Another writer, or another move, waits.
  await client.query('LOCK TABLE records IN SHARE ROW EXCLUSIVE MODE');
  const before = await tallyOf(client);
  if (await wasMovedBefore(client, folder)) return { now: false, folder: before, database: before };
  if (before.lines.length > 0)
    throw new StartError(
      'The database of DATABASE_URL is not empty: there are records of Paythread in it that do not come from this folder. Make a new database, or drop the schema paythread in this one if you do not need what is in it.',
      EX_CONFIG,
    );
  const source = new StoreTally();
  await copyRecords(client, folder, source, nowMs);
  await copyAudit(client, folder, source);
  const database = await tallyOf(client);
  const counts = JSON.stringify({ folder: source.lines, database: database.lines });
  if (!source.isSameAs(database)) throw new Error(`counts differ: ${counts}`);
  const { places } = await verifyAudit(postgresSql(client), {
    placeOf: placeByTime,
    headPlace: nowMs,
  });
  if (places[0] !== undefined) throw new Error(`the copy is not whole: ${places[0]}`);
  await client.query(
    'INSERT INTO moved_from (audit_rows, last_hash) VALUES ($1, $2)',
    trailEnd(folder),
  );
  return { now: true, folder: source, database };
};

/** All records, with the salt that the digest of a payment's body has in the trail. */
function* storedRecords(database: DatabaseSync): Generator<{ put: Put; salt?: Uint8Array }> {
  const tables = new RecordTables(database);
  for (const put of tables.others()) yield { put };
  yield* tables.payments();
}

/** The end of the audit trail: tells one store from another. */
const trailEnd = (database: DatabaseSync): [rows: number, hash: string] => {
  const last = database
    .prepare('SELECT position, hash FROM audit ORDER BY position DESC LIMIT 1')
    .get();
  const hash = Buffer.from((last?.['hash'] ?? new Uint8Array()) as Uint8Array);
  return [Number(last?.['position'] ?? 0), hash.toString('hex')];
};

const storedStories = (database: DatabaseSync): Iterable<CustomerStory> =>
  database
    .prepare('SELECT customer, story, since_ms AS sinceMs FROM customer_stories')
    .iterate() as unknown as Iterable<CustomerStory>;

/** After a crash between the last commit and the mark in the folder. */
const wasMovedBefore = async (client: Client, folder: DatabaseSync): Promise<boolean> => {
  const { rows } = await client.query(
    'SELECT FROM moved_from WHERE audit_rows = $1 AND last_hash = $2',
    trailEnd(folder),
  );
  return rows.length > 0;
};

const copyRecords = async (
  client: Client,
  folder: DatabaseSync,
  tally: StoreTally,
  nowMs: number,
): Promise<void> => {
  for await (const batch of batches(storedRecords(folder))) {
    for (const { put } of batch) tally.addRecord(put);
    const prepared = preparedChange({ put: batch.map(({ put }) => put) });
    const salts = new Map(batch.map(({ put, salt }) => [put.record.id, salt]));
    const payments = prepared.payments.map((payment) => ({
      ...payment,
      salt: salts.get(payment.id) ?? payment.salt,
    }));
    const rows = recordRows([{ ...prepared, payments }], nowMs);
    await client.query(INSERT_RECORDS, [JSON.stringify(rows)]);
  }
};

/** Entry by entry, with the hashes that they have: the chains go on in the database. */
const copyAudit = async (
  client: Client,
  folder: DatabaseSync,
  tally: StoreTally,
): Promise<void> => {
  for await (const batch of batches(trailIn(sqliteSql(folder)).rows())) {
    for (const _ of batch) tally.addAuditRow();
    const rows = batch.map(({ hash, salt, ...row }) => ({
      ...row,
      hash: hexOf(hash),
      salt: salt && hexOf(salt),
    }));
    await client.query(INSERT_AUDIT, [JSON.stringify(rows)]);
    await client.query(INSERT_DETAILS, [JSON.stringify(rows)]);
  }
  const [rows] = trailEnd(folder);
  await client.query(CONTINUE_POSITIONS, [rows]);
  for await (const stories of batches(storedStories(folder)))
    await client.query(INSERT_STORIES, [JSON.stringify(stories)]);
};

/** The columns that are copied as they are. */
const TYPED = `kind text, id text, version integer, salt bytea, state text, customer_number text, requester text,
  currency text, amount_minor bigint, given_minor bigint, flag text, confirmed_ms bigint, ended_ms bigint,
  settled_ms bigint, network text, payment_option text, place text, merchant text, searched text, run text`;
const COPIED = TYPED.replace(/ (?:text|integer|bytea|bigint)/g, '');

const INSERT_RECORDS = `
  INSERT INTO records (${COPIED}, body, due_queue, claim_ms)
    SELECT ${COPIED}, body::json, queue, now_ms(NULL) + delay_ms
    FROM json_to_recordset($1) AS each (${TYPED}, body text, queue text, delay_ms bigint)`;

const INSERT_AUDIT = `
  INSERT INTO audit (position, kind, id, seq, entry, hash) OVERRIDING SYSTEM VALUE
    SELECT * FROM json_to_recordset($1)
      AS each (position bigint, kind text, id text, seq integer, entry text, hash bytea)`;

const INSERT_DETAILS = `
  INSERT INTO audit_details (position, salt, detail)
    SELECT * FROM json_to_recordset($1) AS each (position bigint, salt bytea, detail text)
    WHERE detail IS NOT NULL`;

const CONTINUE_POSITIONS = `SELECT setval(pg_get_serial_sequence('audit', 'position'), greatest($1, 1))`;

const INSERT_STORIES = `
  INSERT INTO customer_stories (customer, story, since_ms)
    SELECT * FROM json_to_recordset($1) AS each (customer text, story text, "sinceMs" bigint)`;

const tallyOf = async (client: Client): Promise<StoreTally> => {
  // As numbers that JavaScript reads by itself; counts and sums of minor units stay far below their limit.
  const { rows } = await client.query<TallyLine>(`
    SELECT CASE kind WHEN 'payment' THEN 'payment ' || state ELSE kind END AS what,
      coalesce(currency, '') AS currency, count(*)::float8 AS count,
      coalesce(sum(amount_minor), 0)::float8 AS "amountMinor"
    FROM records WHERE NOT (kind = 'setting' AND id = '${databaseHome.id}') GROUP BY 1, 2
    UNION ALL SELECT '${AUDIT_ROWS}', '', count(*)::float8, 0 FROM audit HAVING count(*) > 0`);
  const tally = new StoreTally();
  for (const line of rows) tally.add(line);
  return tally;
};

async function* batches<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
