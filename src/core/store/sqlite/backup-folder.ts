import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { EX_CONFIG, StartError } from '../../runtime/errors.ts';

/** A folder for a backup, and the way to leave everything as it was before. */
export type NewFolder = { readonly dir: string; readonly remove: () => Promise<void> };

/**
 * Makes a new folder, or takes an empty one.
 * @throws {StartError} when something is in it, or when it is inside the store's own folder.
 */
export const newBackupFolder = async (to: string, storeDir: string): Promise<NewFolder> => {
  const dir = resolve(to);
  await mustBeOutside(dir, storeDir);
  const there = await namesIn(dir);
  if (there !== undefined && there.length > 0)
    throw new StartError(
      `The folder ${dir} is not empty. Name a new one for each backup, such as ${dir}-2.`,
      EX_CONFIG,
    );
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(dir, error);
  }
  return {
    dir,
    remove:
      there === undefined ? () => rm(dir, { recursive: true, force: true }) : () => emptied(dir),
  };
};

/** What the system said about the folder, in a sentence for people. */
export const unusable = (dir: string, error: unknown): StartError => {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = WHY_UNUSABLE[code ?? ''] ?? message;
  return new StartError(`The backup cannot be written to ${dir}: ${why}. There is no backup.`, 1, {
    cause: error,
  });
};

const WHY_UNUSABLE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EFBIG: 'a file would be larger than is allowed there',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a read-only disk',
};

/** A backup inside the data folder would be lost together with it. */
const mustBeOutside = async (dir: string, storeDir: string): Promise<void> => {
  const way = relative(await realpath(storeDir), await realPathOf(dir));
  if (way === '..' || way.startsWith(`..${sep}`)) return;
  throw new StartError(
    `The folder ${dir} is in the data folder ${storeDir} and would be lost together with it. Name one elsewhere, best on another disk.`,
    EX_CONFIG,
  );
};

/** Also of a folder that is not there yet. */
const realPathOf = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing || dirname(path) === path) throw error;
    return join(await realPathOf(dirname(path)), basename(path));
  }
};

/** Undefined: it is not there. */
const namesIn = async (dir: string): Promise<string[] | undefined> => {
  try {
    return await readdir(dir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ENOTDIR') throw new StartError(`${dir} is not a folder.`, EX_CONFIG);
    throw unusable(dir, error);
  }
};

const emptied = async (dir: string): Promise<void> => {
  for (const name of await readdir(dir))
    await rm(join(dir, name), { recursive: true, force: true });
};
