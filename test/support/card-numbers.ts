import fc from 'fast-check';

/** The digit that makes the sum of Luhn right, reckoned with a table rather than as the product does. */
export const withCheckDigit = (digits: string): string => {
  const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  const sum = [...digits]
    .reverse()
    .reduce(
      (total, digit, at) => total + (at % 2 === 0 ? (DOUBLED[Number(digit)] ?? 0) : Number(digit)),
      0,
    );
  return `${digits}${(10 - (sum % 10)) % 10}`;
};

/** First digits and lengths of the cards there are. */
const NETWORKS: readonly (readonly [first: string, length: number, groups: readonly number[]])[] = [
  ['4', 16, [4, 4, 4, 4]],
  ['4', 13, [4, 3, 3, 3]],
  ['4', 19, [4, 4, 4, 4, 3]],
  ['51', 16, [4, 4, 4, 4]],
  ['55', 16, [4, 4, 4, 4]],
  ['2221', 16, [4, 4, 4, 4]],
  ['2720', 16, [4, 4, 4, 4]],
  ['34', 15, [4, 6, 5]],
  ['37', 15, [4, 6, 5]],
  ['6011', 16, [4, 4, 4, 4]],
  ['36', 14, [4, 6, 4]],
  ['62', 19, [6, 13]],
  ['5061', 19, [4, 4, 4, 4, 3]],
  ['35', 16, [4, 4, 4, 4]],
];

/** A number that a card could have, and how its digits are grouped on it. */
export const cardNumber = fc
  .tuple(fc.constantFrom(...NETWORKS), fc.stringMatching(/^\d{18}$/))
  .map(([[first, length, groups], rest]) => ({
    digits: withCheckDigit((first + rest).slice(0, length - 1)),
    groups,
  }));
