import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder.ts';

/** A script of test/support running as a process of its own; killed when the test has finished. */
export type ChildScript = {
  readonly process: ChildProcess;
  /** The whole lines it has written so far. */
  lines(): Promise<string[]>;
  /** Resolves with its exit code once it has ended; null: a signal ended it. */
  readonly ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): Promise<void>;
};

/** Its output goes to a file, so that what it wrote before a kill is not lost with a pipe. */
export const runScript = async (
  name: string,
  args: readonly string[],
  options: {
    /** No file of it may grow beyond this. */
    readonly limitKiB?: number;
    /** Node ends it when its heap is fuller. */
    readonly heapMiB?: number;
    /** Beside this process's own. */
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<ChildScript> => {
  const outputPath = join(await tempFolder(), 'output');
  const output = openSync(outputPath, 'w');
  const heap = options.heapMiB === undefined ? [] : [`--max-old-space-size=${options.heapMiB}`];
  const command = [process.execPath, ...heap, join(import.meta.dirname, name), ...args];
  const limited =
    options.limitKiB === undefined
      ? command
      : ['bash', '-c', `ulimit -f ${options.limitKiB}; exec "$@"`, 'bash', ...command];
  const [file = '', ...rest] = limited;
  const child = spawn(file, rest, {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...options.env },
  });
  closeSync(output);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(() => kill('SIGKILL'));
  return {
    process: child,
    lines: async () => (await readFile(outputPath, 'utf8')).split('\n').slice(0, -1),
    ended,
    kill,
  };
};
