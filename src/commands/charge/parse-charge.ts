import { type Parsed, type Problem, parsed, wrong } from '../../core/runtime/errors.ts';
import { hasCardNumber, neverTypeCards } from '../../core/values/card-number.ts';
import type { CustomerNumber } from '../../core/values/customer-number.ts';
import { plainText } from '../../core/values/normalise-input.ts';
import {
  digitCount,
  leadingNumbers,
  numberProblem,
  numberWords,
  unquoted,
  writeWithoutSpaces,
} from '../leading-number.ts';
import { isAmountWord, meaningOf } from './charge-keywords.ts';
import type { ChargeParts } from './charge-request.ts';
import { parseChargeOptions } from './parse-charge-options.ts';

/** Longest reference, in characters. */
const MAX_REFERENCE_LENGTH = 60;

/** A number, an amount and the longest reference take far less. */
const MAX_TYPED_LENGTH = 500;

/** More digits than this at the beginning are meant to be a number, fewer an amount. */
const MAX_DIGITS_OF_AMOUNT_ALONE = 6;

export type ChargeDefaults = { readonly currency: string; readonly country: string };

/** Reads `<number> <amount> [currency] [network] [card|checkout] [reference…]`. */
export const parseCharge = (words: string, defaults: ChargeDefaults): Parsed<ChargeParts> => {
  const result = readCharge(words, defaults);
  return result.ok ? result : { ok: false, problem: withExample(result.problem, defaults) };
};

const withExample = (problem: Problem, { currency }: ChargeDefaults): Problem => ({
  example: `/charge 0244123456 50 ${currency}`,
  ...problem,
});

const readCharge = (typed: string, defaults: ChargeDefaults): Parsed<ChargeParts> => {
  const text = plainText(typed);
  if (text === '') return parsed({ option: 'MOM' });
  if (hasCardNumber(text)) return neverTypeCards();
  if (text.length > MAX_TYPED_LENGTH)
    return wrong(
      `That is too long. A reference can have ${MAX_REFERENCE_LENGTH} characters at most.`,
    );
  const words = text.split(' ');
  const numbers = leadingNumbers(words, defaults.country);
  if (numbers.length === 0) return readAmountFirst(words, defaults);
  return oneOf(numbers.map(({ number, rest }) => readTail(number, rest, defaults)));
};

const readTail = (
  number: CustomerNumber,
  words: readonly string[],
  defaults: ChargeDefaults,
): Parsed<ChargeParts> => {
  const tail = parseChargeOptions(words, defaults, number);
  return tail.ok ? finish({ number, ...tail.value }) : tail;
};

/** The only valid reading, or the first problem; two valid readings are a problem too. */
const oneOf = (readings: readonly Parsed<ChargeParts>[]): Parsed<ChargeParts> => {
  const good = readings.filter((reading) => reading.ok);
  if (good.length > 1) return writeWithoutSpaces();
  return good[0] ?? readings[0] ?? writeWithoutSpaces();
};

/** `50 0244123456`, `GHS 50 0244123456`: an amount that cannot be a number, and a number in one piece. */
const readAmountFirst = (
  words: readonly string[],
  defaults: ChargeDefaults,
): Parsed<ChargeParts> => {
  const at = words.findIndex((word) => leadingNumbers([word], defaults.country).length > 0);
  const [head, rest] = [words.slice(0, at), words.slice(at + 1)];
  const [reading] = leadingNumbers(words.slice(at, at + 1), defaults.country);
  return reading === undefined || at < 1 || !isAmountAlone(head, defaults)
    ? readWithoutNumber(words, defaults)
    : readTail(reading.number, [...head, ...rest], defaults);
};

const isAmountAlone = (words: readonly string[], defaults: ChargeDefaults): boolean => {
  if (digitCount(words) > MAX_DIGITS_OF_AMOUNT_ALONE) return false;
  const read = parseChargeOptions(words, defaults);
  return read.ok && read.value.amount !== undefined && read.value.reference === undefined;
};

/** No number at the beginning: it was left out, or it is wrong. */
const readWithoutNumber = (
  words: readonly string[],
  defaults: ChargeDefaults,
): Parsed<ChargeParts> => {
  if (words.slice(1).some((word) => leadingNumbers([word], defaults.country).length > 0))
    return wrong('Please start with the customer number, then the amount.');
  if (!mayComeFirst(words)) return { ok: false, problem: numberProblem(words, defaults.country) };
  const tail = parseChargeOptions(words, defaults);
  return tail.ok ? finish(tail.value) : tail;
};

/** Words that make sense without a number: an amount, a network. Many digits are meant to be a number. */
const mayComeFirst = (words: readonly string[]): boolean => {
  const [first = ''] = words;
  const digits = Math.max(digitCount(numberWords(words)), digitCount([first]));
  if (digits > MAX_DIGITS_OF_AMOUNT_ALONE) return false;
  return isAmountWord(unquoted(first)) || meaningOf(words) !== undefined;
};

/** Checks the reference by the rule that the form uses. */
const finish = (words: ChargeParts): Parsed<ChargeParts> => {
  const { reference, ...others } = words;
  if (reference === undefined) return parsed(others);
  const checked = checkReference(reference);
  if (!checked.ok) return checked;
  return parsed(checked.value === '' ? others : { ...others, reference: checked.value });
};

/** The reference as it is sent: on one line, without invisible characters, within the length limit. */
export const checkReference = (text: string): Parsed<string> => {
  const reference = plainText(text);
  if (hasCardNumber(reference)) return neverTypeCards();
  const { length } = [...reference];
  if (length > MAX_REFERENCE_LENGTH)
    return wrong(
      `A reference can have ${MAX_REFERENCE_LENGTH} characters at most; this one has ${length}.`,
    );
  return parsed(reference);
};
