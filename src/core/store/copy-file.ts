import type { Disk, DiskFile } from './disk.ts';
import { withFile, writeFully } from './durable-file.ts';
import { endOfLastLine } from './line-reader.ts';

const PIECE_BYTES = 1024 * 1024;

type Paths = { readonly from: string; readonly to: string };

/** Copies a file as it stands at this moment into a new one, and flushes that. */
export const copyFlushed = (disk: Disk, paths: Paths): Promise<void> =>
  withBoth(disk, paths, async (source, target) => {
    await copyRest(source, target, 0);
    await target.sync();
  });

/**
 * Copies a journal that may grow meanwhile, up to a whole line. A file behind which another one has begun is
 * complete; that is asked once its end was reached, and what came before the other began is copied as well.
 */
export const copyJournal = (
  disk: Disk,
  paths: Paths,
  isFollowed: () => Promise<boolean>,
): Promise<void> =>
  withBoth(disk, paths, async (source, target) => {
    let end = await copyRest(source, target, 0);
    if (await isFollowed()) end = await copyRest(source, target, end);
    await target.truncate(await endOfLastLine(target, end));
    await target.sync();
  });

const withBoth = (
  disk: Disk,
  { from, to }: Paths,
  use: (source: DiskFile, target: DiskFile) => Promise<void>,
): Promise<void> =>
  withFile(disk, from, 'r', async (source) => {
    const target = await disk.open(to, 'wx+');
    try {
      await use(source, target);
    } finally {
      await target.close();
    }
  });

/** Returns where the copy ends. */
const copyRest = async (source: DiskFile, target: DiskFile, start: number): Promise<number> => {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = start; ; ) {
    const { bytesRead } = await source.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return at;
    at = await writeFully(target, piece.subarray(0, bytesRead), at);
  }
};
