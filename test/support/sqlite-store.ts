import { onTestFinished } from 'vitest';
import { openSqliteStore } from '../../src/core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { silentLog } from './silent-log.ts';

/** Opens the SQLite store in a folder; closed at the end of the test if the test does not close it. */
export const openSqliteIn = async (dir: string): Promise<Store> => {
  const store = await openSqliteStore({
    dir,
    log: silentLog,
    onFatal: (error) => {
      throw error;
    },
  });
  onTestFinished(() => store.close());
  return store;
};
