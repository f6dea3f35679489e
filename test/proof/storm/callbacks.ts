import { CallbackPost } from '../../support/callback-post.ts';
import type { Dice } from './dice.ts';

/** Copies that a service sends which has lost count. */
const FLOOD = 20;

type Truth = 'completed' | 'failed';

/** One `make_payment` that was taken. Each is a charge: nothing is recognised as a repetition. */
export type Taking = {
  readonly transactionId: string;
  readonly amountMinor: number;
  readonly customerNumber: string;
  readonly atMs: number;
  readonly settlesAtMs: number;
  readonly truth: Truth;
};

/** The callbacks of a storm: of some payments none, of some a flood, some late. */
export class Callbacks {
  readonly #dice: Dice;
  readonly #post = new CallbackPost({ tries: 4, pauseMs: 1_500 });

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  owe({ transactionId, truth, amountMinor, settlesAtMs }: Taking, url: string): void {
    const lie = truth === 'completed' ? 'failed' : 'completed';
    for (const lateMs of this.#latenesses()) {
      // Not every caller tells the truth, so none is to be believed.
      const status = this.#dice.chance(0.05) ? lie : truth;
      const body = { transaction_id: transactionId, status, amount: amountMinor / 100 };
      this.#post.owe(url, body, settlesAtMs + lateMs);
    }
  }

  stop(): Promise<void> {
    return this.#post.stop();
  }

  /** How long after the end each copy goes out; those nearly at once go to both instances at once. */
  #latenesses(): number[] {
    const copies = this.#dice.chance(0.06) ? FLOOD : this.#dice.pick([0, 1, 1, 1, 2, 3]);
    const longestMs = copies === FLOOD ? 300 : 30;
    return Array.from({ length: copies }, () =>
      this.#dice.chance(0.1) ? this.#dice.between(1_000, 8_000) : this.#dice.between(0, longestMs),
    );
  }
}
