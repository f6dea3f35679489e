import { defined } from '../../core/runtime/defined.ts';
import { type Parsed, type Problem, parsed, wrong } from '../../core/runtime/errors.ts';
import type { CustomerNumber } from '../../core/values/customer-number.ts';
import type { Money } from '../../core/values/money.ts';
import {
  guessNetwork,
  isCard,
  type NetworkCode,
  networkLabel,
  type PaymentOption,
} from '../../core/values/network.ts';
import { quoted } from '../../core/values/normalise-input.ts';
import { unquoted } from '../leading-number.ts';
import {
  ENGLISH,
  isAmountWord,
  type Meaning,
  meaningOf,
  namesPayment,
  type SaidKeywords,
} from './charge-keywords.ts';
import { concludeAmount, twoCurrencies } from './conclude-amount.ts';

/** A charge that is complete enough to be looked up and confirmed. */
export type ChargeRequest = {
  readonly number: CustomerNumber;
  readonly amount: Money;
  readonly network: NetworkCode;
  readonly option: PaymentOption;
  readonly reference?: string;
};

/** A charge as far as it was typed or filled in; absent is what was left out. */
export type ChargeParts = Partial<ChargeRequest> &
  Pick<ChargeRequest, 'option'> & {
    /** A part of the customer's name, typed in the place of the number. */
    readonly customer?: string;
  };

export type ChargeDefaults = { readonly currency: string; readonly country: string };

export type ChargeField = 'number' | 'amount' | 'pay' | 'reference';

/** Words that are not understood: why, and the field they are about. `beside`: the sentence there, if it is another. */
export type Complaint = {
  readonly problem: Problem;
  readonly field: ChargeField;
  readonly beside?: string;
};

/** Words as far as they are understood. The first complaint is the one that a person is told. */
export type Reading = {
  readonly parts: ChargeParts;
  readonly complaints: readonly Complaint[];
  /** The words of a field as they were typed, where they are not understood. */
  readonly typed: Partial<Record<ChargeField, string>>;
};

type Found = SaidKeywords & {
  readonly amountWords: readonly string[];
  /** The words of the amount and of its currency, in their order. */
  readonly amountTyped: readonly string[];
  readonly reference?: string;
};

/** How many words are read, and what they say. With a complaint, reading goes on behind them all the same. */
type Take = {
  readonly used: number;
  readonly found: Partial<Found>;
  readonly complaint?: Complaint;
};

const complaintOf = (field: ChargeField, { problem }: Pick<Complaint, 'problem'>): Complaint => ({
  problem,
  field,
});

/** Words that make one range or sum of two amounts. */
const JOINER = /^(-|to|or|and|\+|\/)$/i;

