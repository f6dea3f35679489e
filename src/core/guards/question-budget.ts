import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';

/** Most questions to the payment service of one person within `WINDOW_MS`. */
export const MOST_QUESTIONS = 30;
const WINDOW_MS = 600_000;
/** 3 MB at most; only people with a right to ask are counted, so a shop never comes near. */
const MOST_PEOPLE = 10_000;

/** How many lookups and status questions each person has left, so that nobody's script uses up what the others share. */
export class QuestionBudget {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** When each person asked within the window; those who asked longest ago come first. */
  readonly #askedAtMs = new BoundedMap<string, readonly number[]>(MOST_PEOPLE);

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Counts one question and returns 0; or counts none and returns in how many ms one is free again. */
  spend(person: string): number {
    const nowMs = this.#clock.monotonic();
    const asked = (this.#askedAtMs.get(person) ?? []).filter((ms) => ms > nowMs - WINDOW_MS);
    const [first = nowMs] = asked;
    const isSpent = asked.length >= MOST_QUESTIONS;
    this.#askedAtMs.set(person, isSpent ? asked : [...asked, nowMs]);
    return isSpent ? first + WINDOW_MS - nowMs : 0;
  }

  /** How many people are remembered. */
  get size(): number {
    return this.#askedAtMs.size;
  }
}
