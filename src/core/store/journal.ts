import { join } from 'node:path';
import type { Change } from '../records/records.ts';
import { failpoint } from '../runtime/failpoints.ts';
import { nextTurn } from '../runtime/next-turn.ts';
import type { Disk, DiskFile, Folder } from './disk.ts';
import { createFile, writeFully } from './durable-file.ts';
import { seal } from './sealed-json.ts';

export const JOURNAL_FORMAT = 1;

/** One line of the journal: a commit, whole, and the hash of the line before it. */
export type JournalEntry = {
  readonly format: typeof JOURNAL_FORMAT;
  /** 1 for the first commit ever, then without a gap, across files. */
  readonly seq: number;
  readonly atMs: number;
  readonly prev: string;
  /**
   * The first of the commits that shared a flush with this one; absent: this one. Whatever came before it
   * was safe already when this line was written.
   */
  readonly flushedWith?: number;
  readonly change: Change;
};

/** The end of a line: what a snapshot stands for, and what the next line follows. */
export type JournalPosition = {
  readonly file: string;
  readonly offset: number;
  readonly seq: number;
  readonly hash: string;
};

/** Before the first line. */
export const JOURNAL_START: JournalPosition = {
  file: '',
  offset: 0,
  seq: 0,
  hash: '0'.repeat(64),
};

/** How every line begins; a torn one still begins with some of it. */
export const LINE_OPENING = `{"format":${JOURNAL_FORMAT},"seq":`;

const DAY_MS = 24 * 3_600_000;
let lastMonth = { day: Number.NaN, month: '' };

/** One file a month, in UTC; their names sort by time. The last day's answer is kept: every commit asks. */
export const monthOf = (atMs: number): string => {
  const day = Math.floor(atMs / DAY_MS);
  if (day !== lastMonth.day) lastMonth = { day, month: new Date(atMs).toISOString().slice(0, 7) };
  return lastMonth.month;
};

type Batch = {
  readonly lines: { readonly file: string; readonly start: number; readonly bytes: Buffer }[];
  readonly firstSeq: number;
  lastSeq: number;
  readonly done: PromiseWithResolvers<void>;
};

/**
 * Appends commits to the journal. One flush is in flight at a time; whatever is appended meanwhile
 * shares the next one. After a failed write nothing is tried again, because the system may have
 * dropped the pages it could not write and would report success: `onFatal` has to end the process.
 */
export class Journal {
  readonly #disk: Disk;
  readonly #dir: string;
  readonly #mayWrite: () => void;
  readonly #onFatal: (error: Error) => void;
  #file: { readonly name: string; readonly handle: DiskFile } | undefined;
  #tail: JournalPosition;
  #durableSeq: number;
  #waiting: Batch | undefined;
  #inFlight: Batch | undefined;
  #writing: Promise<void> | undefined;
  #appendedBytes = 0;
  #failure: Error | undefined;

  private constructor(options: JournalOptions, file: DiskFile | undefined) {
    this.#disk = options.disk;
    this.#dir = options.dir;
    this.#mayWrite = options.mayWrite;
    this.#onFatal = options.onFatal;
    this.#tail = options.tail;
    this.#durableSeq = options.tail.seq;
    this.#file = file && { name: options.tail.file, handle: file };
  }

  static async open(options: JournalOptions): Promise<Journal> {
    const { disk, dir, tail } = options;
    const file = tail.file === '' ? undefined : await disk.open(join(dir, tail.file), 'r+');
    return new Journal(options, file);
  }

  /** Where the last appended line ends, flushed or not. */
  get tail(): JournalPosition {
    return this.#tail;
  }

  /** How much was appended since it was opened. */
  get appendedBytes(): number {
    return this.#appendedBytes;
  }

