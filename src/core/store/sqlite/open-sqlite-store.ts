import { mkdirSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { failpoint } from '../../runtime/failpoints.ts';
import type { Log } from '../../runtime/log.ts';
import type { Store } from '../store.ts';
import { asStartError } from '../unusable-folder.ts';
import { examineDatabase, makeDatabase, mustBeSafeVersion, openDatabase } from './database-file.ts';
import { FolderLock } from './folder-lock.ts';
import { SqliteStore } from './sqlite-store.ts';
import { examineFolder, mustBeLocalDisk } from './store-folder.ts';

export type OpenSqliteOptions = {
  /** Made if it is not there. It belongs to one process at a time. */
  readonly dir: string;
  readonly log: Log;
  /** Nothing can be stored any more; the caller has to end the process. Called once. */
  readonly onFatal: (error: Error) => void;
};

/**
 * Opens the store in a folder.
 * @throws {StartError} when it cannot be used; then nothing in it was changed.
 */
export const openSqliteStore = async (options: OpenSqliteOptions): Promise<Store> => {
  const { dir, log, onFatal } = options;
  const { database, lock } = openLocked(dir);
  const store = new SqliteStore({
    database,
    log,
    onFatal,
    onClosed: () => {
      try {
        database.close();
      } finally {
        lock.release();
        failpoint('lock-released');
      }
    },
  });
  log.info({ dir }, 'the store is open');
  return store;
};

type Opened = { readonly database: DatabaseSync; readonly lock: FolderLock };

const openLocked = (dir: string): Opened => {
  try {
    mustBeSafeVersion();
    if (examineFolder(dir)) examineDatabase(dir);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    mustBeLocalDisk(dir);
    const lock = FolderLock.take(dir);
    failpoint('lock-taken');
    try {
      // Another process may have been at work until a moment ago.
      if (examineFolder(dir)) examineDatabase(dir);
      else makeDatabase(dir);
      return { database: openDatabase(dir), lock };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw asStartError(dir, error);
  }
};
