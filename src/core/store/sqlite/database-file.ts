import { readFileSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Payment } from '../../records/payment.ts';
import { EX_CONFIG, StartError } from '../../runtime/errors.ts';
import { failpoint } from '../../runtime/failpoints.ts';
import { knownMigrations, mustNotBeNewer } from '../sql/known-migrations.ts';
import { searchText } from '../sql/search-text.ts';
import { recordIn } from '../stored-body.ts';
import { BUSY_MS, checkpoint } from './checkpoints.ts';
import { renameDurably, syncPath, syncWayTo } from './file-sync.ts';
import { makePrivateFile } from './folder-lock.ts';
import { DATABASE_FILE, namesIn, pathIn, UNFINISHED_FILE } from './store-folder.ts';

/** In the header of every database of Paythread: "Payt" in ASCII. */
const APPLICATION_ID = 0x50617974;
/** Older versions can lose a commit when the write-ahead log starts again. */
const OLDEST_SQLITE = [3, 51, 3];
const CACHE_KIB = 16_000;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** @throws {StartError} when this Node brings a SQLite that is too old; a distribution's Node may bring its own. */
export const mustBeSafeVersion = (version = loadedVersion()): void => {
  const parts = version.split('.').map(Number);
  const at = OLDEST_SQLITE.findIndex((oldest, index) => parts[index] !== oldest);
  if (at < 0 || (parts[at] ?? 0) > (OLDEST_SQLITE[at] ?? 0)) return;
  throw new StartError(
    `This Node brings SQLite ${version}, which can lose what was stored. Use the Node that "npm ci" installs, or one with SQLite ${OLDEST_SQLITE.join('.')} or newer.`,
    EX_CONFIG,
  );
};

/** Makes the database under another name first, so that a crash leaves a whole one or none. */
export const makeDatabase = (dir: string): void => {
  const path = emptyFile(dir, UNFINISHED_FILE);
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  prepareDatabase(database);
  database.close();
  failpoint('database-made');
  putInPlace(dir, UNFINISHED_FILE);
};

/** Removes what an interrupted attempt left under a name (its log too), makes an empty file, and returns its path. */
export const emptyFile = (dir: string, file: string): string => {
  const path = pathIn(dir, file);
  for (const name of namesIn(dir).filter((one) => one.startsWith(file))) rmSync(pathIn(dir, name));
  makePrivateFile(path);
  return path;
};

/** Gives a whole database its name, durably. It must be closed. */
export const putInPlace = (dir: string, file: string): void => {
  // The folder may be new as well; from the rename on, it counts as flushed.
  syncWayTo(dir);
  renameDurably(pathIn(dir, file), pathIn(dir, DATABASE_FILE));
};

/** For a process that holds the lock of the folder. */
export const openDatabase = (dir: string): DatabaseSync => {
  const path = pathIn(dir, DATABASE_FILE);
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  failpoint('database-opened');
  try {
    prepareDatabase(database);
    // The name of the log: SQLite takes no notice when it cannot flush that (seen with SQLite 3.51).
    syncPath(dir);
    return database;
  } catch (error) {
    database.close();
    throw damaged(path, error);
  }
};

/** Settings, and the schema of this program. What an earlier process left in the log is in the file afterwards. */
export const prepareDatabase = (database: DatabaseSync): void => {
  database.exec(`PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA trusted_schema = OFF;
    PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${CACHE_KIB};
    PRAGMA journal_mode = WAL`);
  checkpoint(database, 'TRUNCATE');
  migrate(database);
  checkpoint(database, 'TRUNCATE');
};

/**
 * Reads the header without taking a lock or making a file, so that a refusal has changed nothing.
 * @throws {StartError} when it is not a whole database of this program's kind and version.
 */
export const examineDatabase = (dir: string): void => {
  const path = pathIn(dir, DATABASE_FILE);
  try {
    const { href } = pathToFileURL(path);
    using database = new DatabaseSync(`${href}?immutable=1`, { readOnly: true });
    if (pragmaNumber(database, 'application_id') !== APPLICATION_ID) throw foreign(path);
    mustNotBeNewer(path, pragmaNumber(database, 'user_version'), MIGRATIONS);
  } catch (error) {
    // After a crash during a checkpoint, pages that the header counts are in the log alone.
    if (!isCorrupt(error) || !hasLog(path)) throw damaged(path, error);
  }
};

const hasLog = (path: string): boolean =>
  (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

const loadedVersion = (): string => {
  using database = new DatabaseSync(':memory:');
  return String(database.prepare('SELECT sqlite_version() AS version').get()?.['version']);
};

const isCorrupt = (error: unknown): boolean => {
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' && (errcode & 0xff) === SQLITE_CORRUPT;
};

const damaged = (path: string, error: unknown): unknown => {
  if ((error as { errcode?: unknown }).errcode === SQLITE_NOTADB) return foreign(path);
  if (!isCorrupt(error)) return error;
  return new StartError(
    `${path} is damaged or cut off: ${(error as Error).message}. Bring back a backup with "npm run restore".`,
    1,
    { cause: error },
  );
};

const foreign = (path: string): StartError =>
  new StartError(
    `${path} is not a database of Paythread. Put the right file there, or set DATA_DIR to another folder.`,
  );

const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** Reads one pragma that has a number, such as `user_version`. */
const pragmaNumber = (database: DatabaseSync, name: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);

/** Brings the schema up to this program, one transaction a step, and copies it out of the log. */
const migrate = (database: DatabaseSync): void => {
  const applied = pragmaNumber(database, 'user_version');
  const missing = knownMigrations(MIGRATIONS).filter(({ version }) => version > applied);
  if (missing.length === 0) return;
  database.function('search_text', (id, body) => {
    const put = recordIn({ kind: 'payment', id: String(id), body: String(body) });
    return put === undefined ? null : searchText(put.record as Payment);
  });
  for (const { version, file } of missing) {
    const sql = readFileSync(new URL(file, MIGRATIONS), 'utf8');
    database.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${version}; COMMIT`);
  }
};
