import type { DatabaseSync } from 'node:sqlite';
import type { Log } from '../../runtime/log.ts';
import { CustomerErasure, type InErasure } from '../sql/customer-erasure.ts';
import type { Store } from '../store.ts';
import { checkpoint } from './checkpoints.ts';
import { openLocked } from './locked-folder.ts';
import { sqliteSql } from './sqlite-sql.ts';
import { SqliteStore } from './sqlite-store.ts';

export type OpenSqliteOptions = {
  /** Made if it is not there. It belongs to one process at a time. */
  readonly dir: string;
  readonly log: Log;
  /** Nothing can be stored any more; the caller has to end the process. Called once. */
  readonly onFatal: (error: Error) => void;
};

/** `inErasure` takes customers out of the store while it is in use. */
export type OpenedStore = { readonly store: Store; readonly inErasure: InErasure };

/**
 * Opens the store in a folder.
 * @throws {StartError} when it cannot be used; then nothing in it was changed.
 */
export const openSqliteStore = async (options: OpenSqliteOptions): Promise<OpenedStore> => {
  const { dir, log, onFatal } = options;
  const { database, close } = openLocked(dir, { mayMake: true });
  try {
    const store = new SqliteStore({ database, log, onFatal, onClosed: close });
    log.info({ dir }, 'the store is open');
    return { store, inErasure: eraseInStore(store, database) };
  } catch (error) {
    close();
    throw error;
  }
};

type Folder = Pick<OpenSqliteOptions, 'dir' | 'log'>;

/**
 * Works with the store of a folder that no other process works with, for as long as it takes.
 * @throws {StartError} when the store cannot be had.
 */
export const inFolder = async <T>(
  { dir, log }: Folder,
  work: (store: SqliteStore, database: DatabaseSync) => Promise<T>,
): Promise<T> => {
  using folder = openLocked(dir, { mayMake: false });
  const { database } = folder;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const store = new SqliteStore({ database, log, onFatal: failed.reject });
  return await Promise.race([work(store, database), failed.promise]);
};

/**
 * Erases in a folder that no process works with. No byte of what was deleted is left in the database or its log.
 * @throws {StartError} when the store cannot be had.
 */
export const eraseInFolder =
  (folder: Folder): InErasure =>
  (work) =>
    inFolder(folder, async (store, database) => {
      const done = await eraseInStore(store, database)(work);
      checkpoint(database, 'TRUNCATE');
      return done;
    });

/** The same in a store that is in use. Each `commit` is a transaction. */
export const eraseInStore =
  (store: SqliteStore, database: DatabaseSync): InErasure =>
  (work) =>
    work(
      new CustomerErasure(sqliteSql(database), {
        held: async (puts) => puts,
        commit: async (change, more) => {
          const isStored = await store.commit(change, more);
          if (isStored) store.truncateLog();
          return isStored;
        },
      }),
    );
