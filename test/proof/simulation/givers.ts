import type { Card } from '../../../src/commands/cards/card.ts';
import type { Answers } from '../../../src/commands/forms/form.ts';
import { shortIdFrom } from '../../../src/core/values/transaction-id.ts';
import type { Dice } from '../storm/dice.ts';
import type { Rule } from './stories.ts';

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

/**
 * 21: never more is given back than was collected, each amount once for the event that wrote it down, with its audit
 * row, by a person who might, and what they were told is what is stored.
 */
export const givenBackOnce: Rule = ({ id, payment, audit, charges }, { people }) => {
  const { givenBack = [], notes = [] } = payment ?? {};
  const rows = audit.filter(({ what }) => what === 'given back');
  const sum = givenBack.reduce((total, { amountMinor }) => total + amountMinor, 0);
  const wrong: string[] = [];
  const most = payment?.state === 'completed' ? payment.terms.amount.amountMinor : 0;
  if (sum > most) wrong.push(`21: ${sum} is given back of ${most}`);
  if (sum > 0 && charges.length === 0) wrong.push('21: given back, and never collected');
  if (new Set(givenBack.map((one) => one.id)).size < givenBack.length)
    wrong.push('21: given back twice for one event');
  if (
    JSON.stringify(rows.map(amountIn)) !== JSON.stringify(givenBack.map((one) => one.amountMinor))
  )
    wrong.push(`21: ${givenBack.length} given back, ${rows.length} audited`);
  if (audit.filter(({ what }) => what === 'noted').length !== notes.length)
    wrong.push('21: a note and its audit row are not the same');
  for (const { by, approver } of givenBack) {
    if (people.staff.isForger(by)) wrong.push(`21: given back by ${by.id}, who may not`);
    if (approver !== undefined && approver.id === by.id)
      wrong.push(`21: ${by.id} approved their own`);
  }
  const told = new Set(
    people.shown.flatMap(({ happening: { eventId, what }, card }) =>
      what.kind === 'form' && what.answers['of'] === id && /^Written down/.test(card.title)
        ? [shortIdFrom(eventId)]
        : [],
    ),
  );
  const stored = new Set(givenBack.map((one) => one.id));
  for (const eventId of told)
    if (!stored.has(eventId)) wrong.push('21: said to be written down, and lost');
  return wrong;
};

const amountIn = ({ detail }: { readonly detail?: Readonly<Record<string, unknown>> }): unknown =>
  (detail?.['amount'] as { amountMinor?: number } | undefined)?.amountMinor;
