import type { Client } from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import type { Cluster } from '../../src/core/cluster/cluster.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import {
  openPostgresStore,
  type PostgresStoreOptions,
} from '../../src/core/store/postgres/open-postgres-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { eventually } from './eventually.ts';
import { PostgresServer } from './postgres-server.ts';
import { silentLog } from './silent-log.ts';

/** A real PostgreSQL server of a test file's own. */
export class TestPostgres extends PostgresServer {
  static async start(): Promise<TestPostgres> {
    return new TestPostgres(await PostgresServer.launch());
  }

  /** A client that is closed when the test has finished. */
  async connect(): Promise<Client> {
    return this.connectTo();
  }

  /** The same, to a database of that name. */
  async connectTo(database?: string): Promise<Client> {
    const client = await this.client(database === undefined ? {} : { database });
    onTestFinished(() => client.end());
    return client;
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
