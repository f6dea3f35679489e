import type { Planning, Query } from './payment-query.ts';

/** What the two databases are asked in different words. */
export type SqlDialect = {
  readonly planning: Planning;
  readonly bodyText: string;
  /** The table of payments, read by the index of what still names a customer. */
  readonly toForget: string;
  /** Selects the `name` of each column of `payments`. */
  readonly columnNames: string;
  /** A rough condition on a text, so that not all texts leave a server; the rest is decided by the caller. */
  readonly mayMention: (text: string, number: string) => Query;
};

export type SqlQuestions = {
  readonly dialect: SqlDialect;
  rows<Row extends object>(query: Query): Promise<Row[]>;
};

export type Sql = SqlQuestions & {
  /** For many rows, in the transaction of the caller; one such statement at a time. */
  stream<Row extends object>(query: Query): AsyncIterable<Row> | Iterable<Row>;
};

/** SQLite gives a body's text, PostgreSQL what it means. It is what was committed; the compiler cannot know. */
export const bodyOf = <T>(body: unknown): T =>
  (typeof body === 'string' ? JSON.parse(body) : body) as T;
