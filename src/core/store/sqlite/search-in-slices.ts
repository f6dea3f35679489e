import type {
  Payment,
  PaymentFilter,
  PaymentPage,
  PaymentTotal,
  PaymentTotals,
} from '../../records/payment.ts';
import {
  mostCounted,
  type Page,
  pageOf,
  paymentPageQuery,
  paymentTotalsQuery,
  totalsOf,
} from '../sql/payment-query.ts';
import { addUp, nextTurn, type Select } from './figures-in-slices.ts';

/** Searched in about 5 ms. */
const IN_A_SLICE = 20_000;

/** The page of a filter. Once a slice has filled it, no older one is read. */
export const pageInSlices = async (
  select: Select,
  filter: PaymentFilter,
  page: Page,
  inASlice = IN_A_SLICE,
): Promise<PaymentPage> => {
  const payments: Payment[] = [];
  for await (const slice of slicesOf(select, filter, inASlice)) {
    const query = paymentPageQuery(slice, { ...page, limit: page.limit - payments.length });
    if (query === undefined) break;
    payments.push(...select<{ body: string }>(query).map(({ body }) => JSON.parse(body)));
    if (payments.length > page.limit) break;
  }
  return pageOf(payments, page);
};

/** The totals of a filter. Each payment is counted once, as it is when its slice is. */
export const totalsInSlices = async (
  select: Select,
  filter: PaymentFilter,
  inASlice = IN_A_SLICE,
): Promise<PaymentTotals> => {
  const most = mostCounted(filter);
  const sums = new Map<string, PaymentTotal>();
  let counted = 0;
  for await (const slice of slicesOf(select, filter, inASlice)) {
    const query = paymentTotalsQuery(slice, most - counted);
    if (query === undefined) break;
    const rows = select<PaymentTotal>(query);
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

/**
 * A filter with a search as several ones, newest first, each for a time of so many payments: SQLite is synchronous, and a
 * search that finds nothing reads what every payment is searched by. Other filters are one slice, because an index leads
 * to what they find.
 */
async function* slicesOf(
  select: Select,
  filter: PaymentFilter,
  inASlice: number,
): AsyncGenerator<PaymentFilter> {
  const { search = [], sinceMs = Number.MIN_SAFE_INTEGER } = filter;
  let { untilMs = Number.MAX_SAFE_INTEGER } = filter;
  while (search.length > 0) {
    const [oldest] = select<{ ms: number }>({
      text: `SELECT confirmed_ms AS ms FROM payments WHERE confirmed_ms >= ? AND confirmed_ms < ?
        ORDER BY confirmed_ms DESC LIMIT 1 OFFSET ?`,
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
