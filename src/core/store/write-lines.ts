import type { DiskFile } from './disk.ts';
import { writeFully } from './durable-file.ts';

const PIECE_BYTES = 256 * 1024;

/** Writes lines in larger pieces, and returns where they end. */
export const writeLines = async (
  file: DiskFile,
  start: number,
  lines: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<number> => {
  let end = start;
  let piece: Buffer[] = [];
  let bytes = 0;
  const write = async () => {
    end = await writeFully(file, Buffer.concat(piece), end);
    piece = [];
    bytes = 0;
  };
  for await (const line of lines) {
    piece.push(line);
    bytes += line.length;
    if (bytes >= PIECE_BYTES) await write();
  }
  await write();
  return end;
};
