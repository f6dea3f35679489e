import type { ChargeTerms, Payment, SearchTerm } from '../../records/payment.ts';
import { FORGOTTEN_NAME, isPseudonym } from '../../values/pseudonym.ts';
import { searchWords } from '../../values/search-words.ts';
import type { Query } from './payment-query.ts';

/** A row of the table `payment_terms`: the payment can be found by this term. */
export type TermRow = {
  readonly term: string;
  readonly confirmedMs: number;
  readonly id: string;
};

const LAST_DIGITS = 4;

/** No word has these signs, so a term of one kind never meets one of another. */
const digitsTerm = (digits: string): string => `#${digits}`;
const amountTerm = ({ currency, amountMinor }: ChargeTerms['amount']): string =>
  `=${currency}${amountMinor}`;

/**
 * Everything that a payment is searched by: words of the name and the reference, the last digits of the number, the
 * amount. The transaction id is a key of its own and is left out where it is the reference; a forgotten customer has
 * neither number nor name.
 */
export const termsOf = ({ id, terms }: Pick<Payment, 'id' | 'terms'>): string[] => {
  const { customerNumber, customerName = '', reference, amount } = terms;
  const words = [
    ...(customerName === FORGOTTEN_NAME ? [] : searchWords(customerName)),
    ...(reference === id ? [] : searchWords(reference)),
  ];
  const digits = isPseudonym(customerNumber)
    ? []
    : [digitsTerm(customerNumber.slice(-LAST_DIGITS))];
  return [...new Set([...words, ...digits, amountTerm(amount)])];
};

export const termRows = (payment: Pick<Payment, 'id' | 'terms' | 'confirmedAtMs'>): TermRow[] =>
  termsOf(payment).map((term) => ({ term, confirmedMs: payment.confirmedAtMs, id: payment.id }));

/** Whether two versions of a payment are found by the same terms; false also when only their spelling differs. */
export const isSearchedAlike = (one: ChargeTerms, other: ChargeTerms): boolean =>
  one === other ||
  (one.customerNumber === other.customerNumber &&
    one.customerName === other.customerName &&
    one.reference === other.reference &&
    amountTerm(one.amount) === amountTerm(other.amount));

/** The rows that an update removes and adds. */
export const termChange = (
  before: Pick<Payment, 'id' | 'terms' | 'confirmedAtMs'>,
  after: Pick<Payment, 'id' | 'terms' | 'confirmedAtMs'>,
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
const MOST_WORDS = 30;

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

/** Above this a term is common, and how common does not matter. */
const MOST_COUNTED = 1_000;

/** How many payments have one of these terms, up to a limit. */
export const rarityQuery = (terms: readonly string[]): Query => ({
  text: `SELECT CAST(count(*) AS integer) AS count FROM (SELECT 1 FROM payment_terms
    WHERE term IN (${terms.map(() => '?').join(', ') || 'NULL'}) LIMIT ?) AS counted`,
  values: [...terms, MOST_COUNTED],
});

/**
 * The terms of which a payment has to have one. A beginning that too many words share (`inv` where each reference is
 * such a word) counts as a whole word.
 * @param wordsFrom what `wordsQuery` selects.
 */
export const alternativesOf = async (
  { word, lastDigits, amount }: SearchTerm,
  wordsFrom: (prefix: string) => Promise<readonly string[]> | readonly string[],
): Promise<string[]> => {
  const begun = word !== undefined && isPrefix(word) ? await wordsFrom(word) : [];
  const words = word === undefined ? [] : begun.length > MOST_WORDS ? [word] : [word, ...begun];
  const all = [
    ...words,
    ...(lastDigits === undefined ? [] : [digitsTerm(lastDigits)]),
    ...(amount === undefined ? [] : [amountTerm(amount)]),
  ];
  return [...new Set(all)];
};
