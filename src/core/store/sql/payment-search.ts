import type { PaymentFilter, PaymentTotal, PaymentTotals } from '../../records/payment.ts';
import { isByState, type Query, type Sought } from './payment-query.ts';
import { alternativesOf, rarityQuery, wordsQuery } from './payment-terms.ts';

/** Runs a statement of a search. */
export type Ask = <Row extends object>(query: Query) => Promise<Row[]> | Row[];

/**
 * How many payments a total counts at most. An index alone gives so many in some 10 ms, in which the embedded store does
 * nothing else; where each payment has to be read, it is a tenth.
 */
const MOST_FROM_INDEX = 100_000;
const MOST_READ = 10_000;

/** Finds out which words are meant by the beginnings that were typed. */
export const soughtIn = async (filter: PaymentFilter, ask: Ask): Promise<Sought> => {
  const wordsFrom = async (prefix: string): Promise<string[]> => {
    const rows = await ask<{ term: string }>(wordsQuery(prefix));
    return rows.map(({ term }) => term);
  };
  const terms: string[][] = [];
  for (const term of filter.search ?? []) terms.push(await alternativesOf(term, wordsFrom));
  if (terms.length < 2) return { filter, terms };
  const counted: { alternatives: string[]; count: number }[] = [];
  for (const alternatives of terms) {
    const [row] = await ask<{ count: number }>(rarityQuery(alternatives));
    counted.push({ alternatives, count: row?.count ?? 0 });
  }
  // The first is walked down, so it should be the rarest.
  const rarestFirst = counted.toSorted((one, other) => one.count - other.count);
  return { filter, terms: rarestFirst.map(({ alternatives }) => alternatives) };
};

/** How many payments are counted, by how they are found. */
export const mostCounted = ({ filter, terms }: Sought): number => {
  const { customerNumber, requester, amount, flag, endedSinceMs } = filter;
  const isRead =
    terms.length > 0 ||
    [customerNumber, requester, amount, flag, endedSinceMs].some((fact) => fact !== undefined);
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
  return { totals, isWhole: groups.every(isWithin) };
};
