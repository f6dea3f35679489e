import { randomUUID } from 'node:crypto';
import { type Due, LONGEST_WAIT_MS, type Queue } from '../../records/due.ts';
import type { Change, Kind, Put, Records } from '../../records/records.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { DueListeners } from '../due-listeners.ts';
import { asPut } from '../sql/customer-erasure.ts';
import { isEmpty, type Named } from '../sql/prepared-change.ts';
import { SqlReader } from '../sql/sql-reader.ts';
import { isStorableText } from '../sql/storable-text.ts';
import type { ClaimOptions, Store } from '../store.ts';
import { Batcher } from './batcher.ts';
import { Commits } from './commits.ts';
import type { Database } from './database.ts';
import { numbered, POSTGRES } from './postgres-sql.ts';

type PostgresStoreParts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  /** Ends what runs beside the store, while there are connections to give its roles up by. */
  readonly stop: () => Promise<void>;
};

/** Of the pool's connections. */
const MOST_READS_AT_ONCE = 2;
const MOST_READ_TOGETHER = 100;

/**
 * The store in a database that several instances may share. Leases are kept by the clock of the database, and times
 * cross over to it as distances, so instances whose clocks disagree still share the work.
 */
export class PostgresStore extends SqlReader implements Store {
  readonly #parts: PostgresStoreParts;
  readonly #commits: Commits;
  /** Who has the leases: an instance must not give back what another has claimed since. */
  readonly #instance = randomUUID();
  readonly #reads: Batcher<Named, Records[Kind] | undefined>;
  readonly #listeners: DueListeners;

  constructor(parts: PostgresStoreParts) {
    super({ dialect: POSTGRES, rows: (query) => parts.database.rows(numbered(query)) });
    this.#parts = parts;
    this.#listeners = new DueListeners(parts.log);
    this.#commits = new Commits(parts);
    this.#reads = new Batcher({
      clock: parts.clock,
      mostAtOnce: MOST_READS_AT_ONCE,
      mostInBatch: MOST_READ_TOGETHER,
      joining: () => {
        let first: Kind | undefined;
        return ({ kind }) => {
          first ??= kind;
          return kind === first;
        };
      },
      make: (names) => recordsOf(parts.database, names),
    });
  }

  override async get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined> {
    this.#parts.database.mustBeOpen();
    if (!isStorableText(id)) return undefined;
    // It is of the kind that was asked for; the compiler cannot know.
    return (await this.#reads.ask({ kind, id })) as Records[K] | undefined;
  }

  async commit(change: Change): Promise<boolean> {
    this.#parts.database.mustBeOpen();
    if (isEmpty(change)) return true;
    const dues = (change.put ?? []).flatMap(({ record }) => record.due ?? []);
    const stored = await this.#commits.commit(change);
    if (stored) for (const due of dues) this.#listeners.tell(due);
    return stored;
  }

  /** Not tried again when it is cut: it may have claimed, and what is not worked on comes back with its lease. */
  async claim(queue: Queue, { nowMs, leaseMs, limit }: ClaimOptions): Promise<Put[]> {
    const { database } = this.#parts;
    const given = [database.given(nowMs), limit, leaseMs, this.#instance, LONGEST_WAIT_MS[queue]];
    // Named, because planning it takes five times as long as running it.
    const look = { name: 'claim', text: CLAIM, values: [queue, ...given] };
    const rows = await database.use((session) => session.rows<{ kind: Kind; body: unknown }>(look));
    return rows.map(asPut);
  }

  async release(kind: Kind, id: string, atMs: number, isKept = false): Promise<void> {
    if (!isStorableText(id)) return;
    const { nowMs, givenMs } = this.#parts.database.now();
    await this.#parts.database.rows({
      text: RELEASE,
      values: [kind, id, this.#instance, givenMs, Math.round(atMs - nowMs), isKept],
    });
  }

  async nextDueMs(queue: Queue): Promise<number | undefined> {
    const { nowMs, givenMs } = this.#parts.database.now();
    const [next] = await this.#parts.database.rows<{ in_ms: string }>({
      name: 'next due',
      text: NEXT_DUE,
      values: [queue, givenMs],
    });
    return next && nowMs + Number(next.in_ms);
  }

  async countDue(queue: Queue): Promise<number> {
    const [row] = await this.#parts.database.rows<{ count: string }>({
      text: 'SELECT count(*) AS count FROM records WHERE due_queue = $1',
      values: [queue],
    });
    return Number(row?.count ?? 0);
  }

  onDue(listener: (due: Due) => void): () => void {
    return this.#listeners.add(listener);
  }

  async close(): Promise<void> {
    const { database, stop } = this.#parts;
    await stop();
    await database.close();
  }
}

const recordsOf = async (
  database: Database,
  names: readonly Named[],
): Promise<(Records[Kind] | undefined)[]> => {
  const rows = await database.rows<{ id: string; body: Records[Kind] }>({
    name: 'get',
    text: 'SELECT id, body FROM records WHERE kind = $1 AND id = ANY ($2)',
    values: [names[0]?.kind, names.map(({ id }) => id)],
  });
  const bodies = new Map(rows.map(({ id, body }) => [id, body]));
  return names.map(({ id }) => bodies.get(id));
};

/** What another transaction is about to claim or commit is skipped, so callers do not wait for each other. */
const CLAIM = `
  WITH moment AS MATERIALIZED (SELECT now_ms($2) AS ms),
  due AS (
    SELECT kind, id, claim_ms FROM records
    WHERE due_queue = $1 AND claim_ms <= (SELECT ms FROM moment)
    ORDER BY claim_ms LIMIT $3 FOR UPDATE SKIP LOCKED
  ),
  -- By itself, so that the index gives both without what is in between.
  put_off_too_long AS (
    SELECT kind, id, claim_ms FROM records
    WHERE due_queue = $1 AND claim_ms > (SELECT ms FROM moment) + $6
    ORDER BY claim_ms LIMIT $3 FOR UPDATE SKIP LOCKED
  ),
  first AS (TABLE due UNION ALL TABLE put_off_too_long ORDER BY claim_ms LIMIT $3),
  claimed AS (
    UPDATE records SET claim_ms = moment.ms + $4, leased_by = $5 FROM first, moment
    WHERE records.kind = first.kind AND records.id = first.id
    RETURNING records.kind, records.id, records.body, first.claim_ms AS was_ms
  )
  SELECT kind, body FROM claimed ORDER BY was_ms, id`;

const RELEASE = `
  UPDATE records SET claim_ms = now_ms($4) + $5, leased_by = CASE WHEN $6 THEN leased_by END
  WHERE kind = $1 AND id = $2 AND leased_by = $3`;

const NEXT_DUE = `
  SELECT claim_ms - now_ms($2) AS in_ms FROM records
  WHERE due_queue = $1 ORDER BY claim_ms LIMIT 1`;
