import type { Payment, PaymentFilter, PaymentPage } from '../../records/payment.ts';
import { isStorableText } from './storable-text.ts';

export type Page = { readonly limit: number; readonly after?: string };

/** A statement with `?` for each value, in order. */
export type Query = { readonly text: string; readonly values: readonly (string | number)[] };

/** What the planner of a database needs to be told, so that a page costs what it shows. */
type Planning = {
  /** Conditions that hold for every payment. */
  readonly always: readonly string[];
  /** A condition that those fulfil which were confirmed or settled since a time. A payment ends after it was confirmed. */
  readonly since: string;
};

/**
 * Bounds a walk down the ids by the oldest one that can match. The `+` keeps the planner from walking the ids for the
 * minimum (seen: 100,000 rows read).
 */
const FOR_SQLITE: Planning = {
  always: [],
  since: 'id >= (SELECT min(+id) FROM payments WHERE ended_ms >= ?)',
};

/** The kind makes the primary key serve a list in the order of ids; statistics tell when the index of ends is better. */
export const FOR_POSTGRES: Planning = { always: ["kind = 'payment'"], since: 'ended_ms >= ?' };

/**
 * Selects one payment more than asked for, newest id first: it tells whether there is another page. The cursor is
 * the last id shown, so a page costs what it shows.
 * @returns undefined when no payment can match.
 */
export const paymentPageQuery = (
  filter: PaymentFilter,
  { limit, after }: Page,
  { always, since }: Planning = FOR_SQLITE,
): Query | undefined => {
  const { customerNumber, requester, amount, states } = filter;
  const texts = [customerNumber, requester, amount?.currency, after];
  if (states?.length === 0 || texts.some((text) => text !== undefined && !isStorableText(text)))
    return undefined;
  const conditions = conditionsOf(filter, after, since);
  const newest = (...more: readonly Condition[]): Query => {
    const all = [...conditions, ...more];
    const texts = [...always, ...all.map(({ text }) => text)];
    const where = texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`;
    return {
      text: `SELECT id, body FROM payments ${where} ORDER BY id DESC LIMIT ?`,
      values: [...all.map(({ value }) => value), limit + 1],
    };
  };
  if (states === undefined) return newest();
  // Each state by itself is in the order of its index, so a rare state is found without reading the others.
  const each = [...new Set(states)].map((state) => newest({ text: 'state = ?', value: state }));
  return {
    text: `SELECT id, body FROM (${each.map(({ text }) => `SELECT * FROM (${text}) AS one`).join(' UNION ALL ')}) AS page ORDER BY id DESC LIMIT ?`,
    values: [...each.flatMap(({ values }) => values), limit + 1],
  };
};

export const pageOf = (found: readonly Payment[], { limit }: Page): PaymentPage => {
  const payments = found.slice(0, limit);
  const last = payments.at(-1);
  return found.length > limit && last !== undefined ? { payments, next: last.id } : { payments };
};

type Condition = { readonly text: string; readonly value: string | number };

const conditionsOf = (
  { customerNumber, requester, amount, flag, sinceMs, endedSinceMs }: PaymentFilter,
  after: string | undefined,
  since: string,
): Condition[] => {
  const all: { text: string; value: string | number | undefined }[] = [
    { text: 'customer_number = ?', value: customerNumber },
    { text: 'requester = ?', value: requester },
    { text: 'amount_minor = ?', value: amount?.amountMinor },
    { text: 'currency = ?', value: amount?.currency },
    { text: 'flag = ?', value: flag },
    { text: 'confirmed_ms >= ?', value: sinceMs },
    { text: 'ended_ms >= ?', value: endedSinceMs },
    { text: since, value: latest(sinceMs, endedSinceMs) },
    { text: 'id < ?', value: after },
  ];
  return all.flatMap(({ text, value }) => (value === undefined ? [] : [{ text, value }]));
};

const latest = (sinceMs?: number, endedSinceMs?: number): number | undefined =>
  sinceMs === undefined && endedSinceMs === undefined
    ? undefined
    : Math.max(sinceMs ?? Number.NEGATIVE_INFINITY, endedSinceMs ?? Number.NEGATIVE_INFINITY);
