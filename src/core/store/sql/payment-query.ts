import type { Payment, PaymentFilter, PaymentPage } from '../../records/payment.ts';
import { isStorableText } from './storable-text.ts';

export type Page = { readonly limit: number; readonly after?: string };

/** A statement with `?` for each value, in order. */
export type Query = {
  readonly text: string;
  readonly values: readonly (string | number)[];
  /** There are few such texts, however much is asked. @default false: it grows with what was typed */
  readonly isKept?: boolean;
};

/** What the planner of a database needs to be told, so that a page costs what it shows. */
export type Planning = {
  /** Conditions that hold for every payment. */
  readonly always: readonly string[];
  /** A condition that payments fulfil which ended since a time. A payment ends after it was confirmed. */
  readonly ended: string;
  /** The column of the state where its index must not be chosen: another one leads to fewer payments. */
  readonly stateOfFew: string;
};

/**
 * Bounds a walk down the times by the oldest one that can match. The `+` keeps the planner from walking the times for
 * the minimum (seen: 100,000 rows read).
 */
const FOR_SQLITE: Planning = {
  always: [],
  ended: 'confirmed_ms >= (SELECT min(+confirmed_ms) FROM payments WHERE ended_ms >= ?)',
  stateOfFew: '+state',
};

/** The kind makes the primary key serve a search by id; statistics tell which other index is better. */
export const FOR_POSTGRES: Planning = {
  always: ["kind = 'payment'"],
  ended: 'ended_ms >= ?',
  stateOfFew: 'state',
};

/** A filter, and for each entry of `search` the terms of which a payment has to have one. */
export type Sought = {
  readonly filter: PaymentFilter;
  readonly terms: readonly (readonly string[])[];
  /** Of so many payments at most that have the first term, the rest is looked up; undefined: they are fewer. */
  readonly mostWalked?: number;
  /** Words that count as whole words: too many begin so. */
  readonly crowded?: readonly string[];
};

/**
 * Selects one payment more than asked for, newest first: it tells whether there is another page. The cursor is the last
 * id shown, so a page costs what it shows.
 * @returns undefined when no payment can match.
 */
export const paymentPageQuery = (
  sought: Sought,
  { limit, after }: Page,
  planning: Planning = FOR_SQLITE,
): Query | undefined => {
  if (!canMatch(sought) || (after !== undefined && !isStorableText(after))) return undefined;
  const found = newestMatches(
    sought,
    { most: limit + 1, columns: 'id, confirmed_ms, body' },
    planning,
    after,
  );
  if (sought.terms.length === 0) return { ...found, isKept: sought.filter.customers === undefined };
  return {
    text: `SELECT id, body FROM (${found.text}) AS page ORDER BY confirmed_ms DESC, id DESC`,
    values: found.values,
  };
};

/**
 * Counts and sums by state and currency, over the newest `most` payments that match and one more; where each state is
 * read by itself (`isByState`), over so many of each.
 */
export const paymentTotalsQuery = (
  sought: Sought,
  most: number,
  planning: Planning = FOR_SQLITE,
): Query | undefined => {
  if (!canMatch(sought)) return undefined;
  const found = newestMatches(
    sought,
    {
      most: most + 1,
      columns: 'state, currency, amount_minor, confirmed_ms, id',
      isUnsorted: true,
    },
    planning,
  );
  return {
    text: `SELECT state, currency, CAST(count(*) AS integer) AS count,
        CAST(sum(amount_minor) AS double precision) AS "amountMinor"
      FROM (${found.text}) AS found GROUP BY state, currency ORDER BY state, currency`,
    values: found.values,
    isKept: sought.terms.length === 0,
  };
};

export const pageOf = (found: readonly Payment[], { limit }: Page): PaymentPage => {
  const payments = found.slice(0, limit);
  const last = payments.at(-1);
  return found.length > limit && last !== undefined ? { payments, next: last.id } : { payments };
};

