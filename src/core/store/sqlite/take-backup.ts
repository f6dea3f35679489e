import { mkdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Clock } from '../../runtime/clock.ts';
import { StartError } from '../../runtime/errors.ts';
import type { StoreTally } from '../store-tally.ts';
import { writeBook } from './backup-book.ts';
import { syncPath } from './file-sync.ts';
import { makePrivateFile } from './folder-lock.ts';
import { mustHaveStore, readBeside } from './read-beside.ts';
import { DATABASE_FILE, mustNotBeMoved, namesIn, pathIn } from './store-folder.ts';
import { verifyFolder } from './verify-folder.ts';

export type BackupOptions = {
  /** The store, in use or not. */
  readonly dir: string;
  /** A new folder, or an empty one. */
  readonly to: string;
  readonly clock: Clock;
};

export type Backup = {
  readonly folder: string;
  readonly takenAtMs: number;
  /** Rows of the audit trail. */
  readonly rows: number;
  readonly tally: StoreTally;
};

/**
 * Copies the database of a folder while a process works with it. The copy is one moment of it, without what was
 * deleted; it is checked as `npm run audit -- verify` does, and is a backup once its book is written.
 * @throws {StartError} and nothing is left of the copy.
 */
export const takeBackup = async ({ dir, to, clock }: BackupOptions): Promise<Backup> => {
  mustHaveStore(dir);
  mustNotBeMoved(dir);
  const target = await newBackupFolder(to, dir);
  try {
    const takenAtMs = clock.now();
    const path = pathIn(target.dir, DATABASE_FILE);
    makePrivateFile(path);
    await readBeside(dir, (database) => database.exec(`COMMIT; VACUUM INTO '${quoted(path)}'`));
    const copiedByMs = clock.now();
    const { broken, places, rows, stored } = await verifyFolder(target.dir);
    if (broken > 0) throw new StartError(`${places[0]}.`);
    syncPath(path);
    writeBook(target.dir, { takenAtMs, copiedByMs });
    syncPath(dirname(target.dir));
    return { folder: target.dir, takenAtMs, rows, tally: stored };
  } catch (error) {
    await target.remove();
    throw asFailure(error, target.dir);
  }
};

const quoted = (text: string): string => text.replaceAll("'", "''");

const asFailure = (error: unknown, to: string): unknown => {
  if (error instanceof StartError)
    return new StartError(
      `The copy did not pass its check: ${error.message} It was removed, so there is no backup.`,
      1,
      { cause: error },
    );
  return (error as NodeJS.ErrnoException).code === undefined ? error : unusable(to, error);
};

/**
 * Makes a new folder, or takes an empty one; `remove` leaves everything as it was before.
 * @throws {StartError} when something is in it, or when it is inside the store's own folder.
 */
const newBackupFolder = async (to: string, storeDir: string) => {
  const dir = resolve(to);
  await mustBeOutside(dir, storeDir);
  const there = await madeOrThere(dir);
  if (there !== undefined && there.length > 0)
    throw new StartError(
      `The folder ${dir} is not empty. Name a new one for each backup, such as ${dir}-2.`,
    );
  return {
    dir,
    remove:
      there === undefined ? () => rm(dir, { recursive: true, force: true }) : () => emptied(dir),
  };
};

/** The names in a folder that is there; undefined: it was made. */
const madeOrThere = async (dir: string): Promise<string[] | undefined> => {
  try {
    const made = await mkdir(dir, { recursive: true, mode: 0o700 });
    return made === undefined ? namesIn(dir) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new StartError(`${dir} is not a folder.`);
    throw unusable(dir, error);
  }
};

/** What the system said about the folder, in a sentence for people. */
const unusable = (dir: string, error: unknown): StartError => {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = WHY_UNUSABLE[code ?? ''] ?? message;
  return new StartError(`The backup cannot be written to ${dir}: ${why}. There is no backup.`, 1, {
    cause: error,
  });
};

const WHY_UNUSABLE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EFBIG: 'a file would be larger than is allowed there',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a read-only disk',
};

/** A backup inside the data folder would be lost together with it. */
const mustBeOutside = async (dir: string, storeDir: string): Promise<void> => {
  const way = relative(await realpath(storeDir), await realPathOf(dir));
  if (way === '..' || way.startsWith(`..${sep}`)) return;
  throw new StartError(
    `The folder ${dir} is in the data folder ${storeDir} and would be lost together with it. Name one elsewhere, best on another disk.`,
  );
};

/** Also of a folder that is not there yet. */
const realPathOf = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing || dirname(path) === path) throw error;
    return join(await realPathOf(dirname(path)), basename(path));
  }
};

const emptied = async (dir: string): Promise<void> => {
  for (const name of namesIn(dir)) await rm(join(dir, name), { recursive: true, force: true });
};
