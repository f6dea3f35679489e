import { accessSync, constants, mkdirSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { failpoint } from '../../runtime/failpoints.ts';
import { examineDatabase, makeDatabase, mustBeSafeVersion, openDatabase } from './database-file.ts';
import { takeFolderLock } from './folder-lock.ts';
import { mustHaveStore } from './read-beside.ts';
import { asStartError, hasDatabase, mustBeLocalDisk, mustNotBeMoved } from './store-folder.ts';

/** The database of a folder that no other process works with until `close`. */
export type LockedFolder = Disposable & {
  readonly database: DatabaseSync;
  readonly close: () => void;
};

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
    using lock = lockFolder(dir);
    // Another process may have been at work until a moment ago.
    if (hasDatabase(dir)) examineDatabase(dir);
    else makeDatabase(dir);
    const database = openDatabase(dir);
    lock.defer(() => database.close());
    const kept = lock.move();
    const close = () => kept.dispose();
    return { database, close, [Symbol.dispose]: close };
  } catch (error) {
    throw asStartError(dir, error);
  }
};

/** Before anything else is written there. @throws {StartError} as `openLocked`. */
export const mustBeAccepted = (dir: string): void => {
  try {
    mustNotBeMoved(dir);
    if (hasDatabase(dir)) examineDatabase(dir);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    mustBeLocalDisk(dir);
    accessSync(dir, constants.W_OK);
  } catch (error) {
    throw asStartError(dir, error);
  }
};

/** Makes the folder if it is not there, and locks it. As `takeFolderLock`. */
export const lockFolder = (dir: string): DisposableStack => {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  mustBeLocalDisk(dir);
  const lock = new DisposableStack();
  lock.defer(() => failpoint('lock-released'));
  lock.defer(takeFolderLock(dir));
  failpoint('lock-taken');
  return lock;
};
