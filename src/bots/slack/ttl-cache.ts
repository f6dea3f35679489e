import type { Clock } from '../../core/runtime/clock.ts';

/** How old an answer that grants something may get, should Slack's event of a change be lost. */
const TTL_MS = 5 * 60_000;
const REMEMBERED = 10_000;

type Known<T> = { readonly answer: Promise<T>; readonly askedAtMs: number };

/** What Slack answered about each id, asked again when it is older than `ttlMs`. */
export class TtlCache<T> {
  readonly #ask: (id: string) => Promise<T>;
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #known = new Map<string, Known<T>>();

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

  /** Rejects when Slack cannot tell: nobody may be granted something on a guess or on an old answer. */
  async about(id: string): Promise<T> {
    const asked = this.#asked(id);
    try {
      const answer = await asked.answer;
      // Forgotten meanwhile: the answer may be from before the change.
      return this.#known.get(id) === asked ? answer : await this.about(id);
    } catch (error) {
      // Forgotten, so that the next caller asks again.
      if (this.#known.get(id) === asked) this.#known.delete(id);
      throw error;
    }
  }

  /** It has changed: what was known of it does not count any more. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  #asked(id: string): Known<T> {
    const known = this.#known.get(id);
    if (known !== undefined && this.#isFresh(known)) return known;
    const asked = { answer: this.#ask(id), askedAtMs: this.#clock.now() };
    this.#known.delete(id);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(id, asked);
    return asked;
  }

  /** A clock set back must not keep an answer alive. */
  #isFresh({ askedAtMs }: Known<T>): boolean {
    const ageMs = this.#clock.now() - askedAtMs;
    return ageMs >= 0 && ageMs < this.#ttlMs;
  }
}
