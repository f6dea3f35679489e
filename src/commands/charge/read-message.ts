import { defined } from '../../core/runtime/defined.ts';
import type { CustomerNumber } from '../../core/values/customer-number.ts';
import { type Money, parseCurrency, parseMoney, sameMoney } from '../../core/values/money.ts';
import { plainText } from '../../core/values/normalise-input.ts';
import { leadingNumbers, unquoted } from '../leading-number.ts';
import { isAmountWord } from './charge-keywords.ts';
import type { ChargeDefaults } from './parse-charge-options.ts';

export type ReadMessage = {
  /** Each customer number once, in the order of the text. Doubtful ones are left out. */
  readonly numbers: readonly CustomerNumber[];
  /** Absent: none, or more than one reading. */
  readonly amount?: Money;
  /** Whether the amount has its currency beside it, or the number. */
  readonly isAmountCertain: boolean;
};

/** Reads customer numbers and an amount out of free text with the parsers of `/charge`. Nothing is guessed between two. Pure. */
export const readMessage = (typed: string, defaults: ChargeDefaults): ReadMessage => {
  const words = plainText(typed)
    .split(' ')
    .map(withoutPunctuation)
    .filter((word) => word !== '');
  const numbers = new Map<string, CustomerNumber>();
  const others: string[] = [];
  for (let at = 0; at < words.length; ) {
    const rest = words.slice(at, at + MAX_WINDOW);
    const readings = leadingNumbers(rest, defaults.country).filter(
      ({ number }) => !number.doubtful,
    );
    for (const { number } of readings) numbers.set(number.e164, number);
    const used = Math.max(0, ...readings.map((reading) => rest.length - reading.rest.length));
    others.push(used === 0 ? (words[at] ?? '') : NUMBER);
    at += Math.max(1, used);
  }
  return { numbers: [...numbers.values()], ...amountIn(others, defaults) };
};

/** In the place of a customer number; no typed word contains it, because words are split at spaces. */
const NUMBER = ' ';

/** A number has 12 words at most. */
const MAX_WINDOW = 13;

const withoutPunctuation = (word: string): string =>
  unquoted(word.replace(/^[([{<*_~]+/, '').replace(/[)\]}>*_~.,;:!?]+$/, ''));

/** A number behind one of these is no amount: `Invoice 17`, `room 4`. */
const LABEL = /^(invoice|inv|order|no|nr|num|number|ref|reference|receipt|room|table|qty|#)\.?$/i;

const amountIn = (
  words: readonly string[],
  defaults: ChargeDefaults,
): Pick<ReadMessage, 'amount' | 'isAmountCertain'> => {
  const named = words.flatMap((_, at) => namedAmount(words.slice(at, at + 2), defaults));
  if (named.length > 0) return { ...defined({ amount: theOnly(named) }), isAmountCertain: true };
  const [at, second] = words.flatMap((word, index) => (/\d/.test(word) ? [index] : []));
  if (at === undefined || second !== undefined) return { isAmountCertain: false };
  const word = words[at] ?? '';
  const before = words[at - 1] ?? '';
  const read = parseMoney(word, defaults.currency);
  if (!isAmountWord(word) || LABEL.test(before) || !read.ok) return { isAmountCertain: false };
  const isAmountCertain = before === NUMBER || words[at + 1] === NUMBER;
  return { amount: read.value, isAmountCertain };
};

/** The amount of `GHS50`, of `GHS 50` and of `50 cedis`. */
const namedAmount = (
  [first = '', second = '']: readonly string[],
  { currency }: ChargeDefaults,
): Money[] => {
  const isNamed = (word: string): boolean => {
    const code = parseCurrency(word);
    // "try", "all" and "top" are currencies in capitals only.
    return code !== undefined && (code === currency || word === word.toUpperCase());
  };
  const texts = [
    /\d/.test(first) && /[^\d.,]/.test(first) && isNamed(first.replace(/[\d.,]/g, '')) ? first : '',
    isNamed(first) && isAmountWord(second) ? `${first} ${second}` : '',
    isAmountWord(first) && isNamed(second) ? `${first} ${second}` : '',
  ];
  return texts.flatMap((text) => {
    const read = text === '' ? undefined : parseMoney(text, currency);
    return read?.ok === true ? [read.value] : [];
  });
};

/** Undefined when two differ. */
const theOnly = (amounts: readonly Money[]): Money | undefined =>
  amounts.find((one) => amounts.every((other) => sameMoney(one, other)));
