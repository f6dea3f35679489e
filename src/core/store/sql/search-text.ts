import type { Payment, SearchTerm } from '../../records/payment.ts';
import type { Money } from '../../values/money.ts';
import { FORGOTTEN_NAME, isPseudonym } from '../../values/pseudonym.ts';
import { searchWords } from '../../values/search-words.ts';

const LAST_DIGITS = 4;
/** PostgreSQL refuses a row of an index above 2,704 bytes: a payment must never be refused for long names. */
const MOST_BYTES = 2_000;

const amountWord = ({ currency, amountMinor }: Money): string => `=${currency}${amountMinor}`;

/**
 * Everything that a payment is searched by, as words with a space on both sides: the last digits of the number (after a
 * #), the amount (after a =), words of the name and the reference, words of the requester's name (after an @); the first
 * of them where they are too long. The transaction id is a key of its own and is left out where it is the reference; a
 * forgotten customer has neither number nor name.
 */
export const searchText = ({ id, terms, requester }: Payment): string => {
  const { customerNumber, customerName = '', reference, amount } = terms;
  const words = [
    ...(isPseudonym(customerNumber) ? [] : [`#${customerNumber.slice(-LAST_DIGITS)}`]),
    amountWord(amount),
    ...(customerName === FORGOTTEN_NAME ? [] : searchWords(customerName)),
    ...(reference === id ? [] : searchWords(reference)),
    ...searchWords(requester.name).map((word) => `@${word}`),
  ];
  const text = Buffer.from(` ${[...new Set(words)].join(' ')} `);
  return text.subarray(0, text.lastIndexOf(' ', MOST_BYTES) + 1).toString();
};

/** A word with a letter is searched by its beginning; of digits the beginning would match too much. */
const begun = (word: string): string =>
  word.length > 1 && /\p{L}/u.test(word) ? ` ${word}` : ` ${word} `;

/** What the text of a payment has to have one of. */
export const soughtTexts = ({ word, lastDigits, amount, person }: SearchTerm): string[] => [
  ...(word === undefined ? [] : [begun(word)]),
  ...(person === undefined ? [] : [begun(`@${person}`)]),
  ...(lastDigits === undefined ? [] : [` #${lastDigits} `]),
  ...(amount === undefined ? [] : [` ${amountWord(amount)} `]),
];
