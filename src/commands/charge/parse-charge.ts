import { defined } from '../../core/runtime/defined.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { hasCardNumber, neverTypeCards } from '../../core/values/card-number.ts';
import type { CustomerNumber } from '../../core/values/customer-number.ts';
import { parseCurrency } from '../../core/values/money.ts';
import { guessNetwork, type NetworkCode, type PaymentOption } from '../../core/values/network.ts';
import { letterAmongDigits, plainText, quoted } from '../../core/values/normalise-input.ts';
import {
  digitCount,
  leadingNumbers,
  numberProblem,
  numberWords,
  splitLikelyNumber,
  unquoted,
  writeWithoutSpaces,
} from '../leading-number.ts';
import { ENGLISH, isAmountWord, meaningOf } from './charge-keywords.ts';
import {
  type ChargeDefaults,
  type ChargeField,
  type ChargeParts,
  type ChargeRequest,
  type Complaint,
  type Reading,
  readChargeOptions,
} from './parse-charge-options.ts';

const MAX_REFERENCE_LENGTH = 60;

/** A number, an amount and the longest reference take far less. */
const MAX_TYPED_LENGTH = 500;

/** More digits than this at the beginning are meant to be a number, fewer an amount. */
const MAX_DIGITS_OF_AMOUNT_ALONE = 6;

/** Reads `<number> <amount> [currency] [network] [card|checkout] [reference…]`, or a part of a name for the number. */
export const parseCharge = (words: string, defaults: ChargeDefaults): Parsed<ChargeParts> => {
  const { parts, complaints } = readCharge(words, defaults);
  const [first] = complaints;
  return first === undefined ? parsed(parts) : { ok: false, problem: first.problem };
};

/** The same words as far as they are understood. */
export const readCharge = (typed: string, defaults: ChargeDefaults): Reading => {
  const text = plainText(typed);
  if (text === '') return NOTHING;
  if (hasCardNumber(text)) return complaining({ field: 'number', ...neverTypeCards() }, NOTHING);
  const reading = readWords(text.slice(0, MAX_TYPED_LENGTH).split(' '), defaults);
  if (text.length <= MAX_TYPED_LENGTH) return reading;
  const { parts, typed: wrongWords } = reading;
  const reference = `${parts.reference ?? wrongWords.reference ?? ''}${text.slice(MAX_TYPED_LENGTH)}`;
  const cut = { ...reading, typed: { ...wrongWords, reference } };
  return complaining({ field: 'reference', ...TOO_LONG }, cut);
};

const NOTHING: Reading = { parts: { option: 'MOM' }, complaints: [], typed: {} };

const TOO_LONG = wrong(
  `That is too long. A reference can have ${MAX_REFERENCE_LENGTH} characters at most.`,
);

/** With one more complaint, in front of the others. */
const complaining = (
  { field, problem, beside }: Complaint & { readonly field: Exclude<ChargeField, 'pay'> },
  { parts, complaints, typed }: Reading,
): Reading => {
  const { [field]: _, ...others } = parts;
  const complaint = { field, problem, ...defined({ beside }) };
  return { parts: others, complaints: [complaint, ...complaints], typed };
};

const readWords = (words: readonly string[], defaults: ChargeDefaults): Reading => {
  const numbers = leadingNumbers(words, defaults.country);
  if (numbers.length === 0) return readAmountFirst(words, defaults);
  const readings = numbers.map(({ number, rest }) => readTail(number, rest, defaults));
  const good = readings.filter(({ complaints }) => complaints.length === 0);
  if (good.length < 2) return good[0] ?? readings[0] ?? readWithoutNumber(words, defaults);
  const longest = numbers.reduce((one, other) =>
    one.rest.length < other.rest.length ? one : other,
  );
  const number = words.slice(0, words.length - longest.rest.length).join(' ');
  const { parts } = readTail(longest.number, longest.rest, defaults);
  const unsure = { parts, complaints: [], typed: { number } };
  return complaining({ field: 'number', ...writeWithoutSpaces() }, unsure);
};

const readTail = (
  number: CustomerNumber,
  words: readonly string[],
  defaults: ChargeDefaults,
): Reading => finish(readChargeOptions(words, defaults, number), { number });

