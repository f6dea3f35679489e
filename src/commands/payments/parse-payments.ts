import { OPEN_STATES, type PaymentState, type SearchTerm } from '../../core/records/payment.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { parseCustomerNumber } from '../../core/values/customer-number.ts';
import type { Moment } from '../../core/values/format-time.ts';
import { type Money, parseCurrency, parseMoney } from '../../core/values/money.ts';
import { plainText } from '../../core/values/normalise-input.ts';
import {
  leadingPeriod,
  type Period,
  periodFromDays,
  readPeriod,
} from '../../core/values/period.ts';
import { searchWords } from '../../core/values/search-words.ts';
import { isTransactionId, normaliseTransactionId } from '../../core/values/transaction-id.ts';

/** What a person typed to find payments. */
export type PaymentsQuery = {
  readonly period?: Period;
  readonly state?: StateWord;
  /** The number of one customer, E.164. */
  readonly customerNumber?: string;
  /** Only those of the person who asks. */
  readonly isOwn?: true;
  /** What was typed may be an id of ours; whether it is, the store knows. */
  readonly id?: string;
  readonly search: readonly SearchTerm[];
  /** The words behind period and state, as they were typed. */
  readonly sought: string;
};

/** The words for states. `pending` and `failed` mean what is open and what did not succeed. */
const STATES = {
  pending: OPEN_STATES,
  completed: ['completed'],
  failed: ['failed', 'refused', 'not sent'],
  unknown: ['unknown'],
  refused: ['refused'],
  'not sent': ['not sent'],
} as const satisfies Readonly<Record<string, readonly PaymentState[]>>;
export type StateWord = keyof typeof STATES;

export const statesOf = (word: StateWord): readonly PaymentState[] => STATES[word];

const isStateWord = (word: string): word is StateWord => Object.hasOwn(STATES, word);

type Settings = { readonly country: string; readonly currency: string };

/** Reads `[when] [state] [number|name|amount|reference|last four digits]` or `by <person>` behind them; when and state may come last as well. */
export const parsePayments = (
  typed: string,
  moment: Moment,
  settings: Settings,
): Parsed<PaymentsQuery> => {
  const taken: { period?: Parsed<Period>; state?: StateWord } = {};
  let words: readonly string[] = plainText(typed)
    .split(' ')
    .filter((word) => word !== '');
  for (let left = -1; left !== words.length; ) {
    left = words.length;
    words = withoutPeriod(words, moment, taken);
    words = withoutState(words, taken);
  }
  const { period, state } = taken;
  if (period?.ok === false) return wrong(period.problem.message, '/payments 1-15 Nov');
  return parsed({
    ...(period === undefined ? {} : { period: period.value }),
    ...(state === undefined ? {} : { state }),
    ...readSought(words.join(' '), settings),
  });
};

/** The words of a query for a button's data: days instead of `today`, which will be another day tomorrow. */
export const queryWords = ({ period, state, customerNumber, sought }: PaymentsQuery): string =>
  [
    ...(period === undefined ? [] : [`d${period.firstDay}-${period.lastDay}`]),
    ...(state === undefined ? [] : [state]),
    ...(sought === '' ? [] : [customerNumber ?? sought]),
  ].join(' ');

const DAYS = /^d(\d{1,6})-(\d{1,6})$/;

type Taken = { period?: Parsed<Period>; state?: StateWord };

/** Takes a period away from the beginning or, where there is none, from the end. */
const withoutPeriod = (
  words: readonly string[],
  moment: Moment,
  taken: Taken,
): readonly string[] => {
  if (taken.period !== undefined) return words;
  const [, first, last] = DAYS.exec(words[0] ?? '') ?? [];
  if (first !== undefined && last !== undefined) {
    const period = periodFromDays(Number(first), Number(last), moment.timeZone);
    if (period !== undefined) {
      taken.period = parsed(period);
      return words.slice(1);
    }
  }
  const leading = leadingPeriod(words, moment);
  if (leading !== undefined) {
    taken.period = leading.period;
    return leading.rest;
  }
  for (let from = 1; from < words.length; from++) {
    const period = readPeriod(words.slice(from).join(' '), moment);
    if (period === undefined) continue;
    taken.period = period;
    return words.slice(0, from);
  }
  return words;
};

const withoutState = (words: readonly string[], taken: Taken): readonly string[] => {
  if (taken.state !== undefined) return words;
  for (const count of [2, 1]) {
    const [first, last] = [words.slice(0, count), words.slice(-count)].map((some) =>
      some.join(' ').toLowerCase(),
    );
    if (first !== undefined && isStateWord(first)) {
      taken.state = first;
      return words.slice(count);
    }
    if (last !== undefined && isStateWord(last)) {
      taken.state = last;
      return words.slice(0, -count);
    }
  }
  return words;
};

const readSought = (
  sought: string,
  settings: Settings,
): Pick<PaymentsQuery, 'customerNumber' | 'id' | 'isOwn' | 'search' | 'sought'> => {
  if (sought === '') return { search: [], sought };
  const [, person] = /^by (.+)$/i.exec(sought) ?? [];
  if (person?.toLowerCase() === 'me') return { isOwn: true, search: [], sought };
  if (person !== undefined)
    return { search: searchWords(person).map((word) => ({ person: word })), sought };
  const number = parseCustomerNumber(sought, settings.country);
  if (number.ok) return { customerNumber: number.value.e164, search: [], sought };
  const id = normaliseTransactionId(sought);
  return {
    ...(isTransactionId(id) && !sought.includes(' ') ? { id } : {}),
    search: searchTerms(sought, settings.currency),
    sought,
  };
};

/** Digits may be an amount, the last digits of a number or a word of a reference: each of these is looked for. */
const searchTerms = (sought: string, currency: string): SearchTerm[] => {
  const words = sought.split(' ');
  const terms: SearchTerm[] = [];
  for (let at = 0; at < words.length; at++) {
    const [word = '', next = ''] = words.slice(at);
    const hasCurrency = [word, next].some((one) => parseCurrency(one) !== undefined);
    const both = hasCurrency ? moneyIn(`${word} ${next}`, currency) : undefined;
    if (both !== undefined) {
      terms.push({ amount: both });
      at += 1;
    } else terms.push(...termsOfWord(word, currency));
  }
  return terms;
};

const termsOfWord = (word: string, currency: string): SearchTerm[] => {
  const amount = moneyIn(word, currency);
  if (!/^\d+$/.test(word))
    return amount === undefined ? searchWords(word).map((one) => ({ word: one })) : [{ amount }];
  return [
    {
      word,
      ...(word.length === 4 ? { lastDigits: word } : {}),
      ...(amount === undefined ? {} : { amount }),
    },
  ];
};

const moneyIn = (text: string, currency: string): Money | undefined => {
  const money = parseMoney(text, currency);
  return money.ok ? money.value : undefined;
};
