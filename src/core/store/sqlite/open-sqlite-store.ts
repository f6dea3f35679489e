import type { Log } from '../../runtime/log.ts';
import type { InErasure } from '../customer-erasure.ts';
import type { Store } from '../store.ts';
import { eraseInStore } from './erase-in-sqlite.ts';
import { openLocked } from './locked-folder.ts';
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
