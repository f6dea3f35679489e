import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EX_CONFIG, StartError } from '../errors.ts';
import { replaceFile } from './durable-file.ts';

/** Says that the folder's store goes on elsewhere. */
const MOVED_MARK = 'moved-to-postgresql.txt';

const TEXT = `The payments of this folder were moved to PostgreSQL and go on there. Paythread does not start from here
any more: two programs that go on with the same payments could charge twice. The folder is a backup now.
`;

export const markAsMoved = (dir: string): Promise<void> =>
  replaceFile(join(dir, MOVED_MARK), (file) => writeFile(file, TEXT));

const isMarkedAsMoved = (dir: string): Promise<boolean> =>
  access(join(dir, MOVED_MARK)).then(
    () => true,
    () => false,
  );

/** @throws {StartError} */
export const mustNotBeMoved = async (dir: string): Promise<void> => {
  if (await isMarkedAsMoved(dir))
    throw new StartError(
      `The payments in ${dir} were moved to PostgreSQL and go on there. Set DATABASE_URL, or set DATA_DIR to another folder.`,
      EX_CONFIG,
    );
};
