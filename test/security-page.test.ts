import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { proofTables, tableUnder } from './support/proof-table.ts';

const page = readFileSync('SECURITY.md', 'utf8');
const [, asvs = ''] = page.split('## OWASP ASVS 5.0\n');
const [met = '', notMet = ''] = asvs.split('### Looked at, and not met\n');

/** Lines of a table whose first cell is an item, as its cells. */
const itemsIn = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.slice(2, -2).split(' | '));

describe('SECURITY.md', () => {
  it('names every threat of test/THREATS.md, what is done and what is left to do', () => {
    const rows = tableUnder('Threats', page);
    expect(rows.map(({ id }) => id)).toEqual(proofTables().Threats.map(({ id }) => id));
    for (const { id, cells } of rows) {
      expect(cells, id).toHaveLength(4);
      for (const cell of cells) expect(cell.trim(), id).not.toBe('');
      expect(cells[2], id).not.toMatch(/^Not in this version/);
    }
  });

  it('says who may keep the sums of /today in a conversation', () => {
    const sums = tableUnder('Threats', page).find(({ id }) => id === 'T52');
    expect(sums?.cells[2]).toContain('`/today`');
  });

  it('names items of the ASVS by their numbers, each once, chapter by chapter, and says how and where', () => {
    const items = itemsIn(met);
    const ids = [...items, ...itemsIn(notMet)].map(([id = '']) => id);
    for (const id of ids) expect(id).toMatch(/^([1-9]|1[0-7])\.[1-9]\.[1-9]\d?$/);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(items.length).toBeGreaterThan(30);
    expect(items.length).toBeLessThanOrEqual(60);
    for (const [id = '', how = '', ...rest] of items) {
      expect(rest, id).toEqual([]);
      expect(how, id).toMatch(/`[^`]+`|\]\(/);
    }
    for (const part of [met, notMet]) {
      const chapters = itemsIn(part).map(([id = '']) => Number(id.split('.')[0]));
      expect(chapters).toEqual([...chapters].sort((a, b) => a - b));
    }
  });

  it('names only files that exist', () => {
    const inCode = [...page.matchAll(/`([\w.-]+\/[\w./-]+|[\w-]*\.[\w-]+(?:\.\w+)?)`/g)];
    const linked = [...page.matchAll(/\]\((?!https:)([^)#]+)/g)];
    const files = [...inCode, ...linked].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(60);
    // What the operator makes, and what is no file at all.
    const others = ['.env', 'access.yml', 'v5.0.0-1.2.4', '1.2.4'];
    expect(files.filter((file) => !existsSync(file) && !others.includes(file))).toEqual([]);
  });

  it('links to headings that are there', () => {
    for (const [, file = '', heading = ''] of page.matchAll(/\]\(([\w./]+)#([\w-]+)\)/g)) {
      const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(
        ([, title = '']) => title.toLowerCase().replaceAll(' ', '-'),
      );
      expect(headings, file).toContain(heading);
    }
  });
});
