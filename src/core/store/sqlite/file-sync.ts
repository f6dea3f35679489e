import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

const PIECE_BYTES = 1024 * 1024;

/** Flushes a file, or a folder with the names in it. Not for a database that this process has open: see `FolderLock`. */
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
