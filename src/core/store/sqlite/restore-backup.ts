import { constants, copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { markChange, type RestoreMark, restoreMark } from '../../records/stored-values.ts';
import type { Clock } from '../../runtime/clock.ts';
import { StartError } from '../../runtime/errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { StoreTally } from '../store-tally.ts';
import { type BackupBook, readBook } from './backup-book.ts';
import { emptyFile, prepareDatabase, putInPlace } from './database-file.ts';
import { lockFolder } from './locked-folder.ts';
import { SqliteStore } from './sqlite-store.ts';
import {
  asStartError,
  DATABASE_FILE,
  mustNotBeMoved,
  namesIn,
  pathIn,
  RESTORING_FILE,
} from './store-folder.ts';
import { verifyFolder } from './verify-folder.ts';

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
  /** Rows of the audit trail. */
  readonly rows: number;
  readonly tally: StoreTally;
};

/**
 * Puts a backup in the place of a store that is gone. The mark that freezes charges is written into the copy before
 * it gets its name, so nothing ever starts from it without. An interrupted restore can be run again.
 * @throws {StartError} when the backup is not whole, or when there is a store already.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<Restored> => {
  const { from, dir, clock } = options;
  const book = readBook(from);
  try {
    mustNotBeMoved(dir);
    using _ = lockFolder(dir);
    mustHaveNoStore(dir);
    // Never before what is in it: the clock of another machine may be behind.
    const sinceMs = Math.max(clock.now(), book.copiedByMs);
    const mark = { sinceMs, backupAtMs: book.takenAtMs };
    await copyMarked(options, book, mark);
    putInPlace(dir, RESTORING_FILE);
    const { rows, stored } = await verifyFolder(dir);
    return { mark, rows, tally: stored };
  } catch (error) {
    throw asStartError(dir, error);
  }
};

/** Names that belong to a store, of this version or of an earlier one. */
const STORE_FILES = /^(paythread\.db$|paythread\.db-wal$|snapshot\.json$|archive-|journal[-.])/;

const mustHaveNoStore = (dir: string): void => {
  const found = namesIn(dir).find((name) => STORE_FILES.test(name));
  if (found !== undefined)
    throw new StartError(
      `There is a store in ${dir} already (${found}). Stop Paythread, move the files ${DATABASE_FILE}* away, and keep them: only they have what was paid since the backup.`,
    );
};

const copyMarked = async (
  { from, dir, clock, log }: RestoreOptions,
  book: BackupBook,
  mark: RestoreMark,
): Promise<void> => {
  const path = emptyFile(dir, RESTORING_FILE);
  copyFileSync(pathIn(from, DATABASE_FILE), path, constants.COPYFILE_FICLONE);
  using database = new DatabaseSync(path);
  prepareDatabase(database);
  // The commit below rejects with the same error.
  const store = new SqliteStore({ database, log, onFatal: () => {} });
  const earlier = await store.get('setting', restoreMark.id);
  const change = markChange(mark, earlier, Math.max(clock.now(), book.copiedByMs));
  await store.commit(change);
  await store.close();
};
