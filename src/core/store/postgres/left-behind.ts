import { EX_CONFIG, StartError } from '../../runtime/errors.ts';
import { readBeside } from '../sqlite/read-beside.ts';
import { hasDatabase, isMarkedAsMoved } from '../sqlite/store-folder.ts';

/**
 * With DATABASE_URL set and the folder not moved, the open payments of the folder are not served, and when
 * it is noticed the database is not empty any more.
 * @throws {StartError} with exit code 78 when the folder has an embedded store that was not moved.
 */
export const mustNotBeLeftBehind = async (dir: string): Promise<void> => {
  if (!(await isLeftBehind(dir))) return;
  throw new StartError(
    `The embedded store in ${dir} was not moved to the database of DATABASE_URL. Run "npm run migrate-store" to move it, or set DATA_DIR to another folder if you do not need its payments.`,
    EX_CONFIG,
  );
};

const isLeftBehind = async (dir: string): Promise<boolean> => {
  try {
    return !isMarkedAsMoved(dir) && (await hasRecords(dir));
  } catch (error) {
    // A path that is no folder, or cannot be looked into, is not what Paythread worked with before.
    if (error instanceof StartError || (error as NodeJS.ErrnoException).code !== undefined)
      return false;
    throw error;
  }
};

const hasRecords = async (dir: string): Promise<boolean> =>
  hasDatabase(dir) &&
  readBeside(dir, (database) => database.prepare(ANY_RECORD).get() !== undefined);

const ANY_RECORD = 'SELECT 1 FROM payments UNION ALL SELECT 1 FROM records LIMIT 1';