const canMatch = ({ filter, terms }: Sought): boolean => {
  const { customerNumber, customers = [], requester, amount, states } = filter;
  const texts = [customerNumber, ...customers, requester, amount?.currency];
  return (
    states?.length !== 0 &&
    filter.customers?.length !== 0 &&
    terms.every((alternatives) => alternatives.length > 0) &&
    texts.every((text) => text === undefined || isStorableText(text))
  );
};

type Condition = { readonly text: string; readonly values: readonly (string | number)[] };

type Wanted = {
  readonly most: number;
  readonly columns: string;
  /** The order among several states does not matter, and sorting would take longer than reading. @default false */
  readonly isUnsorted?: boolean;
};

/** Whether the payments of each state are read by themselves, by the index that begins with the state. */
export const isByState = ({ filter, terms }: Sought): boolean =>
  filter.states !== undefined &&
  terms.length === 0 &&
  filter.customerNumber === undefined &&
  filter.customers === undefined &&
  filter.requester === undefined;

const NEWEST_FIRST = 'ORDER BY confirmed_ms DESC, id DESC LIMIT ?';

/** The newest payments that match. Each way to them is an index that has them in this order, so it is read no further than needed. */
const newestMatches = (
  sought: Sought,
  wanted: Wanted,
  planning: Planning,
  after?: string,
): Query => {
  const { filter, terms, mostWalked } = sought;
  const times = timesOf(filter, planning, after);
  const [first, ...others] = terms;
  if (first !== undefined)
    return withTerms(first, { others, filter, times, wanted, planning, mostWalked });
  const conditions = [...times, ...factsOf(filter, planning)];
  const { states } = filter;
  if (states === undefined) return newest(conditions, wanted, planning);
  if (!isByState(sought))
    return newest([...conditions, inStates(states, planning)], wanted, planning);
  // Each state by itself is in the order of its index, so a rare state is found without reading the others.
  const each = [...new Set(states)].map((state) =>
    newest([{ text: 'state = ?', values: [state] }, ...conditions], wanted, planning),
  );
  return wanted.isUnsorted === true
    ? unionOf(each, 'UNION ALL')
    : together(each, 'UNION ALL', wanted.most);
};

const newest = (
  conditions: readonly Condition[],
  { columns, most }: Wanted,
  { always }: Planning,
): Query => ({
  text: `SELECT ${columns} FROM payments ${whereOf([...always, ...textsOf(conditions)])} ${NEWEST_FIRST}`,
  values: [...valuesOf(conditions), most],
});

/**
 * Walks down the payments of each alternative of one term; the other terms and facts are looked up by key.
 * CROSS JOIN is the order in which SQLite joins, and for PostgreSQL the same as any other.
 */
