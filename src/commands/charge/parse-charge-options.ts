import { defined } from '../../core/runtime/defined.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { type CustomerNumber, parseCustomerNumber } from '../../core/values/customer-number.ts';
import { type Money, parseCurrency, parseMoney } from '../../core/values/money.ts';
import {
  guessNetwork,
  isCard,
  type NetworkCode,
  networkLabel,
  type PaymentOption,
  parseNetwork,
} from '../../core/values/network.ts';
import { quoted } from '../../core/values/normalise-input.ts';
import { unquoted } from '../leading-number.ts';

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

/** What a keyword says, or several of them. */
type Said = {
  readonly currency?: string;
  readonly network?: NetworkCode;
  readonly option?: PaymentOption;
};

/** What one or two words say: one of the three. `used`: how many words that are. */
type Meaning = { readonly used: number; readonly said: Said };

/** What the words up to here said. */
type Found = Said & { readonly amountWords: readonly string[]; readonly reference?: string };

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

/** `momo` is how people call mobile money on any network. */
const OPTIONS: ReadonlyMap<string, PaymentOption> = new Map([
  ['momo', 'MOM'],
  ['mobile money', 'MOM'],
  ['card', 'CRD'],
  ['cards', 'CRD'],
  ['bank card', 'CRD'],
  ['checkout', 'CRM'],
]);

/** The second word of `Telecel Cash`, `AT Money`, `MTN MoMo`, `Visa card`. */
const BRAND_TAIL = /^(cash|money|momo|card)$/i;

/** Currencies and networks that are also words with which a reference may begin: `top up`, `at the shop`. */
const ENGLISH = /^(all|top|try|pen|mad|cup|cop|mop|gel|bam|bob|ron|sos|at|air|master)$/i;

const NUMERIC = /^[+-]?[\d.,]+$/;
const WITH_UNIT = /^\d[\d.,]*(k|m|bn|p|ps|pesewas?)$/i;

/** Words after a number that change what it is worth, or name a currency that is not certain. */
const UNIT =
  /^(k|m|bn|p|ps|pesewas?|hundred|thousand|million|billion|grand|dollars?|bucks|euros?|pounds?|naira|francs?|cfa|rands?|shillings?|[$€£₦])$/i;

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
  const amount = concludeAmount(found, defaults);
  if (!amount.ok) return amount;
  const option = concludeOption(found);
  if (!option.ok) return option;
  const { network, reference } = found;
  return parsed({ option: option.value, ...defined({ amount: amount.value, network, reference }) });
};

/** What the first words mean, two of them if they belong together. */
export const meaningOf = ([first, second]: readonly string[]): Meaning | undefined => {
  const pair = second === undefined ? undefined : saidBy(`${first} ${second}`);
  // `a t` is no network, though spaces do not count in its name.
  if (pair !== undefined && (pair.network === undefined || BRAND_TAIL.test(second ?? '')))
    return { used: 2, said: pair };
  const said = first === undefined ? undefined : saidBy(first);
  return said && { used: 1, said };
};

const saidBy = (text: string): Said | undefined => {
  const currency = parseCurrency(text);
  if (currency !== undefined) return { currency };
  const option = OPTIONS.get(text.toLowerCase());
  if (option !== undefined) return { option };
  const network = parseNetwork(text);
  return network && { network };
};

/** `50`, `50GHS`, `50p`: good or bad, it is meant as an amount. */
export const isAmountWord = (word: string): boolean =>
  /\d/.test(word) && (NUMERIC.test(word) || WITH_UNIT.test(word) || parseMoney(word, 'GHS').ok);

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
  return sense === 'unclear' ? askSense(words[0] ?? '', meaning.said) : takeMeaning(meaning, found);
};

/** Whether `top`, `at`, `card` and the like are meant as currency, network or option, or begin the reference. */
const senseOf = (
  words: readonly string[],
  { used, said }: Meaning,
  found: Found,
  guess: NetworkCode | undefined,
): 'meaning' | 'reference' | 'unclear' => {
  const [word = '', next] = words;
  const standsAlone =
    next === undefined || QUOTE.test(next) || meaningOf(words.slice(used)) !== undefined;
  const isEnglishWord = used === 1 && ENGLISH.test(word);
  if (namesPayment(said) && !(isEnglishWord && found.network !== undefined)) {
    // `visa card`, `telecel checkout`: two words of payment are no accident.
    const isClear = used > 1 || found.network !== undefined || found.option !== undefined;
    return standsAlone || isClear ? 'meaning' : 'unclear';
  }
  if (!isEnglishWord) return 'meaning';
  const inCapitals = word === word.toUpperCase();
  if (said.currency !== undefined) {
    const isNamed = found.currency !== undefined || /[^\d.,]/.test(found.amountWords[0] ?? '');
    if (isNamed) return 'reference';
    return inCapitals && standsAlone ? 'meaning' : 'unclear';
  }
  if (said.network === undefined || inCapitals || standsAlone) return 'meaning';
  if (found.network !== undefined) return 'reference';
  return said.network === guess ? 'meaning' : 'unclear';
};

/** Whether a word says by card or by checkout: mobile money is what happens without it. */
const namesPayment = ({ option, network }: Said): boolean =>
  (option !== undefined && option !== 'MOM') || (network !== undefined && isCard(network));

const askSense = (word: string, said: Said) => {
  const [what, way] = namesPayment(said)
    ? ['how the customer pays', `Write ${word} before the amount`]
    : said.currency !== undefined
      ? ['a currency', 'Write the currency before the amount']
      : ['the network', 'Write the network in capitals'];
  return wrong(
    `Is ${quoted(word)} ${what} or part of the reference? ${way}, or the reference in quotes.`,
  );
};

/** A word that says something else than an earlier one of its kind is a question. */
const takeMeaning = ({ used, said }: Meaning, found: Found): Parsed<Step> => {
  const { currency = said.currency, network = said.network, option = said.option } = found;
  if (said.currency !== undefined && currency !== undefined && currency !== said.currency)
    return twoCurrencies(currency, said.currency);
  if (said.network !== undefined && network !== undefined && network !== said.network)
    return wrong(
      `I see two networks, ${networkLabel(network)} and ${networkLabel(said.network)}. Please give one.`,
    );
  return said.option !== undefined && option !== said.option
    ? wrong('Please give one way to pay: mobile money, card or checkout.')
    : parsed({ used, found: said });
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
  if (isAmountWord(word) || UNIT.test(word)) return true;
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
  return (
    !/^\d+$/.test(word) || UNIT.test(next[0] ?? '') || meaningOf(next)?.said.currency !== undefined
  );
};

const takeReference = (words: readonly string[]): Parsed<Step> => {
  const reference = words.join(' ');
  const bare = IN_QUOTES.exec(reference)?.[1] ?? reference;
  return parsed({ used: words.length, found: { reference: bare } });
};

/** The words of an amount as money; undefined when there are none. */
const concludeAmount = (
  { amountWords: words, currency }: Found,
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