const QUOTE = /^["'`“”‘’«]/;
const IN_QUOTES = /^["'`“”‘’«](.*)["'`“”‘’»]$/;

/** Words after a number that change what it is worth, or name a currency that is not certain. */
const UNIT =
  /^(k|m|bn|p|ps|pesewas?|hundred|thousand|million|billion|grand|dollars?|bucks|euros?|pounds?|naira|francs?|cfa|rands?|shillings?|[$€£₦])$/i;

/**
 * Reads `<amount> [currency] [network] [option] [reference…]`. Words with a meaning come in any order;
 * once there is an amount, the first word without one begins the reference, which is not checked yet.
 */
export const readChargeOptions = (
  words: readonly string[],
  defaults: ChargeDefaults,
  number?: CustomerNumber,
): Reading => {
  const guess = number === undefined ? undefined : guessNetwork(number.e164);
  const complaints: Complaint[] = [];
  let found: Found = { amountWords: [], amountTyped: [] };
  let rest = words;
  while (rest.length > 0) {
    const { used, found: more, complaint } = nextStep(rest, found, guess);
    if (complaint !== undefined) complaints.push(complaint);
    found = { ...found, ...more };
    rest = rest.slice(used);
  }
  return conclude(found, complaints, defaults);
};

const conclude = (
  found: Found,
  earlier: readonly Complaint[],
  defaults: ChargeDefaults,
): Reading => {
  const amount = concludeAmount(found.amountWords, found.currency, defaults);
  const option = concludeOption(found);
  const complaints = [
    ...earlier,
    ...(amount.ok ? [] : [complaintOf('amount', amount)]),
    ...(option.ok ? [] : [complaintOf('pay', option)]),
  ];
  const isClear = (field: ChargeField) => complaints.every((each) => each.field !== field);
  const { network, reference, amountTyped } = found;
  return {
    parts: {
      option: isClear('pay') && option.ok ? option.value : 'MOM',
      ...defined({
        amount: isClear('amount') && amount.ok ? amount.value : undefined,
        network: isClear('pay') ? network : undefined,
        reference,
      }),
    },
    complaints,
    typed: isClear('amount') ? {} : { amount: amountTyped.join(' ') },
  };
};

const nextStep = (words: readonly string[], found: Found, guess: NetworkCode | undefined): Take => {
  const hasAmount = found.amountWords.length > 0;
  if (hasAmount && QUOTE.test(words[0] ?? '')) return takeReference(words);
  const meaning = meaningOf(words);
  if (meaning === undefined)
    return hasAmount ? readReference(words, found) : readAmount(words, found);
  const sense = hasAmount ? senseOf(words, meaning, found, guess) : 'meaning';
  if (sense === 'reference') return takeReference(words);
  return sense === 'unclear' ? askSense(words, meaning.said) : takeMeaning(words, meaning, found);
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

const askSense = (words: readonly string[], said: SaidKeywords): Take => {
  const [word = ''] = words;
  const [what, way] = namesPayment(said)
    ? ['how the customer pays', `Write ${word} before the amount`]
    : said.currency !== undefined
      ? ['a currency', 'Write the currency before the amount']
      : ['the network', 'Write the network in capitals'];
  const sense = `Is ${quoted(word)} ${what} or part of the reference?`;
  const complaint = complaintOf(
    said.currency === undefined ? 'pay' : 'amount',
    wrong(`${sense} ${way}, or the reference in quotes.`),
  );
  return { ...takeReference(words), complaint: { ...complaint, beside: sense } };
};

/** A word that says something else than an earlier one of its kind is a question. */
const takeMeaning = (words: readonly string[], { used, said }: Meaning, found: Found): Take => {
  const { currency = said.currency, network = said.network, option = said.option } = found;
  const amountTyped = [...found.amountTyped, ...words.slice(0, used)];
  const step = { used, found: said.currency === undefined ? said : { ...said, amountTyped } };
  if (said.currency !== undefined && currency !== undefined && currency !== said.currency)
    return {
      used,
      found: { amountTyped },
      complaint: complaintOf('amount', twoCurrencies(currency, said.currency)),
    };
  if (said.network !== undefined && network !== undefined && network !== said.network)
    return { used, found: {}, complaint: complaintOf('pay', twoNetworks(network, said.network)) };
  return said.option !== undefined && option !== said.option
    ? { used, found: {}, complaint: complaintOf('pay', TWO_WAYS) }
    : step;
};

const twoNetworks = (one: NetworkCode, other: NetworkCode) =>
  wrong(`I see two networks, ${networkLabel(one)} and ${networkLabel(other)}. Please give one.`);

const TWO_WAYS = wrong('Please give one way to pay: mobile money, card or checkout.');

/** The amount with every word that may belong to it; `concludeAmount` asks about a second number. */
const readAmount = (words: readonly string[], found: Found): Take => {
  const amountWords = amountAhead(words);
  const amountTyped = [...found.amountTyped, ...amountWords];
  return { used: amountWords.length, found: { amountWords, amountTyped } };
};

const amountAhead = (words: readonly string[]): string[] => {
  let used = 1;
  while (continuesAmount(words.slice(used))) used++;
  return words.slice(0, used).map(unquoted);
};

const continuesAmount = ([word, next]: readonly string[]): boolean => {
  if (word === undefined) return false;
  if (isAmountWord(word) || UNIT.test(word)) return true;
  return JOINER.test(word) && next !== undefined && isAmountWord(next);
};

const readReference = (words: readonly string[], found: Found): Take => {
  if (!isAnotherAmount(words)) return takeReference(words);
  const problem = `${quoted(words[0] ?? '')} looks like a second amount. Please give one`;
  const second = amountAhead(words);
  return {
    used: second.length,
    found: { amountTyped: [...found.amountTyped, ...second] },
    complaint: {
      ...complaintOf('amount', wrong(`${problem}, or write the reference in quotes.`)),
      beside: `${problem}.`,
    },
  };
};

/** A plain number counts as a reference, such as that of an invoice. */
const isAnotherAmount = ([word = '', ...next]: readonly string[]): boolean => {
  if (!isAmountWord(word)) return false;
  return (
    !/^\d+$/.test(word) || UNIT.test(next[0] ?? '') || meaningOf(next)?.said.currency !== undefined
  );
};

const takeReference = (words: readonly string[]): Take => {
  const reference = words.join(' ');
  const bare = IN_QUOTES.exec(reference)?.[1] ?? reference;
  return { used: words.length, found: { reference: bare } };
};

const concludeOption = ({ network, option }: SaidKeywords): Parsed<PaymentOption> => {
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
