import type {
  Payment,
  PaymentFilter,
  PaymentPage,
  PaymentTotal,
  PaymentTotals,
} from '../../records/payment.ts';
import { countedIn } from '../../records/payment-figures.ts';
import type { PageAsked } from '../store.ts';
import { soughtTexts } from './search-text.ts';
import type { Query, SqlDialect } from './sql.ts';
import { isStorableText } from './storable-text.ts';

/**
 * Selects one payment more than asked for, newest first: it tells whether there is another page. The cursor is the last
 * id shown, so a page costs what it shows.
 */
export const paymentPageQuery = (
  filter: PaymentFilter,
  { limit, after }: PageAsked,
  dialect: SqlDialect,
): Query => {
  if (!canMatch(filter) || (after !== undefined && !isStorableText(after))) return NOTHING;
  const most = limit + 1;
  const isKept = isOfFewTexts(filter);
  if (filter.search === undefined)
    return {
      ...newestMatches(filter, { most, columns: 'id, confirmed_ms, body' }, dialect, after),
      isKept,
    };
  // The ids first: an index has all that a search reads, so the rows of the page alone are read. PostgreSQL would read
  // each row that it looks through.
  const ids = newestMatches(filter, { most, columns: 'id, confirmed_ms' }, dialect, after);
  const conditions = [...dialect.byId, `id IN (SELECT id FROM (${ids.text}) AS page)`];
  return {
    text: `SELECT body FROM payments ${whereOf(conditions)} ORDER BY confirmed_ms DESC, id DESC`,
    values: ids.values,
  };
};

/** The sums over a group of payments, as `PaymentTotal` has them. */
export const AMOUNTS = `CAST(sum(amount_minor) AS double precision) AS "amountMinor",
        CAST(coalesce(sum(given_minor), 0) AS double precision) AS "givenBackMinor"`;

/**
 * Counts and sums by state and currency, over the newest `most` payments that match and one more; where each state is
 * read by itself (`isByState`), over so many of each.
 */
export const paymentTotalsQuery = (
  filter: PaymentFilter,
  most: number,
  dialect: SqlDialect,
): Query => {
  if (!canMatch(filter)) return NOTHING;
  const columns = 'state, currency, amount_minor, given_minor, confirmed_ms, id';
  const found = newestMatches(filter, { most: most + 1, columns, isUnsorted: true }, dialect);
  return {
    text: `SELECT state, currency, CAST(count(*) AS integer) AS count,
        ${AMOUNTS}
      FROM (${found.text}) AS found GROUP BY state, currency ORDER BY state, currency`,
    values: found.values,
    isKept: isOfFewTexts(filter),
  };
};

/** There are few texts of a query, however much is asked, unless they grow with what was typed. */
const isOfFewTexts = ({ search, customers }: PaymentFilter): boolean =>
  search === undefined && customers === undefined;

/**
 * How many payments a total counts at most. The embedded store does nothing else meanwhile: 20 ms for so many from an
 * index, or for so many that have to be read.
 */
const MOST_FROM_INDEX = 50_000;
const MOST_READ = 3_000;

/** How many payments are counted, by how they are found. */
export const mostCounted = (filter: PaymentFilter): number => {
  const { customerNumber, customers, requester, amount, flag, endedSinceMs, merchant } = filter;
  const isRead = [customerNumber, customers, requester, amount, flag, endedSinceMs, merchant].some(
    (fact) => fact !== undefined,
  );
  return isRead ? MOST_READ : MOST_FROM_INDEX;
};

/** @param most how many may be counted (of each state, where those are read by themselves); one more was asked for. */
export const totalsOf = (
  filter: PaymentFilter,
  totals: readonly PaymentTotal[],
  most: number,
): PaymentTotals => {
  const groups = isByState(filter)
    ? [...Map.groupBy(totals, ({ state }) => state).values()]
    : [totals];
  return { totals, isWhole: groups.every((group) => countedIn(group) <= most) };
};

export const pageOf = (found: readonly Payment[], { limit }: PageAsked): PaymentPage => {
  const payments = found.slice(0, limit);
  const last = payments.at(-1);
  return found.length > limit && last !== undefined ? { payments, next: last.id } : { payments };
};

/** What is asked where no payment can match, or what was typed is no text for a database. */
const NOTHING: Query = { text: 'SELECT body FROM payments WHERE 1 = 0', values: [], isKept: true };

const canMatch = (filter: PaymentFilter): boolean => {
  const { customerNumber, customers, requester, amount, bulk, merchant } = filter;
  const { states, search = [] } = filter;
  const several = [...(customers ?? []), ...[bulk ?? []].flat()];
  const texts = [customerNumber, ...several, requester, amount?.currency, merchant];
  return (
    states?.length !== 0 &&
    customers?.length !== 0 &&
    search.every((term) => soughtTexts(term).length > 0) &&
    texts.every((text) => text === undefined || isStorableText(text))
  );
};

