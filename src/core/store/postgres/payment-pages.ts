import type { Payment, PaymentFilter, PaymentPage } from '../../records/payment.ts';
import { isStorable } from './change-statement.ts';
import type { Database } from './database.ts';

type Page = { readonly limit: number; readonly after?: string };

/** One page, newest id first. The cursor is the last id shown, so a page costs what it shows. */
export const pageOfPayments = async (
  database: Database,
  filter: PaymentFilter,
  page: Page,
): Promise<PaymentPage> => {
  const query = pageQuery(filter, page);
  if (query === undefined) return { payments: [] };
  const rows = await database.rows<{ body: Payment }>(query);
  const payments = rows.slice(0, page.limit).map(({ body }) => body);
  const last = payments.at(-1);
  return rows.length > page.limit && last !== undefined
    ? { payments, next: last.id }
    : { payments };
};

/** One payment more than asked for tells whether there is another page. Undefined: nothing can fit the filter. */
export const pageQuery = (
  filter: PaymentFilter,
  { limit, after }: Page,
): { text: string; values: unknown[] } | undefined => {
  const { customerNumber, requester, amount, states } = filter;
  const texts = [customerNumber, requester, amount?.currency, after].filter(
    (text) => text !== undefined,
  );
  if (states?.length === 0 || !texts.every(isStorable)) return undefined;
  const values: unknown[] = [limit + 1];
  const place = (value: unknown): string => `$${values.push(value)}`;
  const where = conditionsOf(filter, after).map(
    ({ column, is, value }) => `${column} ${is} ${place(value)}`,
  );
  const newest = (...more: readonly string[]): string =>
    `SELECT id, body FROM payments WHERE ${[...where, ...more].join(' AND ')} ORDER BY id DESC LIMIT $1`;
  if (states === undefined) return { text: newest(), values };
  // Each state by itself is in the order of its index, so a rare one is found without reading all the others;
  // and each is a value of its own, so that the planner knows how rare it is.
  const each = [...new Set(states)].map((state) => `(${newest(`state = ${place(state)}`)})`);
  return {
    text: `SELECT id, body FROM (${each.join(' UNION ALL ')}) AS page ORDER BY id DESC LIMIT $1`,
    values,
  };
};

type Condition = {
  /** A column, or what is made of some. */
  readonly column: string;
  readonly is: '=' | '<' | '>=';
  readonly value: unknown;
};

const conditionsOf = (
  { customerNumber, requester, amount, flag, sinceMs, endedSinceMs }: PaymentFilter,
  after: string | undefined,
): Condition[] => {
  const all: Condition[] = [
    { column: 'kind', is: '=', value: 'payment' },
    { column: 'customer_number', is: '=', value: customerNumber },
    { column: 'requester', is: '=', value: requester },
    { column: 'amount_minor', is: '=', value: amount?.amountMinor },
    { column: 'currency', is: '=', value: amount?.currency },
    { column: "body->>'flag'", is: '=', value: flag },
    { column: 'confirmed_ms', is: '>=', value: sinceMs },
    {
      column: "greatest(confirmed_ms, (body->>'settledAtMs')::bigint)",
      is: '>=',
      value: endedSinceMs,
    },
    { column: 'id', is: '<', value: after },
  ];
  return all.filter(({ value }) => value !== undefined);
};
