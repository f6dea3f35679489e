import {
  OPEN_STATES,
  type PaymentFilter,
  type PaymentState,
  type SearchTerm,
  UNPAID_STATES,
} from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { parseCustomerNumber } from '../../core/values/customer-number.ts';
import { findAmong } from '../../core/values/find-among.ts';
import type { Moment } from '../../core/values/format-time.ts';
import { type Money, parseCurrency, parseMoney } from '../../core/values/money.ts';
import { plainText } from '../../core/values/normalise-input.ts';
import { isAlsoName, type Period, periodAmong, periodWord } from '../../core/values/period.ts';
import { searchWords } from '../../core/values/search-words.ts';
import { isTransactionId, normaliseTransactionId } from '../../core/values/transaction-id.ts';

export type PaymentsQuery = {
  readonly period: Period | undefined;
  readonly states: readonly StateWord[];
  /** The number of one customer, E.164. */
  readonly customerNumber?: string;
  /** Only those of the person who asks. */
  readonly isOwn?: true;
  /** What was typed may be an id of ours; whether it is, the store knows. */
  readonly id?: string;
  readonly search: readonly SearchTerm[];
  /** The words beside periods and states, as they were typed. */
  readonly sought: string;
  /** A name was perhaps meant by what was taken for a period. */
  readonly isName: boolean;
};

/** The words for states. `pending` and `failed` mean what is open and what did not succeed. */
const STATES = {
  completed: ['completed'],
  pending: OPEN_STATES,
  open: OPEN_STATES,
  failed: UNPAID_STATES,
  unknown: ['unknown'],
  refused: ['refused'],
  'not sent': ['not sent'],
} as const satisfies Readonly<Record<string, readonly PaymentState[]>>;
export type StateWord = keyof typeof STATES;

/** Other words that people have for them. */
const ALIKE = new Map<string, StateWord>([
  ['paid', 'completed'],
  ['successful', 'completed'],
  ['waiting', 'pending'],
]);

const stateIn = (text: string): StateWord | undefined => {
  const word = text.toLowerCase().replace(/,$/, '');
  return ALIKE.get(word) ?? (Object.keys(STATES) as StateWord[]).find((known) => known === word);
};

/** What a query says beside what is sought. */
export const narrowedBy = ({ period, states }: PaymentsQuery): PaymentFilter =>
  defined({
    sinceMs: period?.fromMs,
    untilMs: period?.untilMs,
    states: states.length === 0 ? undefined : states.flatMap((word) => STATES[word]),
  });

type Settings = { readonly country: string; readonly currency: string };

/**
 * Reads `[when] [state] [number|name|amount|reference|last four digits]` or `by <person>`, in any order. What is in quotes
 * is searched, though it may name a period or a state.
 */
export const parsePayments = (
  typed: string,
  moment: Moment,
  settings: Settings,
): Parsed<PaymentsQuery> => {
  const found = periodAmong(wordsOf(typed), moment);
  const period = found?.value;
  if (period?.ok === false) return wrong(period.problem.message, '/payments 1-15 Nov');
  const states: StateWord[] = [];
  let words = found?.rest ?? wordsOf(typed);
  for (let state = findAmong(words, 2, stateIn); state; state = findAmong(words, 2, stateIn)) {
    states.push(state.value);
    words = state.rest;
  }
  return parsed({
    period: period?.value,
    states,
    isName: isAlsoName(found?.words ?? ''),
    ...readSought(withoutQuotes(words.join(' ')), settings),
  });
};

/** Words in quotes keep a quote each, so that none of them is read as a period or a state. */
const wordsOf = (typed: string): string[] =>
  plainText(typed)
    .replace(/[“”„]/g, '"')
    .replace(/"([^"]+)"/g, (quoted) => quoted.replaceAll(' ', '" "'))
    .split(' ')
    .filter((word) => word !== '');

/** Signs alone stay as they are. */
const withoutQuotes = (words: string): string => words.replace(/[" ]+/g, ' ').trim() || words;

/** The words of a query for a button's data: days instead of `today`, which will be another day tomorrow. */
export const queryWords = ({ period, states, customerNumber, sought }: PaymentsQuery): string =>
  [
    ...(period === undefined ? [] : [periodWord(period)]),
    ...states,
    ...(sought === '' ? [] : [customerNumber ?? inQuotes(sought)]),
  ].join(' ');

/** Searched as it is. Without the sign before the place in a list, which a search does not see. */
export const inQuotes = (words: string): string => `"${words.replace(/["~]/g, ' ').trim()}"`;

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
  const lastDigits = word.length === 4 ? word : undefined;
  return [{ word, ...defined({ lastDigits, amount }) }];
};

const moneyIn = (text: string, currency: string): Money | undefined => {
  const money = parseMoney(text, currency);
  return money.ok ? money.value : undefined;
};
