import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import type { Clock } from '../../core/runtime/clock.ts';

/** How old an answer that grants something may get, should Slack's event of a change be lost. */
const TTL_MS = 5 * 60_000;
const MOST_ANSWERS = 10_000;

type Asked<T> = { readonly answer: Promise<T>; readonly atMs: number };

/** What Slack answered about each id, asked again when it is older than `ttlMs`. */
export class TtlCache<T> {
  readonly #ask: (id: string) => Promise<T>;
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #asked = new BoundedMap<string, Asked<T>>(MOST_ANSWERS);

  constructor(options: {
    ask: (id: string) => Promise<T>;
    clock: Clock;
    /** @default TTL_MS */
    ttlMs?: number;
  }) {
    this.#ask = options.ask;
    this.#clock = options.clock;
    this.#ttlMs = options.ttlMs ?? TTL_MS;
  }

  /** Rejects when Slack does not answer: nothing is granted on a guess or on an old answer. */
  async about(id: string): Promise<T> {
    const asked = this.#askedAbout(id);
    try {
      const answer = await asked.answer;
      // Forgotten while it was under way: the answer may be from before the change.
      return this.#asked.get(id) === asked ? answer : await this.about(id);
    } catch (error) {
      // The next caller asks again.
      if (this.#asked.get(id) === asked) this.#asked.delete(id);
      throw error;
    }
  }

  /** Slack told of a change: the next caller asks again. */
  forget(id: string): void {
    this.#asked.delete(id);
  }

  #askedAbout(id: string): Asked<T> {
    const known = this.#asked.get(id);
    if (known !== undefined && this.#isFresh(known)) return known;
    const asked = { answer: this.#ask(id), atMs: this.#clock.now() };
    this.#asked.set(id, asked);
    return asked;
  }

  /** A clock set back must not keep an answer alive. */
  #isFresh({ atMs }: Asked<T>): boolean {
    const ageMs = this.#clock.now() - atMs;
    return ageMs >= 0 && ageMs < this.#ttlMs;
  }
}
