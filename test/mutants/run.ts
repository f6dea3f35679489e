import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS, type Mutant } from './mutants.ts';
import type { Edit } from './planted-bug.ts';
import { threatMutants } from './threat-mutants.ts';

/*
 * Plants one bug after the other into copies of the project and shows that the suite notices each:
 * npm run mutants [-- --only "<part of a name>"]
 * With --threats: the bugs of test/THREATS.md, each noticed by the tests of its row alone.
 */

const ROOT = resolve(import.meta.dirname, '../..');
const COPIED = [
  ...['src', 'test', 'docs', 'deploy', 'package.json', 'tsconfig.json', 'vitest.config.ts'],
  ...['README.md', 'CHANGELOG.md', '.env.example', 'access.example.yml', 'manifest.yml'],
  ...['ARCHITECTURE.md', 'SECURITY.md', 'package-lock.json'],
];
const AT_ONCE = 2;
const MOST_SCHEDULES = 10_000;
const PATIENCE_MS = 900_000;
/** A test that waits for what a bug keeps away need not wait for long; all of them are green with it before. */
const TEST_PATIENCE_MS = 15_000;

type Run = { readonly failed: boolean; readonly output: string; readonly seconds: number };

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, threats: { type: 'boolean', default: false } },
});

const copyOfProject = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'paythread-mutant-'));
  for (const each of COPIED) await cp(join(ROOT, each), join(dir, each), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  return dir;
};

const run = (dir: string, args: readonly string[]): Promise<Run> =>
  new Promise((done) => {
    const startedMs = performance.now();
    const child = spawn(process.execPath, args, {
      cwd: dir,
      env: { ...process.env, FORCE_COLOR: '0', TEST_PATIENCE_MS: String(TEST_PATIENCE_MS) },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => {
        output = (output + String(piece)).slice(-20_000);
      });
    child.on('close', (code) =>
      done({ failed: code !== 0, output, seconds: (performance.now() - startedMs) / 1000 }),
    );
  });

const commandFor = ({ caughtBy, titles }: Pick<Mutant, 'caughtBy' | 'titles'>): string[] =>
  caughtBy === 'simulation'
    ? ['test/proof/simulation/run.ts', '--seeds', String(MOST_SCHEDULES), '--stop-at-first']
    : [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--project',
        'embedded',
        '--project',
        'properties',
        '--bail',
        '1',
        ...(titles === undefined ? [] : ['--testNamePattern', titles]),
        ...caughtBy,
      ];

const swap = async (dir: string, { file, find, put }: Edit): Promise<void> => {
  const path = join(dir, file);
  const text = await readFile(path, 'utf8');
  if (text.split(find).length !== 2) throw new Error(`${file} does not hold exactly once: ${find}`);
  await writeFile(
    path,
    text.replace(find, () => put),
  );
};

const plant = async (dir: string, mutant: Mutant): Promise<Run> => {
  for (const edit of mutant.edits) await swap(dir, edit);
  try {
    return await run(dir, commandFor(mutant));
  } finally {
    for (const { file } of mutant.edits) await cp(join(ROOT, file), join(dir, file));
  }
};

/** What noticed it, in a few words. */
const noticedBy = ({ caughtBy }: Mutant, { output, seconds }: Run): string => {
  const line =
    caughtBy === 'simulation'
      ? /^.*\bseed\b.*$/im.exec(output)?.[0]
      : /FAIL\s+(.*)$/m.exec(output)?.[1];
  return `${(line ?? 'a non-zero exit').trim()} (${seconds.toFixed(0)} s)`;
};

/** The tests themselves hold before anything is planted; otherwise being red would prove nothing. */
const mustBeGreen = async (dir: string, mutants: readonly Mutant[]): Promise<void> => {
  const files = new Set(mutants.flatMap((m) => (m.caughtBy === 'simulation' ? [] : m.caughtBy)));
  if (files.size === 0) return;
  const titles = mutants.map((mutant) => mutant.titles).filter((each) => each !== undefined);
  const { failed, output } = await run(
    dir,
    commandFor({
      caughtBy: [...files],
      ...(titles.length === mutants.length ? { titles: [...new Set(titles)].join('|') } : {}),
    }),
  );
  if (failed) throw new Error(`Without any planted bug the tests fail:\n${output}`);
};

const chosen = (values.threats ? threatMutants() : MUTANTS).filter(({ name }) =>
  name.includes(values.only),
);
const survivors: string[] = [];
const queue = [...chosen];

const work = async (dir: string): Promise<void> => {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const ran = await plant(dir, mutant);
    if (!ran.failed) survivors.push(mutant.name);
    process.stdout.write(
      `${ran.failed ? 'caught  ' : 'SURVIVED'}  ${mutant.name}: ${ran.failed ? noticedBy(mutant, ran) : 'nothing noticed it'}\n`,
    );
  }
};

const dirs = await Promise.all(Array.from({ length: AT_ONCE }, copyOfProject));
try {
  await mustBeGreen(dirs[0] ?? ROOT, chosen);
  await Promise.all(dirs.map(work));
} finally {
  for (const dir of dirs) await rm(dir, { recursive: true, force: true });
}
process.stdout.write(
  `${chosen.length - survivors.length} of ${chosen.length} planted bugs caught\n`,
);
process.exitCode = survivors.length === 0 ? 0 : 1;
