import type { Card } from '../../../src/commands/cards/card.ts';
import type { Answers } from '../../../src/commands/forms/form.ts';
import type { Dice } from '../storm/dice.ts';

type Filled = { readonly name: 'given-back' | 'note'; readonly answers: Answers };

/** What people fill in who see the card of a completed payment. */
export class Givers {
  readonly #dice: Dice;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  whole(from: number, to: number): number {
    return this.#dice.whole(from, to);
  }

  answersTo({ title, buttons = [] }: Card): Filled[] {
    const dice = this.#dice;
    const again = buttons.find((button) => button.kind === 'press' && button.verb === 'again');
    const [, paid] = /GHS ([\d,]+\.\d\d)/.exec(title) ?? [];
    if (again?.kind !== 'press' || paid === undefined || !dice.chance(0.4)) return [];
    const minor = Math.round(Number(paid.replaceAll(',', '')) * 100);
    const payment = again.id;
    const back = (): Filled => {
      const part = Math.max(1, Math.floor(minor * dice.pick([0.1, 0.4, 0.7, 1, 1.2])));
      const amount = `GHS ${(part / 100).toFixed(2)}`;
      // A changed client says that more is left than there is.
      const left = `GHS ${((minor * dice.pick([1, 1, 9])) / 100).toFixed(2)}`;
      return { name: 'given-back', answers: { of: payment, left, amount, reason: 'Came back' } };
    };
    const note: Filled = {
      name: 'note',
      answers: { of: payment, note: `Seen ${dice.whole(1, 99)}` },
    };
    return [back(), ...(dice.chance(0.5) ? [back()] : []), ...(dice.chance(0.4) ? [note] : [])];
  }
}
