import type { Payment } from '../records/payment.ts';
import type { Disk, DiskFile } from './disk.ts';
import { readFully, replaceFile, withFile, writeAside, writeFully } from './durable-file.ts';
import {
  endOfLastLine,
  type Line,
  lineAround,
  linesBackward,
  linesForward,
} from './line-reader.ts';
import { writeLines } from './write-lines.ts';

/** Copied in pieces of this size, whatever the size of the file. */
const PIECE_BYTES = 256 * 1024;

/** How far a file's whole lines reach, and the payment in the last of them. */
export type Extent = { readonly bytes: number; readonly lastId: string };

/**
 * One month's archive: a payment a line, in the order of ids, each id once. So a payment is found by
 * halving, and a page is read backwards from where the one before ended. A line without its newline was
 * being written when the process died; its payment is still live, so readers pass over it.
 */
export class ArchiveFile {
  readonly #disk: Disk;
  readonly path: string;

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.path = path;
  }

  find(id: string): Promise<Payment | undefined> {
    return withFile(this.#disk, this.path, 'r', async (file) => {
      const end = await endOfLines(file);
      const line = await lineAround(file, await this.#firstNotBelow(file, end, id), end);
      const payment = line && this.#read(line);
      return payment?.id === id ? payment : undefined;
    });
  }

  /** Its payments, newest id first, from before `below` on. */
  async *backwards(below?: string): AsyncGenerator<Payment> {
    const file = await this.#disk.open(this.path, 'r');
    try {
      const all = await endOfLines(file);
      const end = below === undefined ? all : await this.#firstNotBelow(file, all, below);
      for await (const line of linesBackward(file, end)) yield this.#read(line);
    } finally {
      await file.close();
    }
  }

  /** Undefined when there is no line. */
  extent(): Promise<Extent | undefined> {
    return withFile(this.#disk, this.path, 'r', async (file) => {
      const bytes = await endOfLines(file);
      const lastId = bytes === 0 ? undefined : await this.#idEndingAt(file, bytes);
      return lastId === undefined ? undefined : { bytes, lastId };
    });
  }

  /** How many bytes come after an extent it had once; undefined: it does not begin with that any more. */
  bytesBeyond({ bytes, lastId }: Extent): Promise<number | undefined> {
    return withFile(this.#disk, this.path, 'r', async (file) => {
      const { size } = await file.stat();
      const begins = size >= bytes && (await this.#idEndingAt(file, bytes)) === lastId;
      return begins ? size - bytes : undefined;
    });
  }

  cutTo(bytes: number): Promise<void> {
    return withFile(this.#disk, this.path, 'r+', (file) => file.truncate(bytes));
  }

  /** Makes it, whole from its first moment on. `payments` must be in the order of ids. */
  create(payments: readonly Payment[]): Promise<number> {
    return replaceFile(this.#disk, this.path, (file) => writeLines(file, 0, payments.map(lineOf)));
  }

  /** Adds payments (in the order of ids, all behind its last one) where its lines end, and flushes. */
  append(payments: readonly Payment[], end: number): Promise<number> {
    return withFile(this.#disk, this.path, 'r+', async (file) => {
      // What is left of a line that was cut short must not run into the next one.
      await file.truncate(end);
      const newEnd = await writeLines(file, end, payments.map(lineOf));
      await file.datasync();
      return newEnd;
    });
  }

  /** Makes it anew with these payments (in the order of ids) among the others, or instead of an older version. */
  merge(payments: readonly Payment[]): Promise<number> {
    return withFile(this.#disk, this.path, 'r', async (file) => {
      const end = await endOfLines(file);
      const from = await this.#firstNotBelow(file, end, payments[0]?.id ?? '');
      return replaceFile(this.#disk, this.path, async (anew) => {
        await copy(file, anew, from);
        return writeLines(anew, from, this.#merged(linesForward(file, from, end), payments));
      });
    });
  }

  /**
   * Writes it into another file with other payments in their place. Undefined: they are all the same, and there
   * is no other file.
   */
  writtenAnew(to: string, change: (payment: Payment) => Payment): Promise<number | undefined> {
    return withFile(this.#disk, this.path, 'r', async (file) => {
      const end = await endOfLines(file);
      let isSame = true;
      const anew = await writeAside(this.#disk, to, (target) =>
        writeLines(
          target,
          0,
          this.#changed(linesForward(file, 0, end), (payment) => {
            const changed = change(payment);
            if (changed !== payment) isSame = false;
            return changed;
          }),
        ),
      );
      if (!isSame) return anew;
      await this.#disk.rm(to);
      return undefined;
    });
  }

  async *#changed(
    lines: AsyncIterable<Line>,
    change: (payment: Payment) => Payment,
  ): AsyncGenerator<Buffer> {
    for await (const line of lines) {
      const payment = this.#read(line);
      const changed = change(payment);
      yield changed === payment ? Buffer.concat([line.bytes, NEWLINE]) : lineOf(changed);
    }
  }

  async *#merged(lines: AsyncIterable<Line>, payments: readonly Payment[]): AsyncGenerator<Buffer> {
    let next = 0;
    for await (const line of lines) {
      const { id } = this.#read(line);
      for (let one = payments[next]; one !== undefined && one.id < id; one = payments[++next])
        yield lineOf(one);
      if (payments[next]?.id !== id) yield Buffer.concat([line.bytes, NEWLINE]);
    }
    for (const payment of payments.slice(next)) yield lineOf(payment);
  }

  /** The payment whose line ends right there. */
  async #idEndingAt(file: DiskFile, end: number): Promise<string | undefined> {
    const line = await lineAround(file, end - 1, end);
    return line && this.#read(line).id;
  }

  /** Where the first line starts whose id is not below `id`; `end` when all are below. */
  async #firstNotBelow(file: DiskFile, end: number, id: string): Promise<number> {
    let [low, high] = [0, end];
    while (low < high) {
      const line = await lineAround(file, Math.floor((low + high) / 2), end);
      if (line === undefined) break;
      if (this.#read(line).id < id) low = line.end;
      else high = line.start;
    }
    return low;
  }

  #read(line: Line): Payment {
    try {
      return JSON.parse(line.bytes.toString()) as Payment;
    } catch (error) {
      throw new Error(`The archive ${this.path} is broken at byte ${line.start}.`, {
        cause: error,
      });
    }
  }
}

const NEWLINE = Buffer.from('\n');

const lineOf = (payment: Payment): Buffer => Buffer.from(`${JSON.stringify(payment)}\n`);

const endOfLines = async (file: DiskFile): Promise<number> =>
  endOfLastLine(file, (await file.stat()).size);

const copy = async (from: DiskFile, to: DiskFile, length: number): Promise<void> => {
  for (let at = 0; at < length; ) {
    const piece = await readFully(from, at, Math.min(PIECE_BYTES, length - at));
    at = await writeFully(to, piece, at);
  }
};
