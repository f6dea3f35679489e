import type { Grants } from './access/grants.ts';
import { type Card, cardOf, part, problemCard } from './cards/card.ts';
import type { Command } from './command.ts';
import { isUsable } from './command-rights.ts';

/** Digits behind the country code or the leading 0: `0244123456` and `+233244123456` are one number. */
const OWN_DIGITS = 9;
const MOST_SHOWN = 5;

export const numberOfContact = (numbers: readonly string[]): string | Card => {
  const typed = numbers.filter((number) => /\d/.test(number));
  const distinct = new Map(typed.map((number) => [ownDigits(number), number]));
  const [first, ...others] = distinct.values();
  if (first === undefined) return noNumberCard;
  return others.length === 0 ? first : severalNumbersCard([first, ...others]);
};

const ownDigits = (number: string): string => number.replace(/\D/g, '').slice(-OWN_DIGITS);

const noNumberCard = problemCard({
  message: 'This contact has no number. Type the number.',
  example: '0244123456',
});

const severalNumbersCard = (numbers: readonly string[]): Card =>
  cardOf(
    'Please check',
    [
      part.text(`This contact has ${numbers.length} numbers. Type the one that you need.`),
      ...numbers.slice(0, MOST_SHOWN).map(part.example),
    ],
    { tone: 'warning' },
  );

/** The command that a number alone begins: the first that this person may use, else the first, to be denied. */
export const commandForContact = (commands: readonly Command[], grants: Grants) => {
  const begun = commands.filter(({ form }) => form?.fields[0]?.takesContact === true);
  return begun.find((command) => isUsable(command, grants)) ?? begun[0];
};
