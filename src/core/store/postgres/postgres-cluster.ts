import type { Cluster, RoleWork } from '../../cluster/cluster.ts';
import {
  type PaceEntry,
  type PaceLimit,
  spent,
  type Turn,
  takePlaces,
  UNUSED,
} from '../../cluster/pace-book.ts';
import { KeyedLock } from '../../runtime/keyed-lock.ts';
import type { Database } from './database.ts';
import type { Roles } from './roles.ts';

/** Instances that take from one key at the same moment; one of them succeeds each time. */
const MOST_TRIES = 20;
/** Asked again after this long when the others were quicker each time. */
const CROWDED_MS = 50;

type Row = {
  readonly key: string;
  readonly version: string;
  readonly state: string | null;
  readonly blocked_until_ms: number;
};

type Book = { readonly entries: readonly PaceEntry[]; readonly nowMs: number };

/**
 * What the instances on one database agree on: roles as locks, and in a table what `RateLimiter` keeps in memory,
 * computed here by the same rules, and stored by compare-and-set, so that no lock is held while the network is slow.
 */
export class PostgresCluster implements Cluster {
  readonly #database: Database;
  readonly #roles: Roles;
  /** In this process one after the other: they would only make each other's writes stale. */
  readonly #lock = new KeyedLock();

  constructor(database: Database, roles: Roles) {
    this.#database = database;
    this.#roles = roles;
  }

  lead(role: string, work: RoleWork, stop: AbortSignal): Promise<void> {
    return this.#roles.lead(role, work, stop);
  }

  async take(limits: readonly PaceLimit[], turn: Turn): Promise<number> {
    const waitMs = await this.#change(limits, ({ entries, nowMs }) => {
      const taken = takePlaces(limits, entries, turn, nowMs);
      return { entries: taken.entries, result: taken.waitMs };
    });
    return waitMs ?? CROWDED_MS;
  }

  async spend(limits: readonly PaceLimit[]): Promise<void> {
    await this.#change(limits, ({ entries, nowMs }) => ({
      entries: limits.map((limit, at) => spent(limit, entries[at] ?? UNUSED, nowMs)),
      result: undefined,
    }));
  }

  async block(key: string, ms: number): Promise<void> {
    await this.#database.rows({
      text: `INSERT INTO paces (key, blocked_until_ms) VALUES ($2, now_ms($1) + $3)
        ON CONFLICT (key) DO UPDATE SET blocked_until_ms = excluded.blocked_until_ms`,
      values: [this.#givenMs(), key, ms],
    });
  }

  async reserve(key: string, perMs: number): Promise<number> {
    const [row] = await this.#database.rows<{ wait_ms: number }>({
      name: 'reserve',
      text: `WITH here AS MATERIALIZED (SELECT now_ms($1)::double precision AS ms)
        INSERT INTO paces AS pace (key, full_at_ms) SELECT $2, ms + $3 FROM here
        ON CONFLICT (key) DO UPDATE SET
          -- A turn that is more than a day away was given by a clock that was ahead.
          full_at_ms = greatest(
            CASE WHEN pace.full_at_ms - excluded.full_at_ms > 86400000 THEN 0 ELSE pace.full_at_ms END,
            excluded.full_at_ms - $3) + $3
        RETURNING full_at_ms - $3 - (SELECT ms FROM here) AS wait_ms`,
      values: [this.#givenMs(), key, perMs],
    });
    return Math.ceil(row?.wait_ms ?? 0);
  }

  #givenMs(): number | null {
    return this.#database.now().givenMs;
  }

  /** Undefined: other instances were quicker each time. */
  #change<T>(
    limits: readonly PaceLimit[],
    change: (book: Book) => { readonly entries: readonly PaceEntry[]; readonly result: T },
  ): Promise<T | undefined> {
    return this.#lock.run('', async () => {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const { book, versions } = await this.#read(limits);
        const { entries, result } = change(book);
        if (await this.#swap(limits, versions, entries)) return result;
      }
      return undefined;
    });
  }

  async #read(limits: readonly PaceLimit[]): Promise<{ book: Book; versions: string[] }> {
    const rows = await this.#database.rows<Row & { now_ms: number }>({
      name: 'read paces',
      text: `SELECT wanted.key, coalesce(version, 0) AS version, state,
          coalesce(blocked_until_ms, 0) AS blocked_until_ms, now_ms($1)::double precision AS now_ms
        FROM unnest($2::text[]) AS wanted (key) LEFT JOIN paces USING (key)`,
      values: [this.#givenMs(), limits.map(({ key }) => key)],
    });
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return {
      book: {
        entries: limits.map(({ key }) => entryOf(byKey.get(key))),
        nowMs: rows[0]?.now_ms ?? 0,
      },
      versions: limits.map(({ key }) => byKey.get(key)?.version ?? '0'),
    };
  }

  async #swap(
    limits: readonly PaceLimit[],
    versions: readonly string[],
    entries: readonly PaceEntry[],
  ): Promise<boolean> {
    const [row] = await this.#database.rows<{ swapped: boolean }>({
      name: 'swap paces',
      text: 'SELECT swap_paces($1, $2, $3, $4) AS swapped',
      values: [
        limits.map(({ key }) => key),
        versions,
        entries.map((entry) => JSON.stringify(entry)),
        entries.map(({ idleAtMs }) => idleAtMs),
      ],
    });
    return row?.swapped === true;
  }
}

/** A block is stored beside the state, because it is written without being read. */
const entryOf = (row: Row | undefined): PaceEntry => {
  const state: PaceEntry =
    row?.state === null || row?.state === undefined ? UNUSED : JSON.parse(row.state);
  return { ...state, blockedUntilMs: row?.blocked_until_ms ?? 0 };
};
