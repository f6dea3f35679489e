import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** One line of a table: its number, and the places that show what it says. */
type Row = { readonly number: number; readonly cells: readonly string[]; readonly shown: string[] };

const TEST = /^`([^`]+)` → "(.+)"$/;
/** A script, and perhaps the functions by which it judges: `path: name, name; path: name`. */
const SCRIPT = /^`npm run ([\w:-]+)`(?: \((.+)\))?$/;

const table = (markdown: string, heading: string): Row[] => {
  const [, section = ''] = markdown.split(`## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  return body
    .split('\n')
    .filter((line) => /^\| \d+ \|/.test(line))
    .map((line) => {
      const cells = line.slice(2, -2).split(' | ');
      return { number: Number(cells[0]), cells, shown: cells.at(-1)?.split('<br>') ?? [] };
    });
};

const scripts = (): Record<string, string> => {
  const { scripts: known } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  return known;
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const missingRule = (rules: string | undefined): string | undefined =>
  (rules?.split('; ') ?? [])
    .flatMap((each) => {
      const [path = '', names = ''] = each.split(': ');
      const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
      return names.split(', ').map((name) => {
        const isThere = new RegExp(`^(export )?const ${escaped(name)}\\b`, 'm').test(source);
        return isThere ? undefined : `no ${name} in ${path}`;
      });
    })
    .find((what) => what !== undefined);

/** Why this place does not show anything; undefined: it exists. */
const whatIsWrong = (place: string): string | undefined => {
  const [, script, rules] = SCRIPT.exec(place) ?? [];
  if (script !== undefined)
    return scripts()[script] === undefined ? `no script ${script}` : missingRule(rules);
  const [, path = '', title = ''] = TEST.exec(place) ?? [];
  if (path === '') return `neither a test nor a script: ${place}`;
  if (!existsSync(path)) return `no file ${path}`;
  // The first thing in a call of `it`, or of what `it.each` gave: renamed, it is not found any more.
  const asTitle = new RegExp(`\\(\\s*(['"\`])${escaped(title)}\\1,`);
  return asTitle.test(readFileSync(path, 'utf8')) ? undefined : `no test "${title}" in ${path}`;
};

const wrongIn = (rows: readonly Row[]): string[] =>
  rows.flatMap(({ number, shown }) =>
    shown
      .map(whatIsWrong)
      .filter((what) => what !== undefined)
      .map((what) => `${number}: ${what}`),
  );

describe('test/FAULTS.md', () => {
  const markdown = readFileSync('test/FAULTS.md', 'utf8');

  it.each([
    ['Faults', 58, 4],
    ['Invariants', 19, 3],
  ])('names for each of the %s a test or script that exists', (heading, count, columns) => {
    const rows = table(markdown, heading);
    expect(rows.map(({ number }) => number)).toEqual(
      Array.from({ length: count }, (_, at) => at + 1),
    );
    for (const { number, cells } of rows) {
      expect(cells, `row ${number}`).toHaveLength(columns);
      for (const cell of cells) expect(cell.trim(), `row ${number}`).not.toBe('');
    }
    expect(wrongIn(rows)).toEqual([]);
  });

  it.each([
    ['`test/faults-table.test.ts` → "a name that nobody has"', /no test/],
    ['`test/no-such-file.test.ts` → "x"', /no file/],
    ['`npm run no-such-script`', /no script/],
    ['`npm run storm` (test/storm/verdict.ts: chargedWrongly, noSuchRule)', /no noSuchRule/],
    ['see the source', /neither/],
  ])('would not be believed with %s', (place, complaint) => {
    expect(whatIsWrong(place)).toMatch(complaint);
  });
});
