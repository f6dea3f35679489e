import { readdirSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EX_CONFIG, StartError } from '../../runtime/errors.ts';
import { renameDurably } from './file-sync.ts';

/** The database of the embedded store, in DATA_DIR. */
export const DATABASE_FILE = 'paythread.db';
/** A database that is being made. It is renamed when it is whole, so an interrupted start leaves no half of one. */
export const UNFINISHED_FILE = 'paythread.db.unfinished';
/** A backup that is being brought back. While it is there, nothing starts. */
export const RESTORING_FILE = 'paythread.db.restoring';
/** Says that the store goes on in PostgreSQL. */
const MOVED_FILE = 'moved-to-postgresql.txt';

/** The stores of 0.5 and 0.6, and what they left while they were at work. */
const OLD_STORE = /^(journal[-.]|archive-|snapshot\.json|restore\.json)/;

/** Types that `statfs` gives for file systems of other machines, where locks cannot be relied on. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x47504653, 'GPFS'],
  [0x013661bf, 'OCFS2'],
  [0x0bd00bd0, 'Lustre'],
]);

export const pathIn = (dir: string, file: string): string => join(dir, file);

/** The names in a folder; none when it is not there. */
export const namesIn = (dir: string): string[] => {
  try {
    return readdirSync(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

/**
 * Whether there is a database. Looks at names and sizes only, so that a refusal has changed nothing and no lock of
 * SQLite was touched.
 * @throws {StartError} when what is there is no whole store of this version.
 */
export const hasDatabase = (dir: string): boolean => {
  const names = namesIn(dir);
  const old = names.find((name) => OLD_STORE.test(name));
  if (old !== undefined)
    throw refusal(
      `The data folder ${dir} has the store of Paythread 0.5 or 0.6 (${old}), which this version does not read. Start that version on it, or set DATA_DIR to another folder.`,
    );
  if (names.some((name) => name.startsWith(RESTORING_FILE)))
    throw new StartError(
      `A restore into ${dir} was cut off, so the store there is not whole. Run "npm run restore" once more, with the same backup.`,
    );
  const isThere = names.includes(DATABASE_FILE);
  if (!isThere && names.includes(`${DATABASE_FILE}-wal`))
    throw new StartError(
      `The data folder ${dir} has the log of a database (${DATABASE_FILE}-wal) and not the database ${DATABASE_FILE} itself. Put both back from where they are, or a backup with "npm run restore".`,
    );
  if (isThere && statSync(pathIn(dir, DATABASE_FILE)).size === 0)
    throw new StartError(
      `${pathIn(dir, DATABASE_FILE)} is empty, which no database of Paythread ever is. Put the right file there, or take this one away if there was none before.`,
    );
  return isThere;
};

export const isMarkedAsMoved = (dir: string): boolean => namesIn(dir).includes(MOVED_FILE);

/** @throws {StartError} */
export const mustNotBeMoved = (dir: string): void => {
  if (isMarkedAsMoved(dir))
    throw refusal(
      `The payments in ${dir} were moved to PostgreSQL and continue there. Set DATABASE_URL, or set DATA_DIR to another folder.`,
    );
};

/** @throws {StartError} on a file system that another machine serves: its locks do not keep a second process out. */
export const mustBeLocalDisk = (dir: string): void => {
  const name = NETWORK_TYPES.get(statfsSync(dir).type);
  if (name !== undefined)
    throw refusal(
      `The data folder ${dir} is on a network file system (${name}), where two processes could write at the same time. Set DATA_DIR to a folder on a disk of this machine, or use PostgreSQL with DATABASE_URL.`,
    );
};

const refusal = (message: string): StartError => new StartError(message, EX_CONFIG);

const MOVED_TEXT = `The payments of this folder were moved to PostgreSQL and continue there. Paythread does not start from here
any more: two programs that work on the same payments could charge twice. The folder is a backup now.
`;

/** From here on no embedded store starts in the folder. */
export const markAsMoved = (dir: string): void => {
  const path = pathIn(dir, MOVED_FILE);
  writeFileSync(`${path}.tmp`, MOVED_TEXT, { mode: 0o600 });
  renameDurably(`${path}.tmp`, path);
};

/** What the system said about a folder, in a sentence for people; any other error as it is. */
export const asStartError = (dir: string, error: unknown): unknown => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof StartError || code === undefined) return error;
  const [why, whatHelps] = WHY_UNUSABLE[code] ?? [message, RIGHTS];
  return new StartError(
    `The data folder ${dir} cannot be used: ${why}. ${whatHelps}, or set DATA_DIR to another folder.`,
    1,
    { cause: error },
  );
};

const RIGHTS = 'Make it readable and writable for the user Paythread runs as';
const ROOM = 'Make room there';

const WHY_UNUSABLE: Readonly<Record<string, readonly [why: string, whatHelps: string]>> = {
  EACCES: ['permission denied', RIGHTS],
  EPERM: ['permission denied', RIGHTS],
  EROFS: ['it is on a read-only disk', RIGHTS],
  ENOTDIR: ['something in its path is not a folder', RIGHTS],
  EEXIST: ['it is not a folder', RIGHTS],
  ENOSPC: ['the disk is full', ROOM],
  EDQUOT: ['the disk is full for this user', ROOM],
  EFBIG: ['its files may not grow any more', 'Raise the limit for the size of files (ulimit -f)'],
  EIO: ['the disk reports errors', 'Replace the disk, and put the folder back from a backup'],
  EMFILE: ['this process may not open more files', 'Raise its limit (ulimit -n)'],
  ENFILE: ['the system may not open more files', 'Raise its limit'],
};
