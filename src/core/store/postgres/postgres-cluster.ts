import { randomUUID } from 'node:crypto';
import { type Cluster, leaderLoop, type RoleWork, runRoleWork } from '../../cluster/cluster.ts';
import {
  type PaceEntry,
  type PaceLimit,
  spent,
  type Turn,
  takePlaces,
  UNUSED,
} from '../../cluster/pace-book.ts';
import { type Clock, inTime } from '../../runtime/clock.ts';
import { KeyedLock } from '../../runtime/keyed-lock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Database } from './database.ts';

/** Instances that take from one key at the same moment; one of them succeeds each time. */
const MOST_PACE_TRIES = 20;
/** Asked again after this long when the others were quicker each time. */
const CROWDED_MS = 50;
/** How long a role is leased. */
const ROLE_LEASE_MS = 6_000;
/** How often the holder of a role renews its lease. */
const RENEW_EVERY_MS = 1_500;
/** The holder ends its work this long after it asked for its last lease: before another instance can have the role. */
const TRUST_FOR_MS = 4_500;
/** More often than an instance that lost a role comes back for it: another may have the better connection. */
const SEEK_EVERY_MS = 500;
/** An answer about a role is not waited for longer, because work that should end or begin waits with it. */
const ANSWER_WITHIN_MS = 2_000;

type Row = {
  readonly key: string;
  readonly version: string;
  readonly state: string | null;
  readonly blocked_until_ms: number;
};

type Book = { readonly entries: readonly PaceEntry[]; readonly nowMs: number };

/**
 * What the instances on one database agree on, in one table: what `RateLimiter` keeps in memory, computed here by the
 * same rules and stored by compare-and-set, so that no lock is held while the network is slow; and roles, leased by the
 * clock of the database. For a moment two instances may hold one role: the database crashed and forgot the lease, its
 * clock was set, or a holder was paused and has not looked yet. So nothing may rest on a role but its cost: Telegram
 * ends one of two polls, and an update that both were given asks a question twice. Its press still counts once.
 */
export class PostgresCluster implements Cluster {
  readonly #database: Database;
  readonly #parts: { readonly clock: Clock; readonly log: Log };
  readonly #instance = randomUUID();
  readonly #closing = new AbortController();
  readonly #leading = new Set<Promise<void>>();
  /** In this process one after the other: they would only make each other's writes stale. */
  readonly #lock = new KeyedLock();

  constructor(database: Database, parts: { readonly clock: Clock; readonly log: Log }) {
    this.#database = database;
    this.#parts = parts;
  }

  async lead(role: string, work: RoleWork, stop: AbortSignal): Promise<void> {
    const stopped = AbortSignal.any([stop, this.#closing.signal]);
    const leading = leaderLoop(this.#parts.clock, stopped, () => this.#term(role, work, stopped));
    this.#leading.add(leading);
    try {
      await leading;
    } finally {
      this.#leading.delete(leading);
    }
  }

  /** Ends every role and waits for its work to end. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#leading);
  }

  async #term(role: string, work: RoleWork, stop: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    let askedMs = clock.monotonic();
    while (!(await inTime(clock, this.#lease(role), ANSWER_WITHIN_MS, stop))) {
      await clock.sleep(SEEK_EVERY_MS, stop);
      if (stop.aborted) return;
      askedMs = clock.monotonic();
    }
    log.info({ role }, 'has a role now');
    const [lost, over] = [new AbortController(), new AbortController()];
    void this.#renew(role, askedMs, over.signal).then(() => lost.abort());
    try {
      await runRoleWork(work, AbortSignal.any([stop, lost.signal]));
    } finally {
      over.abort();
      // A silent network holds up nothing.
      await inTime(clock, this.#giveUp(role), ANSWER_WITHIN_MS);
    }
  }

  /** Resolves when the role is lost, or `over` aborts. */
  async #renew(role: string, askedMs: number, over: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    let endsMs = askedMs + TRUST_FOR_MS;
    const leftMs = () => endsMs - clock.monotonic();
    while (leftMs() > 0) {
      await clock.sleep(Math.min(RENEW_EVERY_MS, leftMs()), over);
      if (over.aborted) return;
      const nowMs = clock.monotonic();
      const isHeld = await inTime(clock, this.#lease(role), leftMs(), over);
      if (over.aborted) return;
      if (isHeld === true) endsMs = nowMs + TRUST_FOR_MS;
      if (isHeld === false) break;
    }
    log.warn({ role }, 'a role is lost');
  }

  /** Takes the role, or renews its lease. False: another instance has it. Undefined: the database does not say. */
  async #lease(role: string): Promise<boolean | undefined> {
    try {
      const rows = await this.#database.rows({
        // A lease that ends too late was given by a clock that was ahead. Not one that ends a little later than this one
        // would: another statement may have come in between.
        text: `INSERT INTO paces AS pace (key, state, full_at_ms) VALUES ($2, $3, now_ms($1) + $4)
          ON CONFLICT (key) DO UPDATE SET state = excluded.state, full_at_ms = excluded.full_at_ms
            WHERE pace.state = excluded.state
              OR pace.full_at_ms NOT BETWEEN excluded.full_at_ms - $4 AND excluded.full_at_ms + $4
          RETURNING key`,
        values: [this.#givenMs(), roleKey(role), this.#instance, ROLE_LEASE_MS],
      });
      return rows.length > 0;
    } catch (error) {
      this.#parts.log.warn({ err: error, role }, 'a role cannot be sought: the database is away');
      return undefined;
    }
  }

  /** The next instance need not wait for the lease to run out. */
  async #giveUp(role: string): Promise<void> {
    const query = {
      text: 'DELETE FROM paces WHERE key = $1 AND state = $2',
      values: [roleKey(role), this.#instance],
    };
    await this.#database.rows(query).catch((error: unknown) => {
      this.#parts.log.warn(
        { err: error, role },
        'a role could not be given up: its lease runs out',
      );
    });
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
      for (let tries = 0; tries < MOST_PACE_TRIES; tries++) {
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

const roleKey = (role: string): string => `role: ${role}`;

/** A block is stored beside the state, because it is written without being read. */
const entryOf = (row: Row | undefined): PaceEntry => {
  const state: PaceEntry =
    row?.state === null || row?.state === undefined ? UNUSED : JSON.parse(row.state);
  return { ...state, blockedUntilMs: row?.blocked_until_ms ?? 0 };
};
