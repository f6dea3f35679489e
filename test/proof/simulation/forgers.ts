import type { Card } from '../../../src/commands/cards/card.ts';
import type { Caller } from '../../../src/commands/inbound.ts';
import type { Dice } from '../storm/dice.ts';

type Press = { readonly verb: string; readonly id: string };

/** Everybody may ask for access, and its question goes to those who may give it. */
const OPEN_TO_ALL: ReadonlySet<string> = new Set(['ask-access']);

/**
 * People with a changed client: they press buttons that stand elsewhere, or that were never there, by what they could
 * read of all that was shown to anybody. Nobody could know more.
 */
export class Forgers {
  readonly #dice: Dice;
  readonly #callers: readonly Caller[];
  readonly #known: Press[] = [];

  constructor(dice: Dice, callers: readonly Caller[]) {
    this.#dice = dice;
    this.#callers = callers;
  }

  overhear({ buttons = [] }: Card): void {
    for (const button of buttons)
      if (button.kind === 'press' && !OPEN_TO_ALL.has(button.verb)) this.#known.push(button);
  }

  /** The verb of one button with the id of another, as often as one that is. */
  forge(): { readonly caller: Caller; readonly press: Press } | undefined {
    const [caller, one, other] = [this.#callers, this.#known, this.#known].map(
      (all) => all[this.#dice.whole(0, Math.max(0, all.length - 1))],
    ) as [Caller | undefined, Press | undefined, Press | undefined];
    if (caller === undefined || one === undefined || other === undefined) return undefined;
    return { caller, press: { verb: one.verb, id: (this.#dice.chance(0.5) ? one : other).id } };
  }
}
