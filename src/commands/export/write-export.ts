import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Lines } from './export-lines.ts';

/** How many payments are in a file, and the digest of its bytes in hexadecimal. */
export type Written = { readonly rows: number; readonly sha256: string };

/** Writes pieces to a new file that only this user may read; each is on its way to the disk before the next is made. */
export const writeExport = async (
  path: string,
  pieces: AsyncIterable<Lines>,
  onPiece: (rows: number) => Promise<void>,
): Promise<Written> => {
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  let rows = 0;
  try {
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece.text);
      hash.update(bytes);
      await file.appendFile(bytes);
      rows = piece.rows;
      await onPiece(rows);
    }
  } finally {
    await file.close();
  }
  return { rows, sha256: hash.digest('hex') };
};
