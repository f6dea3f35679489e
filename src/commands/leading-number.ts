import { type Problem, wrong } from '../core/runtime/errors.ts';
import { type CustomerNumber, parseCustomerNumber } from '../core/values/customer-number.ts';

/** A word that can be part of a number, letters that look like digits included; a comma may follow it. */
const NUMBER_WORD = /^(?:[+\d().\-/]+|(?=.*\d)[+\dOolI().\-/]+)[,;]?$/;

/** In words; a number typed with spaces has fewer. */
const MAX_WORDS = 12;

/** In a number typed with spaces, a longer word would be a number of its own, with digits missing. */
const MAX_DIGITS_IN_PART = 6;

/** What would rather be an amount than a part of a number: `5`, `6.94`. */
const AMOUNT_NOT_PART = /^([1-9]|\d+\.\d{1,2})$/;

export type LeadingNumber = {
  readonly number: CustomerNumber;
  readonly rest: readonly string[];
};

/** Every way to read the first words as a number. Doubtful numbers count only when there is no other. */
export const leadingNumbers = (words: readonly string[], country: string): LeadingNumber[] => {
  const found: LeadingNumber[] = [];
  const parts: string[] = [];
  for (const word of numberWords(words)) {
    parts.push(word);
    if (!isGroupedLikeANumber(parts)) continue;
    const text = asText(parts);
    const number = parseCustomerNumber(text, country);
    // A doubtful number in several words and without a prefix is a guess: skip it.
    if (number.ok && number.value.doubtful && parts.length > 1 && !/^[0+(]/.test(text)) continue;
    if (number.ok) found.push({ number: number.value, rest: words.slice(parts.length) });
  }
  const certain = found.filter(({ number }) => !number.doubtful);
  return certain.length > 0 ? certain : found;
};

/** The problem with the first words, when `leadingNumbers` found no number in them. */
export const numberProblem = (words: readonly string[], country: string): Problem => {
  const result = parseCustomerNumber(asText(likelyNumber(words)), country);
  return result.ok ? writeWithoutSpaces().problem : result.problem;
};

export const writeWithoutSpaces = () =>
  wrong('I am not sure where the number ends. Please write it without spaces, such as 0244123456.');

/** The words at the beginning that can be parts of a number. */
export const numberWords = (words: readonly string[]): readonly string[] => {
  const first = words.slice(0, MAX_WORDS).map(unquoted);
  const end = first.findIndex((word) => !NUMBER_WORD.test(word));
  return end < 0 ? first : first.slice(0, end);
};

export const unquoted = (word: string): string =>
  word.replace(/^["'`“”‘’«]+/, '').replace(/["'`“”‘’»]+$/, '');

export const digitCount = (words: readonly string[]): number =>
  words.join('').replace(/\D/g, '').length;

const asText = (words: readonly string[]): string =>
  words.map(unquoted).join(' ').replace(/[,;]$/, '');

/** An amount must never pass for the last digits of a number that is cut short. */
const isGroupedLikeANumber = (parts: readonly string[]): boolean => {
  if (parts.length === 1) return true;
  if (parts.slice(0, -1).some(isLong) || digitCount(parts.slice(-1)) === 0) return false;
  return !parts.slice(1).some((part) => AMOUNT_NOT_PART.test(part));
};

/** Whether a part has so many digits that no other part can follow it. */
const isLong = (part: string): boolean => {
  const countryCodeDigits = part.startsWith('+') ? 3 : part.startsWith('00') ? 5 : 0;
  return digitCount([part]) > MAX_DIGITS_IN_PART + countryCodeDigits;
};

/** Words that do not begin with a number, into what was probably meant to be one and the words behind it. */
export const splitLikelyNumber = (words: readonly string[]) => {
  const likely = likelyNumber(words);
  return { typed: asText(likely), rest: words.slice(likely.length) };
};

/** What was probably meant to be the number: as many words as it takes to have its digits. */
const likelyNumber = (words: readonly string[]): readonly string[] => {
  const run = numberWords(words);
  if (run.length === 0 || isLong(run[0] ?? '')) return words.slice(0, 1);
  const enough = run.findIndex((_word, index) => digitCount(run.slice(0, index + 1)) >= 9);
  return enough < 0 ? run : run.slice(0, enough + 1);
};
