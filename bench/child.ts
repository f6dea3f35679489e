import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of a version of Paythread: this one, or another one that it is compared with. */
export const THIS_CHECKOUT = new URL('../', import.meta.url);

/** How `npm start` starts a checkout: Node's options, its file and the words behind it. */
const startArgs = (checkout: URL): string[] =>
  (
    JSON.parse(readFileSync(new URL('package.json', checkout), 'utf8')) as {
      scripts: { start: string };
    }
  ).scripts.start
    .split(' ')
    .slice(1);

/** Node's options alone, for programs of the benchmark in place of it. */
export const START_OPTIONS = startArgs(THIS_CHECKOUT).filter((word) => word.startsWith('--'));
/** Linux counts a process's CPU time in these. */
const TICK_MS = 10;
const READY_WITHIN_MS = 120_000;

type Env = Readonly<Record<string, string>>;

/** A process of the benchmark. All are stopped by their own handle, and end by themselves with their parent. */
export class Child {
  readonly #process: ChildProcess;
  readonly port: number;
  readonly startMs: number;

  private constructor(child: ChildProcess, port: number, startMs: number) {
    this.#process = child;
    this.port = port;
    this.startMs = startMs;
  }

  /** Starts a program that says `{ ready, port }` when it is ready. `path` counts from the checkout's folder. */
  static async fork(
    path: string,
    env: Env = {},
    nodeArgs: readonly string[] = [],
    checkout = THIS_CHECKOUT,
  ): Promise<Child> {
    const startedAtMs = performance.now();
    const child = fork(fileURLToPath(new URL(path, checkout)), {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      execArgv: [...nodeArgs],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [message] = (await once(child, 'message', within(READY_WITHIN_MS))) as [
      { port?: number },
    ];
    return new Child(child, message.port ?? 0, performance.now() - startedAtMs);
  }

  /** Starts the real program as `npm start` does and waits until it says that it is ready. */
  static async startPaythread(env: Env & { PORT: string }, checkout = THIS_CHECKOUT) {
    const startedAtMs = performance.now();
    const child = spawn(process.execPath, startArgs(checkout), {
      cwd: fileURLToPath(checkout),
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await answersReady(child, env.PORT);
    return new Child(child, Number(env.PORT), performance.now() - startedAtMs);
  }

  /** Sends one message and waits for the answer to it. */
  async ask<T>(message: object): Promise<T> {
    const answered = once(this.#process, 'message');
    this.#process.send(message);
    const [answer] = (await answered) as [{ result?: T; error?: string }];
    if (answer.result === undefined) throw new Error(answer.error ?? 'no answer');
    return answer.result;
  }

  /** Resident memory in MB, as the system counts it. */
  get rssMb(): number {
    return this.#memoryMb('VmRSS');
  }

  /** The most that it has been. */
  get peakMb(): number {
    return this.#memoryMb('VmHWM');
  }

  #memoryMb(what: string): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, 'utf8');
    return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024;
  }

  /** CPU time so far, of all its threads and in the system; in steps of 10 ms. */
  get cpuMs(): number {
    const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8');
    // Behind the name, which may have spaces, utime and stime are the 12th and 13th field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    const hard = setTimeout(() => this.#process.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(hard);
  }
}

const within = (ms: number) => ({ signal: AbortSignal.timeout(ms) });

const answersReady = async (child: ChildProcess, port: string): Promise<void> => {
  const giveUpAtMs = performance.now() + READY_WITHIN_MS;
  while (performance.now() < giveUpAtMs) {
    if (child.exitCode !== null) throw new Error(`Paythread ended with ${child.exitCode}`);
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  child.kill('SIGKILL');
  throw new Error('Paythread was not ready in time');
};
