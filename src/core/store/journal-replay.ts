import { join } from 'node:path';
import { StartError } from '../runtime/errors.ts';
import type { DiskFile, Folder } from './disk.ts';
import { withFile } from './durable-file.ts';
import {
  JOURNAL_FORMAT,
  JOURNAL_START,
  type JournalEntry,
  type JournalPosition,
  LINE_OPENING,
} from './journal.ts';
import { type Line, lineAround, lineNumberAt, linesForward } from './line-reader.ts';
import { unseal } from './sealed-json.ts';
import { isSame, type Seam, seamsAmong } from './seams.ts';

/** What a reader of the journal meets: lines in order, and perhaps an end that never reached the disk whole. */
export type JournalPiece =
  | { readonly kind: 'entry'; readonly entry: JournalEntry; readonly end: JournalPosition }
  /** The process or the machine died while it was written, so it was never acknowledged. */
  | { readonly kind: 'torn'; readonly end: JournalPosition; readonly bytes: number };

export const journalFiles = async ({ disk, dir }: Folder): Promise<string[]> =>
  (await disk.readdir(dir)).filter((name) => /^journal-\d{4}-\d{2}\.ndjson$/.test(name)).sort();

/**
 * Reads the journal after a position and checks every line: its own hash, and that it follows the one
 * before, or what that was before its month was made anew. Refuses with a StartError that names file and line;
 * only lines that shared the very last flush may be torn.
 * @param known the seams that are told of before the position.
 */
export async function* readJournal(
  folder: Folder,
  after: JournalPosition = JOURNAL_START,
  known: readonly Seam[] = [],
): AsyncGenerator<JournalPiece> {
  const names = (await journalFiles(folder)).filter((name) => name >= after.file);
  const met: Seam[] = [];
  let told = known;
  let tail = after;
  for (const name of names) {
    const start = { ...tail, file: name, offset: name === after.file ? after.offset : 0 };
    const before = name === after.file || tail.seq === 0 ? undefined : tail;
    for await (const piece of readFrom(folder, start, name === names.at(-1), (prev) => {
      if (before === undefined) return false;
      met.push({ file: before.file, was: prev, is: before.hash });
      return true;
    })) {
      if (piece.kind === 'entry') told = seamsAmong(piece.entry.change.put) ?? told;
      yield piece;
      tail = piece.end;
    }
  }
  // What explains a seam comes behind it.
  mustBeTold(folder, met, told);
}

async function* readFrom(
  { disk, dir }: Folder,
  start: JournalPosition,
  newest: boolean,
  mayFollow: MayFollow,
): AsyncGenerator<JournalPiece> {
  const file = await disk.open(join(dir, start.file), 'r');
  try {
    const { size } = await file.stat();
    let end = start;
    for await (const line of linesForward(file, start.offset, size)) {
      const read = readLine(line, end, line.start === 0 ? mayFollow : never);
      if (read.ok) {
        end = { file: start.file, offset: line.end, seq: read.entry.seq, hash: read.hash };
        yield { kind: 'entry', entry: read.entry, end };
      } else if (read.torn && newest && (await wasNeverSafe(file, line, end.seq + 1))) {
        yield { kind: 'torn', end, bytes: size - line.start };
        return;
      } else {
        throw broken(dir, start.file, await lineNumberAt(file, line.start), read.why);
      }
    }
  } finally {
    await file.close();
  }
}

/**
 * Whether a torn line was never acknowledged. The system may write the pages of one flush in any order, so
 * whole lines may stand behind it; but then those shared its flush, and say so.
 */
export const wasNeverSafe = async (file: DiskFile, torn: Line, seq: number): Promise<boolean> => {
  const { size } = await file.stat();
  for await (const line of linesForward(file, torn.end, size)) {
    const read = readLine(line);
    const sharedFlush = read.ok ? firstOfFlush(read.entry) <= seq : read.torn;
    if (!sharedFlush) return false;
  }
  return true;
};

/** The first commit that was not certainly safe when this one was written. */
export const firstOfFlush = ({ seq, flushedWith = seq }: JournalEntry): number => flushedWith;

/**
 * Checks what lies behind a snapshot without reading all of it: every month links to the one before,
 * and the line the snapshot stands for is there.
 * @returns where a month follows what the one before it was earlier: the store has to know of that.
 */
export const checkBehind = async (folder: Folder, snapshot: JournalPosition): Promise<Seam[]> => {
  const met: Seam[] = [];
  const { disk, dir } = folder;
  const names = (await journalFiles(folder)).filter((name) => name <= snapshot.file);
  if (names.at(-1) !== snapshot.file && snapshot.seq > 0) throw missing(dir, snapshot.file);
  let last = JOURNAL_START;
  for (const name of names) {
    const end = name === snapshot.file ? snapshot.offset : undefined;
    last = await withFile(disk, join(dir, name), 'r', (file) =>
      checkEnds({ dir, name, file, end, met }, last),
    );
  }
  if (last.hash !== snapshot.hash || last.seq !== snapshot.seq)
    throw new StartError(
      `The snapshot in ${dir} does not belong to ${snapshot.file || 'this journal'}. ${PUT_BACK}`,
    );
  return met;
};

