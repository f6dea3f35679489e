import { type Clock, systemClock } from '../../src/core/runtime/clock.ts';

const TICK_MS = 5;
/** What is longer between two looks was no time for this process: the machine gave it to others. */
const LONGEST_TICK_MS = 25;

/**
 * A clock that runs many times as fast as time does: journeys with real HTTP take seconds of it in the blink of an eye.
 * It waits for a process that has to wait for the machine, so that limits in its seconds hold on a slow one as well.
 */
export class FastClock implements Clock {
  readonly #speed: number;
  #nowMs: number;
  #lookedMs = performance.now();
  #sleepers = 0;
  #ticking: NodeJS.Timeout | undefined;

  constructor(speed = 25, startMs = Date.now()) {
    this.#speed = speed;
    this.#nowMs = startMs;
  }

  now(): number {
    return Math.round(this.#look());
  }

  monotonic(): number {
    return this.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const untilMs = this.#look() + ms;
    // While nobody sleeps it stands: the clocks of tests that have finished would tick on in the same process.
    this.#sleepers += 1;
    this.#ticking ??= setInterval(() => this.#look(), TICK_MS).unref();
    do {
      await systemClock.sleep((untilMs - this.#nowMs) / this.#speed, signal);
    } while (this.#look() < untilMs && signal?.aborted !== true);
    this.#sleepers -= 1;
    if (this.#sleepers > 0) return;
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }

  #look(): number {
    const realMs = performance.now();
    this.#nowMs += Math.min(realMs - this.#lookedMs, LONGEST_TICK_MS) * this.#speed;
    this.#lookedMs = realMs;
    return this.#nowMs;
  }
}
