import { join } from 'node:path';
import type { Log } from '../log.ts';
import { withFile } from './durable-file.ts';
import type { JournalPosition } from './journal.ts';
import { checkBehind, journalFiles, readJournal } from './journal-replay.ts';
import { LiveRecords } from './live-records.ts';
import type { Snapshot } from './snapshot.ts';

export type Recovered = {
  readonly live: LiveRecords;
  /** The end of the last line that is whole. */
  readonly tail: JournalPosition;
  /** How much journal lies between the snapshot and there. */
  readonly replayedBytes: number;
};

/** Snapshot and journal's tail make the records as they were at the last commit. Nothing is changed until all was checked. */
export const recoverRecords = async (
  dir: string,
  snapshot: Snapshot,
  log: Log,
): Promise<Recovered> => {
  await checkBehind(dir, snapshot.position);
  const live = new LiveRecords();
  live.apply({ put: snapshot.records }, snapshot.position.seq);
  let tail = snapshot.position;
  let replayedBytes = 0;
  for await (const piece of readJournal(dir, snapshot.position)) {
    if (piece.kind === 'torn') {
      log.warn(
        { file: piece.end.file, bytes: piece.bytes },
        'cut off a journal line that was never acknowledged',
      );
    } else {
      // Versions were checked when it was committed; a payment changed here may be in the archive only.
      live.apply(piece.entry.change, piece.entry.seq);
      live.sweep(piece.entry.change, piece.entry.seq);
      replayedBytes +=
        piece.end.file === tail.file ? piece.end.offset - tail.offset : piece.end.offset;
    }
    tail = piece.end;
  }
  // One in which no line is whole yet is where the next line goes all the same.
  const newest = (await journalFiles(dir)).at(-1) ?? '';
  if (newest > tail.file) tail = { ...tail, file: newest, offset: 0 };
  await settleTail(dir, tail);
  return { live, tail, replayedBytes };
};

/**
 * Cuts off what is torn and flushes: after kill -9 the last lines may be in the system's memory only,
 * and from here on they count as safe.
 */
const settleTail = async (dir: string, { file: name, offset }: JournalPosition): Promise<void> => {
  if (name === '') return;
  await withFile(join(dir, name), 'r+', async (file) => {
    await file.truncate(offset);
    await file.sync();
  });
};
