import { join } from 'node:path';
import type { RestoreMark } from '../records/settings.ts';
import type { Clock } from '../runtime/clock.ts';
import { EX_CONFIG, StartError } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import { type BackupBook, differenceFrom, mustBeWhole, readBook } from './backup-book.ts';
import { copyFlushed } from './copy-file.ts';
import { type Folder, systemDisk } from './disk.ts';
import { makeFolder, syncFolder } from './durable-folder.ts';
import { openEmbeddedStore } from './embedded-store.ts';
import { isMarkedAsMoved } from './moved-mark.ts';
import { systemProcesses } from './process-mark.ts';
import { storeFilesIn } from './store-files.ts';
import { StoreLock } from './store-lock.ts';
import { StoreTally } from './store-tally.ts';
import { StoredFolder } from './stored-folder.ts';
import { isRestoreNoted, noteRestore } from './unfinished-restore.ts';
import { asStartError } from './unusable-folder.ts';

export type RestoreOptions = {
  /** The backup; nothing is written there. */
  readonly from: string;
  /** Where the store shall be. Made if it is not there. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Log;
};

export type Restored = {
  readonly mark: RestoreMark;
  readonly commits: number;
  readonly tally: StoreTally;
};

/**
 * Puts a backup in the place of a store that is gone. Whatever stops it, nothing starts from half of it,
 * and it can be run again.
 * @throws {StartError} when the backup is not whole, or when there is a store already.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<Restored> => {
  const { dir, clock, log } = options;
  const source: Folder = { disk: systemDisk, dir: options.from };
  const target: Folder = { disk: systemDisk, dir };
  const book = await readBook(source);
  try {
    await mustBeWhole(source, book);
    await makeFolder(systemDisk, dir);
    const nowMs = clock.now();
    // Never before what is in it: the clock of another machine may be behind.
    const mark = { sinceMs: Math.max(nowMs, book.copiedByMs), backupAtMs: book.takenAtMs };
    const lock = await StoreLock.take({
      ...target,
      processes: systemProcesses,
      clock,
      // Asked before the store is given away.
      onLost: () => {},
    });
    try {
      await mustHaveNoStore(target, book);
      await noteRestore(target, { isCopied: false, mark });
      await copyBack(source, target, book);
      lock.assertHeld();
      await noteRestore(target, { isCopied: true, mark });
    } finally {
      await lock.release();
    }
    await openedOnce(options);
    return { mark, ...(await counted({ dir, clock, log })) };
  } catch (error) {
    throw asStartError(dir, error);
  }
};

/** What a restore that was cut off has copied is the same as in the backup; nothing else may be there. */
const mustHaveNoStore = async (target: Folder, { files }: BackupBook): Promise<void> => {
  if (isMarkedAsMoved(target))
    throw new StartError(
      `The payments in ${target.dir} were moved to PostgreSQL and go on there. Set DATA_DIR to another folder.`,
      EX_CONFIG,
    );
  for (const name of await storeFilesIn(target)) {
    const file = files.find((each) => each.name === name);
    const isOurs =
      isRestoreNoted(target) &&
      file !== undefined &&
      (await differenceFrom(file, target)) === undefined;
    if (!isOurs)
      throw new StartError(
        `There is a store in ${target.dir} already (${name}). Stop Paythread, move the files snapshot.json, archive-* and journal-* away, and keep them: what was paid since the backup stands only there.`,
        EX_CONFIG,
      );
  }
};

/** Each file is there whole or not at all, and the journal comes last: without it nothing starts. */
const copyBack = async (source: Folder, target: Folder, { files }: BackupBook): Promise<void> => {
  const { disk } = target;
  for (const file of files) {
    const path = join(target.dir, file.name);
    if (disk.statSync(path) !== undefined) continue;
    await disk.rm(`${path}.tmp`);
    await copyFlushed(disk, { from: join(source.dir, file.name), to: `${path}.tmp` });
    const why = await differenceFrom({ ...file, name: `${file.name}.tmp` }, target);
    if (why !== undefined) throw new StartError(`The copy of ${file.name} ${why}. Try again.`);
    await disk.rename(`${path}.tmp`, path);
  }
  await syncFolder(disk, target.dir);
};

/** Opening it gives it its mark. */
const openedOnce = async ({ dir, clock, log }: RestoreOptions): Promise<void> => {
  const failed = Promise.withResolvers<never>();
  // Waited for below only while the store is open.
  failed.promise.catch(() => {});
  const store = await openEmbeddedStore({ dir, clock, log, onFatal: failed.reject });
  await Promise.race([store.close(), failed.promise]);
};

const counted = async (options: {
  dir: string;
  clock: Clock;
  log: Log;
}): Promise<{ commits: number; tally: StoreTally }> => {
  const folder = await StoredFolder.open(options);
  try {
    const tally = new StoreTally();
    for await (const put of folder.records()) tally.addRecord(put);
    return { commits: folder.tail.seq, tally };
  } finally {
    await folder.close();
  }
};
