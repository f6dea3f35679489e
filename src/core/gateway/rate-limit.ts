import type { Clock } from '../runtime/clock.ts';

/**
 * A bucket of tokens, one for each request. A token used comes back one period later and not by
 * little drops, so no stretch of time, wherever it begins, sees more requests than the rate allows.
 */
export class RateLimit {
  readonly #clock: Clock;
  /** How long a token stays away, in ms. */
  readonly #periodMs: number;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** `requestsPerSecond` may be below one, such as 0.5 for a request every two seconds. */
  constructor(clock: Clock, requestsPerSecond: number) {
    this.#clock = clock;
    this.#free = Math.max(1, Math.floor(requestsPerSecond));
    this.#periodMs = (this.#free / requestsPerSecond) * 1000;
  }

  /** Resolves when a request may be sent, in the order of the calls. */
  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#serve();
    });
  }

  #serve(): void {
    while (this.#free > 0) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#free--;
      void this.#bringBack();
      next();
    }
  }

  async #bringBack(): Promise<void> {
    await this.#clock.sleep(this.#periodMs);
    this.#free++;
    this.#serve();
  }
}
