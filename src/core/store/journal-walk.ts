import { join } from 'node:path';
import type { Folder } from './disk.ts';
import { withFile } from './durable-file.ts';
import { JOURNAL_START, type JournalEntry } from './journal.ts';
import { journalFiles, readLine, wasNeverSafe } from './journal-replay.ts';
import { endOfLastLine, type Line, linesForward } from './line-reader.ts';
import type { Seam } from './seams.ts';

/** A line on the way through a journal that may be broken. */
export type WalkedLine = {
  /** File and line, for people. */
  readonly place: string;
  /** What is wrong with it. */
  readonly why?: string;
  /** It is the first of its month, and follows what the month before ended with earlier: wrong unless that is told. */
  readonly seam?: Seam;
  /** As far as it can be read. */
  readonly entry?: JournalEntry;
  /** Its hash, by its own content; absent when that is not what was sealed. */
  readonly hash?: string;
};

/** What the next line must follow, as far as that is known. */
type Before = {
  readonly file?: string;
  readonly seq: number | undefined;
  readonly hash: string | undefined;
};

/**
 * Goes through the whole journal, also behind what is broken, without holding the folder: a process may go
 * on writing meanwhile, and is followed to the end of its last whole line. A last line that never reached
 * the disk whole is passed over, as a start does.
 * @param onTorn is told where.
 */
export const walkJournal = async (
  folder: Folder,
  onLine: (line: WalkedLine) => void,
  onTorn: (place: string) => void,
): Promise<void> => {
  const names = await journalFiles(folder);
  let before: Before = JOURNAL_START;
  for (const name of names)
    before = await walkFile({ folder, name, isNewest: name === names.at(-1) }, before, {
      onLine,
      onTorn,
    });
};

const walkFile = (
  { folder, name, isNewest }: { folder: Folder; name: string; isNewest: boolean },
  first: Before,
  { onLine, onTorn }: { onLine: (line: WalkedLine) => void; onTorn: (place: string) => void },
): Promise<Before> =>
  withFile(folder.disk, join(folder.dir, name), 'r', async (file) => {
    const { size } = await file.stat();
    const end = await endOfLastLine(file, size);
    let before = first;
    let number = 0;
    for await (const line of linesForward(file, 0, isNewest ? end : size)) {
      const place = `${name}, line ${++number}`;
      const read = readLine(line);
      if (read.ok) {
        const { entry, hash } = read;
        const why = whyNotAfter(before, entry);
        const seam = why !== undefined && number === 1 ? seamBetween(before, entry) : undefined;
        before = { file: name, seq: entry.seq, hash };
        onLine({
          place,
          entry,
          hash,
          ...(why === undefined ? {} : { why }),
          ...(seam === undefined ? {} : { seam }),
        });
        continue;
      }
      if (read.torn && isNewest && (await wasNeverSafe(file, line, (before.seq ?? 0) + 1))) {
        onTorn(place);
        return before;
      }
      const entry = asFarAsReadable(line);
      // The next one is not to blame: it follows what was sealed here.
      before = { file: name, seq: entry?.seq ?? next(before.seq), hash: sealedAs(line) };
      onLine({ place, why: read.why, ...(entry === undefined ? {} : { entry }) });
    }
    if (isNewest && end < size) onTorn(`${name}, line ${number + 1}`);
    return before;
  });

const next = (seq: number | undefined): number | undefined =>
  seq === undefined ? undefined : seq + 1;

const whyNotAfter = (before: Before, { seq, prev }: JournalEntry): string | undefined => {
  if (before.seq !== undefined && seq !== before.seq + 1)
    return `it is commit ${seq}, and the line before is commit ${before.seq}: lines were taken away, put in or moved`;
  if (before.hash !== undefined && prev !== before.hash)
    return 'it does not follow the line before, so one of them was written again';
  return undefined;
};

/** The lines are there without a gap, and only the hash is another. */
const seamBetween = (before: Before, { seq, prev }: JournalEntry): Seam | undefined =>
  before.file !== undefined && before.hash !== undefined && before.seq === seq - 1
    ? { file: before.file, was: prev, is: before.hash }
    : undefined;

const asFarAsReadable = (line: Line): JournalEntry | undefined => {
  try {
    const value = JSON.parse(line.bytes.toString()) as Partial<JournalEntry> | null;
    const isEntry = typeof value?.seq === 'number' && typeof value.change === 'object';
    return isEntry && value.change !== null ? (value as JournalEntry) : undefined;
  } catch {
    // Then it tells nothing, and that it is broken is known.
    return undefined;
  }
};

const sealedAs = ({ bytes }: Line): string | undefined =>
  /"hash":"([0-9a-f]{64})"\}$/.exec(bytes.toString('latin1', Math.max(0, bytes.length - 100)))?.[1];
