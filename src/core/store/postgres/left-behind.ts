import { EX_CONFIG, StartError } from '../../runtime/errors.ts';
import { type Folder, systemDisk } from '../disk.ts';
import { journalFiles } from '../journal-replay.ts';
import { isMarkedAsMoved } from '../moved-mark.ts';

/**
 * Whoever sets DATABASE_URL and forgets to move leaves the open payments of the folder to nobody, and when
 * it is noticed the database is not empty any more.
 * @throws {StartError} with exit code 78 when the folder has an embedded store that was not moved.
 */
export const mustNotBeLeftBehind = async (dir: string): Promise<void> => {
  const folder = { disk: systemDisk, dir };
  if (!(await hasJournal(folder)) || isMarkedAsMoved(folder)) return;
  throw new StartError(
    `The embedded store in ${dir} was not moved to the database of DATABASE_URL. Run "npm run migrate-store" to move it, or set DATA_DIR to another folder if nobody needs its payments.`,
    EX_CONFIG,
  );
};

/** A folder that is not there, or cannot be looked into, is not what Paythread worked with before. */
const hasJournal = (folder: Folder): Promise<boolean> =>
  journalFiles(folder).then(
    (files) => files.length > 0,
    () => false,
  );
