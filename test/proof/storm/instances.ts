import { setTimeout as sleep } from 'node:timers/promises';
import type { AppProcess } from '../../support/app-process.ts';

/** Something that was done to an instance, from its beginning until the instance could work again. */
export type Trouble = {
  readonly kind: 'kill' | 'pause' | 'roll';
  readonly instance: string;
  readonly fromMs: number;
  readonly toMs: number;
};

/** One Paythread process, and all that is done to it. */
export class Instance {
  readonly name: string;
  readonly #app: AppProcess;
  readonly #timeline: Trouble[];
  /** What should never happen to a process, in words. */
  readonly #complaints: string[] = [];
  #running = false;
  #over = false;

  constructor(name: string, app: AppProcess, timeline: Trouble[]) {
    this.name = name;
    this.#app = app;
    this.#timeline = timeline;
  }

  get log(): string {
    return this.#app.output;
  }

  get complaints(): readonly string[] {
    return [...this.#complaints, ...this.#app.accidents].map((what) => `${this.name}: ${what}`);
  }

  async start(): Promise<void> {
    if (this.#over) return;
    await this.#app.start();
    this.#running = true;
  }

  /** Dies on the spot, is away for a while, and starts again. */
  kill(awayMs: number): Promise<void> {
    return this.#trouble('kill', async () => {
      await this.#app.kill('SIGKILL');
      await sleep(awayMs);
      await this.start();
    });
  }

  /** Stands still in the middle of whatever it does, as a process does whose machine is moved. */
  pause(forMs: number): Promise<void> {
    return this.#trouble('pause', async () => {
      this.#app.signal('SIGSTOP');
      await sleep(forMs);
      this.#app.signal('SIGCONT');
    });
  }

  /** As an operator brings a new version. */
  roll(): Promise<void> {
    return this.#trouble('roll', async () => {
      await this.#stopped();
      await this.start();
    });
  }

  /** Ends it well if it runs. */
  async stop(): Promise<void> {
    if (this.#running) await this.#stopped();
    this.#running = false;
  }

  /** Ends it at once and for good, in whatever state it is. */
  async destroy(): Promise<void> {
    this.#over = true;
    await this.#app.kill('SIGKILL');
  }

  async #stopped(): Promise<void> {
    const code = await this.#app.kill('SIGTERM');
    if (code !== 0) this.#complaints.push(`left with ${code} after SIGTERM`);
  }

  async #trouble(kind: Trouble['kind'], work: () => Promise<void>): Promise<void> {
    const fromMs = Date.now();
    await work();
    this.#timeline.push({ kind, instance: this.name, fromMs, toMs: Date.now() });
  }
}
