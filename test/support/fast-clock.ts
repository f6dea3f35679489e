import { type Clock, systemClock } from '../../src/core/clock.ts';

/** A clock that runs many times as fast as time does: journeys with real HTTP take seconds of it in the blink of an eye. */
export class FastClock implements Clock {
  readonly #speed: number;
  readonly #startedMs = Date.now();

  constructor(speed = 25) {
    this.#speed = speed;
  }

  now(): number {
    return this.#startedMs + Math.round((Date.now() - this.#startedMs) * this.#speed);
  }

  monotonic(): number {
    return this.now();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms / this.#speed, signal);
  }
}
