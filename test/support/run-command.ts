import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { commandEnv } from './command-env.ts';
import { tempFolder } from './temp-folder.ts';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

export type Ran = { readonly code: number | null; readonly output: string };

/** A command of the command line, such as `backup`, in a process of its own, to be killed or waited for. */
export const startCommand = async (
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ child: ChildProcess; ended: Promise<Ran> }> => {
  const child = spawn(process.execPath, [MAIN, name, ...args], {
    cwd: await tempFolder(),
    env: { ...commandEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString();
    });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended };
};

/** Tests run commands at one moment: the umask is that of a command from the first one to the last. */
let [running, usualUmask] = [0, 0];

/**
 * Runs a command to its end in this process, as `src/main.js` does in its own, which costs a tenth of the time.
 * `startCommand` is for what a process adds: being killed, another one's lock, its signals.
 */
export const runCommand = async (
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Ran> => {
  let output = '';
  const stream = () =>
    new Writable({
      write: (data: Buffer, _encoding, done) => {
        output += data.toString();
        done();
      },
    });
  if (running === 0) usualUmask = process.umask(0o077);
  running += 1;
  try {
    const code = await runCommandLine([name, ...args], {
      input: Readable.from([input]),
      output: stream(),
      errors: stream(),
      settings: { env: { ...commandEnv(), ...env }, folder: await tempFolder() },
    });
    return { code: code ?? null, output };
  } finally {
    running -= 1;
    if (running === 0) process.umask(usualUmask);
  }
};
