import { StartError } from '../runtime/errors.ts';

/** What the system said about a folder, in a sentence for people; any other error as it is. */
export const asStartError = (dir: string, error: unknown): unknown => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof StartError || code === undefined) return error;
  const [why, whatHelps] = KNOWN[code] ?? [message, RIGHTS];
  return new StartError(
    `The data folder ${dir} cannot be used: ${why}. ${whatHelps}, or set DATA_DIR to another folder.`,
    1,
    { cause: error },
  );
};

const RIGHTS = 'Make it readable and writable for the user Paythread runs as';
const ROOM = 'Make room there';

const KNOWN: Readonly<Record<string, readonly [why: string, whatHelps: string]>> = {
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
