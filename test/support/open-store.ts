import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openSqliteStore } from '../../src/core/store/sqlite/open-sqlite-store.ts';
import { DATABASE_FILE } from '../../src/core/store/sqlite/store-folder.ts';
import type { Store } from '../../src/core/store/store.ts';
import { silentLog } from './silent-log.ts';
import { tempFolder } from './temp-folder.ts';

const openIn = (dir: string) =>
  openSqliteStore({
    dir,
    log: silentLog,
    onFatal: (error) => {
      throw error;
    },
  });

/** The bytes of an empty database: making its schema takes longer than most tests. */
let empty: Promise<Buffer> | undefined;

const makeEmpty = async (): Promise<Buffer> => {
  const dir = await tempFolder();
  await (await openIn(dir)).store.close();
  return readFile(join(dir, DATABASE_FILE));
};

/** A real store in a folder of the running test's own. */
export const openStore = async (): Promise<Store> => {
  empty ??= makeEmpty();
  const dir = await tempFolder();
  await writeFile(join(dir, DATABASE_FILE), await empty, { mode: 0o600 });
  const { store } = await openIn(dir);
  onTestFinished(() => store.close());
  return store;
};
