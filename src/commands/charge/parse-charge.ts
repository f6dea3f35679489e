import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { hasCardNumber, neverTypeCards } from '../../core/values/card-number.ts';
import type { CustomerNumber } from '../../core/values/customer-number.ts';
import { guessNetwork, type NetworkCode, type PaymentOption } from '../../core/values/network.ts';
import { plainText } from '../../core/values/normalise-input.ts';
import {
  digitCount,
  leadingNumbers,
  numberProblem,
  numberWords,
  theOnlyReading,
  unquoted,
  withExample,
} from '../leading-number.ts';
import {
  type ChargeDefaults,
  type ChargeParts,
  type ChargeRequest,
  isAmountWord,
  meaningOf,
  parseChargeOptions,
} from './parse-charge-options.ts';

const MAX_REFERENCE_LENGTH = 60;

/** A number, an amount and the longest reference take far less. */
const MAX_TYPED_LENGTH = 500;

/** More digits than this at the beginning are meant to be a number, fewer an amount. */
const MAX_DIGITS_OF_AMOUNT_ALONE = 6;

/** Reads `<number> <amount> [currency] [network] [card|checkout] [reference…]`. */
export const parseCharge = (words: string, defaults: ChargeDefaults): Parsed<ChargeParts> =>
  withExample(readCharge(words, defaults), `/charge 0244123456 50 ${defaults.currency}`);

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
  return theOnlyReading(numbers.map(({ number, rest }) => readTail(number, rest, defaults)));
};

const readTail = (
  number: CustomerNumber,
  words: readonly string[],
  defaults: ChargeDefaults,
): Parsed<ChargeParts> => {
  const tail = parseChargeOptions(words, defaults, number);
  return tail.ok ? finish({ number, ...tail.value }) : tail;
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
const finish = (parts: ChargeParts): Parsed<ChargeParts> => {
  const { reference, ...others } = parts;
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

/** Sent with a hosted checkout when neither parts nor number name a network: the customer picks it on the page. */
const CHECKOUT_NETWORK: NetworkCode = 'MTN';

/** The request; undefined when number, amount or network have to be asked for. */
export const completeCharge = (parts: ChargeParts): ChargeRequest | undefined => {
  const { number, amount } = parts;
  if (number === undefined || amount === undefined) return undefined;
  const network = parts.network ?? impliedNetwork(number, parts.option);
  return network === undefined ? undefined : { ...parts, number, amount, network };
};

/** The network of the number's prefix; a bank card has none to go by. */
const impliedNetwork = ({ e164 }: CustomerNumber, option: PaymentOption) => {
  if (option === 'CRD') return undefined;
  return guessNetwork(e164) ?? (option === 'CRM' ? CHECKOUT_NETWORK : undefined);
};
