import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';
import { PATIENCE_MS } from './patience.ts';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** The real program in a process of its own, to be killed, for whoever sees to it that it is. */
export class AppProcess {
  readonly port: number;
  readonly #env: Readonly<Record<string, string>>;
  readonly #wrapped: readonly string[];
  #process: ChildProcess | undefined;
  #output = '';
  /** How it ended when nobody had told it to, each time. */
  readonly accidents: string[] = [];

  /** `env` is its whole environment but for PATH. `wrapped`: a command that runs the one behind it, such as a shell. */
  constructor(
    port: number,
    env: Readonly<Record<string, string>>,
    wrapped: readonly string[] = [],
  ) {
    this.port = port;
    this.#wrapped = wrapped;
    this.#env = { HOST: '127.0.0.1', PORT: String(port), ...env };
  }

  /** Everything all its processes have written. */
  get output(): string {
    return this.#output;
  }

  async start(): Promise<void> {
    const child = this.launch();
    const answersReady = async () => {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`it ended: ${this.#output.slice(-4_000)}`);
      const response = await fetch(`http://127.0.0.1:${this.port}/readyz`);
      if (!response.ok) throw new Error(`not ready: ${await response.text()}`);
    };
    // A start takes half a second: a look every 10 ms cost it 30 ms of CPU.
    await eventually(answersReady, PATIENCE_MS, 40);
  }

  /** The same without waiting: it may never be ready, or end. */
  launch(): ChildProcess {
    const [file = '', ...args] = [...this.#wrapped, process.execPath, MAIN, 'start'];
    const child = spawn(file, args, {
      env: { PATH: process.env['PATH'] ?? '', ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        this.#output += data.toString();
      });
    child.on('exit', (code, signal) => {
      if (this.#process === child) this.accidents.push(`ended with ${code ?? signal}`);
    });
    this.#process = child;
    return child;
  }

  /** Such as SIGSTOP and SIGCONT; nothing is waited for. */
  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  /** Whether SIGSTOP holds it: the system knows, whatever its sockets answer. */
  isStopped(): boolean {
    const pid = String(this.#process?.pid);
    const state = existsSync('/proc')
      ? readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')
      : execFileSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).trim();
    return state.startsWith('T');
  }

  /** Resolves with the exit code, or the signal's name; null when there was nothing to kill. */
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
