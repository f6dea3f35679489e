import { defined } from '../../core/runtime/defined.ts';
import { assertNever, type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { type CustomerNumber, parseCustomerNumber } from '../../core/values/customer-number.ts';
import { type Money, parseCurrency, parseMoney } from '../../core/values/money.ts';
import {
  guessNetwork,
  isCard,
  type NetworkCode,
  networkLabel,
  type PaymentOption,
} from '../../core/values/network.ts';
import { quoted } from '../../core/values/normalise-input.ts';
import { unquoted } from '../leading-number.ts';
import { isAmountWord, isEnglish, isUnitWord, type Meaning, meaningOf } from './charge-keywords.ts';

/** A charge that is complete enough to be looked up and confirmed. */
export type ChargeRequest = {
  readonly number: CustomerNumber;
  readonly amount: Money;
  readonly network: NetworkCode;
  readonly option: PaymentOption;
  readonly reference?: string;
};

/** A charge as far as it was typed or filled in; absent is what was left out. */
export type ChargeParts = Partial<ChargeRequest> & Pick<ChargeRequest, 'option'>;

export type ChargeDefaults = { readonly currency: string; readonly country: string };

/** What follows the customer number; the reference is as typed and not checked yet. */
type ChargeOptions = Omit<ChargeParts, 'number'>;

type Found = {
  readonly amountWords: readonly string[];
  readonly currency?: string;
  readonly network?: NetworkCode;
  readonly option?: PaymentOption;
  readonly reference?: string;
};

type Step = { readonly used: number; readonly found: Partial<Found> };

/** Longer rows of numbers are not written out again in the question about them. */
const MAX_ECHO_LENGTH = 40;

/** Numbers with spaces between them; a currency may be attached to the first or the last. */
const ROW = /^(?<before>[^\d\s]*)(?<first>\d[\d.,]*)(?<others>(?: \d[\d.,]*)+)(?<after>[^\d\s]*)$/u;

/** What commas can make one number of. */
const ONE_NUMBER = /^\d{1,3}(?:,\d{3})*(?: \d{3})+(?:\.\d+)?$/;

/** Words that make one range or sum of two amounts. */
const JOINER = /^(-|to|or|and|\+|\/)$/i;

const QUOTE = /^["'`“”‘’«]/;
const IN_QUOTES = /^["'`“”‘’«](.*)["'`“”‘’»]$/;

/**
 * Reads `<amount> [currency] [network] [option] [reference…]`. Words with a meaning come in any order;
 * once there is an amount, the first word without one begins the reference.
 */
export const parseChargeOptions = (
  words: readonly string[],
  defaults: ChargeDefaults,
  number?: CustomerNumber,
): Parsed<ChargeOptions> => {
  const guess = number === undefined ? undefined : guessNetwork(number.e164);
  let found: Found = { amountWords: [] };
  let rest = words;
  while (rest.length > 0) {
    const step = nextStep(rest, found, guess);
    if (!step.ok) return step;
    found = { ...found, ...step.value.found };
    rest = rest.slice(step.value.used);
  }
  return conclude(found, defaults);
};

const nextStep = (
  words: readonly string[],
  found: Found,
  guess: NetworkCode | undefined,
): Parsed<Step> => {
  const hasAmount = found.amountWords.length > 0;
  if (hasAmount && QUOTE.test(words[0] ?? '')) return takeReference(words);
  const meaning = meaningOf(words);
  if (meaning === undefined) return hasAmount ? readReference(words) : readAmount(words);
  const sense = hasAmount ? senseOf(words, meaning, found, guess) : 'meaning';
  if (sense === 'reference') return takeReference(words);
  return sense === 'unclear' ? askSense(words[0] ?? '', meaning) : takeMeaning(meaning, found);
};

type Sense = 'meaning' | 'reference' | 'unclear';

/** Whether `top`, `at`, `card` and the like are meant as currency, network or option, or begin the reference. */
const senseOf = (
  words: readonly string[],
  meaning: Meaning,
  found: Found,
  guess: NetworkCode | undefined,
): Sense => {
  const [word = '', next] = words;
  const standsAlone =
    next === undefined || QUOTE.test(next) || meaningOf(words.slice(meaning.used)) !== undefined;
  const isEnglishWord = meaning.used === 1 && isEnglish(word);
  if (namesPayment(meaning) && !(isEnglishWord && found.network !== undefined)) {
    // `visa card`, `telecel checkout`: two words of payment are no accident.
    const isClear = meaning.used > 1 || found.network !== undefined || found.option !== undefined;
    return standsAlone || isClear ? 'meaning' : 'unclear';
  }
  if (!isEnglishWord) return 'meaning';
  const inCapitals = word === word.toUpperCase();
  if (meaning.kind === 'currency') {
    if (namesCurrency(found)) return 'reference';
    return inCapitals && standsAlone ? 'meaning' : 'unclear';
  }
  if (meaning.kind !== 'network' || inCapitals || standsAlone) return 'meaning';
  if (found.network !== undefined) return 'reference';
  return meaning.network === guess ? 'meaning' : 'unclear';
};

const namesCurrency = ({ currency, amountWords }: Found): boolean =>
  currency !== undefined || /[^\d.,]/.test(amountWords[0] ?? '');

/** Whether a word says by card or by checkout: mobile money is what happens without it. */
const namesPayment = (meaning: Meaning): boolean =>
  (meaning.kind === 'option' && meaning.option !== 'MOM') ||
  (meaning.kind === 'network' && isCard(meaning.network));

const askSense = (word: string, meaning: Meaning) => {
  const [what, way] = namesPayment(meaning)
    ? ['how the customer pays', `Write ${word} before the amount`]
    : meaning.kind === 'currency'
      ? ['a currency', 'Write the currency before the amount']
      : ['the network', 'Write the network in capitals'];
  return wrong(
    `Is ${quoted(word)} ${what} or part of the reference? ${way}, or the reference in quotes.`,
  );
};

const takeMeaning = (meaning: Meaning, found: Found): Parsed<Step> => {
  const { used } = meaning;
  switch (meaning.kind) {
    case 'currency':
      if (found.currency !== undefined && found.currency !== meaning.currency)
        return twoCurrencies(found.currency, meaning.currency);
      return parsed({ used, found: { currency: meaning.currency } });
    case 'network':
      if (found.network !== undefined && found.network !== meaning.network)
        return wrong(
          `I see two networks, ${networkLabel(found.network)} and ${networkLabel(meaning.network)}. Please give one.`,
        );
      return parsed({ used, found: { network: meaning.network } });
    case 'option':
      if (found.option !== undefined && found.option !== meaning.option)
        return wrong('Please give one way to pay: mobile money, card or checkout.');
      return parsed({ used, found: { option: meaning.option } });
    default:
      return assertNever(meaning);
  }
};

/** The amount with every word that may belong to it; `concludeAmount` asks about a second number. */
const readAmount = (words: readonly string[]): Parsed<Step> => {
  let used = 1;
  while (continuesAmount(words.slice(used))) used++;
  const amountWords = words.slice(0, used).map(unquoted);
  return parsed({ used, found: { amountWords } });
};

const continuesAmount = ([word, next]: readonly string[]): boolean => {
  if (word === undefined) return false;
  if (isAmountWord(word) || isUnitWord(word)) return true;
  return JOINER.test(word) && next !== undefined && isAmountWord(next);
};

const readReference = (words: readonly string[]): Parsed<Step> =>
  isAnotherAmount(words)
    ? wrong(
        `${quoted(words[0] ?? '')} looks like a second amount. Please give one, or write the reference in quotes.`,
      )
    : takeReference(words);

/** A plain number counts as a reference, such as that of an invoice. */
const isAnotherAmount = ([word = '', ...next]: readonly string[]): boolean => {
  if (!isAmountWord(word)) return false;
  return !/^\d+$/.test(word) || isUnitWord(next[0] ?? '') || meaningOf(next)?.kind === 'currency';
};

const takeReference = (words: readonly string[]): Parsed<Step> => {
  const reference = words.join(' ');
  const bare = IN_QUOTES.exec(reference)?.[1] ?? reference;
  return parsed({ used: words.length, found: { reference: bare } });
};

const conclude = (found: Found, defaults: ChargeDefaults): Parsed<ChargeOptions> => {
  const amount = concludeAmount(found.amountWords, found.currency, defaults);
  if (!amount.ok) return amount;
  const option = concludeOption(found);
  if (!option.ok) return option;
  const { network, reference } = found;
  return parsed({
    option: option.value,
    ...defined({ amount: amount.value, network, reference }),
  });
};

/** The words of an amount as money; undefined when there are none. `currency`: named apart from them. */
const concludeAmount = (
  words: readonly string[],
  currency: string | undefined,
  defaults: ChargeDefaults,
): Parsed<Money | undefined> => {
  const text = words.join(' ');
  // A form would ask for the amount, and forget that it was to be in another currency.
  if (text === '' && currency !== undefined && currency !== defaults.currency)
    return wrong(`How much is it? Please give the amount in ${currency} as well.`);
  if (text === '') return parsed(undefined);
  const inCurrency = currency ?? defaults.currency;
  const question = askAboutRow(text, inCurrency) ?? askAboutPhone(text, defaults.country);
  if (question !== undefined) return question;
  const amount = parseMoney(text, inCurrency);
  if (!amount.ok || currency === undefined || amount.value.currency === currency) return amount;
  return twoCurrencies(amount.value.currency, currency);
};

const twoCurrencies = (one: string, other: string) =>
  wrong(`I see two currencies, ${one} and ${other}. Please give one.`);

/** A space inside digits separates thousands, or an amount from a reference: the question names both readings. */
const askAboutRow = (text: string, currency: string) => {
  const { before = '', first = '', others = '', after = '' } = ROW.exec(text)?.groups ?? {};
  if (first === '' || !parseMoney(before + first, currency).ok) return undefined;
  const isOne = ONE_NUMBER.test(first + others);
  const asOne = isOne
    ? `Is ${quoted(text)} one amount? Then write ${text.replaceAll(' ', ',')}.`
    : `I see more than one number in ${quoted(text)}.`;
  if (after !== '' || text.length > MAX_ECHO_LENGTH)
    return wrong(`${asOne} Please give one amount, such as 50.`);
  const reference = others.trim();
  const named = parseCurrency(before) ?? currency;
  return wrong(
    `${asOne} ${isOne ? 'Or is' : 'Is'} ${reference} a reference? Then write ${first} ${named} ${reference}.`,
  );
};

/** An amount alone may have as many digits, but not one behind a customer number. */
const askAboutPhone = (text: string, country: string) => {
  const number = /^\d{9,}$/.test(text) ? parseCustomerNumber(text, country) : undefined;
  return number?.ok && !number.value.doubtful
    ? wrong(`${quoted(text)} looks like a phone number. Please give an amount, such as 50.`)
    : undefined;
};

const concludeOption = ({ network, option }: Found): Parsed<PaymentOption> => {
  if (network === undefined) return parsed(option ?? 'MOM');
  const label = networkLabel(network);
  if (isCard(network))
    return option === 'MOM'
      ? wrong(`${label} is a card, not mobile money. Please give one of the two.`)
      : parsed(option ?? 'CRD');
  return option === 'CRD'
    ? wrong(`${label} is mobile money, not a card. Please write card visa or card mastercard.`)
    : parsed(option ?? 'MOM');
};
