import type { ClientBase, QueryConfig } from 'pg';
import { numberParts } from '../../values/customer-number.ts';
import { FOR_POSTGRES, type Query } from '../sql/payment-query.ts';
import type { Sql, SqlDialect } from '../sql/sql.ts';
import { rowsInBatches } from './database.ts';

export const POSTGRES: SqlDialect = {
  planning: FOR_POSTGRES,
  bodyText: 'body::text',
  toForget: 'payments',
  columnNames: "SELECT attname AS name FROM pg_attribute WHERE attrelid = 'payments'::regclass",
  // The digits of the number in their order, close to each other.
  mayMention: (text, number) => ({
    text: `${text} ~ ?`,
    values: [[...numberParts(number).nationalNumber].join('.{0,9}')],
  }),
};

/** A statement that both databases share, whose `?` PostgreSQL wants numbered. */
export const numbered = ({ text, values }: Query): QueryConfig => {
  let number = 0;
  return { text: text.replace(/\?/g, () => `$${++number}`), values: [...values] };
};

export const postgresSql = (client: ClientBase): Sql => ({
  dialect: POSTGRES,
  rows: async <Row extends object>(query: Query) => (await client.query<Row>(numbered(query))).rows,
  async *stream<Row extends object>(query: Query) {
    for await (const rows of rowsInBatches<Row>(client, numbered(query))) yield* rows;
  },
});
