import { type FigureGroup, type FiguresAsked, QUARTER_MS } from '../../records/payment-figures.ts';
import type { Query } from './sql.ts';

const GROUPS: Readonly<Record<FigureGroup, string>> = {
  requester: 'requester',
  place: 'place',
  network: 'network',
  option: 'payment_option',
  merchant: 'merchant',
  // The same in SQLite and in PostgreSQL, which refuses to unescape what some people type.
  countedFor: "CAST(body -> 'countedFor' AS text)",
  quarter: `CAST(confirmed_ms / ${QUARTER_MS} AS integer)`,
  secondsToSettle: 'CAST((settled_ms - confirmed_ms) / 1000 AS integer)',
};

/** Counts and sums all payments of a time; an index has everything it reads, by the time it asks for. */
export const paymentFiguresQuery = <Group extends FigureGroup>({
  time,
  fromMs,
  untilMs,
  by = [],
  ...of
}: FiguresAsked<Group>): Query => {
  const column = `${time}_ms`;
  const { text, values } = narrowed(of);
  const groups = ['state', 'currency', 'flag', ...by.map((group) => GROUPS[group])];
  const names = by.map((group) => `, ${GROUPS[group]} AS "${group}"`).join('');
  return {
    text: `SELECT state, currency, flag${names}, CAST(count(*) AS integer) AS count,
        CAST(sum(amount_minor) AS double precision) AS "amountMinor"
      FROM payments WHERE ${text}${column} >= ? AND ${column} < ? GROUP BY ${groups.join(', ')}`,
    values: [...values, fromMs, untilMs],
    isKept: true,
  };
};

/** The conditions on what figures are asked of, each with `AND` behind it, and their values. */
export const narrowed = ({
  requester,
  merchant,
}: { readonly [K in 'requester' | 'merchant']?: string | undefined }): {
  text: string;
  values: readonly string[];
} => {
  const given = Object.entries({ requester, merchant }).flatMap(([column, value]) =>
    value === undefined ? [] : [[column, value] as const],
  );
  return {
    text: given.map(([column]) => `${column} = ? AND `).join(''),
    values: given.map(([, value]) => value),
  };
};
