import type {
  Payment,
  PaymentFilter,
  PaymentPage,
  PaymentTotal,
  PaymentTotals,
} from '../../records/payment.ts';
import { addedUp, countedIn } from '../../records/payment-figures.ts';
import { nextTurn } from '../../runtime/turn-budget.ts';
import type { PageAsked } from '../store.ts';
import {
  mostCounted,
  pageOf,
  paymentPageQuery,
  paymentTotalsQuery,
  totalsOf,
} from './payment-query.ts';
import { bodyOf, type SqlQuestions } from './sql.ts';

/** The page of a filter. Once a slice has filled it, no older one is read. */
export const pageInSlices = async (
  sql: SqlQuestions,
  filter: PaymentFilter,
  page: PageAsked,
): Promise<PaymentPage> => {
  const payments: Payment[] = [];
  for await (const slice of slicesOf(sql, filter)) {
    const rest = { ...page, limit: page.limit - payments.length };
    const query = paymentPageQuery(slice, rest, sql.dialect);
    for (const { body } of await sql.rows<{ body: unknown }>(query)) payments.push(bodyOf(body));
    if (payments.length > page.limit) break;
  }
  return pageOf(payments, page);
};

/** The totals of a filter. Each payment is counted once, as it is when its slice is. */
export const totalsInSlices = async (
  sql: SqlQuestions,
  filter: PaymentFilter,
): Promise<PaymentTotals> => {
  const most = mostCounted(filter);
  const sums = new Map<string, PaymentTotal>();
  let counted = 0;
  for await (const slice of slicesOf(sql, filter)) {
    const query = paymentTotalsQuery(slice, most - counted, sql.dialect);
    const rows = await sql.rows<PaymentTotal>(query);
    addedUp(rows, ({ state, currency }) => `${state} ${currency}`, sums);
    counted += countedIn(rows);
    if (counted > most) break;
  }
  const sorted = [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
  const totals = sorted.map(([, total]) => total);
  return totalsOf(filter, totals, most);
};

/**
 * A filter with a search as several ones, newest first, each for a time of so many payments, because a search that finds
 * nothing reads what every payment is searched by: SQLite is synchronous, and PostgreSQL breaks long statements off. Other
 * filters are one slice, because an index leads to what they find.
 */
async function* slicesOf(sql: SqlQuestions, filter: PaymentFilter): AsyncGenerator<PaymentFilter> {
  const { search = [], sinceMs = Number.MIN_SAFE_INTEGER } = filter;
  let { untilMs = Number.MAX_SAFE_INTEGER } = filter;
  while (search.length > 0) {
    const [oldest] = await sql.rows<{ ms: number }>({
      text: `SELECT CAST(confirmed_ms AS double precision) AS ms FROM payments
        WHERE confirmed_ms >= ? AND confirmed_ms < ? ORDER BY confirmed_ms DESC LIMIT 1 OFFSET ?`,
      values: [sinceMs, untilMs, sql.dialect.inASlice - 1],
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
