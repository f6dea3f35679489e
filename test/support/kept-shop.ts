import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { apply, makeUnlessThere } from '../../src/core/store/postgres/migrations.ts';
import type { Migration } from '../../src/core/store/sql/known-migrations.ts';
import { PostgresDatabase } from './postgres-database.ts';
import type { RunningApp } from './run-app.ts';
import type { Chat } from './telegram/chat.ts';
import { bringBack, type History, historyOf } from './telegram/history.ts';
import { tempFolder } from './temp-folder.ts';
import { storeSettings } from './test-store.ts';

/** What was kept of a shop that some version of the program left in the middle of a day. */
type KeptDay = {
  readonly atMs: number;
  readonly chats: Readonly<Record<string, History>>;
};

const DAY = 'day.json';
const ROWS = 'postgresql.json.gz';
const FOLDER = 'folder';

type Table = { readonly name: string; readonly columns: string; readonly rows: unknown };
/** Everything in a database: the steps that made its schema, and its rows. */
type Rows = { readonly steps: readonly Migration[]; readonly tables: readonly Table[] };

/** Writes a stopped shop into a folder of the repository: the chats, and what the embedded store or the database has. */
export const keepShop = async (
  into: string,
  { dir, clock }: Pick<RunningApp, 'dir' | 'clock'>,
  chats: Readonly<Record<string, Chat>>,
): Promise<void> => {
  await mkdir(join(into, FOLDER), { recursive: true });
  const shown = Object.entries(chats).map(([name, chat]) => [name, historyOf(chat)]);
  const day: KeptDay = { atMs: clock.now(), chats: Object.fromEntries(shown) };
  await writeFile(join(into, DAY), `${JSON.stringify(day, null, 2)}\n`);
  const { DATABASE_URL: url } = await storeSettings(dir);
  if (url !== undefined)
    await writeFile(join(into, ROWS), gzipSync(JSON.stringify(await rowsIn(url))));
  for (const name of await readdir(join(dir, 'data')))
    await writeFile(
      join(into, FOLDER, `${name}.gz`),
      gzipSync(await readFile(join(dir, 'data', name))),
    );
};

/** The folder of a shop that was kept, with its store, and what is shown in the chats that are given by their names. */
export const openKept = async (from: string) => {
  const day: KeptDay = JSON.parse(await readFile(join(from, DAY), 'utf8'));
  const dir = await tempFolder();
  const { DATABASE_URL: url } = await storeSettings(dir);
  await mkdir(join(dir, 'data'), { mode: 0o700 });
  for (const name of await readdir(join(from, FOLDER)))
    await writeFile(
      join(dir, 'data', name.slice(0, -'.gz'.length)),
      gunzipSync(await readFile(join(from, FOLDER, name))),
      { mode: 0o600 },
    );
  if (url !== undefined)
    await putRows(url, JSON.parse(gunzipSync(await readFile(join(from, ROWS))).toString()));
  return {
    dir,
    atMs: day.atMs,
    showIn: (chats: Readonly<Record<string, Chat>>) => {
      for (const [name, chat] of Object.entries(chats)) bringBack(chat, day.chats[name] ?? []);
    },
  };
};

const databaseAt = (url: string): PostgresDatabase => {
  const { port, pathname } = new URL(url);
  return new PostgresDatabase({ port: Number(port), database: pathname.slice(1) });
};

const rowsIn = async (url: string): Promise<Rows> => {
  const database = databaseAt(url);
  const steps = await database.query<Migration>(
    'SELECT version, file FROM migrations ORDER BY version',
  );
  const columns = await database.query<Omit<Table, 'rows'>>(`
    SELECT relname AS name, string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = 'paythread'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname <> 'migrations' AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
    GROUP BY relname ORDER BY relname`);
  const tables: Table[] = [];
  for (const table of columns) {
    const [all] = await database.query<{ rows: unknown }>(
      // In another database its home would say that this one came back from a backup.
      `SELECT coalesce(json_agg(each), '[]') AS rows FROM ${table.name} AS each
        ${table.name === 'records' ? "WHERE (kind, id) <> ('setting', 'home')" : ''}`,
    );
    tables.push({ ...table, rows: all?.rows });
  }
  return { steps, tables };
};

/** Makes the schema by the steps of that version alone: the program under test adds the later ones. */
const putRows = async (url: string, { steps, tables }: Rows): Promise<void> => {
  const database = databaseAt(url);
  await database.empty();
  const client = await database.client();
  try {
    await makeUnlessThere(client);
    for (const step of steps) await apply(client, step);
    await client.query('SET session_replication_role = replica');
    for (const { name, columns, rows } of tables)
      await client.query(
        `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
          SELECT ${columns} FROM json_populate_recordset(NULL::${name}, $1)`,
        [JSON.stringify(rows)],
      );
    await client.query(
      `SELECT setval(pg_get_serial_sequence('audit', 'position'), (SELECT max(position) FROM audit))`,
    );
  } finally {
    await client.end();
  }
};
