import { type FigureGroup, type FiguresAsked, QUARTER_MS } from '../../records/payment-figures.ts';
import { AMOUNTS, allOf, given } from './payment-query.ts';
import type { Query } from './sql.ts';

const GROUPS: Readonly<Record<FigureGroup, string>> = {
  requester: 'requester',
  place: 'place',
  network: 'network',
  option: 'payment_option',
  merchant: 'merchant',
  // The same in SQLite and in PostgreSQL, which refuses to unescape what some people type.
  countedFor: "CAST(body -> 'countedFor' AS text)",
  run: 'run',
  quarter: `CAST(confirmed_ms / ${QUARTER_MS} AS integer)`,
  secondsToSettle: 'CAST((settled_ms - confirmed_ms) / 1000 AS integer)',
};

/** Counts and sums all payments of a time; an index has everything it reads, by the time it asks for. */
export const paymentFiguresQuery = <Group extends FigureGroup>({
  by = [],
  ...asked
}: FiguresAsked<Group>): Query => {
  const { text, values } = inTime(asked);
  const groups = ['state', 'currency', 'flag', ...by.map((group) => GROUPS[group])];
  const names = by.map((group) => `, ${GROUPS[group]} AS "${group}"`).join('');
  return {
    text: `SELECT state, currency, flag${names}, CAST(count(*) AS integer) AS count,
        ${AMOUNTS}
      FROM payments ${text} GROUP BY ${groups.join(', ')}`,
    values,
    isKept: true,
  };
};

/** The conditions on what figures are asked of. */
export const inTime = (asked: Omit<FiguresAsked, 'by'>): Query =>
  allOf([
    ...given('requester = ?', asked.requester),
    ...given('merchant = ?', asked.merchant),
    ...given(`${asked.time}_ms >= ?`, asked.fromMs),
    ...given(`${asked.time}_ms < ?`, asked.untilMs),
  ]);
