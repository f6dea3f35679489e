import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../runtime/errors.ts';
import { BUSY_MS } from './checkpoints.ts';
import { examineDatabase } from './database-file.ts';
import { asStartError, DATABASE_FILE, hasDatabase, pathIn } from './store-folder.ts';

/** @throws {StartError} when there is no store of this version in the folder. */
export const mustHaveStore = (dir: string): void => {
  try {
    if (!hasDatabase(dir))
      throw new StartError(
        `There is no embedded store in ${dir}. Set DATA_DIR to the folder that has one.`,
      );
    examineDatabase(dir);
  } catch (error) {
    throw asStartError(dir, error);
  }
};

/**
 * Reads the database of a folder, whether a process works with it or not. All reads see one moment.
 * @throws {StartError} when there is no store of this version in it.
 */
export const readBeside = async <T>(
  dir: string,
  read: (database: DatabaseSync) => T | Promise<T>,
): Promise<T> => {
  mustHaveStore(dir);
  try {
    const path = pathIn(dir, DATABASE_FILE);
    using database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
    database.exec('PRAGMA trusted_schema = OFF; BEGIN');
    return await read(database);
  } catch (error) {
    throw asStartError(dir, error);
  }
};
