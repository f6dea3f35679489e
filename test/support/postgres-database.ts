import { Client } from 'pg';

export const USER = 'paythread';
/** Looked for in whatever the program says. */
export const PASSWORD = 'canary-4f1c';

/** A database of a real PostgreSQL server on this machine, whose role is a superuser. */
export class PostgresDatabase {
  readonly port: number;
  /** Its name on the server. */
  readonly database: string;

  constructor({ port, database }: { port: number; database: string }) {
    this.port = port;
    this.database = database;
  }

  /** The address of the database, as DATABASE_URL has it; by another way or as somebody else when told so. */
  url(changes: { port?: number; user?: string; password?: string; database?: string } = {}) {
    const { port, user, password, database } = {
      port: this.port,
      user: USER,
      password: PASSWORD,
      database: this.database,
      ...changes,
    };
    return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  }

  /** Several statements, or one with values; the rows of the last one. */
  async query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    const client = await this.client();
    try {
      const result = await client.query(text, values);
      const last = Array.isArray(result) ? result.at(-1) : result;
      return last.rows;
    } finally {
      await client.end();
    }
  }

  /** Nothing of Paythread is left in it. */
  async empty(): Promise<void> {
    await this.query('DROP SCHEMA IF EXISTS paythread CASCADE');
  }

  /** A client that the caller closes. */
  async client(changes: { database?: string } = {}): Promise<Client> {
    const client = new Client({ connectionString: this.url(changes) });
    client.on('error', () => {});
    await client.connect();
    await client.query('SET search_path = paythread');
    return client;
  }
}
