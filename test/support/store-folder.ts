import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type EmbeddedStoreOptions,
  openEmbeddedStore,
} from '../../src/core/store/embedded-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { ManualClock } from './manual-clock.ts';
import { silentLog } from './silent-log.ts';

/** An empty folder that is gone after the test. */
export const emptyFolder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'paythread-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
};

/** Opens the embedded store in a folder; closed at the end of the test if the test does not close it. */
export const openStore = async (
  dir: string,
  options: Partial<EmbeddedStoreOptions> = {},
): Promise<Store> => {
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

/** The names of files in a folder that begin so, in order. */
export const filesNamed = async (dir: string, beginning: string): Promise<string[]> =>
  (await readdir(dir)).filter((name) => name.startsWith(beginning)).sort();

export const linesOf = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8')).split('\n').slice(0, -1);
