import type { PaymentFilter, PaymentTotal, PaymentTotals } from '../../records/payment.ts';
import { isByState, type Query, type Sought } from './payment-query.ts';
import { alternativesOf, bulkTerm, MOST_WORDS, rarityQuery, wordsQuery } from './payment-terms.ts';

/** Runs a statement of a search. */
export type Ask = <Row extends object>(query: Query) => Promise<Row[]> | Row[];

/**
 * How many payments a total counts at most. The embedded store does nothing else meanwhile: 20 ms for so many from an
 * index, or for so many that have to be read.
 */
const MOST_FROM_INDEX = 50_000;
const MOST_READ = 3_000;
/** How many payments of one term are looked at for what else was asked. */
const MOST_WALKED = 10_000;

/** Finds out which words are meant by the beginnings that were typed, and which of the terms is the rarest. */
export const soughtIn = async (filter: PaymentFilter, ask: Ask): Promise<Sought> => {
  const crowded: string[] = [];
  const wordsFrom = async (prefix: string): Promise<string[]> => {
    const rows = await ask<{ term: string }>(wordsQuery(prefix));
    if (rows.length <= MOST_WORDS) return rows.map(({ term }) => term);
    crowded.push(prefix.replace(/^@/, ''));
    return [];
  };
  const found: string[][] = filter.bulk === undefined ? [] : [[bulkTerm(filter.bulk)]];
  for (const term of filter.search ?? []) found.push(await alternativesOf(term, wordsFrom));
  const isAlone = found.length === 1 && Object.keys(filter).every((key) => ALONE.has(key));
  if (found.length === 0 || isAlone) return { filter, terms: found, crowded };
  const counted: { alternatives: string[]; count: number }[] = [];
  for (const alternatives of found) {
    const [row] = await ask<{ count: number }>(rarityQuery(alternatives, MOST_WALKED));
    counted.push({ alternatives, count: row?.count ?? 0 });
  }
  // The first is walked down, so it should be the rarest.
  const rarestFirst = counted.toSorted((one, other) => one.count - other.count);
  const isCommon = rarestFirst[0]?.count === MOST_WALKED;
  const terms = rarestFirst.map(({ alternatives }) => alternatives);
  return { filter, terms, crowded, ...(isCommon ? { mostWalked: MOST_WALKED } : {}) };
};

/** What needs no look at the payments of a term. */
const ALONE: ReadonlySet<string> = new Set<keyof PaymentFilter>([
  'search',
  'bulk',
  'sinceMs',
  'untilMs',
]);

/** How many payments are counted, by how they are found. */
export const mostCounted = ({ filter, terms }: Sought): number => {
  const { customerNumber, customers, requester, amount, flag, endedSinceMs } = filter;
  const isRead =
    (terms.length > 0 && filter.bulk === undefined) ||
    [customerNumber, customers, requester, amount, flag, endedSinceMs].some(
      (fact) => fact !== undefined,
    );
  return isRead ? MOST_READ : MOST_FROM_INDEX;
};

/** @param most how many may be counted (of each state, where those are read by themselves); one more was asked for. */
export const totalsOf = (
  sought: Sought,
  totals: readonly PaymentTotal[],
  most: number,
): PaymentTotals => {
  const groups = isByState(sought)
    ? [...Map.groupBy(totals, ({ state }) => state).values()]
    : [totals];
  const isWithin = (group: readonly PaymentTotal[]): boolean =>
    group.reduce((sum, { count }) => sum + count, 0) <= most;
  const isWhole = sought.mostWalked === undefined && groups.every(isWithin);
  return { totals, isWhole, ...(sought.crowded?.length ? { crowded: sought.crowded } : {}) };
};
