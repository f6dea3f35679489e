import type {
  Payment,
  PaymentFilter,
  PaymentPage,
  PaymentTotal,
  PaymentTotals,
} from '../../records/payment.ts';
import { nextTurn } from '../../runtime/turn-budget.ts';
import {
  mostCounted,
  type Page,
  type Planning,
  pageOf,
  paymentPageQuery,
  paymentTotalsQuery,
  type Query,
  totalsOf,
} from './payment-query.ts';

/** Runs a statement. */
export type Ask = <Row extends object>(query: Query) => Promise<Row[]> | Row[];

/** The page of a filter. Once a slice has filled it, no older one is read. */
export const pageInSlices = async (
  ask: Ask,
  filter: PaymentFilter,
  page: Page,
  planning: Planning,
): Promise<PaymentPage> => {
  const payments: Payment[] = [];
  for await (const slice of slicesOf(ask, filter, planning)) {
    const rest = { ...page, limit: page.limit - payments.length };
    // SQLite gives the text, PostgreSQL what it means.
    const rows = await ask<{ body: string | Payment }>(paymentPageQuery(slice, rest, planning));
    for (const { body } of rows) payments.push(typeof body === 'string' ? JSON.parse(body) : body);
    if (payments.length > page.limit) break;
  }
  return pageOf(payments, page);
};

/** The totals of a filter. Each payment is counted once, as it is when its slice is. */
export const totalsInSlices = async (
  ask: Ask,
  filter: PaymentFilter,
  planning: Planning,
): Promise<PaymentTotals> => {
  const most = mostCounted(filter);
  const sums = new Map<string, PaymentTotal>();
  let counted = 0;
  for await (const slice of slicesOf(ask, filter, planning)) {
    const rows = await ask<PaymentTotal>(paymentTotalsQuery(slice, most - counted, planning));
    addUp(sums, rows);
    counted = rows.reduce((sum, { count }) => sum + count, counted);
    if (counted > most) break;
  }
  // The keys have the state first, then the currency.
  const sorted = [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
  return totalsOf(
    filter,
    sorted.map(([, total]) => total),
    most,
  );
};

/** Adds rows to the sums of what they are grouped by. */
export const addUp = <Row extends { readonly count: number; readonly amountMinor: number }>(
  sums: Map<string, Row>,
  rows: readonly Row[],
): void => {
  for (const row of rows) {
    const { count, amountMinor, ...group } = row;
    const key = JSON.stringify(Object.values(group));
    const earlier = sums.get(key) ?? { count: 0, amountMinor: 0 };
    sums.set(key, {
      ...row,
      count: earlier.count + count,
      amountMinor: earlier.amountMinor + amountMinor,
    });
  }
};

/**
 * A filter with a search as several ones, newest first, each for a time of so many payments, because a search that finds
 * nothing reads what every payment is searched by: SQLite is synchronous, and PostgreSQL breaks long statements off. Other
 * filters are one slice, because an index leads to what they find.
 */
async function* slicesOf(
  ask: Ask,
  filter: PaymentFilter,
  { inASlice }: Planning,
): AsyncGenerator<PaymentFilter> {
  const { search = [], sinceMs = Number.MIN_SAFE_INTEGER } = filter;
  let { untilMs = Number.MAX_SAFE_INTEGER } = filter;
  while (search.length > 0) {
    const [oldest] = await ask<{ ms: number }>({
      text: `SELECT CAST(confirmed_ms AS double precision) AS ms FROM payments
        WHERE confirmed_ms >= ? AND confirmed_ms < ? ORDER BY confirmed_ms DESC LIMIT 1 OFFSET ?`,
      values: [sinceMs, untilMs, inASlice - 1],
      isKept: true,
    });
    // The last slice is the time before all that were found.
    if (oldest === undefined) break;
    // All payments of one millisecond are in one slice.
    yield { ...filter, sinceMs: oldest.ms, untilMs };
    untilMs = oldest.ms;
    await nextTurn();
  }
  yield search.length > 0 ? { ...filter, untilMs } : filter;
}
