import { randomUUID } from 'node:crypto';
import type { Queue } from '../../records/due.ts';
import type { Kind, Put } from '../../records/records.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isStorableText } from '../sql/storable-text.ts';
import type { Database } from './database.ts';
import type { GivenTime } from './time-source.ts';

/**
 * Due work, given to one instance at a time. Leases are kept by the clock of the database, and times
 * cross over to it as distances, so instances whose clocks disagree still share the work.
 */
export class Claims {
  readonly #database: Database;
  readonly #time: GivenTime;
  readonly #clock: Clock;
  /** Who has the leases: an instance must not give back what another has claimed since. */
  readonly #instance = randomUUID();

  constructor(options: { database: Database; time: GivenTime; clock: Clock }) {
    this.#database = options.database;
    this.#time = options.time;
    this.#clock = options.clock;
  }

  /** Not tried again when it is cut: it may have claimed, and what nobody works on comes back with its lease. */
  async claim(
    queue: Queue,
    { nowMs, leaseMs, limit }: { nowMs: number; leaseMs: number; limit: number },
  ): Promise<Put[]> {
    const rows = await this.#database.use((session) =>
      session.rows<{ kind: Kind; body: Put['record'] }>({
        text: CLAIM,
        values: [queue, this.#time(nowMs), limit, leaseMs, this.#instance],
      }),
    );
    // The body is the record of its kind, as it was committed; the compiler cannot know.
    return rows.map(({ kind, body }) => ({ kind, record: body }) as Put);
  }

  async release(kind: Kind, id: string, atMs: number): Promise<void> {
    if (!isStorableText(id)) return;
    const nowMs = this.#clock.now();
    await this.#database.rows({
      text: RELEASE,
      values: [kind, id, this.#instance, this.#time(nowMs), Math.round(atMs - nowMs)],
    });
  }

  async nextDueMs(queue: Queue): Promise<number | undefined> {
    const nowMs = this.#clock.now();
    const [next] = await this.#database.rows<{ in_ms: string }>({
      name: 'next due',
      text: NEXT_DUE,
      values: [queue, this.#time(nowMs)],
    });
    return next && nowMs + Number(next.in_ms);
  }

  async count(queue: Queue): Promise<number> {
    const [row] = await this.#database.rows<{ count: string }>({
      text: 'SELECT count(*) AS count FROM records WHERE due_queue = $1',
      values: [queue],
    });
    return Number(row?.count ?? 0);
  }
}

/** What somebody else is about to claim or commit is skipped, so callers do not wait for each other. */
const CLAIM = `
  WITH moment AS MATERIALIZED (SELECT now_ms($2) AS ms),
  due AS (
    SELECT kind, id, claim_ms FROM records
    WHERE due_queue = $1 AND claim_ms <= (SELECT ms FROM moment)
    ORDER BY claim_ms LIMIT $3 FOR UPDATE SKIP LOCKED
  ),
  claimed AS (
    UPDATE records SET claim_ms = moment.ms + $4, leased_by = $5 FROM due, moment
    WHERE records.kind = due.kind AND records.id = due.id
    RETURNING records.kind, records.id, records.body, due.claim_ms AS was_ms
  )
  SELECT kind, body FROM claimed ORDER BY was_ms, id`;

const RELEASE = `
  UPDATE records SET claim_ms = now_ms($4) + $5, leased_by = NULL
  WHERE kind = $1 AND id = $2 AND leased_by = $3`;

const NEXT_DUE = `
  SELECT claim_ms - now_ms($2) AS in_ms FROM records
  WHERE due_queue = $1 ORDER BY claim_ms LIMIT 1`;
