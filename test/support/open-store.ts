import { onTestFinished } from 'vitest';
import { openSqliteStore } from '../../src/core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { silentLog } from './silent-log.ts';
import { tempFolder } from './temp-folder.ts';

/** A real store in a folder of the running test's own. */
export const openStore = async (): Promise<Store> => {
  const { store } = await openSqliteStore({
    dir: await tempFolder(),
    log: silentLog,
    onFatal: (error) => {
      throw error;
    },
  });
  onTestFinished(() => store.close());
  return store;
};
