import { join } from 'node:path';
import type { Change } from '../records/records.ts';
import { nextTurn } from '../runtime/next-turn.ts';
import { copyFlushed } from './copy-file.ts';
import type { DiskFile, Folder } from './disk.ts';
import { withFile, writeAside } from './durable-file.ts';
import { asideName } from './files-anew.ts';
import {
  fileFor,
  JOURNAL_START,
  type JournalEntry,
  type JournalPosition,
  journalLine,
} from './journal.ts';
import { journalFiles } from './journal-replay.ts';
import { endOfLastLine, type Line, lineAround, linesForward } from './line-reader.ts';
import type { Seam } from './seams.ts';
import { writeLines } from './write-lines.ts';

/** The hash that the first line of a month follows, and the one it ends with. */
type Ends = { readonly follows: string; readonly is: string };

/** A month of the journal as it stands, and as it will be. */
type Month = {
  readonly file: string;
  readonly standing: Ends;
  readonly made: Ends;
  /** Where its last line will end. */
  readonly end: JournalPosition;
  readonly isRemade: boolean;
};

/** The journal with other changes in its lines, made beside itself. */
export type JournalAnew = {
  /** Those that are made anew, oldest first. */
  readonly remade: readonly Seam[];
  /** Where months follow what the one before them was earlier, once everything is in place, */
  readonly seams: readonly Seam[];
  /** and until then. */
  readonly seamsNow: readonly Seam[];
  readonly end: JournalPosition;
};

/**
 * Makes those months anew in which `erased` changes anything; the others stay as they are, byte by byte. Whoever
 * calls it has checked the journal: what is in it is sealed anew, and so would be what somebody has changed.
 */
export const journalAnew = async (
  folder: Folder,
  erased: (change: Change) => Change,
  only: (file: string) => boolean = () => true,
): Promise<JournalAnew> => {
  const months: Month[] = [];
  let end = JOURNAL_START;
  for (const file of await journalFiles(folder)) {
    const month = only(file)
      ? await monthAnew(folder, file, end, erased)
      : await monthAsItIs(folder, file);
    if (month === undefined) continue;
    months.push(month);
    end = month.end;
  }
  const remade = months
    .filter(({ isRemade }) => isRemade)
    .map(({ file, standing, made }) => ({ file, was: standing.is, is: made.is }));
  return { remade, seams: seamsIn(months, 'made'), seamsNow: seamsIn(months, 'standing'), end };
};

const seamsIn = (months: readonly Month[], when: 'standing' | 'made'): Seam[] =>
  months.flatMap((month, at) => {
    const { is } = month[when];
    const was = months[at + 1]?.[when].follows ?? is;
    return was === is ? [] : [{ file: month.file, was, is }];
  });

/** Undefined: no line in it is whole. Somebody may be appending to it. */
const monthAsItIs = ({ disk, dir }: Folder, file: string): Promise<Month | undefined> =>
  withFile(disk, join(dir, file), 'r', async (source) => {
    const offset = await endOfLastLine(source, (await source.stat()).size);
    if (offset === 0) return undefined;
    const [first, last] = [
      await lineAround(source, 0, offset),
      await lineAround(source, offset - 1, offset),
    ].map((line) => line && entryOf(line));
    return first && last && asItIs(file, first, last, offset);
  });

const asItIs = (
  file: string,
  first: JournalEntry,
  { seq, hash }: SealedEntry,
  offset: number,
): Month => {
  const ends = { follows: first.prev, is: hash };
  return { file, standing: ends, made: ends, end: { file, offset, seq, hash }, isRemade: false };
};

/** Undefined: no line in it is whole. */
const monthAnew = (
  folder: Folder,
  file: string,
  before: JournalPosition,
  erased: (change: Change) => Change,
): Promise<Month | undefined> =>
  withFile(folder.disk, join(folder.dir, file), 'r', async (source) => {
    const { first, last, offset, isTouched } = await look(source, erased);
    if (first === undefined || last === undefined) return undefined;
    if (!isTouched) return asItIs(file, first, last, offset);
    let tail = before;
    await writeAside(folder.disk, join(folder.dir, asideName(file)), (target) =>
      writeLines(
        target,
        0,
        linesAnew(source, offset, before, erased, (end) => {
          tail = { ...end, file };
        }),
      ),
    );
    const standing = { follows: first.prev, is: last.hash };
    const made = { follows: before.hash, is: tail.hash };
    return { file, standing, made, end: tail, isRemade: true };
  });

type Content = {
  readonly first: JournalEntry | undefined;
  readonly last: SealedEntry | undefined;
  readonly offset: number;
  readonly isTouched: boolean;
};

type SealedEntry = JournalEntry & { readonly hash: string };

const look = async (source: DiskFile, erased: (change: Change) => Change): Promise<Content> => {
  const offset = await endOfLastLine(source, (await source.stat()).size);
  let first: JournalEntry | undefined;
  let last: SealedEntry | undefined;
  let isTouched = false;
  for await (const entry of entriesIn(source, offset)) {
    first ??= entry;
    last = entry;
    isTouched ||= erased(entry.change) !== entry.change;
  }
  return { first, last, offset, isTouched };
};

/** The lines of a journal that was checked. Now and then other work gets its turn: there may be very many. */
export async function* entriesIn(source: DiskFile, end: number): AsyncGenerator<SealedEntry> {
  let lines = 0;
  for await (const line of linesForward(source, 0, end)) {
    if (++lines % LINES_A_TURN === 0) await nextTurn();
    yield entryOf(line);
  }
}

const LINES_A_TURN = 50;

const entryOf = ({ bytes }: Line): SealedEntry => JSON.parse(bytes.toString()) as SealedEntry;

/** What is parsed and written again comes out as it was, because it was written so in the first place. */
async function* linesAnew(
  source: DiskFile,
  end: number,
  before: JournalPosition,
  erased: (change: Change) => Change,
  onEnd: (end: Pick<JournalPosition, 'seq' | 'hash' | 'offset'>) => void,
): AsyncGenerator<Buffer> {
  let prev = before.hash;
  let offset = 0;
  for await (const entry of entriesIn(source, end)) {
    const change = JSON.stringify(erased(entry.change));
    const { bytes, hash } = journalLine({ ...entry, prev, change });
    prev = hash;
    offset += bytes.length;
    onEnd({ seq: entry.seq, hash, offset });
    yield bytes;
  }
}

/** Appends commits to the last month, as it was made anew or to a copy of it; or in a new one. */
export const appendedAside = async (
  folder: Folder,
  { end, remade }: JournalAnew,
  changes: readonly Change[],
  atMs: number,
): Promise<JournalPosition> => {
  const file = fileFor(atMs, end.file);
  const paths = { from: join(folder.dir, file), to: join(folder.dir, asideName(file)) };
  const start = file === end.file ? end.offset : 0;
  if (start === 0) await writeAside(folder.disk, paths.to, async () => {});
  else if (remade.at(-1)?.file !== file) {
    await folder.disk.rm(paths.to);
    await copyFlushed(folder.disk, paths);
  }
  let tail = { ...end, file, offset: start };
  const lines = changes.map((change) => {
    const { seq, hash: prev } = { seq: tail.seq + 1, hash: tail.hash };
    const { bytes, hash } = journalLine({ seq, atMs, prev, change: JSON.stringify(change) });
    tail = { file, offset: tail.offset + bytes.length, seq, hash };
    return bytes;
  });
  await withFile(folder.disk, paths.to, 'r+', async (target) => {
    await writeLines(target, start, lines);
    await target.sync();
  });
  return tail;
};