  /** Takes one commit as JSON and returns its number; `whenDurable` says when it is safe. */
  append(change: string, atMs: number): number {
    if (this.#failure !== undefined) throw this.#failure;
    const before = this.#tail;
    const seq = before.seq + 1;
    this.#waiting ??= newBatch(seq);
    const batch = this.#waiting;
    const { bytes, hash } = journalLine({
      seq,
      atMs,
      prev: before.hash,
      ...(batch.firstSeq === seq ? {} : { flushedWith: batch.firstSeq }),
      change,
    });
    const file = fileFor(atMs, before.file);
    const start = file === before.file ? before.offset : 0;
    this.#tail = { file, offset: start + bytes.length, seq, hash };
    this.#appendedBytes += bytes.length;
    batch.lines.push({ file, start, bytes });
    batch.lastSeq = seq;
    this.#writing ??= this.#writeBatches();
    return seq;
  }

  /** Resolves once the line is safe from a power cut; rejects if it never will be. */
  whenDurable(seq: number): Promise<void> {
    if (seq <= this.#durableSeq) return Promise.resolve();
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const inFlight = this.#inFlight !== undefined && seq <= this.#inFlight.lastSeq;
    const batch = inFlight ? this.#inFlight : this.#waiting;
    return batch?.done.promise ?? Promise.reject(new Error(`Line ${seq} was never appended.`));
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file?.handle.close();
  }

  async #writeBatches(): Promise<void> {
    // Commits made in the same turn of the event loop share the first flush as well.
    await nextTurn();
    for (let batch = this.#takeWaiting(); batch !== undefined; batch = this.#takeWaiting()) {
      try {
        for (const [name, lines] of Map.groupBy(batch.lines, (line) => line.file))
          await this.#write(name, lines);
      } catch (error) {
        this.#fail(error, batch);
        break;
      }
      this.#durableSeq = batch.lastSeq;
      batch.done.resolve();
      await nextTurn();
    }
    this.#writing = undefined;
  }

  #takeWaiting(): Batch | undefined {
    this.#inFlight = this.#waiting;
    this.#waiting = undefined;
    return this.#inFlight;
  }

  async #write(name: string, lines: Batch['lines']): Promise<void> {
    const file = await this.#fileNamed(name);
    this.#mayWrite();
    failpoint('commit-begun');
    await writeFully(file, Buffer.concat(lines.map((line) => line.bytes)), lines[0]?.start ?? 0);
    failpoint('commit-written');
    await file.datasync();
    failpoint('commit-flushed');
  }

  async #fileNamed(name: string): Promise<DiskFile> {
    if (this.#file?.name === name) return this.#file.handle;
    const handle = await createFile(this.#disk, join(this.#dir, name));
    await this.#file?.handle.close();
    this.#file = { name, handle };
    return handle;
  }

  #fail(cause: unknown, batch: Batch): void {
    this.#failure = new Error('The journal could not be written, so Paythread has to stop.', {
      cause,
    });
    batch.done.reject(this.#failure);
    this.#waiting?.done.reject(this.#failure);
    this.#onFatal(this.#failure);
  }
}

type JournalOptions = Folder & {
  readonly tail: JournalPosition;
  /** Called right before each write; throws when this process may not write any more. */
  readonly mayWrite: () => void;
  readonly onFatal: (error: Error) => void;
};

/** The line of a commit, whose change is given as JSON. */
export const journalLine = ({
  seq,
  atMs,
  prev,
  flushedWith,
  change,
}: Omit<JournalEntry, 'format' | 'change'> & { readonly change: string }): {
  bytes: Buffer;
  hash: string;
} => {
  const company = flushedWith === undefined ? '' : `"flushedWith":${flushedWith},`;
  const { text, hash } = seal(
    `${LINE_OPENING}${seq},"atMs":${atMs},"prev":"${prev}",${company}"change":${onOneLine(change)}`,
  );
  return { bytes: Buffer.from(`${text}\n`), hash };
};

/** A clock that was set back must not bring back an older file. */
export const fileFor = (atMs: number, current: string): string => {
  const file = `journal-${monthOf(atMs)}.ndjson`;
  return file > current ? file : current;
};

/** JSON escapes line feeds; these three end a line for some readers as well. */
export const onOneLine = (json: string): string =>
  json.replace(
    /[\u0085\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const newBatch = (firstSeq: number): Batch => {
  const done = Promise.withResolvers<void>();
  // Each commit waits for it and hears of the failure; with nobody waiting there is nobody to tell.
  done.promise.catch(() => {});
  return { lines: [], firstSeq, lastSeq: firstSeq, done };
};
