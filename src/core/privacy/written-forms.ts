import { numberParts } from '../values/customer-number.ts';

/** Raw bodies are searched as they came, so what comes before may be the end of an escape sequence. */
const AFTER_ESCAPE = '(?<=%[0-9a-f]{2})|(?<=\\\\u[0-9a-f]{4})|(?<=\\\\[nrtbf])';
const NUMBER_BEGINS = `(?:(?<!\\d)|${AFTER_ESCAPE})`;
const NAME_BEGINS = `(?:(?<!\\p{L})|${AFTER_ESCAPE})`;

/** What people and services put between two digits of a number, also inside an address. */
const DIGIT_GAP = '(?:[\\s().\\-/+\\u2010-\\u2015]|%2[0-9bd]){0,3}';
/** Between two words of a name. */
const WORD_GAP = '(?:[\\s.,;+_-]|%20|%2c|\\\\[nrt]|\\\\u[0-9a-f]{4}){1,4}';

/**
 * Every way of writing a number: 0244123456, 233244123456, +233 24 412 3456, 00233…
 * @param bare also without anything in front of the national digits.
 */
export const numberPattern = (number: string, { bare }: { bare: boolean }): RegExp => {
  const { countryCode, nationalNumber, trunk } = numberParts(number);
  const digits = [...nationalNumber].join(DIGIT_GAP);
  const international = `(?:\\+|%2b|00)?${countryCode}${DIGIT_GAP}(?:${trunk})?${DIGIT_GAP}`;
  const national = `${trunk}${DIGIT_GAP}`;
  const front = `(?:${international}|${national})${bare ? '?' : ''}`;
  return new RegExp(`${NUMBER_BEGINS}${front}${digits}(?!\\d)`, 'gi');
};

/**
 * Names as they occur in a text, in any order, capitalisation or escaping. Of a name of
 * several words at least two have to be adjacent: one alone may be any word. Undefined: there are no names.
 */
export const namePattern = (names: Iterable<string>): RegExp | undefined => {
  const patterns = [...names].flatMap(patternOf);
  return patterns.length === 0
    ? undefined
    : new RegExp(`${NAME_BEGINS}(?:${patterns.join('|')})(?!\\p{L})`, 'giu');
};

const patternOf = (name: string): string[] => {
  const words = name.split(/[\s.,;]+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  const any = `(?:${words.map(formsOf).join('|')})`;
  return [words.length === 1 ? any : `${any}(?:${WORD_GAP}${any})+`];
};

/** As it is, in an address, and in JSON that keeps to ASCII. */
const formsOf = (word: string): string => {
  const inJson = word.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const inAddress = word.isWellFormed() ? [encodeURIComponent(word)] : [];
  return [...new Set([word, ...inAddress, inJson])].map(literally).join('|');
};

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
