import { join } from 'node:path';
import { EX_CONFIG, StartError } from '../runtime/errors.ts';
import type { Folder } from './disk.ts';
import { replaceFile, writeFully } from './durable-file.ts';

/** Says that the folder's store goes on elsewhere. */
const MOVED_MARK = 'moved-to-postgresql.txt';

const TEXT = `The payments of this folder were moved to PostgreSQL and go on there. Paythread does not start from here
any more: two programs that go on with the same payments could charge twice. The folder is a backup now.
`;

export const markAsMoved = async ({ disk, dir }: Folder): Promise<void> => {
  await replaceFile(disk, join(dir, MOVED_MARK), (file) => writeFully(file, Buffer.from(TEXT), 0));
};

/** Only a mark that is certainly not there is none: an error is no answer. */
export const isMarkedAsMoved = ({ disk, dir }: Folder): boolean =>
  disk.statSync(join(dir, MOVED_MARK)) !== undefined;

/** @throws {StartError} */
export const mustNotBeMoved = async (folder: Folder): Promise<void> => {
  if (isMarkedAsMoved(folder))
    throw new StartError(
      `The payments in ${folder.dir} were moved to PostgreSQL and go on there. Set DATABASE_URL, or set DATA_DIR to another folder.`,
      EX_CONFIG,
    );
};
