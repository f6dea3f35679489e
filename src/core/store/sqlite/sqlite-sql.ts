import type { DatabaseSync } from 'node:sqlite';
import { FOR_SQLITE, type Query } from '../sql/payment-query.ts';
import type { Sql, SqlDialect } from '../sql/sql.ts';

export const SQLITE: SqlDialect = {
  planning: FOR_SQLITE,
  bodyText: 'body',
  // Of two indexes in the same order SQLite takes either.
  toForget: 'payments INDEXED BY payments_to_forget',
  columnNames: "SELECT name FROM pragma_table_info('payments')",
  // Nothing leaves the process.
  mayMention: () => ({ text: 'true', values: [] }),
};

/** Statements on a connection of the caller's. Rows are those of the query that was asked; the compiler cannot know. */
export const sqliteSql = (database: DatabaseSync): Sql => ({
  dialect: SQLITE,
  rows: async <Row extends object>({ text, values }: Query) =>
    database.prepare(text).all(...values) as Row[],
  stream: <Row extends object>({ text, values }: Query) =>
    database.prepare(text).iterate(...values) as Iterable<Row>,
});