const withTerms = (
  alternatives: readonly string[],
  {
    others,
    filter,
    times,
    wanted,
    planning,
    mostWalked,
  }: {
    readonly others: readonly (readonly string[])[];
    readonly filter: PaymentFilter;
    readonly times: readonly Condition[];
    readonly wanted: Wanted;
    readonly planning: Planning;
    readonly mostWalked: number | undefined;
  },
): Query => {
  const { states } = filter;
  const facts = [
    ...factsOf(filter, planning),
    ...(states === undefined ? [] : [inStates(states, planning)]),
  ];
  const isJoined = facts.length > 0;
  const also = others.map(
    (terms): Condition => ({
      // Not EXISTS, of which PostgreSQL makes a join that reads all payments of both terms.
      text: `(SELECT 1 FROM payment_terms AS other WHERE other.term IN (${terms.map(() => '?').join(', ')})
        AND other.confirmed_ms = one.confirmed_ms AND other.id = one.id LIMIT 1) IS NOT NULL`,
      values: terms,
    }),
  );
  const joined = `CROSS JOIN (SELECT id AS payment_id, state, customer_number, requester, currency, amount_minor, flag, ended_ms
    FROM payments ${whereOf(planning.always)}) AS fact`;
  const each = alternatives.map((term): Query => {
    const walked = [{ text: 'term = ?', values: [term] }, ...times];
    const table =
      mostWalked === undefined
        ? 'payment_terms'
        : `(SELECT confirmed_ms, id FROM payment_terms ${whereOf(textsOf(walked))} ${NEWEST_FIRST})`;
    const bounded = mostWalked === undefined ? [] : [...valuesOf(walked), mostWalked];
    const conditions = [...(mostWalked === undefined ? walked : []), ...also, ...facts];
    return {
      text: `SELECT confirmed_ms, id FROM ${table} AS one ${isJoined ? joined : ''}
        ${whereOf([...textsOf(conditions), ...(isJoined ? ['payment_id = id'] : [])])} ${NEWEST_FIRST}`,
      values: [...bounded, ...valuesOf(conditions), wanted.most],
    };
  });
  // A payment may have several of the words; UNION leaves one of it.
  const keys = together(each, 'UNION', wanted.most);
  const columns = wanted.columns
    .split(', ')
    .map((column) => `payments.${column}`)
    .join(', ');
  return {
    text: `SELECT ${columns} FROM (${keys.text}) AS keys CROSS JOIN payments
      ${whereOf([...planning.always.map((text) => `payments.${text}`), 'payments.id = keys.id'])}`,
    values: keys.values,
  };
};

const unionOf = (each: readonly Query[], how: 'UNION' | 'UNION ALL'): Query => ({
  text: each.map(({ text }) => `SELECT * FROM (${text}) AS part`).join(` ${how} `),
  values: each.flatMap(({ values }) => values),
});

const together = (each: readonly Query[], how: 'UNION' | 'UNION ALL', most: number): Query => {
  const { text, values } = unionOf(each, how);
  return { text: `SELECT * FROM (${text}) AS several ${NEWEST_FIRST}`, values: [...values, most] };
};

/** Conditions that an index of times serves. */
const timesOf = (
  { sinceMs, untilMs }: PaymentFilter,
  { always }: Planning,
  after: string | undefined,
): Condition[] => [
  ...given('confirmed_ms >= ?', sinceMs),
  ...given('confirmed_ms < ?', untilMs),
  ...(after === undefined
    ? []
    : [
        {
          text: `(confirmed_ms, id) < ((SELECT confirmed_ms FROM payments ${whereOf([...always, 'id = ?'])}), ?)`,
          values: [after, after],
        },
      ]),
];

/** Conditions on the columns of a payment, but for its state. */
const factsOf = (
  { customerNumber, customers, requester, amount, flag, endedSinceMs }: PaymentFilter,
  { ended }: Planning,
): Condition[] => {
  const isNarrow = [customerNumber, customers, requester].some((one) => one !== undefined);
  return [
    ...given('customer_number = ?', customerNumber),
    ...(customers === undefined ? [] : [oneOf('customer_number', customers)]),
    ...given('requester = ?', requester),
    ...given('amount_minor = ?', amount?.amountMinor),
    ...given('currency = ?', amount?.currency),
    ...given('flag = ?', flag),
    ...given('ended_ms >= ?', endedSinceMs),
    ...(isNarrow ? [] : given(ended, endedSinceMs)),
  ];
};

const inStates = (states: readonly string[], { stateOfFew }: Planning): Condition =>
  oneOf(stateOfFew, states);

const oneOf = (column: string, values: readonly string[]): Condition => ({
  text: `${column} IN (${values.map(() => '?').join(', ')})`,
  values,
});

const given = (text: string, value: string | number | undefined): Condition[] =>
  value === undefined ? [] : [{ text, values: [value] }];

const textsOf = (conditions: readonly Condition[]): string[] => conditions.map(({ text }) => text);
const valuesOf = (conditions: readonly Condition[]): (string | number)[] =>
  conditions.flatMap(({ values }) => values);

const whereOf = (texts: readonly string[]): string =>
  texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`;
