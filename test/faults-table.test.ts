import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tableUnder, whatIsWrong, wrongIn } from './support/proof-table.ts';

describe('test/FAULTS.md', () => {
  const markdown = readFileSync('test/FAULTS.md', 'utf8');

  it.each([
    ['Faults', 58, 4],
    ['Invariants', 19, 3],
  ])('names for each of the %s a test or script that exists', (heading, count, columns) => {
    const rows = tableUnder(heading, markdown);
    expect(rows.map(({ number }) => number)).toEqual(
      Array.from({ length: count }, (_, at) => at + 1),
    );
    for (const { number, cells } of rows) {
      expect(cells, `row ${number}`).toHaveLength(columns);
      for (const cell of cells) expect(cell.trim(), `row ${number}`).not.toBe('');
    }
    expect(wrongIn(rows, -1)).toEqual([]);
  });

  it.each([
    ['`test/faults-table.test.ts` → "a name that nobody has"', /no test/],
    ['`test/no-such-file.test.ts` → "x"', /no file/],
    ['`npm run no-such-script`', /no script/],
    ['`npm run storm` (test/proof/storm/verdict.ts: chargedWrongly, noSuchRule)', /no noSuchRule/],
    ['see the source', /neither/],
  ])('would not be believed with %s', (place, complaint) => {
    expect(whatIsWrong(place)).toMatch(complaint);
  });
});
