import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { SWITCHED_OFF } from './threats.ts';

describe.each([...MUTANTS, ...SWITCHED_OFF])('the planted bug "$name"', ({ edits }) => {
  it('still fits the sources, each of its places exactly once', () => {
    for (const { file, find } of edits)
      expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
  });
});

it.each(MUTANTS)('the planted bug "$name" has tests that are to notice it', ({ caughtBy }) => {
  if (caughtBy !== 'simulation') expect(caughtBy.filter((file) => !existsSync(file))).toEqual([]);
});
