import type { Payment } from '../../payments/payment.ts';
import type { PaymentFilter, PaymentPage } from '../store.ts';
import { isStorable } from './change-statement.ts';
import type { Database } from './database.ts';

type Page = { readonly limit: number; readonly after?: string };

/** One page, newest id first. The cursor is the last id shown, so a page costs what it shows. */
export const pageOfPayments = async (
  database: Database,
  filter: PaymentFilter,
  page: Page,
): Promise<PaymentPage> => {
  // One more than asked for tells whether there is another page.
  const conditions = conditionsOf(filter, page.after);
  if (conditions === 'none') return { payments: [] };
  const rows = await database.rows<{ body: Payment }>(
    pageQuery(conditions, filter.states, page.limit + 1),
  );
  const payments = rows.slice(0, page.limit).map(({ body }) => body);
  const last = payments.at(-1);
  return rows.length > page.limit && last !== undefined
    ? { payments, next: last.id }
    : { payments };
};

type Condition = {
  readonly column: string;
  readonly is: '=' | '<' | '>=';
  readonly value: unknown;
};

const conditionsOf = (
  { customerNumber, requester, sinceMs, states }: PaymentFilter,
  after: string | undefined,
): Condition[] | 'none' => {
  const texts = [customerNumber, requester, after].filter((text) => text !== undefined);
  if (states?.length === 0 || !texts.every(isStorable)) return 'none';
  const all: Condition[] = [
    { column: 'kind', is: '=', value: 'payment' },
    { column: 'customer_number', is: '=', value: customerNumber },
    { column: 'requester', is: '=', value: requester },
    { column: 'confirmed_ms', is: '>=', value: sinceMs },
    { column: 'id', is: '<', value: after },
  ];
  return all.filter(({ value }) => value !== undefined);
};

const pageQuery = (
  conditions: readonly Condition[],
  states: PaymentFilter['states'],
  limit: number,
) => {
  const values: unknown[] = [limit, ...conditions.map(({ value }) => value)];
  const where = conditions.map(({ column, is }, at) => `${column} ${is} $${at + 2}`).join(' AND ');
  const newest = (filter: string) =>
    `SELECT id, body FROM payments WHERE ${filter} ORDER BY id DESC LIMIT $1`;
  if (states === undefined) return { text: newest(where), values };
  // Each state by itself is in the order of its index; so a rare one is found without reading all the others.
  const each = newest(`${where} AND state = wanted.state`);
  return {
    text: `SELECT page.body FROM unnest($${values.length + 1}::text[]) AS wanted (state),
      LATERAL (${each}) AS page ORDER BY page.id DESC LIMIT $1`,
    values: [...values, [...new Set(states)]],
  };
};
