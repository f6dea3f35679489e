import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TEST = join(import.meta.dirname, '..');

/** One line of a table: its id, such as `F12`, and its cells, the id among them. */
export type Row = { readonly id: string; readonly cells: readonly string[] };

/** A script, and perhaps the functions by which it judges: `path: name, name; path: name`. */
const SCRIPT = /^`npm run ([\w:-]+)`(?: \((.+)\))?$/;

/** The lines of the table under a heading whose first cell is an id. */
export const tableUnder = (heading: string, markdown: string): Row[] => {
  const [, section = ''] = markdown.split(`## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  return body
    .split('\n')
    .filter((line) => /^\| [A-Z]\d+ \|/.test(line))
    .map((line) => {
      const cells = line.slice(2, -2).split(' | ');
      return { id: cells[0] ?? '', cells };
    });
};

/** The tables that say what is proven: test/FAULTS.md and test/THREATS.md. Their last column says by what. */
export const proofTables = (): Readonly<Record<'Faults' | 'Invariants' | 'Threats', Row[]>> => {
  const faults = readFileSync(join(TEST, 'FAULTS.md'), 'utf8');
  return {
    Faults: tableUnder('Faults', faults),
    Invariants: tableUnder('Invariants', faults),
    Threats: tableUnder('Threats', readFileSync(join(TEST, 'THREATS.md'), 'utf8')),
  };
};

/** The ids of the tables as the tags of vitest: a test with any other tag is refused. */
export const proofTags = (): { readonly name: string; readonly description: string }[] =>
  Object.values(proofTables())
    .flat()
    .map(({ id, cells: [, description = ''] }) => ({ name: id, description }));

/** What is wrong in the last cell of a row, which has to name the files of its tests, each of them, and scripts that exist. */
export const wrongIn = ({ id, cells }: Row, filesOfTag: readonly string[]): string[] => {
  const named = cells.at(-1)?.split('<br>') ?? [];
  const isScript = (line: string): boolean => SCRIPT.test(line);
  const files = named.filter((line) => !isScript(line)).map((line) => line.replaceAll('`', ''));
  return [
    ...files
      .filter((file) => !filesOfTag.includes(file))
      .map((file) => `no test with the tag ${id} in ${file}`),
    ...filesOfTag
      .filter((file) => !files.includes(file))
      .map((file) => `${id} does not name ${file}, where a test has its tag`),
    ...named.filter(isScript).flatMap((line) => missingOf(line) ?? []),
  ];
};

/** What does not exist of a script and its functions; undefined: all of it does. */
const missingOf = (line: string): string | undefined => {
  const [, script = '', rules] = SCRIPT.exec(line) ?? [];
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };
  if (scripts[script] === undefined) return `no script ${script}`;
  return (rules?.split('; ') ?? [])
    .flatMap((each) => {
      const [path = '', names = ''] = each.split(': ');
      const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
      return names.split(', ').map((name) => {
        const isThere = new RegExp(`^(export )?const ${name}\\b`, 'm').test(source);
        return isThere ? undefined : `no ${name} in ${path}`;
      });
    })
    .find((what) => what !== undefined);
};
