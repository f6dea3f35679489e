import { wrong } from '../runtime/errors.ts';
import { plainText } from './normalise-input.ts';

const SHORTEST = 13;
const LONGEST = 19;

/** Groups of digits with up to three separators between them, as in `4000 - 0000`. */
const DIGIT_RUN = /\d+(?:[ .\-/_]{1,3}\d+)*/g;

/** Said wherever a card number was typed: it must not get into records, and should leave the chat too. */
export const neverTypeCards = () =>
  wrong(
    'Never type card numbers in chat; delete that message. The customer enters the card on the payment page.',
  );

/** Whether a bank card number is anywhere in the text, in one piece or in groups. */
export const hasCardNumber = (text: string): boolean =>
  (text.match(DIGIT_RUN) ?? []).some((run) => hasCardInGroups(run.split(/[^\d]+/)));

/** With any characters between its digits. Line by line: one customer number below the other is no card. */
export const isCardTyped = (typed: string): boolean =>
  typed.split(/[\r\n\u0085\u2028\u2029]+/).some((line) => hasCardNumber(plainText(line)));

/** The text with `[card number]` in the place of each; as it is where it has none. */
export const withoutCards = (text: string): string =>
  isCardTyped(text)
    ? plainText(text).replace(DIGIT_RUN, (run) => (hasCardNumber(run) ? '[card number]' : run))
    : text;

const hasCardInGroups = (groups: readonly string[]): boolean => {
  if (isMeterToken(groups)) return false;
  return groups.some((_group, from) => startsWithCard(groups.slice(from, from + LONGEST)));
};

const startsWithCard = (groups: readonly string[]): boolean => {
  let digits = '';
  for (const [index, group] of groups.entries()) {
    digits += group;
    if (digits.length > LONGEST) return false;
    if (isCardNumber(digits) && isCardShape(groups.slice(0, index + 1))) return true;
  }
  return false;
};

/** In one piece, or beginning with fours, sixes or eights as on the card. */
const CARD_SHAPE = /^(\d+|4-[46]-.+|6-\d+|8-8.*)$/;

/**
 * Whether digits in groups like these can be a card. Not every grouping will do: one in ten customer
 * numbers followed by an amount passes the checksum by chance.
 */
const isCardShape = (groups: readonly string[]): boolean => {
  const lengths = groups.map(({ length }) => length);
  const [first = 0] = lengths;
  const inEqualGroups = lengths.every((length, index) =>
    index === lengths.length - 1 ? length <= first : length === first,
  );
  // Threes are how customer numbers are grouped, never cards.
  return (inEqualGroups && [1, 2, 4].includes(first)) || CARD_SHAPE.test(lengths.join('-'));
};

/** Prepaid electricity tokens are five groups of four. After a card number the fifth would be its expiry. */
const isMeterToken = (groups: readonly string[]): boolean =>
  groups.length === 5 &&
  groups.every((group) => group.length === 4) &&
  !/^(0[1-9]|1[0-2])/.test(groups[4] ?? '');

const isCardNumber = (digits: string): boolean =>
  digits.length >= SHORTEST && digits.length <= LONGEST && isIssued(digits) && passesLuhn(digits);

/** First digits in use by card networks. An IMEI (mostly 35…) is no card, and phone shops write it into references. */
const isIssued = (digits: string): boolean => {
  if (/^2(22[1-9]|2[3-9]|[3-6]|7[01]|720)/.test(digits)) return digits.length === 16;
  if (digits.startsWith('35')) return digits.length >= 16;
  return /^[3-6]/.test(digits);
};

const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = digit * 2;
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};
