import type { DatabaseSync } from 'node:sqlite';
import type { Query, Sql, SqlDialect } from '../sql/sql.ts';

export const SQLITE: SqlDialect = {
  byId: [],
  notDue: 'is_due = 0',
  // Bounds a walk down the times by the oldest one that can match. The `+` keeps the planner from walking the times for
  // the minimum (seen: 100,000 rows read).
  ended: 'confirmed_ms >= (SELECT min(+confirmed_ms) FROM payments WHERE ended_ms >= ?)',
  stateOfFew: '+state',
  position: 'instr',
  // About 5 ms, in which nothing else is done.
  inASlice: 20_000,
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
