import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Retire, RetireRequest } from '../../src/core/privacy/retention.ts';
import { retire } from '../../src/core/privacy/retention.ts';
import type { Clock } from '../../src/core/runtime/clock.ts';
import {
  type OpenSqliteOptions,
  openSqliteStore,
} from '../../src/core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { ManualClock } from './manual-clock.ts';
import { silentLog } from './silent-log.ts';
import { tempFolder } from './temp-folder.ts';

/** Opens the embedded store in a folder; closed at the end of the test if the test does not close it. */
export const openStoreIn = async (
  dir: string,
  { clock = new ManualClock(), ...options }: Partial<OpenSqliteOptions> & { clock?: Clock } = {},
): Promise<Store & { readonly retire: Retire }> => {
  const { store, inErasure } = await openSqliteStore({
    dir,
    log: silentLog,
    onFatal: (error) => {
      throw error;
    },
    ...options,
  });
  onTestFinished(() => store.close());
  return Object.assign(store, {
    retire: (request: RetireRequest) => retire(inErasure, request, clock),
  });
};

/** The database and its log as a crash at this moment would leave them. */
export const copyAsAfterCrash = async (dir: string): Promise<string> => {
  const copy = await tempFolder();
  for (const name of await filesNamed(dir, 'paythread.db'))
    if (!name.endsWith('-shm')) await copyFile(join(dir, name), join(copy, name));
  return copy;
};

/** The names of a folder's files that begin so, in order. */
export const filesNamed = async (dir: string, beginning = ''): Promise<string[]> =>
  (await readdir(dir)).filter((name) => name.startsWith(beginning)).sort();

/** Everything in a folder, to see whether anything was changed. */
export const contentsOf = async (dir: string): Promise<Record<string, string>> => {
  const names = await filesNamed(dir);
  const texts = await Promise.all(names.map((name) => readFile(join(dir, name), 'latin1')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
};

/** What the store's files say, without the indexes over the log that a reader beside leaves. */
export const storedIn = async (dir: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(await contentsOf(dir)).filter(
      ([name, text]) => !name.endsWith('-shm') && !(name.endsWith('-wal') && text === ''),
    ),
  );
