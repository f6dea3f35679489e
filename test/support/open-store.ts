import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/core/runtime/clock.ts';
import { openEmbeddedStore } from '../../src/core/store/embedded-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { silentLog } from './silent-log.ts';
import { tempFolder } from './temp-folder.ts';

/** A real store in a folder of the running test's own. */
export const openStore = async (clock: Clock): Promise<Store> => {
  const store = await openEmbeddedStore({
    dir: await tempFolder(),
    clock,
    log: silentLog,
    onFatal: (error) => {
      throw error;
    },
  });
  onTestFinished(() => store.close());
  return store;
};
