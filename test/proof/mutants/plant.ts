import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { USUAL_INPUTS } from '../../support/fuzz-order.ts';
import { filesByTag } from '../../support/tagged-tests.ts';
import { applyPatch } from './apply-patch.ts';
import type { PlantedBug, Proof } from './planted-bugs.ts';

/** A bug, and the one thing that has to notice it this time. */
export type Planting = { readonly bug: PlantedBug; readonly proof: Proof };

const COPIED = [
  ...['src', 'test', 'docs', 'deploy', 'package.json', 'tsconfig.json', 'vitest.config.ts'],
  ...[
    'README.md',
    'CHANGELOG.md',
    '.env.example',
    'access.example.yml',
    'templates.example.yml',
    'manifest.yml',
  ],
  ...['ARCHITECTURE.md', 'SECURITY.md', 'package-lock.json', '.npmrc'],
];
const MOST_SCHEDULES = 10_000;
const PATIENCE_MS = 900_000;
/** A test that waits for what a bug keeps away need not wait for long; all of them are green with it before. */
const TEST_PATIENCE_MS = 15_000;

type Run = { readonly failed: boolean; readonly output: string; readonly seconds: number };

/** A copy of the project to plant bugs in; {@link removeCopy} takes it away. */
export const copyOfProject = async (root: string): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'paythread-mutant-'));
  for (const each of COPIED) await cp(join(root, each), join(dir, each), { recursive: true });
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'));
  return dir;
};

export const removeCopy = (dir: string): Promise<void> => rm(dir, { recursive: true, force: true });

/** Plants the bug in the copy, runs what has to notice it, and puts the copy right. Returns what noticed it, or undefined. */
export const plant = async (
  root: string,
  dir: string,
  { bug, proof }: Planting,
): Promise<string | undefined> => {
  try {
    const why = applyPatch(dir, bug);
    if (why !== undefined) throw new Error(`${bug.path} does not apply: ${why}`);
    const shortened = { TEST_PATIENCE_MS: String(TEST_PATIENCE_MS) };
    const { failed, output, seconds } = await run(dir, commandFor([proof]), shortened);
    return failed ? `${firstFailureIn(output, proof)} (${seconds.toFixed(0)} s)` : undefined;
  } finally {
    for (const file of bug.files) await cp(join(root, file), join(dir, file));
  }
};

/** The tests themselves hold before anything is planted; otherwise being red would prove nothing. */
export const mustBeGreen = async (dir: string, proofs: readonly Proof[]): Promise<void> => {
  for (const kind of ['files', 'tag']) {
    const ofKind = proofs.filter((proof) => proof.kind === kind);
    if (ofKind.length === 0) continue;
    const { failed, output } = await run(dir, commandFor(ofKind));
    if (failed) throw new Error(`Without any planted bug the tests fail:\n${output}`);
  }
};

/** The arguments of Node with which proofs of one kind are run together. */
const commandFor = (proofs: readonly Proof[]): string[] => {
  const tags = new Set(proofs.flatMap((proof) => (proof.kind === 'tag' ? [proof.tag] : [])));
  const files = new Set(proofs.flatMap((proof) => (proof.kind === 'files' ? proof.files : [])));
  if (tags.size + files.size === 0)
    return ['test/proof/simulation/run.ts', '--seeds', String(MOST_SCHEDULES), '--stop-at-first'];
  for (const tag of tags) for (const file of filesByTag().get(tag) ?? []) files.add(file);
  return [
    ...['node_modules/vitest/vitest.mjs', 'run', '--bail', '1'],
    ...['--project', 'embedded', '--project', 'properties'],
    ...(tags.size === 0 ? [] : ['--tags-filter', [...tags].join(' or ')]),
    ...files,
  ];
};

const run = (
  dir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Run> =>
  new Promise((done) => {
    const startedMs = performance.now();
    const child = spawn(process.execPath, args, {
      cwd: dir,
      env: {
        ...process.env,
        FORCE_COLOR: '0',
        ...env,
        FUZZ_RUNS: String(USUAL_INPUTS),
      },
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

const firstFailureIn = (output: string, proof: Proof): string => {
  const line =
    proof.kind === 'simulation'
      ? /^.*\bseed\b.*$/im.exec(output)?.[0]
      : /FAIL\s+(.*)$/m.exec(output)?.[1];
  return (line ?? 'a non-zero exit').trim();
};
