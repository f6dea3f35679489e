import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The real program in a process of its own, to be killed. */
export class SpawnedApp {
  readonly #env: Readonly<Record<string, string>>;
  readonly #port: number;
  #process: ChildProcess | undefined;
  #output = '';

  /** `env` is its whole environment but for PATH. */
  constructor(port: number, env: Readonly<Record<string, string>>) {
    this.#port = port;
    this.#env = { HOST: '127.0.0.1', PORT: String(port), ...env };
    onTestFinished(async () => void (await this.kill('SIGKILL')));
  }

  /** Everything all its processes have written. */
  get output(): string {
    return this.#output;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env['PATH'] ?? '', ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        this.#output += data.toString();
      });
    this.#process = child;
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`it ended: ${this.#output}`);
      const response = await fetch(`http://127.0.0.1:${this.#port}/readyz`);
      if (!response.ok) throw new Error(`not ready: ${await response.text()}`);
    });
  }

  /** Resolves with the exit code, or the signal's name. */
  async kill(signal: NodeJS.Signals): Promise<number | string | null> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return null;
    const exited = once(child, 'exit');
    child.kill(signal);
    const [code, by] = (await exited) as [number | null, string | null];
    return code ?? by;
  }
}
