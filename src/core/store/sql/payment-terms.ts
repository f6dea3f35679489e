import type { Payment, SearchTerm } from '../../records/payment.ts';
import type { Money } from '../../values/money.ts';
import { FORGOTTEN_NAME, isPseudonym } from '../../values/pseudonym.ts';
import { searchWords } from '../../values/search-words.ts';
import type { Query } from './payment-query.ts';

/** A row of the table `payment_terms`: the payment can be found by this term. */
export type TermRow = {
  readonly term: string;
  readonly confirmedMs: number;
  readonly id: string;
};

/** What the terms of a payment are made of. */
export type Searched = Pick<Payment, 'id' | 'terms' | 'requester' | 'bulk'>;

const LAST_DIGITS = 4;

/** No word has these signs, so a term of one kind never meets one of another. */
const digitsTerm = (digits: string): string => `#${digits}`;
const personTerm = (word: string): string => `@${word}`;
/** Of the payments of a file. */
export const bulkTerm = (run: string): string => `!${run}`;
const amountTerm = ({ currency, amountMinor }: Money): string => `=${currency}${amountMinor}`;

/**
 * Everything that a payment is searched by: words of the name and the reference, the last digits of the number, the
 * amount, words of the requester's name, the run of its file. The transaction id is a key of its own and is left out where it is the reference; a forgotten customer has
 * neither number nor name.
 */
export const termsOf = ({ id, terms, requester, bulk }: Searched): string[] => {
  const { customerNumber, customerName = '', reference, amount } = terms;
  const words = [
    ...(customerName === FORGOTTEN_NAME ? [] : searchWords(customerName)),
    ...(reference === id ? [] : searchWords(reference)),
  ];
  const digits = isPseudonym(customerNumber)
    ? []
    : [digitsTerm(customerNumber.slice(-LAST_DIGITS))];
  const people = searchWords(requester.name).map(personTerm);
  const runs = bulk === undefined ? [] : [bulkTerm(bulk.run)];
  return [...new Set([...words, ...digits, amountTerm(amount), ...people, ...runs])];
};

export const termRows = (payment: Searched & Pick<Payment, 'confirmedAtMs'>): TermRow[] =>
  termsOf(payment).map((term) => ({ term, confirmedMs: payment.confirmedAtMs, id: payment.id }));

/** Whether two versions of a payment are found by the same terms; false also when only their spelling differs. */
export const isSearchedAlike = (one: Searched, other: Searched): boolean =>
  one.requester.name === other.requester.name &&
  (one.terms === other.terms ||
    (one.terms.customerNumber === other.terms.customerNumber &&
      one.terms.customerName === other.terms.customerName &&
      one.terms.reference === other.terms.reference &&
      amountTerm(one.terms.amount) === amountTerm(other.terms.amount)));

/** The rows that an update removes and adds. */
export const termChange = (
  before: Searched & Pick<Payment, 'confirmedAtMs'>,
  after: Searched & Pick<Payment, 'confirmedAtMs'>,
): { readonly removed: readonly TermRow[]; readonly added: readonly TermRow[] } => {
  const [were, are] = [termRows(before), termRows(after)];
  const isIn = (rows: readonly TermRow[], { term }: TermRow) =>
    rows.some((row) => row.term === term);
  return {
    removed: were.filter((row) => !isIn(are, row)),
    added: are.filter((row) => !isIn(were, row)),
  };
};

/** A word with a letter is searched by its beginning; of digits the beginning would match too much. */
const isPrefix = (word: string): boolean => word.length > 1 && /\p{L}/u.test(word);

/** So many different words are looked through for what they begin with. */
export const MOST_WORDS = 30;

/** Behind every word that begins like this one. */
const endOfWords = (prefix: string): string => `${prefix}\u{10ffff}`;

/**
 * Selects the words that begin with `prefix`, one more than are looked through. Each is found in one step of the index,
 * however many payments have it.
 */
export const wordsQuery = (prefix: string): Query => ({
  text: `WITH RECURSIVE words (term) AS (
      SELECT min(term) FROM payment_terms WHERE term >= ? AND term < ?
      UNION ALL
      SELECT (SELECT min(term) FROM payment_terms WHERE term > words.term AND term < ?)
        FROM words WHERE words.term IS NOT NULL
    ) SELECT term FROM words WHERE term IS NOT NULL LIMIT ?`,
  values: [prefix, endOfWords(prefix), endOfWords(prefix), MOST_WORDS + 1],
});

/** How many payments have one of these terms, counted up to `most`. */
export const rarityQuery = (terms: readonly string[], most: number): Query => ({
  text: `SELECT CAST(count(*) AS integer) AS count FROM (SELECT 1 FROM payment_terms
    WHERE term IN (${terms.map(() => '?').join(', ') || 'NULL'}) LIMIT ?) AS counted`,
  values: [...terms, most],
});

/**
 * The terms of which a payment has to have one.
 * @param wordsFrom the words that begin so; none where too many do: `inv`, where each reference is such a word.
 */
export const alternativesOf = async (
  { word, lastDigits, amount, person }: SearchTerm,
  wordsFrom: (prefix: string) => Promise<readonly string[]> | readonly string[],
): Promise<string[]> => {
  const begunWith = async (term: string): Promise<readonly string[]> => [
    term,
    ...(isPrefix(term) ? await wordsFrom(term) : []),
  ];
  const all = [
    ...(word === undefined ? [] : await begunWith(word)),
    ...(person === undefined ? [] : await begunWith(personTerm(person))),
    ...(lastDigits === undefined ? [] : [digitsTerm(lastDigits)]),
    ...(amount === undefined ? [] : [amountTerm(amount)]),
  ];
  return [...new Set(all)];
};