/** `50 0244123456`, `GHS 50 0244123456`: an amount that cannot be a number, and a number in one piece. */
const readAmountFirst = (words: readonly string[], defaults: ChargeDefaults): Reading => {
  const at = words.findIndex((word) => leadingNumbers([word], defaults.country).length > 0);
  const [head, rest] = [words.slice(0, at), words.slice(at + 1)];
  const [reading] = leadingNumbers(words.slice(at, at + 1), defaults.country);
  if (reading === undefined || at < 1) return readWithoutNumber(words, defaults);
  return isAmountAlone(head, defaults)
    ? readTail(reading.number, [...head, ...rest], defaults)
    : readNumberInside({ number: reading.number, head, rest }, defaults);
};

const isAmountAlone = (words: readonly string[], defaults: ChargeDefaults): boolean => {
  if (digitCount(words) > MAX_DIGITS_OF_AMOUNT_ALONE) return false;
  const { parts, complaints } = readChargeOptions(words, defaults);
  return complaints.length === 0 && parts.amount !== undefined && parts.reference === undefined;
};

/** Words, a number, and words behind it: a charge is not read out of a sentence, but the form can show its parts. */
const readNumberInside = (
  { number, head, rest }: Record<'head' | 'rest', readonly string[]> & { number: CustomerNumber },
  defaults: ChargeDefaults,
): Reading => {
  const tail = readTail(number, rest, defaults);
  const inFront = head.join(' ');
  const beside = `I did not understand ${quoted(inFront)}.`;
  if (tail.parts.amount === undefined) {
    const all = readTail(number, [...head, ...rest], defaults);
    const typed = { amount: inFront, ...all.typed };
    const { problem } = letterAmongDigits(inFront) ?? NUMBER_FIRST;
    return complaining({ field: 'amount', problem, beside }, { ...all, typed });
  }
  const reference = [inFront, tail.parts.reference ?? ''].join(' ').trim();
  const typed = { ...tail.typed, reference };
  return complaining({ field: 'reference', ...NUMBER_FIRST, beside }, { ...tail, typed });
};

const NUMBER_FIRST = wrong('Please start with the customer number, then the amount.');

/** No number: it was left out, a name takes its place, or it is wrong. */
const readWithoutNumber = (words: readonly string[], defaults: ChargeDefaults): Reading => {
  if (mayComeFirst(words)) return finish(readChargeOptions(words, defaults));
  const name = leadingName(words);
  if (name.length > 0) {
    const options = readChargeOptions(words.slice(name.length), defaults);
    return finish(options, { customer: name.join(' ') });
  }
  const { typed: number, rest } = splitLikelyNumber(words);
  const tail = finish(readChargeOptions(rest, defaults));
  const problem = numberProblem(words, defaults.country);
  return complaining({ field: 'number', problem }, { ...tail, typed: { ...tail.typed, number } });
};

/** The first words that can be a part of a customer's name. */
const leadingName = (words: readonly string[]): readonly string[] => {
  const end = words.findIndex(
    (word, at) =>
      !NAME.test(word) || (!isRatherName(word) && meaningOf(words.slice(at)) !== undefined),
  );
  return end < 0 ? words : words.slice(0, end);
};

/** Two letters at least: one is in nearly every name. */
const NAME = /^\p{L}[\p{L}\p{M}.'’-]*[\p{L}\p{M}.]$/u;

/** Words that make sense without a number: an amount, a network. Many digits are meant to be a number. */
const mayComeFirst = (words: readonly string[]): boolean => {
  const [first = ''] = words;
  const digits = Math.max(digitCount(numberWords(words)), digitCount([first]));
  if (digits > MAX_DIGITS_OF_AMOUNT_ALONE) return false;
  return isAmountWord(unquoted(first)) || (!isRatherName(first) && meaningOf(words) !== undefined);
};

/** Whether a currency in the place of the number is meant as a name: `Bob`; the currency of Bolivia is written `BOB`. */
const isRatherName = (word: string): boolean =>
  ENGLISH.test(word) && word !== word.toUpperCase() && parseCurrency(word) !== undefined;

/** Checks the reference by the rule that the form uses. */
const finish = (
  { parts, complaints, typed }: Reading,
  who: Pick<ChargeParts, 'number' | 'customer'> = {},
): Reading => {
  const { reference = '', ...others } = parts;
  const all = { ...who, ...others };
  const checked = checkReference(reference);
  if (!checked.ok) {
    const complaint: Complaint = { problem: checked.problem, field: 'reference' };
    return { parts: all, complaints: [...complaints, complaint], typed: { ...typed, reference } };
  }
  const value = checked.value === '' ? all : { ...all, reference: checked.value };
  return { parts: value, complaints, typed };
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
