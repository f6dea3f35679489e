import { StartError } from '../errors.ts';

/** What the system said about a folder, in a sentence for people; any other error as it is. */
export const asStartError = (dir: string, error: unknown): unknown => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof StartError || code === undefined) return error;
  const why = WHY_UNUSABLE[code] ?? message;
  return new StartError(
    `The data folder ${dir} cannot be used: ${why}. Make it readable and writable for the user Paythread runs as, or set DATA_DIR to another folder.`,
    1,
    { cause: error },
  );
};

const WHY_UNUSABLE: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a read-only disk',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'something in its path is not a folder',
  EEXIST: 'it is not a folder',
};
