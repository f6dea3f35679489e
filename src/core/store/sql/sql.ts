/** A statement with `?` for each value, in order. */
export type Query = {
  readonly text: string;
  readonly values: readonly (string | number)[];
  /** There are few such texts, however much is asked. @default false: it grows with what was typed */
  readonly isKept?: boolean;
};

/** What the two databases are asked in different words, and what their planners need to be told, so that a page costs what it shows. */
export type SqlDialect = {
  /** Conditions that hold for every payment, and that a look by id needs. */
  readonly byId: readonly string[];
  /** A condition of payments that are in no queue. */
  readonly notDue: string;
  /** A condition that payments fulfil which ended since a time. A payment ends after it was confirmed. */
  readonly ended: string;
  /** The column of the state where its index must not be chosen: another one leads to fewer payments. */
  readonly stateOfFew: string;
  /** The function that says where one text is in another. */
  readonly position: 'instr' | 'strpos';
  /** How many payments one statement of a search looks through. */
  readonly inASlice: number;
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
