import { readFileSync } from 'node:fs';
import { escaped, linesOf, namedTest, type Row, tableUnder } from '../support/proof-table.ts';
import { MUTANTS, type Mutant } from './mutants.ts';
import type { PlantedBug } from './planted-bug.ts';
import { SWITCHED_OFF } from './threats.ts';

/** The rows of test/THREATS.md, and where in them what stands. */
export const threatRows = (): Row[] =>
  tableUnder('Threats', readFileSync('test/THREATS.md', 'utf8'));
export const SHOWN_BY = 3;
export const PLANTED = 4;

/** What is still being built: its rows say so, and nothing else. */
export const BUILT_BESIDE: readonly number[] = [];

const KNOWN: readonly PlantedBug[] = [...SWITCHED_OFF, ...MUTANTS];

export const knownBug = (name: string): PlantedBug | undefined =>
  KNOWN.find((each) => each.name === name);

/** Each planted bug of each row, to be noticed by one of the tests of that row and by no other. */
export const threatMutants = (): Mutant[] =>
  threatRows().flatMap(({ number, cells }) => {
    const tests = linesOf(cells[SHOWN_BY]).flatMap((line) => namedTest(line) ?? []);
    return linesOf(cells[PLANTED]).flatMap((name) => {
      const bug = knownBug(name);
      if (bug === undefined) return [];
      return {
        name: `${number}: ${name}`,
        edits: bug.edits,
        caughtBy: [...new Set(tests.map(({ file }) => file))],
        titles: tests.map(({ title }) => asPattern(title)).join('|'),
      };
    });
  });

/** A title of `it.each` has other words where its places are. */
const asPattern = (title: string): string =>
  `${title
    .split(/%[a-z%]|\$\{[^}]*\}|\$\w+/)
    .map(escaped)
    .join('.*')}$`;
