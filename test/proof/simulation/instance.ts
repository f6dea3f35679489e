import type { Clock } from '../../../src/core/runtime/clock.ts';
import type { Timeline } from './timeline.ts';

/** What an outside does with a call: it may answer now, later, or never. */
export type Serve<T> = (answer: (value: T) => void, fail: (error: Error) => void) => void;

/** Asked before each call that an instance makes; `true`: it dies instead. */
export type Fatality = (instance: Instance, what: string) => boolean;

/**
 * One process as the outside sees it. Everything it does to the world and everything the world tells it
 * goes through here, so that nothing gets out of a dead one and nothing into one that stands still.
 */
export class Instance {
  readonly name: string;
  readonly clock: Clock;
  /** For what is done now and then, such as a heartbeat: as late as nobody minds. */
  readonly idleClock: Clock;
  readonly #timeline: Timeline;
  readonly #fatality: Fatality;
  readonly #offsetMs: () => number;
  /** It has started; until then nobody waits without need. */
  isUp = false;
  #isAlive = true;
  #isPaused = false;
  readonly #held: (() => void)[] = [];

  constructor(options: {
    name: string;
    timeline: Timeline;
    fatality: Fatality;
    /** How wrong the machine's clock is. */
    offsetMs: () => number;
    /** Whoever sleeps this long or longer naps: he looks for work that he would have been told of. */
    napMs: () => number;
  }) {
    this.name = options.name;
    this.#timeline = options.timeline;
    this.#fatality = options.fatality;
    this.#offsetMs = options.offsetMs;
    this.clock = {
      now: () => this.#timeline.nowMs + this.#offsetMs(),
      monotonic: () => this.#timeline.nowMs,
      sleep: (ms, signal) => this.#sleep(ms, signal, ms >= options.napMs()),
    };
    this.idleClock = {
      ...this.clock,
      sleep: (ms, signal) => this.#sleep(ms, signal, this.isUp),
    };
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** A call to the outside. From a dead process none gets out, and no answer gets in. */
  call<T>(what: string, serve: Serve<T>): Promise<T> {
    if (this.dies(what)) return never();
    return new Promise((resolve, reject) => {
      serve(
        (value) => this.hear(() => resolve(value)),
        (error) => this.hear(() => reject(error)),
      );
    });
  }

  /** Whether the process is dead at this point of it, or dies here. */
  dies(what: string): boolean {
    if (!this.#isAlive) return true;
    this.#timeline.stir();
    return this.#fatality(this, what);
  }

  /** Something comes in from the outside. */
  hear(act: () => void): void {
    if (!this.#isAlive) return;
    this.#timeline.stir();
    if (this.#isPaused) this.#held.push(act);
    else act();
  }

  kill(): void {
    this.#isAlive = false;
    this.#held.length = 0;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const act of this.#held.splice(0)) this.hear(act);
  }

  #sleep(ms: number, signal: AbortSignal | undefined, isNap: boolean): Promise<void> {
    if (!this.#isAlive) return never();
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      this.#timeline.stir();
      const wake = () => {
        this.#timeline.cancel(event);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const event = isNap
        ? this.#timeline.nap(ms, () => this.hear(wake))
        : this.#timeline.after(ms, () => this.hear(wake));
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
}

/** A promise of its own each time: what waits for it is forgotten with it. */
const never = (): Promise<never> => new Promise(() => {});
