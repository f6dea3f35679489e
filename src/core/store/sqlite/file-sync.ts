import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, renameSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const PIECE_BYTES = 1024 * 1024;

/** Flushes a file, or a folder with the names in it. Not for a database that this process has open: see `takeFolderLock`. */
export const syncPath = (path: string): void => {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Gives a whole file another name, durably: after a crash the old name or the new one is there. */
export const renameDurably = (from: string, to: string): void => {
  syncPath(from);
  renameSync(from, to);
  syncPath(dirname(to));
};

/** Flushes the names on the way to a folder, so that a power cut does not take the folder itself away. */
export const syncWayTo = (dir: string): void => {
  for (let at = resolve(dir); at !== dirname(at); at = dirname(at))
    try {
      syncPath(dirname(at));
    } catch (error) {
      // A folder that may be passed through and not read was made by another user, long ago.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['EACCES', 'EPERM'].includes(code)) throw error;
    }
};

/** SHA-256 of a file's bytes, in hex. */
export const fileDigest = (path: string): string => {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
      hash.update(piece.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
};
