import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  BUILT_BESIDE,
  knownBug,
  PLANTED,
  SHOWN_BY,
  threatMutants,
  threatRows,
} from './mutants/threat-mutants.ts';
import { SWITCHED_OFF } from './mutants/threats.ts';
import { linesOf, wrongIn } from './support/proof-table.ts';

const CONTROL = 2;

describe('test/THREATS.md', () => {
  const rows = threatRows();
  const built = rows.filter(({ number }) => !BUILT_BESIDE.includes(number));

  it('has all 30 threats, each with everything said of it', () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    for (const { number, cells } of rows) {
      expect(cells, `row ${number}`).toHaveLength(PLANTED + 1);
      for (const cell of cells) expect(cell.trim(), `row ${number}`).not.toBe('');
      const isBuilt = cells.slice(CONTROL).some((cell) => cell !== 'built beside');
      expect(isBuilt, `row ${number}`).toBe(!BUILT_BESIDE.includes(number));
    }
  });

  it('names for each of them tests that exist', () => {
    expect(wrongIn(built, SHOWN_BY)).toEqual([]);
  });

  it('names for each of them planted bugs that exist, and there is no other', () => {
    const named = built.flatMap(({ cells }) => linesOf(cells[PLANTED]));
    expect(named.filter((name) => knownBug(name) === undefined)).toEqual([]);
    expect(SWITCHED_OFF.filter(({ name }) => !named.includes(name))).toEqual([]);
    expect(threatMutants()).toHaveLength(named.length);
  });

  it('names for each of them where the control is', () => {
    for (const { number, cells } of built) {
      const files = [...(cells[CONTROL]?.matchAll(/`((?:src|test)\/[^`]+|package[^`]*)`/g) ?? [])];
      expect(files.length, `row ${number}`).toBeGreaterThan(0);
      expect(files.map(([, file = '']) => file).filter((file) => !existsSync(file))).toEqual([]);
    }
  });
});
