import type { ClientBase, QueryConfig } from 'pg';
import { numberParts } from '../../values/customer-number.ts';
import type { Query, Sql, SqlDialect } from '../sql/sql.ts';
import { rowsInBatches } from './database.ts';

export const POSTGRES: SqlDialect = {
  // The kind makes the primary key serve a look by id, and is nowhere else: it is in no other index, so each row would
  // be read.
  byId: ["kind = 'payment'"],
  notDue: 'due_queue IS NULL',
  // Statistics tell which index is better, here and of the state.
  ended: 'ended_ms >= ?',
  stateOfFew: 'state',
  position: 'strpos',
  inASlice: 100_000,
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
