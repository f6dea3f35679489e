import type { DatabaseSync } from 'node:sqlite';
import type { Log } from '../../runtime/log.ts';
import { openLocked } from './locked-folder.ts';
import { SqliteStore } from './sqlite-store.ts';

/**
 * Works with the store of a folder that no other process works with, for as long as it takes.
 * @throws {StartError} when the store cannot be had.
 */
export const inFolder = async <T>(
  { dir, log }: { readonly dir: string; readonly log: Log },
  work: (store: SqliteStore, database: DatabaseSync) => Promise<T>,
): Promise<T> => {
  const { database, close } = openLocked(dir, { mayMake: false });
  try {
    const failed = Promise.withResolvers<never>();
    failed.promise.catch(() => {});
    const store = new SqliteStore({ database, log, onFatal: failed.reject });
    return await Promise.race([work(store, database), failed.promise]);
  } finally {
    close();
  }
};