/** @throws {StartError} naming the first seam that nothing explains. */
export const mustBeTold = ({ dir }: Folder, met: readonly Seam[], told: readonly Seam[]): void => {
  const untold = met.find((seam) => !told.some((one) => isSame(one, seam)));
  if (untold !== undefined)
    throw new StartError(
      `The journal ${join(dir, untold.file)} cannot be trusted: what comes behind it does not follow its last line, so something is missing or was changed. ${PUT_BACK}`,
    );
};

type Part = {
  readonly dir: string;
  readonly name: string;
  readonly file: DiskFile;
  /** Looked at up to here; all of it when undefined. */
  readonly end: number | undefined;
  /** Is told where the file does not follow `before`. */
  readonly met: Seam[];
};

/** The first line must follow `before`; the last one is what the next file must follow. */
const checkEnds = async (part: Part, before: JournalPosition): Promise<JournalPosition> => {
  const { dir, name, file, met } = part;
  const { size } = await file.stat();
  const end = part.end ?? size;
  if (end > size) throw broken(dir, name, await lineNumberAt(file, size), 'the rest is missing');
  if (end === 0) return before;
  const first = await lineAround(file, 0, end);
  const last = await lineAround(file, end - 1, end);
  if (first === undefined || last === undefined)
    throw broken(dir, name, await lineNumberAt(file, end), 'it is cut short');
  const start = readLine(first, before, (prev) => {
    if (before.seq > 0) met.push({ file: before.file, was: prev, is: before.hash });
    return before.seq > 0;
  });
  if (!start.ok) throw broken(dir, name, 1, start.why);
  const stop = readLine(last);
  if (!stop.ok) throw broken(dir, name, await lineNumberAt(file, last.start), stop.why);
  return { file: name, offset: end, seq: stop.entry.seq, hash: stop.hash };
};

type ReadLine =
  | { readonly ok: true; readonly entry: JournalEntry; readonly hash: string }
  | { readonly ok: false; readonly why: string; readonly torn: boolean };

/** Whether a line may follow another one than the one before. */
type MayFollow = (prev: string) => boolean;

const never: MayFollow = () => false;

/** A line by itself, and with `before` also whether it follows the one before. */
export const readLine = (
  line: Line,
  before?: JournalPosition,
  mayFollow: MayFollow = never,
): ReadLine => {
  const unsealed = unseal(line.bytes);
  if (!line.ended && beginsLikeOurs(line.bytes)) return unusable('it is cut short', true);
  // A page that never reached the disk reads as zeros. Other damage may be to what was acknowledged.
  if (line.bytes.includes(0)) return unusable('it is cut short', true);
  if (!line.ended) return NOT_OURS;
  if (!unsealed.ok && unsealed.why === 'unreadable')
    return beginsLikeOurs(line.bytes) ? unusable('it is garbled') : NOT_OURS;
  const format = 'format' in unsealed.value ? unsealed.value.format : undefined;
  if (format === undefined) return NOT_OURS;
  if (format !== JOURNAL_FORMAT)
    return unusable(`it has format ${format}, and this Paythread knows ${JOURNAL_FORMAT}`);
  if (!unsealed.ok) return unusable('it was changed after it was written');
  // Only Paythread seals lines, so behind an intact seal everything is as it was written.
  const entry = unsealed.value as JournalEntry;
  if (before !== undefined && !follows(entry, before, mayFollow))
    return unusable(`it does not follow commit ${before.seq}, so something before it is missing`);
  return { ok: true, entry, hash: unsealed.hash };
};

const follows = (
  { seq, prev }: JournalEntry,
  before: JournalPosition,
  mayFollow: MayFollow,
): boolean => seq === before.seq + 1 && (prev === before.hash || mayFollow(prev));

const unusable = (why: string, torn = false): ReadLine => ({ ok: false, why, torn });

const NOT_OURS = unusable('it is not a line of a Paythread journal');

const beginsLikeOurs = (bytes: Buffer): boolean =>
  LINE_OPENING.startsWith(bytes.toString('latin1', 0, LINE_OPENING.length));

const PUT_BACK =
  'Nothing was changed. Put the whole data folder back from one backup, or ask for help before going on.';

const broken = (dir: string, name: string, line: number, why: string): StartError =>
  new StartError(
    `The journal ${join(dir, name)} cannot be trusted at line ${line}: ${why}. ${PUT_BACK}`,
  );

const missing = (dir: string, name: string): StartError =>
  new StartError(`The journal ${join(dir, name)} is missing. ${PUT_BACK}`);
