import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The files name customers and their numbers, so they are for the owner alone. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** A new file's name is safe only once its folder is flushed as well. */
const syncFolder = async (dir: string): Promise<void> => {
  // Windows does not open folders; there the file system keeps names safe by itself.
  if (process.platform === 'win32') return;
  await withFile(dir, 'r', (folder) => folder.sync());
};

/** A new, empty file that is still there after a power cut. Rejects when the name is taken. */
export const createFile = async (path: string): Promise<FileHandle> => {
  const file = await open(path, 'wx+', FILE_MODE);
  try {
    await file.sync();
    await syncFolder(dirname(path));
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** Old content or new content, never a mixture and never nothing: written beside, flushed, renamed. */
export const replaceFile = async (
  path: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> => {
  const besidePath = `${path}.tmp`;
  await rm(besidePath, { force: true });
  const file = await open(besidePath, 'wx+', FILE_MODE);
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(besidePath, path);
  await syncFolder(dirname(path));
};

/** Opens a file for as long as `use` takes. */
export const withFile = async <T>(
  path: string,
  flags: 'r' | 'r+',
  use: (file: FileHandle) => Promise<T>,
): Promise<T> => {
  const file = await open(path, flags);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
};

/** Writes all of it and returns where it ends; the system may take less at a time than it is given. */
export const writeFully = async (
  file: FileHandle,
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
  file: FileHandle,
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
