import type { Dice } from '../storm/dice.ts';
import { MANNERS } from './manners.ts';

/** One charge that a person wants to make, and what that person did. */
export type Sale = {
  /** No other sale of the shop has this amount: by it a sale is recognised in every book. */
  readonly amountMinor: number;
  /** As it is typed and shown: `100.07`. */
  readonly amount: string;
  /** No other sale has this customer; its last two digits say what the service does. */
  readonly customerNumber: string;
  /** Of this sale alone. */
  readonly seller: number;
  /** In which the process died when it died on purpose; for the report. */
  readonly round: number;
  typedAtMs: number;
  /** When its button was pressed. It is pressed once, whatever happens. */
  pressedAtMs?: number;
  /** Its outcome ends the process that tells it. */
  poisoned?: true;
};

const FIRST_AMOUNT_MINOR = 100_01;

/** All that was ever typed in one shop. */
export class SalesBook {
  readonly sales: Sale[] = [];
  readonly #dice: Dice;
  #bag: string[] = [];

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** `manner`: two digits of MANNERS. @default all of them in turns, in an order nobody chose */
  open({ round, manner }: { round: number; manner?: string }): Sale {
    const count = this.sales.length;
    const amountMinor = FIRST_AMOUNT_MINOR + count;
    const sale: Sale = {
      amountMinor,
      amount: (amountMinor / 100).toFixed(2),
      customerNumber: `0244${String(count).padStart(4, '0')}${manner ?? this.#drawn()}`,
      seller: count,
      round,
      typedAtMs: Date.now(),
    };
    this.sales.push(sale);
    return sale;
  }

  #drawn(): string {
    if (this.#bag.length === 0) this.#bag = Object.keys(MANNERS);
    return this.#bag.splice(this.#dice.whole(0, this.#bag.length - 1), 1)[0] ?? '00';
  }
}
