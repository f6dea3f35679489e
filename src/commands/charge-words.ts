import { hasCardNumber, neverTypeCards } from '../core/card-number.ts';
import type { CustomerNumber } from '../core/customer-number.ts';
import { type Parsed, type Problem, parsed, wrong } from '../core/errors.ts';
import type { Money } from '../core/money.ts';
import type { NetworkCode } from '../core/network.ts';
import type { PaymentOption } from '../core/payments/payment.ts';
import { plainText } from '../core/typed-text.ts';
import { readChargeTail } from './charge-tail.ts';
import { isAmountWord, meaningOf } from './charge-vocabulary.ts';
import {
  digitCount,
  leadingNumbers,
  numberProblem,
  numberWords,
  unquoted,
  writeWithoutSpaces,
} from './leading-number.ts';

/** Longest reference, in characters. */
const MAX_REFERENCE_LENGTH = 60;

/** A number, an amount and the longest reference take far less. */
const MAX_TYPED_LENGTH = 500;

/** More digits than this at the beginning are meant to be a number, fewer an amount. */
const MAX_DIGITS_OF_AMOUNT_ALONE = 6;

/** What was typed after `/charge`. Absent is what was not typed. */
export type ChargeWords = {
  readonly number?: CustomerNumber;
  readonly amount?: Money;
  readonly network?: NetworkCode;
  readonly option: PaymentOption;
  readonly reference?: string;
};

export type ChargeDefaults = { readonly currency: string; readonly country: string };

/** Reads `<number> <amount> [currency] [network] [card|checkout] [reference…]`. */
export const parseChargeWords = (words: string, defaults: ChargeDefaults): Parsed<ChargeWords> => {
  const result = readChargeWords(words, defaults);
  return result.ok ? result : { ok: false, problem: withExample(result.problem, defaults) };
};

const withExample = (problem: Problem, { currency }: ChargeDefaults): Problem => ({
  example: `/charge 0244123456 50 ${currency}`,
  ...problem,
});

const readChargeWords = (typed: string, defaults: ChargeDefaults): Parsed<ChargeWords> => {
  const text = plainText(typed);
  if (text === '') return parsed({ option: 'MOM' });
  if (hasCardNumber(text)) return neverTypeCards();
  if (text.length > MAX_TYPED_LENGTH)
    return wrong(
      `That is too long. A reference can have ${MAX_REFERENCE_LENGTH} characters at most.`,
    );
  const words = text.split(' ');
  const numbers = leadingNumbers(words, defaults.country);
  if (numbers.length === 0) return readWithoutNumber(words, defaults);
  const readings = numbers.map(({ number, rest }) => {
    const tail = readChargeTail(words.slice(words.length - rest.length), defaults, number);
    return tail.ok ? finish({ number, ...tail.value }) : tail;
  });
  const good = readings.filter((reading) => reading.ok);
  if (good.length > 1) return writeWithoutSpaces();
  return good[0] ?? readings[0] ?? writeWithoutSpaces();
};

/** No number at the beginning: it was left out, or it is wrong. */
const readWithoutNumber = (
  words: readonly string[],
  defaults: ChargeDefaults,
): Parsed<ChargeWords> => {
  if (words.slice(1).some((word) => leadingNumbers([word], defaults.country).length > 0))
    return wrong('Please start with the customer number, then the amount.');
  if (!mayComeFirst(words)) return { ok: false, problem: numberProblem(words, defaults.country) };
  const tail = readChargeTail(words, defaults);
  return tail.ok ? finish(tail.value) : tail;
};

/** Words that make sense without a number: an amount, a network. Many digits are meant to be a number. */
const mayComeFirst = (words: readonly string[]): boolean => {
  const [first = ''] = words;
  const digits = Math.max(digitCount(numberWords(words)), digitCount([first]));
  if (digits > MAX_DIGITS_OF_AMOUNT_ALONE) return false;
  return isAmountWord(unquoted(first)) || meaningOf(words) !== undefined;
};

/** A reference is checked where it ends up, so that forms and words have one rule. */
const finish = (words: ChargeWords): Parsed<ChargeWords> => {
  const { reference, ...others } = words;
  if (reference === undefined) return parsed(others);
  const checked = checkReference(reference);
  if (!checked.ok) return checked;
  return parsed(checked.value === '' ? others : { ...others, reference: checked.value });
};

/** The reference as it is sent: on one line, without invisible characters, of bearable length. */
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
