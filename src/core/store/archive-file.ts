import { type FileHandle, open } from 'node:fs/promises';
import type { Payment } from '../payments/payment.ts';
import { readFully, replaceFile, withFile, writeFully } from './durable-file.ts';
import type { Flush } from './journal.ts';
import {
  endOfLastLine,
  type Line,
  lineAround,
  linesBackward,
  linesForward,
} from './line-reader.ts';

/** Copied and written in pieces of this size, whatever the size of the file. */
const PIECE_BYTES = 256 * 1024;

/**
 * One month's archive: a payment a line, in the order of ids, each id once. So a payment is found by
 * halving, and a page is read backwards from where the one before ended. A line without its newline was
 * being written when the process died; its payment is still live, so readers pass over it.
 */
export const findArchived = (path: string, id: string): Promise<Payment | undefined> =>
  withFile(path, 'r', async (file) => {
    const end = await endOfLines(file);
    const line = await lineAround(file, await firstNotBelow(path, file, end, id), end);
    const payment = line && read(path, line);
    return payment?.id === id ? payment : undefined;
  });

/** The newest id in it; undefined when it is empty. */
export const lastArchivedId = (path: string): Promise<string | undefined> =>
  withFile(path, 'r', async (file) => (await lastPayment(path, file, await endOfLines(file)))?.id);

/** Its payments, newest id first, from before `below` on. */
export async function* archivedBackwards(path: string, below?: string): AsyncGenerator<Payment> {
  const file = await open(path, 'r');
  try {
    const all = await endOfLines(file);
    const end = below === undefined ? all : await firstNotBelow(path, file, all, below);
    for await (const line of linesBackward(file, end)) yield read(path, line);
  } finally {
    await file.close();
  }
}

/** A new month's file, whole from its first moment on. `payments` must be in the order of ids. */
export const createArchive = (path: string, payments: readonly Payment[]): Promise<void> =>
  replaceFile(path, async (file) => {
    const writer = new PieceWriter(file, 0);
    for (const payment of payments) await writer.add(lineOf(payment));
    await writer.end();
  });

/**
 * Adds payments (in the order of ids) and flushes. Behind the last id they are appended; otherwise the
 * file is made anew from there on, and a payment that was there already is replaced.
 */
export const addToArchive = (
  path: string,
  payments: readonly Payment[],
  flush: Flush,
): Promise<void> =>
  withFile(path, 'r+', async (file) => {
    const end = await endOfLines(file);
    const first = payments[0];
    const last = await lastPayment(path, file, end);
    if (first === undefined) return;
    if (last === undefined || last.id < first.id) return append(file, end, payments, flush);
    const from = await firstNotBelow(path, file, end, first.id);
    await replaceFile(path, async (anew) => {
      await copy(file, anew, from);
      const writer = new PieceWriter(anew, from);
      for await (const bytes of merged(path, linesForward(file, from, end), payments))
        await writer.add(bytes);
      await writer.end();
    });
  });

const append = async (
  file: FileHandle,
  end: number,
  payments: readonly Payment[],
  flush: Flush,
): Promise<void> => {
  // What is left of a line that was cut short must not run into the next one.
  await file.truncate(end);
  const writer = new PieceWriter(file, end);
  for (const payment of payments) await writer.add(lineOf(payment));
  await writer.end();
  await flush(file);
};

async function* merged(
  path: string,
  lines: AsyncIterable<Line>,
  payments: readonly Payment[],
): AsyncGenerator<Buffer> {
  let next = 0;
  for await (const line of lines) {
    const { id } = read(path, line);
    for (let one = payments[next]; one !== undefined && one.id < id; one = payments[++next])
      yield lineOf(one);
    if (payments[next]?.id !== id) yield Buffer.concat([line.bytes, NEWLINE]);
  }
  for (const payment of payments.slice(next)) yield lineOf(payment);
}

const NEWLINE = Buffer.from('\n');

const lineOf = (payment: Payment): Buffer => Buffer.from(`${JSON.stringify(payment)}\n`);

const endOfLines = async (file: FileHandle): Promise<number> =>
  endOfLastLine(file, (await file.stat()).size);

const lastPayment = async (
  path: string,
  file: FileHandle,
  end: number,
): Promise<Payment | undefined> => {
  const line = end === 0 ? undefined : await lineAround(file, end - 1, end);
  return line && read(path, line);
};

/** Where the first line starts whose id is not below `id`; `end` when all are below. */
const firstNotBelow = async (
  path: string,
  file: FileHandle,
  end: number,
  id: string,
): Promise<number> => {
  let [low, high] = [0, end];
  while (low < high) {
    const line = await lineAround(file, Math.floor((low + high) / 2), end);
    if (line === undefined) break;
    if (read(path, line).id < id) low = line.end;
    else high = line.start;
  }
  return low;
};

const read = (path: string, line: Line): Payment => {
  try {
    return JSON.parse(line.bytes.toString()) as Payment;
  } catch (error) {
    throw new Error(`The archive ${path} is broken at byte ${line.start}.`, { cause: error });
  }
};

const copy = async (from: FileHandle, to: FileHandle, length: number): Promise<void> => {
  for (let at = 0; at < length; ) {
    const piece = await readFully(from, at, Math.min(PIECE_BYTES, length - at));
    at = await writeFully(to, piece, at);
  }
};

/** Collects lines into larger writes. */
class PieceWriter {
  readonly #file: FileHandle;
  #position: number;
  #lines: Buffer[] = [];
  #bytes = 0;

  constructor(file: FileHandle, position: number) {
    this.#file = file;
    this.#position = position;
  }

  async add(line: Buffer): Promise<void> {
    this.#lines.push(line);
    this.#bytes += line.length;
    if (this.#bytes >= PIECE_BYTES) await this.end();
  }

  async end(): Promise<void> {
    this.#position = await writeFully(this.#file, Buffer.concat(this.#lines), this.#position);
    this.#lines = [];
    this.#bytes = 0;
  }
}
