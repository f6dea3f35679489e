import type { DiskFile } from './disk.ts';
import { readFully } from './durable-file.ts';

const NEWLINE = 0x0a;
const FORWARD_CHUNK_BYTES = 1024 * 1024;
/** A page of payments fits into one of these. */
const BACKWARD_CHUNK_BYTES = 64 * 1024;
/** Enough for a line or two. */
const SHORT_CHUNK_BYTES = 4 * 1024;

export type Line = {
  /** Without the newline. */
  readonly bytes: Buffer;
  /** Where its first byte is in the file. */
  readonly start: number;
  /** Where the next line starts. */
  readonly end: number;
  /** `false`: the file ends before the line does. */
  readonly ended: boolean;
};

/** The lines between two offsets; `from` must be the start of a line. */
export async function* linesForward(
  file: DiskFile,
  from: number,
  to: number,
): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  for (let position = from; position < to; ) {
    const chunk = await readFully(file, position, Math.min(FORWARD_CHUNK_BYTES, to - position));
    const block = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    position += chunk.length;
    const blockStart = position - block.length;
    let at = 0;
    for (let stop = block.indexOf(NEWLINE); stop >= 0; stop = block.indexOf(NEWLINE, at)) {
      yield endedLine(block, at, stop, blockStart);
      at = stop + 1;
    }
    rest = block.subarray(at);
  }
  if (rest.length > 0) yield { bytes: rest, start: to - rest.length, end: to, ended: false };
}

/** The lines before an offset, last one first; `end` must be the end of a line. */
export async function* linesBackward(file: DiskFile, end: number): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  for (let position = end; position > 0; ) {
    const length = Math.min(BACKWARD_CHUNK_BYTES, position);
    position -= length;
    const block = Buffer.concat([await readFully(file, position, length), rest]);
    // The first line of the block may begin before it; it is kept for the next round.
    const wholeFrom = position === 0 ? 0 : block.indexOf(NEWLINE) + 1;
    for (let stop = block.length - 1; stop >= wholeFrom; ) {
      const at = block.subarray(0, stop).lastIndexOf(NEWLINE) + 1;
      yield endedLine(block, at, stop, position);
      stop = at - 1;
    }
    rest = block.subarray(0, wholeFrom);
  }
}

/**
 * The line to which the byte at `offset` belongs (a newline belongs to the line it ends), looking no
 * further than `end`. Undefined when that line has no newline before `end`.
 */
export const lineAround = async (
  file: DiskFile,
  offset: number,
  end: number,
): Promise<Line | undefined> => {
  for (let reach = SHORT_CHUNK_BYTES; ; reach *= 2) {
    const from = Math.max(0, offset - reach);
    const to = Math.min(end, offset + reach);
    const block = await readFully(file, from, to - from);
    const before = block.subarray(0, offset - from).lastIndexOf(NEWLINE);
    const stop = block.indexOf(NEWLINE, offset - from);
    if ((before >= 0 || from === 0) && stop >= 0) return endedLine(block, before + 1, stop, from);
    if (from === 0 && to === end) return undefined;
  }
};

/** Where the last whole line ends: what follows was cut short. */
export const endOfLastLine = async (file: DiskFile, size: number): Promise<number> => {
  for (let end = size; end > 0; end -= Math.min(SHORT_CHUNK_BYTES, end)) {
    const from = Math.max(0, end - SHORT_CHUNK_BYTES);
    const newline = (await readFully(file, from, end - from)).lastIndexOf(NEWLINE);
    if (newline >= 0) return from + newline + 1;
  }
  return 0;
};

/** For messages to people: the first line of a file has the number 1. */
export const lineNumberAt = async (file: DiskFile, start: number): Promise<number> => {
  let number = 1;
  for await (const _ of linesForward(file, 0, start)) number++;
  return number;
};

const endedLine = (block: Buffer, at: number, stop: number, blockStart: number): Line => ({
  bytes: block.subarray(at, stop),
  start: blockStart + at,
  end: blockStart + stop + 1,
  ended: true,
});
