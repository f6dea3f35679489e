import { join } from 'node:path';
import { failpoint } from '../runtime/failpoints.ts';
import type { Log } from '../runtime/log.ts';
import type { Folder } from './disk.ts';
import { readFully, withFile, writeFully } from './durable-file.ts';
import { syncFolder } from './durable-folder.ts';
import type { JournalPosition } from './journal.ts';
import {
  checkBehind,
  firstOfFlush,
  journalFiles,
  mustBeTold,
  readJournal,
} from './journal-replay.ts';
import { LiveRecords } from './live-records.ts';
import { seamsAmong } from './seams.ts';
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
  folder: Folder,
  snapshot: Snapshot,
  log: Log,
): Promise<Recovered> => {
  const met = await checkBehind(folder, snapshot.position);
  let told = seamsAmong(snapshot.records) ?? [];
  const live = new LiveRecords();
  live.apply({ put: snapshot.records }, snapshot.position.seq);
  let tail = snapshot.position;
  let replayedBytes = 0;
  /** Where the lines of the last flush begin. */
  let unsureFrom = tail.offset;
  for await (const piece of readJournal(folder, snapshot.position, told)) {
    if (piece.kind === 'torn') {
      log.warn(
        { file: piece.end.file, bytes: piece.bytes },
        'cut off the end of the journal, which was never acknowledged',
      );
    } else {
      told = seamsAmong(piece.entry.change.put) ?? told;
      // Versions were checked when it was committed; a payment changed here may be in the archive only.
      live.apply(piece.entry.change, piece.entry.seq);
      live.sweep(piece.entry.change, piece.entry.seq);
      const start = piece.end.file === tail.file ? tail.offset : 0;
      replayedBytes += piece.end.offset - start;
      if (start === 0 || firstOfFlush(piece.entry) === piece.entry.seq) unsureFrom = start;
    }
    tail = piece.end;
  }
  mustBeTold(folder, met, told);
  // One in which no line is whole yet is where the next line goes all the same.
  const newest = (await journalFiles(folder)).at(-1) ?? '';
  if (newest > tail.file) tail = { ...tail, file: newest, offset: 0 };
  failpoint('journal-replayed');
  await settleTail(folder, tail, Math.min(unsureFrom, tail.offset));
  return { live, tail, replayedBytes };
};

/**
 * Cuts off what is torn and makes the rest safe, because from here on it counts as that: after kill -9 the
 * last lines, and the file's very name, may be in the system's memory only. The lines of the last flush are
 * written anew: if that flush had failed, the system would take them for safe and flush nothing.
 */
const settleTail = async (
  { disk, dir }: Folder,
  { file: name, offset }: JournalPosition,
  unsureFrom: number,
): Promise<void> => {
  if (name === '') return;
  await withFile(disk, join(dir, name), 'r+', async (file) => {
    await file.truncate(offset);
    await writeFully(file, await readFully(file, unsureFrom, offset - unsureFrom), unsureFrom);
    await file.sync();
  });
  await syncFolder(disk, dir);
};