type Wanted = {
  readonly most: number;
  readonly columns: string;
  /** The order among several states does not matter, and sorting would take longer than reading. @default false */
  readonly isUnsorted?: boolean;
};

/** Whether the payments of each state are read by themselves, by the index that begins with the state. */
const isByState = (filter: PaymentFilter): boolean => {
  const { states, customerNumber, customers, requester, search = [], bulk } = filter;
  const narrow = [customerNumber, customers, requester, search[0], bulk];
  return states !== undefined && narrow.every((each) => each === undefined);
};

const NEWEST_FIRST = 'ORDER BY confirmed_ms DESC, id DESC LIMIT ?';

/** The newest payments that match. Each way to them is an index that has them in this order, so it is read no further than needed. */
const newestMatches = (
  filter: PaymentFilter,
  wanted: Wanted,
  dialect: SqlDialect,
  after?: string,
): Query => {
  const conditions = [...timesOf(filter, dialect, after), ...factsOf(filter, dialect)];
  const { states } = filter;
  if (states === undefined) return newest(conditions, wanted);
  if (!isByState(filter)) return newest([...conditions, oneOf(dialect.stateOfFew, states)], wanted);
  // Each state by itself is in the order of its index, so a rare state is found without reading the others.
  const each = [...new Set(states)].map((state) =>
    newest([{ text: 'state = ?', values: [state] }, ...conditions], wanted),
  );
  const all = unionOf(each);
  return wanted.isUnsorted === true
    ? all
    : {
        text: `SELECT * FROM (${all.text}) AS several ${NEWEST_FIRST}`,
        values: [...all.values, wanted.most],
      };
};

const newest = (conditions: readonly Query[], { columns, most }: Wanted): Query => ({
  text: `SELECT ${columns} FROM payments ${allOf(conditions).text} ${NEWEST_FIRST}`,
  values: [...allOf(conditions).values, most],
});

const unionOf = (each: readonly Query[]): Query => ({
  text: each.map(({ text }) => `SELECT * FROM (${text}) AS part`).join(' UNION ALL '),
  values: each.flatMap(({ values }) => values),
});

/** Conditions that an index of times serves. */
const timesOf = (
  { sinceMs, untilMs }: PaymentFilter,
  { byId }: SqlDialect,
  after: string | undefined,
): Query[] => [
  ...given('confirmed_ms >= ?', sinceMs),
  ...given('confirmed_ms < ?', untilMs),
  ...(after === undefined
    ? []
    : [
        {
          text: `(confirmed_ms, id) < ((SELECT confirmed_ms FROM payments ${whereOf([...byId, 'id = ?'])}), ?)`,
          values: [after, after],
        },
      ]),
];

/** Conditions on the columns of a payment, but for its state. */
const factsOf = (filter: PaymentFilter, { ended, position }: SqlDialect): Query[] => {
  const { customerNumber, customers, requester, amount, flag, endedSinceMs } = filter;
  const { bulk, merchant, search = [] } = filter;
  const isNarrow = [customerNumber, customers, requester].some((one) => one !== undefined);
  return [
    ...given('customer_number = ?', customerNumber),
    ...(customers === undefined ? [] : [oneOf('customer_number', customers)]),
    ...given('requester = ?', requester),
    ...given('amount_minor = ?', amount?.amountMinor),
    ...given('currency = ?', amount?.currency),
    ...given('flag = ?', flag),
    ...(bulk === undefined ? [] : [oneOf('run', [bulk].flat())]),
    ...given('merchant = ?', merchant),
    // Of those that have a text to search; this alone leads to the index of it, which no other query then takes.
    ...(search.length === 0 ? [] : [{ text: 'searched IS NOT NULL', values: [] }]),
    ...search.map(soughtTexts).map((texts) => ({
      text: `(${texts.map(() => `${position}(searched, ?) > 0`).join(' OR ')})`,
      values: texts,
    })),
    ...given('ended_ms >= ?', endedSinceMs),
    ...(isNarrow ? [] : given(ended, endedSinceMs)),
  ];
};

const oneOf = (column: string, values: readonly string[]): Query => ({
  text: `${column} IN (${values.map(() => '?').join(', ')})`,
  values,
});

/** A condition with a value; none without one. */
export const given = (text: string, value: string | number | undefined): Query[] =>
  value === undefined ? [] : [{ text, values: [value] }];

/** `WHERE` with all of the conditions, and their values. */
export const allOf = (conditions: readonly Query[]): Query => ({
  text: whereOf(conditions.map(({ text }) => text)),
  values: conditions.flatMap(({ values }) => values),
});

export const whereOf = (texts: readonly string[]): string =>
  texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`;
