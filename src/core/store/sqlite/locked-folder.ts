import { mkdirSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { failpoint } from '../../runtime/failpoints.ts';
import { examineDatabase, makeDatabase, mustBeSafeVersion, openDatabase } from './database-file.ts';
import { FolderLock } from './folder-lock.ts';
import { mustHaveStore } from './read-beside.ts';
import { asStartError, hasDatabase, mustBeLocalDisk, mustNotBeMoved } from './store-folder.ts';

/** The database of a folder that no other process works with until `close`. */
export type LockedFolder = { readonly database: DatabaseSync; readonly close: () => void };

type LockOptions = {
  /** Whether an empty folder gets a new database. */
  readonly mayMake: boolean;
  /** Whether its payments may go on in PostgreSQL. @default false */
  readonly mayBeMoved?: boolean;
};

/**
 * @throws {StartError} when the folder cannot be used; then nothing in it was changed.
 */
export const openLocked = (
  dir: string,
  { mayMake, mayBeMoved = false }: LockOptions,
): LockedFolder => {
  try {
    mustBeSafeVersion();
    if (!mayBeMoved) mustNotBeMoved(dir);
    if (!mayMake) mustHaveStore(dir);
    else if (hasDatabase(dir)) examineDatabase(dir);
    const lock = lockFolder(dir);
    try {
      // Another process may have been at work until a moment ago.
      if (hasDatabase(dir)) examineDatabase(dir);
      else makeDatabase(dir);
      const database = openDatabase(dir);
      return { database, close: () => closeLocked(database, lock) };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw asStartError(dir, error);
  }
};

/** Makes the folder if it is not there, and locks it. */
export const lockFolder = (dir: string): FolderLock => {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  mustBeLocalDisk(dir);
  const lock = FolderLock.take(dir);
  failpoint('lock-taken');
  return lock;
};

const closeLocked = (database: DatabaseSync, lock: FolderLock): void => {
  try {
    database.close();
  } finally {
    lock.release();
    failpoint('lock-released');
  }
};
