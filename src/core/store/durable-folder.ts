import { dirname, resolve } from 'node:path';
import type { Disk } from './disk.ts';

/**
 * Makes a folder, and those above it, that are still there after a power cut. Those that are there already
 * may have been made a moment ago, by a process that died before it flushed, so all are flushed.
 */
export const makeFolder = async (disk: Disk, dir: string): Promise<void> => {
  const path = resolve(dir);
  // The system says best what is wrong with the way there.
  await disk.stat(path).catch(unlessMissing);
  for (const at of pathsTo(path)) await makeOne(disk, at);
};

const unlessMissing = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') throw error;
};

/** Not with the root, which nobody makes. */
const pathsTo = (path: string): string[] =>
  path === dirname(path) ? [] : [...pathsTo(dirname(path)), path];

/**
 * After a failed flush the name counts as safe and is not, so it is made anew: by the next start, if this
 * process dies before it can, which knows that by the mark beside it. Who made the folder does not matter:
 * it may have been an earlier start, that died before its flush. What is not empty was flushed before.
 */
const makeOne = async (disk: Disk, path: string): Promise<void> => {
  const mark = `${path}.not-flushed`;
  await disk.mkdir(path);
  const isEmpty = await holdsNothing(disk, path);
  if (isEmpty && !(await isNew(disk, mark))) {
    await disk.rmdir(path).catch(unlessInUse);
    await disk.mkdir(path);
  }
  try {
    await syncFolder(disk, dirname(path)).catch(unlessNotOurs);
  } catch (error) {
    if (isEmpty) await removeBoth(disk, path, mark);
    throw error;
  }
  if (isEmpty) await disk.rm(mark);
};

/** The mark goes last: it stands for the folder. */
const removeBoth = async (disk: Disk, path: string, mark: string): Promise<void> => {
  try {
    await disk.rmdir(path);
    await disk.rm(mark);
  } catch {
    // The next start finds the mark.
  }
};

/** Of a folder that may be passed through and not read, nothing needs to be known. */
const holdsNothing = async (disk: Disk, path: string): Promise<boolean> => {
  try {
    return (await disk.readdir(path)).length === 0;
  } catch (error) {
    unlessNotOurs(error as NodeJS.ErrnoException);
    return false;
  }
};

/** Makes a mark; false: it was there. In a folder that is not ours to write nobody needs one. */
const isNew = async (disk: Disk, mark: string): Promise<boolean> => {
  try {
    await (await disk.open(mark, 'wx+')).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    unlessNotOurs(error as NodeJS.ErrnoException);
    return true;
  }
};

/** Somebody else is at work in it, or it is a disk of its own; or it is gone. */
const unlessInUse = (error: NodeJS.ErrnoException): void => {
  if (!['ENOTEMPTY', 'EEXIST', 'EBUSY', 'ENOENT'].includes(error.code ?? '')) unlessNotOurs(error);
};

/** What cannot be read, or knows no flush, was not made by us; whoever made it has seen to it. */
const unlessNotOurs = (error: NodeJS.ErrnoException): void => {
  if (!NOT_OURS.includes(error.code ?? '')) throw error;
};

const NOT_OURS = ['EACCES', 'EPERM', 'EROFS', 'EINVAL', 'ENOSYS', 'ENOTSUP'];

/** Names in a folder, new ones and others gone, are safe only once it is flushed as well. */
export const syncFolder = async (disk: Disk, dir: string): Promise<void> => {
  // Windows does not open folders; there the file system keeps names safe by itself.
  if (process.platform === 'win32') return;
  const folder = await disk.open(dir, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
