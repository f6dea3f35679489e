import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from './mutants.ts';

describe.each(MUTANTS)('the planted bug "$name"', ({ edits, caughtBy }) => {
  it('still fits the sources, each of its places exactly once', () => {
    for (const { file, find } of edits)
      expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
  });

  it('has tests that are to notice it', () => {
    if (caughtBy !== 'simulation') expect(caughtBy.filter((file) => !existsSync(file))).toEqual([]);
  });
});
