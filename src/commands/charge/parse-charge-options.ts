import { assertNever, type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import type { CustomerNumber } from '../../core/values/customer-number.ts';
import type { PaymentOption } from '../../core/values/network.ts';
import { guessNetwork, isCard, type NetworkCode, networkLabel } from '../../core/values/network.ts';
import { quoted } from '../../core/values/normalise-input.ts';
import { unquoted } from '../leading-number.ts';
import { concludeAmount, twoCurrencies } from './charge-amount.ts';
import { isAmountWord, isEnglish, isUnitWord, type Meaning, meaningOf } from './charge-keywords.ts';
import type { ChargeParts } from './charge-request.ts';

/** What follows the customer number; the reference is as typed and not checked yet. */
export type ChargeOptions = Omit<ChargeParts, 'number'>;

type Defaults = { readonly currency: string; readonly country: string };

/** What the words up to here said. */
type Found = {
  readonly amountWords: readonly string[];
  readonly currency?: string;
  readonly network?: NetworkCode;
  readonly option?: PaymentOption;
  readonly reference?: string;
};

type Step = { readonly used: number; readonly found: Partial<Found> };

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
  defaults: Defaults,
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
  switch (sense) {
    case 'reference':
      return takeReference(words);
    case 'unclear':
      return askSense(words[0] ?? '', meaning);
    case 'meaning':
      return takeMeaning(meaning, found);
    default:
      return assertNever(sense);
  }
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

const conclude = (found: Found, defaults: Defaults): Parsed<ChargeOptions> => {
  const amount = concludeAmount(found.amountWords, found.currency, defaults);
  if (!amount.ok) return amount;
  const option = concludeOption(found);
  if (!option.ok) return option;
  const { network, reference } = found;
  return parsed({
    option: option.value,
    ...(amount.value === undefined ? {} : { amount: amount.value }),
    ...(network === undefined ? {} : { network }),
    ...(reference === undefined ? {} : { reference }),
  });
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
