import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { type PlantedBug, splitPatch } from './planted-bugs.ts';

/** How many lines around a change have to be as they were; the next number is tried when one does not do. */
const CONTEXTS = [3, 1, 0];

/**
 * Applies the patch of a bug to the files in a folder. Lines may have moved, and the lines around a change may be others.
 *
 * Returns why it does not apply; undefined: it is applied.
 */
export const applyPatch = (dir: string, bug: PlantedBug): string | undefined => {
  let said: string | undefined;
  for (const context of CONTEXTS) {
    if (context === 0 && !isFoundWithoutContext(dir, bug)) break;
    const { status, stderr } = gitApply(dir, bug, context);
    if (status === 0) return syntaxErrorIn(dir, bug);
    said ??= stderr.trim();
  }
  return said;
};

const gitApply = (dir: string, { path }: PlantedBug, context: number) =>
  spawnSync(
    'git',
    [...['apply', '--recount', '--ignore-whitespace', '--whitespace=nowarn', `-C${context}`], path],
    // Paths count from this folder, also where it lies in another repository.
    { cwd: dir, encoding: 'utf8', env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(dir) } },
  );

/** Without context only what is taken away says where a change belongs: it has to stand in the file exactly once. */
const isFoundWithoutContext = (dir: string, { path }: PlantedBug): boolean =>
  splitPatch(readFileSync(path, 'utf8'))
    .diff.split(/^--- a\//m)
    .slice(1)
    .every((ofFile) => {
      const [file = '', ...lines] = ofFile.split('\n');
      const text = readFileSync(join(dir, file), 'utf8');
      return hunksOf(lines).every((hunk) => {
        const removed = hunk.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
        return removed.length > 0 && text.split(removed.join('\n')).length === 2;
      });
    });

const hunksOf = (lines: readonly string[]): string[][] => {
  const hunks: string[][] = [];
  for (const line of lines)
    if (line.startsWith('@@')) hunks.push([]);
    else hunks.at(-1)?.push(line);
  return hunks;
};

/** A source with a syntax error fails every test, which would show nothing. */
const syntaxErrorIn = (dir: string, { files }: PlantedBug): string | undefined => {
  for (const file of files.filter((each) => each.endsWith('.ts')))
    try {
      stripTypeScriptTypes(readFileSync(join(dir, file), 'utf8'));
    } catch (error) {
      return `${file} is no TypeScript any more: ${String(error)}`;
    }
  return undefined;
};
