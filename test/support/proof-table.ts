import { existsSync, readFileSync } from 'node:fs';

/** One line of a table: its number, and its cells, the number among them. */
export type Row = { readonly number: number; readonly cells: readonly string[] };

/** A test by its file and title, as a table names it. */
export type NamedTest = { readonly file: string; readonly title: string };

const TEST = /^`([^`]+)` → "(.+)"$/;
/** A script, and perhaps the functions by which it judges: `path: name, name; path: name`. */
const SCRIPT = /^`npm run ([\w:-]+)`(?: \((.+)\))?$/;

/** The numbered lines of the table under a heading. */
export const tableUnder = (heading: string, markdown: string): Row[] => {
  const [, section = ''] = markdown.split(`## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  return body
    .split('\n')
    .filter((line) => /^\| \d+ \|/.test(line))
    .map((line) => {
      const cells = line.slice(2, -2).split(' | ');
      return { number: Number(cells[0]), cells };
    });
};

/** The lines of a cell, each of them one thing. */
export const linesOf = (cell: string | undefined): string[] => cell?.split('<br>') ?? [];

/** The test that a line of a cell names; undefined: it names none. */
export const namedTest = (line: string): NamedTest | undefined => {
  const [, file, title] = TEST.exec(line) ?? [];
  return file === undefined || title === undefined ? undefined : { file, title };
};

export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Why this line shows nothing; undefined: what it names exists. */
export const whatIsWrong = (line: string): string | undefined => {
  const [, script, rules] = SCRIPT.exec(line) ?? [];
  if (script !== undefined)
    return scripts()[script] === undefined ? `no script ${script}` : missingRule(rules);
  const test = namedTest(line);
  if (test === undefined) return `neither a test nor a script: ${line}`;
  const { file, title } = test;
  if (!existsSync(file)) return `no file ${file}`;
  // The first thing in a call of `it`, or of what `it.each` gave: renamed, it is not found any more.
  const asTitle = new RegExp(`\\(\\s*(['"\`])${escaped(title)}\\1,`);
  return asTitle.test(readFileSync(file, 'utf8')) ? undefined : `no test "${title}" in ${file}`;
};

/** What is wrong in a column that names tests and scripts, by row. */
export const wrongIn = (rows: readonly Row[], column: number): string[] =>
  rows.flatMap(({ number, cells }) =>
    linesOf(cells.at(column))
      .map(whatIsWrong)
      .filter((what) => what !== undefined)
      .map((what) => `${number}: ${what}`),
  );

const scripts = (): Record<string, string> => {
  const { scripts: known } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  return known;
};

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
