import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  endOfLastLine,
  type Line,
  lineAround,
  lineNumberAt,
  linesBackward,
  linesForward,
} from '../../../src/core/store/line-reader.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Lengths around those of the chunks in which files are read. */
const lengths = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 40 }) },
  { weight: 2, arbitrary: fc.integer({ min: 4_000, max: 9_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 65_000, max: 140_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(4_095, 4_096, 65_535, 65_536, 1_048_575, 1_048_576) },
);

const collect = async (lines: AsyncIterable<Line>): Promise<Line[]> => {
  const all: Line[] = [];
  for await (const line of lines) all.push(line);
  return all;
};

describe('lines of a file', () => {
  it('are the same forward, backward and from the middle, however long they are', async () => {
    const dir = await tempFolder();
    const path = join(dir, 'lines');
    const cases = fc.asyncProperty(
      fc.array(lengths, { minLength: 1, maxLength: 30 }),
      fc.nat({ max: 50 }),
      async (lineLengths, unfinished) => {
        const texts = lineLengths.map((length, n) =>
          String.fromCharCode(97 + (n % 26)).repeat(length),
        );
        const whole = texts.map((text) => `${text}\n`).join('');
        await writeFile(path, whole + '#'.repeat(unfinished));
        const file = await open(path, 'r');
        try {
          const end = await endOfLastLine(file, whole.length + unfinished);
          expect(end).toBe(whole.length);
          const forward = await collect(linesForward(file, 0, end));
          expect(forward.map(({ bytes }) => bytes.toString())).toEqual(texts);
          expect(forward.every(({ ended }) => ended)).toBe(true);
          expect(await collect(linesBackward(file, end))).toEqual(forward.toReversed());
          for (const [index, line] of forward.entries()) {
            for (const offset of [
              line.start,
              Math.floor((line.start + line.end) / 2),
              line.end - 1,
            ])
              expect(await lineAround(file, offset, end)).toEqual(line);
            if (index % 7 === 0) expect(await lineNumberAt(file, line.start)).toBe(index + 1);
          }
        } finally {
          await file.close();
        }
      },
    );
    await fc.assert(cases, { numRuns: 30 });
  });

  it('end with one that is not ended when the file is cut short', async () => {
    const path = join(await tempFolder(), 'lines');
    await writeFile(path, 'one\ntwo\nthr');
    const file = await open(path, 'r');
    try {
      const lines = await collect(linesForward(file, 4, 11));
      expect(lines.map(({ bytes, start, ended }) => [bytes.toString(), start, ended])).toEqual([
        ['two', 4, true],
        ['thr', 8, false],
      ]);
      expect(await lineAround(file, 9, 11)).toBeUndefined();
    } finally {
      await file.close();
    }
  });
});
