import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { EX_CONFIG, StartError } from '../../runtime/errors.ts';
import { jsonOf } from '../../values/json-of.ts';
import { pathIn } from './store-folder.ts';

/** Locked exclusively as long as a process works in the folder. It stays empty. */
const LOCK_FILE = 'paythread-lock.db';
/** Says who holds the lock, for people; it decides nothing. */
const HOLDER_FILE = 'paythread.lock';
/** A command that only asks whether the folder is in use holds the lock for an instant. */
const WAIT_MS = 500;
const SQLITE_BUSY = 5;
const OVERLAY_TYPE = 0x794c7630;

const holderShape = z.object({ pid: z.number(), host: z.string() });

/**
 * Keeps every other process out of the data folder until the returned function is called, or the process ends: the
 * kernel drops the lock with it. The lock is on a database of its own, so that audit and backup can read the store's
 * beside it. After this, the file must not be opened through `fs` in this process: closing it would drop the lock
 * (POSIX, `fcntl(2)`).
 * @throws {StartError} that names the holder, when another process has the folder.
 */
export const takeFolderLock = (dir: string): (() => void) => {
  makePrivateFile(pathIn(dir, LOCK_FILE));
  const database = new DatabaseSync(pathIn(dir, LOCK_FILE), { timeout: WAIT_MS });
  try {
    // A journal on disk would be a second file beside an empty one.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    mustBeLocked(dir);
    const holder: z.infer<typeof holderShape> = { pid: process.pid, host: hostname() };
    writeFileSync(pathIn(dir, HOLDER_FILE), `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    if (!keepsLocks(dir)) throw noLocks(dir, 'a file system');
    throw new StartError(
      `The data folder ${dir} is in use by ${nameOfHolder(dir)}. Stop it first, or set DATA_DIR to another folder.`,
    );
  }
  return () => {
    rmSync(pathIn(dir, HOLDER_FILE), { force: true });
    database.close();
  };
};

/** Made with its rights before SQLite opens it: SQLite would go by the umask. An existing file is left alone. */
export const makePrivateFile = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
};

/** Some overlays take a lock and do not keep it. The kernel lists the locks that it keeps. */
const mustBeLocked = (dir: string): void => {
  if (statfsSync(dir).type !== OVERLAY_TYPE) return;
  const locks = textOf('/proc/locks');
  if (locks === undefined || new RegExp(` WRITE +${process.pid} `).test(locks)) return;
  throw noLocks(dir, 'an overlay file system');
};

/**
 * Whether a lock on a new file can be had. SQLite answers ENOLCK, the refusal of a file system without locks, as it
 * answers a lock that another process holds (SQLITE_BUSY); a file that no other process knows tells them apart.
 */
const keepsLocks = (dir: string): boolean => {
  const path = pathIn(dir, `paythread-lock-${randomUUID()}.db`);
  try {
    makePrivateFile(path);
    using database = new DatabaseSync(path, { timeout: 0 });
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    return !isBusy(error);
  } finally {
    rmSync(path, { force: true });
  }
};

const noLocks = (dir: string, place: string): StartError =>
  new StartError(
    `The data folder ${dir} is on ${place} that keeps no locks, so two processes could write at the same time. Set DATA_DIR to a folder on a volume, on a local disk.`,
    EX_CONFIG,
  );

/** Who works in a folder at this moment, for people; undefined: no process does. Asks the lock, and leaves it alone. */
export const lockHolder = (dir: string): string | undefined => {
  const path = pathIn(dir, LOCK_FILE);
  if (!existsSync(path)) return undefined;
  using database = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    database.prepare('SELECT name FROM sqlite_schema').all();
    return undefined;
  } catch (error) {
    if (isBusy(error)) return nameOfHolder(dir);
    throw error;
  }
};

const nameOfHolder = (dir: string): string => {
  // Undefined: no file, or one that is half written or not ours.
  const holder = holderShape.safeParse(jsonOf(textOf(pathIn(dir, HOLDER_FILE)) ?? '')).data;
  return holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host}`;
};

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

const isBusy = (error: unknown): boolean =>
  (error as { errcode?: unknown }).errcode === SQLITE_BUSY;
