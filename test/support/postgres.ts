import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, inject, onTestFinished } from 'vitest';
import type { Cluster } from '../../src/core/cluster/cluster.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import {
  openPostgresStore,
  type PostgresStoreOptions,
} from '../../src/core/store/postgres/open-postgres-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { eventually } from './eventually.ts';
import { PostgresDatabase, rowsOf } from './postgres-database.ts';
import type { PostgresServer } from './postgres-server.ts';
import type { SharedPostgres } from './shared-postgres.ts';
import { silentLog } from './silent-log.ts';

/** A database that a test file has for itself, on the server that all files share. */
export class TestPostgres extends PostgresDatabase {
  #kept: Client | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** On a connection that is kept until it breaks: each new one costs both sides together 6 ms of CPU. */
  override async query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]> {
    const rows = this.#last.then(async () => {
      this.#kept ??= await this.#connected();
      return rowsOf(await this.#kept.query<Row>(text, values));
    });
    this.#last = rows.catch(() => {});
    return rows;
  }

  async #connected(): Promise<Client> {
    const client = await this.client();
    client.once('end', () => {
      this.#kept = undefined;
    });
    return client;
  }

  /** Closes what is kept. */
  async close(): Promise<void> {
    await this.#kept?.end();
  }

  /** A client that is closed when the test has finished. */
  async connect(): Promise<Client> {
    return this.connectTo();
  }

  /** The same, to a database of that name. */
  async connectTo(database = this.database): Promise<Client> {
    const client = await this.client({ database });
    onTestFinished(() => client.end());
    return client;
  }
}

/** A server of a test file's own, for what every database of a server would notice. */
export class OwnPostgres extends TestPostgres {
  readonly #server: PostgresServer;

  constructor(server: PostgresServer) {
    super(server);
    this.#server = server;
  }

  crash(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    return this.#server.crash(signal);
  }

  restart(): Promise<void> {
    return this.#server.restart();
  }

  becomeReplica(): Promise<void> {
    return this.#server.becomeReplica();
  }

  promote(): Promise<void> {
    return this.#server.promote();
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
}

const shared = async (): Promise<SharedPostgres> => {
  const response = await fetch(inject('postgresAt'));
  const answer = (await response.json()) as SharedPostgres | { readonly failed: string };
  if ('failed' in answer) throw new Error(answer.failed);
  return answer;
};

/**
 * An empty database for a test file: `const postgres = await startPostgres();` at its top. Roles are the server's, so
 * their names belong to one file each. The database is not dropped, which would flush those of all other files; it goes
 * with the server.
 */
export const startPostgres = async (): Promise<TestPostgres> => {
  const { port } = await shared();
  const database = `file_${randomBytes(6).toString('hex')}`;
  await new PostgresDatabase({ port, database: 'postgres' }).query(`CREATE DATABASE ${database}`);
  const postgres = new TestPostgres({ port, database });
  afterAll(() => postgres.close());
  return postgres;
};

/** The same with a server for this file alone, stopped after it. */
export const startOwnPostgres = async (): Promise<OwnPostgres> => {
  const { initialised } = await shared();
  const { PostgresServer } = await import('./postgres-server.ts');
  const server = new PostgresServer(await PostgresServer.launch({ from: initialised }));
  afterAll(() => server.stop());
  return new OwnPostgres(server);
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
