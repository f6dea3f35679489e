import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Point, pointText } from './points.ts';

const PRELOAD = fileURLToPath(new URL('./failpoint.ts', import.meta.url));
const MAIN = fileURLToPath(new URL('../../../src/main.js', import.meta.url));
/** As `npm start` starts it. */
const ARGUMENTS = ['--import', PRELOAD, '--max-semi-space-size=8', MAIN, 'start'];
const LOOK_EVERY_MS = 10;
const READY_WITHIN_MS = 30_000;

/** One life of a process. `readyAtMs` is absent when it died before. */
export type Life = {
  readonly startedAtMs: number;
  readyAtMs?: number;
  endedAtMs?: number;
};

/** How a process ended: at its moment, by our hand, or as it should not. */
export type End = 'at its moment' | 'killed' | 'stopped' | 'accident';

/** The real program in a process of its own, that dies and is started again. */
export class Program {
  readonly lives: Life[] = [];
  /** What should never happen to a process, in words. */
  readonly complaints: string[] = [];
  readonly #env: Readonly<Record<string, string>>;
  readonly #port: number;
  readonly #logFile: string;
  #child: ChildProcess | undefined;
  #ended: Promise<End> = Promise.resolve('stopped');
  #told: 'nothing' | 'SIGKILL' | 'SIGTERM' = 'nothing';
  #armed = false;

  /** `env` is its whole environment but for PATH. All its lives write to one log. */
  constructor(port: number, env: Readonly<Record<string, string>>, logFile: string) {
    this.#port = port;
    this.#env = { HOST: '127.0.0.1', PORT: String(port), ...env };
    this.#logFile = logFile;
  }

  /** Resolves when this life ends, however it ends. */
  get ended(): Promise<End> {
    return this.#ended;
  }

  get isReady(): boolean {
    const life = this.lives.at(-1);
    return life?.readyAtMs !== undefined && life.endedAtMs === undefined;
  }

  /** Starts it, to die at `point`; true once it is ready, false when it died before. */
  async start(point?: Point): Promise<boolean> {
    const life: Life = { startedAtMs: Date.now() };
    this.lives.push(life);
    this.#told = 'nothing';
    this.#armed = point !== undefined;
    const log = openSync(this.#logFile, 'a', 0o600);
    const child = spawn(process.execPath, ARGUMENTS, {
      env: {
        PATH: process.env['PATH'] ?? '',
        ...this.#env,
        ...(point === undefined ? {} : { CRASH_AT: pointText(point) }),
      },
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    this.#child = child;
    this.#ended = once(child, 'exit').then(([code, signal]) => {
      life.endedAtMs = Date.now();
      return this.#howItEnded(code as number | null, signal as string | null);
    });
    return this.#untilReady(life);
  }

  /** From now on it dies at this moment, if it is not dead already, which `ended` tells. */
  arm(point: Point): void {
    this.#armed = true;
    this.#child?.send(pointText(point), () => {});
  }

  async kill(): Promise<End> {
    if (this.#told === 'nothing') this.#told = 'SIGKILL';
    this.#child?.kill('SIGKILL');
    return this.#ended;
  }

  /** Asks it to end; it may die on the way. */
  terminate(): Promise<End> {
    this.#told = 'SIGTERM';
    this.#child?.kill('SIGTERM');
    return this.#ended;
  }

  async #untilReady(life: Life): Promise<boolean> {
    while (life.endedAtMs === undefined) {
      if (await answersReady(this.#port)) {
        life.readyAtMs = Date.now();
        return true;
      }
      if (Date.now() - life.startedAtMs > READY_WITHIN_MS) throw new Error('it does not get ready');
      await sleep(LOOK_EVERY_MS);
    }
    return false;
  }

  #howItEnded(code: number | null, signal: string | null): End {
    if (signal === 'SIGKILL') return this.#told === 'SIGKILL' ? 'killed' : this.#atItsMoment();
    if (this.#told === 'SIGTERM' && code === 0) return 'stopped';
    this.complaints.push(`the process ended with ${code ?? signal}`);
    return 'accident';
  }

  #atItsMoment(): End {
    if (this.#armed) return 'at its moment';
    this.complaints.push('the process was killed by somebody else');
    return 'accident';
  }
}

const answersReady = async (port: number): Promise<boolean> => {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Nobody is there yet.
    return false;
  }
};
