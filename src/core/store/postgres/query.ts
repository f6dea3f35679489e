import type { QueryConfig } from 'pg';
import type { Query } from '../sql/payment-query.ts';

/** Asks on a connection of the caller's choosing. */
export type Rows = <Row extends object>(query: QueryConfig) => Promise<Row[]>;

/** A statement that both databases share, whose `?` PostgreSQL wants numbered. */
export const numbered = ({ text, values }: Query): QueryConfig => {
  let number = 0;
  return { text: text.replace(/\?/g, () => `$${++number}`), values: [...values] };
};
