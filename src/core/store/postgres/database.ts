import { randomUUID } from 'node:crypto';
import {
  Client,
  type ClientBase,
  type ClientConfig,
  Pool,
  type PoolClient,
  type QueryConfig,
} from 'pg';
import { type Clock, inTime } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { type ConnectionSettings, SESSION_START } from './connection-settings.ts';
import { DatabaseAwayError, isUnanswered, isUndone, isWorthAnotherTry } from './database-errors.ts';

const MOST_CONNECTIONS = 10;
const IDLE_MS = 60_000;
/** Now and then a new connection, so that no plan made for an empty table is kept. */
const LONGEST_LIFE_S = 1_800;
/** A goodbye that the network swallows is not waited for. */
const CLOSE_WITHIN_MS = 6_000;

/** One connection of the pool, lent to one caller. */
export type Session = {
  /** Names the connection among all that ever were. */
  readonly id: string;
  /** Counts its commits. */
  serial: number;
  rows<Row extends object>(query: QueryConfig): Promise<Row[]>;
};

type DatabaseOptions = {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the program's clock says when work is due: for tests with a clock of their own. @default false */
  readonly isTimeGiven?: boolean;
  /** What has to be done on each new connection before it is lent. */
  readonly onConnect: (client: PoolClient) => Promise<void>;
};

/** The pool of connections. A broken one costs the call that was on it, never the process. */
export class Database {
  readonly #settings: ConnectionSettings;
  readonly #options: DatabaseOptions;
  #pool: Pool;
  readonly #sessions = new WeakMap<PoolClient, Session>();
  #closing: Promise<void> | undefined;

  constructor(settings: ConnectionSettings, options: DatabaseOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#pool = this.#newPool();
  }

  /** What the database is told of a time. Null: it goes by its own clock, the only one that all instances share. */
  given(nowMs: number): number | null {
    return this.#options.isTimeGiven === true ? nowMs : null;
  }

  /** The time as the program sees it, and what the database is told of it. */
  now(): { readonly nowMs: number; readonly givenMs: number | null } {
    const nowMs = this.#options.clock.now();
    return { nowMs, givenMs: this.given(nowMs) };
  }

  /** One statement that may run twice without harm, so one that was cut off is tried again. */
  async rows<Row extends object>(query: QueryConfig): Promise<Row[]> {
    const run = () => this.use((session) => session.rows<Row>(query));
    try {
      return await run();
    } catch (error) {
      if (!isWorthAnotherTry(error)) throw error;
      return run();
    }
  }

  /** Lends a connection. One on which anything happened but a statement undone is not lent again. */
  async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
    this.mustBeOpen();
    const pool = this.#pool;
    const client = await this.#checkOut(pool);
    let sound = true;
    try {
      return await work(await this.#sessionOf(client));
    } catch (error) {
      sound = isUndone(error);
      if (isUnanswered(error)) this.#replace(pool);
      throw error;
    } finally {
      client.off('error', this.#noteBreak);
      client.release(!sound);
    }
  }

  mustBeOpen(): void {
    if (this.#closing !== undefined) throw new Error('The store is closed.');
  }

  /** Resolves once every connection has been given back. */
  close(): Promise<void> {
    this.#closing ??= inTime(this.#options.clock, this.#pool.end(), CLOSE_WITHIN_MS);
    return this.#closing;
  }

  #newPool(): Pool {
    const pool = new Pool({
      ...this.#settings.config,
      max: MOST_CONNECTIONS,
      idleTimeoutMillis: IDLE_MS,
      maxLifetimeSeconds: LONGEST_LIFE_S,
    });
    // Idle connections break when the server goes; the pool has let go of them by then.
    pool.on('error', this.#noteBreak);
    return pool;
  }

  /** Where one connection is swallowed by the network the others are as well, and each would cost a call to find out. */
  #replace(pool: Pool): void {
    if (this.#pool !== pool || this.#closing !== undefined) return;
    this.#options.log.warn({}, 'the database does not answer; all connections are made anew');
    this.#pool = this.#newPool();
    void pool.end();
  }

  async #checkOut(pool: Pool): Promise<PoolClient> {
    try {
      const client = await pool.connect();
      // Without a listener a broken connection would end the process; the call on it hears of it anyway.
      client.on('error', this.#noteBreak);
      return client;
    } catch (error) {
      throw new DatabaseAwayError(error);
    }
  }

  async #sessionOf(client: PoolClient): Promise<Session> {
    const known = this.#sessions.get(client);
    if (known !== undefined) return known;
    await client.query(SESSION_START);
    await this.#options.onConnect(client);
    const session: Session = {
      id: randomUUID(),
      serial: 0,
      rows: async <Row extends object>(query: QueryConfig) => (await client.query<Row>(query)).rows,
    };
    this.#sessions.set(client, session);
    return session;
  }

  readonly #noteBreak = (error: Error): void => {
    this.#options.log.warn({ err: error }, 'a connection to the database broke');
  };
}

/** A connection outside the pool. If it breaks later, the next query says so, and `end` is emitted. */
export const openClient = async (
  { config }: ConnectionSettings,
  changes: ClientConfig = {},
): Promise<Client> => {
  const client = new Client({ ...config, ...changes });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(SESSION_START);
    return client;
  } catch (error) {
    // Not waited for: a network that swallowed the question swallows the goodbye as well.
    void client.end();
    throw error;
  }
};

/** Everything that `work` asks of the connection is stored when it resolves, and undone when it rejects. */
export const inTransaction = async <T>(client: ClientBase, work: () => Promise<T>): Promise<T> => {
  await client.query('BEGIN');
  try {
    const done = await work();
    await client.query('COMMIT');
    return done;
  } catch (error) {
    // A connection that broke has rolled back by itself.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
};

const FETCHED = 1_000;

/** The rows of a query, some at a time, in the transaction of the caller; one such query at a time. */
export async function* rowsInBatches<Row extends object>(
  client: ClientBase,
  { text, values = [] }: QueryConfig,
): AsyncGenerator<Row[]> {
  await client.query(`DECLARE batches NO SCROLL CURSOR FOR ${text}`, values);
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${FETCHED} FROM batches`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('CLOSE batches');
}
