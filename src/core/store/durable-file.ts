import { basename, dirname } from 'node:path';
import { failpoint } from '../runtime/failpoints.ts';
import type { Disk, DiskFile } from './disk.ts';
import { syncFolder } from './durable-folder.ts';

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
  failpoint('file-ready', basename(path));
  await disk.rename(besidePath, path);
  failpoint('file-renamed', basename(path));
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
