import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type EmbeddedStoreOptions,
  openEmbeddedStore,
  type Retiring,
} from '../../src/core/store/embedded-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { ManualClock } from './manual-clock.ts';
import { silentLog } from './silent-log.ts';
import { tempFolder } from './temp-folder.ts';

/** Opens the embedded store in a folder; closed at the end of the test if the test does not close it. */
export const openStoreIn = async (
  dir: string,
  options: Partial<EmbeddedStoreOptions> = {},
): Promise<Store & Retiring> => {
  const store = await openEmbeddedStore({
    dir,
    clock: new ManualClock(),
    log: silentLog,
    onFatal: (error) => {
      throw error;
    },
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
};

/**
 * The folder as a crash at this moment would leave it, but for the lock. The journal comes last, as it
 * may grow meanwhile but must never be older than the snapshot.
 */
export const copyAsAfterCrash = async (dir: string): Promise<string> => {
  const copy = await tempFolder();
  for (const beginning of ['snapshot.json', 'archive-', 'journal-'])
    for (const name of await filesNamed(dir, beginning))
      if (!name.endsWith('.tmp')) await copyFile(join(dir, name), join(copy, name));
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

/** The whole lines of a file. */
export const linesOf = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8')).split('\n').slice(0, -1);
