import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { plantedBugs } from './proof/mutants/planted-bugs.ts';
import { proofTables, proofTags, wrongIn } from './support/proof-table.ts';
import { filesByTag } from './support/tagged-tests.ts';

const tables = proofTables();
const tags = filesByTag();

describe('test/FAULTS.md and test/THREATS.md', () => {
  it.each([
    ['Faults', 'F', 4],
    ['Invariants', 'I', 3],
    ['Threats', 'T', 4],
  ] as const)('number the rows of %s, and each row says everything', (heading, letter, columns) => {
    const rows = tables[heading];
    expect(rows.length).toBeGreaterThan(15);
    const numbers = rows.map(({ id }) => Number(id.slice(letter.length)));
    expect(rows.map(({ id }) => id)).toEqual(numbers.map((number) => `${letter}${number}`));
    // Ascending; rows that are written at the same time take numbers that leave gaps.
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    for (const { id, cells } of rows) {
      expect(cells, id).toHaveLength(columns);
      for (const cell of cells) expect(cell.trim(), id).not.toBe('');
    }
  });

  it('name for each row the files in which tests have its id as a tag, and scripts that exist', () => {
    const rows = Object.values(tables).flat();
    expect(rows.flatMap((row) => wrongIn(row, tags.get(row.id) ?? []))).toEqual([]);
  });

  it('have a row for every tag of a test', () => {
    const ids = new Set(proofTags().map(({ name }) => name));
    expect([...tags.keys()].filter((tag) => !ids.has(tag))).toEqual([]);
  });

  it.each([
    ['`test/proofs.test.ts`', /no test with the tag F1 in test\/proofs/],
    ['see the source', /no test with the tag F1 in see the source/],
    ['`test/a.test.ts`', /F1 does not name test\/b/],
    ['`npm run no-such-script`', /no script/],
    ['`npm run storm` (test/proof/storm/verdict.ts: chargedWrongly, noSuchRule)', /no noSuchRule/],
  ])('would not be believed with %s', (place, complaint) => {
    const files = ['test/a.test.ts', 'test/b.test.ts'];
    expect(wrongIn({ id: 'F1', cells: ['F1', place] }, files).join('\n')).toMatch(complaint);
  });
});

describe('test/THREATS.md', () => {
  it('names for each threat the files of its control, which exist', () => {
    for (const { id, cells } of tables.Threats) {
      const named = [...(cells[2]?.matchAll(/`((?:src|test)\/[^`]+|package[^`]*)`/g) ?? [])];
      expect(named.length, id).toBeGreaterThan(0);
      expect(named.map(([, file = '']) => file).filter((file) => !existsSync(file))).toEqual([]);
    }
  });
});

describe('the planted bugs', () => {
  const bugs = plantedBugs();

  it('have names of their own', () => {
    const names = bugs.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('are noticed by files that exist and by tags that tests have', () => {
    const proofs = bugs.flatMap(({ noticedBy }) => noticedBy);
    const files = proofs.flatMap((proof) => (proof.kind === 'files' ? proof.files : []));
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    const named = proofs.flatMap((proof) => (proof.kind === 'tag' ? [proof.tag] : []));
    expect(named.filter((tag) => !tags.has(tag))).toEqual([]);
  });

  it('switch off the control of each threat', () => {
    const switchedOff = new Set(
      bugs.flatMap(({ noticedBy }) =>
        noticedBy.flatMap((proof) => ('tag' in proof ? proof.tag : [])),
      ),
    );
    expect(tables.Threats.filter(({ id }) => !switchedOff.has(id))).toEqual([]);
  });
});
