import { basename, dirname, resolve } from 'node:path';
import { moment } from '../moments.ts';
import type { Disk, DiskFile } from './disk.ts';

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
  await withFile(disk, dir, 'r', (folder) => folder.sync());
};

/** A new, empty file that is still there after a power cut. Rejects when the name is taken. */
export const createFile = async (disk: Disk, path: string): Promise<DiskFile> => {
  const file = await disk.open(path, 'wx+');
  try {
    await file.sync();
    await syncFolder(disk, dirname(path));
    return file;
  } catch (error) {
    await file.close();
    // After a failed flush the name counts as safe and is not; the next start makes it anew.
    await disk.rm(path).catch(() => {});
    throw error;
  }
};

/** Old content or new content, never a mixture and never nothing: written beside, flushed, renamed. */
export const replaceFile = async <T>(
  disk: Disk,
  path: string,
  write: (file: DiskFile) => Promise<T>,
): Promise<T> => {
  const besidePath = `${path}.tmp`;
  const written = await writeAside(disk, besidePath, write);
  moment('file-ready', basename(path));
  await disk.rename(besidePath, path);
  moment('file-renamed', basename(path));
  await syncFolder(disk, dirname(path));
  return written;
};

/** Makes a file, flushed, but for its name; one that stood there is gone. */
export const writeAside = async <T>(
  disk: Disk,
  path: string,
  write: (file: DiskFile) => Promise<T>,
): Promise<T> => {
  await disk.rm(path);
  const file = await disk.open(path, 'wx+');
  try {
    const written = await write(file);
    await file.sync();
    return written;
  } finally {
    await file.close();
  }
};

/** Opens a file for as long as `use` takes. */
export const withFile = async <T>(
  disk: Disk,
  path: string,
  flags: 'r' | 'r+',
  use: (file: DiskFile) => Promise<T>,
): Promise<T> => {
  const file = await disk.open(path, flags);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
};

/** Writes all of it and returns where it ends; the system may take less at a time than it is given. */
export const writeFully = async (
  file: DiskFile,
  bytes: Buffer,
  position: number,
): Promise<number> => {
  for (let done = 0; done < bytes.length; ) {
    const left = bytes.length - done;
    const { bytesWritten } = await file.write(bytes, done, left, position + done);
    if (bytesWritten === 0) throw new Error('The disk took nothing of what was written.');
    done += bytesWritten;
  }
  return position + bytes.length;
};

/** Reads exactly `length` bytes. */
export const readFully = async (
  file: DiskFile,
  position: number,
  length: number,
): Promise<Buffer> => {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) throw new Error('The file is shorter than it was a moment ago.');
    done += bytesRead;
  }
  return bytes;
};
