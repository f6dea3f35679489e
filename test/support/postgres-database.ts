import { Client, type QueryResult } from 'pg';

export const USER = 'paythread';
/** Looked for in whatever the program says. */
export const PASSWORD = 'canary-4f1c';

/** Of the last statement. */
export const rowsOf = <Row extends object>(
  result: QueryResult<Row> | readonly QueryResult<Row>[],
): Row[] => ('rows' in result ? result : result.at(-1))?.rows ?? [];

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
      return rowsOf(await client.query<Row>(text, values));
    } finally {
      await client.end();
    }
  }

  /**
   * No row of Paythread is left in it but its migrations, and every trigger is on; the tables stand. Making them anew
   * takes half the CPU of a test, most of it for their files.
   */
  async emptyTables(): Promise<void> {
    await this.query(`
      SET LOCAL session_replication_role = replica;
      DO $$ DECLARE paythread oid := to_regnamespace('paythread'); each oid; BEGIN
        FOR each IN SELECT DISTINCT tgrelid FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
          WHERE relnamespace = paythread AND tgenabled = 'D'
        LOOP EXECUTE format('ALTER TABLE %s ENABLE TRIGGER ALL', each::regclass); END LOOP;
        FOR each IN SELECT oid FROM pg_class WHERE relnamespace = paythread AND relname <> 'migrations'
          AND relkind IN ('r', 'p') AND NOT relispartition
        LOOP EXECUTE format('DELETE FROM %s', each::regclass); END LOOP;
        PERFORM setval(oid, 1, false) FROM pg_class WHERE relnamespace = paythread AND relkind = 'S';
      END $$`);
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
