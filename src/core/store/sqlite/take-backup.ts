import { dirname } from 'node:path';
import type { Clock } from '../../runtime/clock.ts';
import { StartError } from '../../runtime/errors.ts';
import type { StoreTally } from '../store-tally.ts';
import { writeBook } from './backup-book.ts';
import { newBackupFolder, unusable } from './backup-folder.ts';
import { syncPath } from './file-sync.ts';
import { makePrivateFile } from './folder-lock.ts';
import { mustHaveStore, readBeside } from './read-beside.ts';
import { DATABASE_FILE, mustNotBeMoved, pathIn } from './store-folder.ts';
import { verifyFolder } from './verify-folder.ts';

export type BackupOptions = {
  /** The store, in use or not. */
  readonly dir: string;
  /** A new folder, or an empty one. */
  readonly to: string;
  readonly clock: Clock;
};

export type Backup = {
  /** Its whole path. */
  readonly folder: string;
  readonly takenAtMs: number;
  /** Rows of the audit trail. */
  readonly rows: number;
  readonly tally: StoreTally;
};

/**
 * Copies the database of a folder while a process works with it. The copy is one moment of it, without what was
 * deleted; it is checked as `npm run audit -- verify` does, and is a backup once its book is written.
 * @throws {StartError} and nothing is left of the copy.
 */
export const takeBackup = async ({ dir, to, clock }: BackupOptions): Promise<Backup> => {
  mustHaveStore(dir);
  mustNotBeMoved(dir);
  const target = await newBackupFolder(to, dir);
  try {
    const takenAtMs = clock.now();
    const path = pathIn(target.dir, DATABASE_FILE);
    makePrivateFile(path);
    await readBeside(dir, (database) => database.exec(`COMMIT; VACUUM INTO '${quoted(path)}'`));
    const copiedByMs = clock.now();
    const { rows, stored } = await checked(target.dir);
    syncPath(path);
    writeBook(target.dir, { takenAtMs, copiedByMs });
    syncPath(dirname(target.dir));
    return { folder: target.dir, takenAtMs, rows, tally: stored };
  } catch (error) {
    await target.remove();
    throw asFailure(error, target.dir);
  }
};

const checked = async (dir: string): Promise<{ rows: number; stored: StoreTally }> => {
  const { broken, places, rows, stored } = await verifyFolder(dir);
  if (broken > 0) throw new StartError(`${places[0]}.`);
  return { rows, stored };
};

const quoted = (text: string): string => text.replaceAll("'", "''");

const asFailure = (error: unknown, to: string): unknown => {
  if (error instanceof StartError)
    return new StartError(
      `The copy did not pass its check: ${error.message} It was removed, so there is no backup.`,
      1,
      { cause: error },
    );
  return (error as NodeJS.ErrnoException).code === undefined ? error : unusable(to, error);
};
