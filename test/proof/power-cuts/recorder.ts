import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { memoryFolder } from '../../support/memory-folder.ts';
import type { Image } from './disk.ts';
import { type Call, readRecord } from './record.ts';
import type { StoryLength } from './story.ts';

const SOURCE = join(import.meta.dirname, 'recorder.c');
const CHILD = join(import.meta.dirname, 'live.ts');
/** Bounds a process that is stuck. */
const LONGEST_MS = 120_000;

/** What to say where nothing can be recorded. */
export const NO_COMPILER =
  'skipped: there is no C compiler (cc) to build the library that records what the store writes';

/** The call that fails: the n-th write, sync or resize of a file. */
export type Fault = {
  readonly at: number;
  readonly error: 'EIO' | 'ENOSPC';
  /** Of a write the first half is done, and no later write either: the disk stays full. */
  readonly isShort?: boolean;
};

const ERROR_NUMBERS = { EIO: 5, ENOSPC: 28 } as const;

export type Recording = {
  readonly calls: readonly Call[];
  /** Null: a signal ended it. */
  readonly code: number | null;
  readonly stderr: string;
};

export type Life = {
  readonly seed: number;
  readonly length: StoryLength;
  /** What is in the folder when the process starts. @default nothing */
  readonly image?: Image;
  readonly fault?: Fault;
  /** More of the environment. */
  readonly variables?: Readonly<Record<string, string>>;
};

/**
 * Builds the library in a folder that is gone afterwards, in memory where the system has such a place: folders are
 * rebuilt there by the thousand. Undefined where there is no compiler.
 */
export const withRecorder = async <T>(
  use: (library: string, folder: string) => Promise<T>,
): Promise<T | undefined> => {
  const folder = mkdtempSync(join(memoryFolder() ?? tmpdir(), 'paythread-cuts-'));
  try {
    const library = builtLibrary(folder);
    return library === undefined ? undefined : await use(library, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const builtLibrary = (folder: string): string | undefined => {
  const path = join(folder, 'recorder.so');
  const { error, status, stderr } = spawnSync(
    'cc',
    ['-shared', '-fPIC', '-O1', '-o', path, SOURCE, '-ldl', '-lpthread'],
    { encoding: 'utf8' },
  );
  if (error !== undefined) return undefined;
  if (status !== 0) throw new Error(`The recorder could not be built: ${stderr}`);
  return path;
};

/** Lets a process live a story in a folder of its own, `root`, and records what it writes. */
export const recorded = (library: string, root: string, life: Life): Recording => {
  writeImage(root, life.image ?? new Map());
  const { args, env } = commandOf(library, root, life);
  const { status, stderr } = spawnSync(process.execPath, args, {
    ...{ stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', timeout: LONGEST_MS, env },
  });
  const record = recordOf(root);
  const calls = readRecord(readFileSync(record));
  rmSync(record);
  return { calls, code: status, stderr };
};

/** The process that lives a story, and what makes it record. */
export const commandOf = (
  library: string,
  root: string,
  { seed, length, fault, variables = {} }: Life,
): { readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv } => ({
  args: [CHILD, JSON.stringify({ root, seed, length })],
  env: {
    ...process.env,
    ...{ LD_PRELOAD: library, RECORD_ROOT: root, RECORD_TO: recordOf(root) },
    ...(fault === undefined ? {} : faultVariables(fault)),
    ...variables,
  },
});

const recordOf = (root: string): string => `${root}.record`;

const faultVariables = ({ at, error, isShort = false }: Fault): Record<string, string> => ({
  FAIL_AT: `${at}`,
  FAIL_WITH: `${ERROR_NUMBERS[error]}`,
  ...(isShort ? { FAIL_SHORT: '1' } : {}),
});

/** Replaces whatever is in the folder. */
export const writeImage = (root: string, image: Image): void => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  for (const [path, bytes] of image) {
    const at = join(root, path);
    if (bytes === undefined) mkdirSync(at, { recursive: true, mode: 0o700 });
    else {
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, bytes, { mode: 0o600 });
    }
  }
};
