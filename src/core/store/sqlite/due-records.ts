import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Due, LONGEST_WAIT_MS, type Queue } from '../../records/due.ts';
import type { Kind, Put } from '../../records/records.ts';
import { isFromClockAhead } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { DueListeners } from '../due-listeners.ts';
import type { PreparedChange } from '../sql/prepared-change.ts';

/** A record in a queue, and when it may be claimed. */
type Waiting = { readonly kind: Kind; readonly id: string; readonly fromMs: number };
/** A record that was claimed: `fromMs` is when its lease ends, or what it was given back for. */
type Held = Waiting & { readonly queue: Queue; readonly isLeased: boolean };

/** As the indexes of migration 0005 have it, so that no body is read. A body that is no JSON is in no queue. */
const dueIn = (field: string): string =>
  `CASE WHEN json_valid(body) THEN body ->> '$.due.${field}' END`;
const rowsOf = (table: string, kind: string, also: string): string =>
  `SELECT ${kind} AS kind, id, ${dueIn('atMs')} AS fromMs FROM ${table}
    WHERE ${also} ${dueIn('queue')} = ?1 AND ${dueIn('atMs')} > ?2`;
/** In a queue (?1), due later than a moment (?2). */
export const DUE_AFTER = `${rowsOf('payments', "'payment'", 'is_due = 1 AND')}
  UNION ALL ${rowsOf('records', 'kind', '')}`;

/**
 * The queues: the tables say what is due, memory only who has it. What a crash undoes is in no queue, because the engine
 * writes and commits in one turn. A new version of a record ends the lease of the old one.
 */
export class DueRecords {
  readonly #read: (kind: Kind, id: string) => Put | undefined;
  readonly #listeners: DueListeners;
  readonly #held = new Map<string, Held>();
  readonly #dueAfter: StatementSync;
  readonly #count: StatementSync;

  constructor(options: {
    readonly log: Log;
    readonly database: DatabaseSync;
    /** Reads what is claimed. */
    readonly read: (kind: Kind, id: string) => Put | undefined;
  }) {
    this.#listeners = new DueListeners(options.log);
    this.#read = options.read;
    this.#dueAfter = options.database.prepare(`${DUE_AFTER} ORDER BY fromMs LIMIT ?3`);
    this.#count = options.database.prepare(`SELECT count(*) AS count FROM (${DUE_AFTER})`);
  }

  /** Takes a committed change over; listeners are told of its new work. */
  take({ payments, records, removals }: PreparedChange): void {
    for (const { id } of payments) this.#held.delete(keyOf('payment', id));
    for (const { kind, id } of [...records, ...removals]) this.#held.delete(keyOf(kind, id));
    for (const { due } of [...payments, ...records])
      if (due !== undefined) this.#listeners.tell(due);
  }

  /** Up to `limit` records that are due, oldest first; no other caller gets them until the lease ends. */
  claim(queue: Queue, options: { nowMs: number; leaseMs: number; limit: number }): Put[] {
    const { nowMs, leaseMs, limit } = options;
    const longestMs = LONGEST_WAIT_MS[queue];
    const held = this.#heldIn(queue);
    const candidates = [
      ...held,
      ...this.#free(queue, ALWAYS_MS, held.length + limit),
      ...this.#free(queue, nowMs + longestMs, held.length + limit),
    ].filter(({ fromMs }) => fromMs <= nowMs || isFromClockAhead(fromMs, nowMs, longestMs));
    // By name: what is the only thing in its queue is found from both ends.
    const due = new Map(candidates.map((each) => [keyOf(each.kind, each.id), each]));
    const first = [...due.values()].sort((a, b) => a.fromMs - b.fromMs).slice(0, limit);
    return first.flatMap(({ kind, id }) => {
      const lease = { kind, id, queue, fromMs: nowMs + leaseMs, isLeased: true };
      this.#held.set(keyOf(kind, id), lease);
      return this.#read(kind, id) ?? [];
    });
  }

  /** Ends a lease, or keeps it until then; does nothing to a record that is not claimed, so a late call cannot move newer work. */
  release(kind: Kind, id: string, atMs: number, isKept: boolean): void {
    const held = this.#held.get(keyOf(kind, id));
    if (held?.isLeased)
      this.#held.set(keyOf(kind, id), { ...held, fromMs: atMs, isLeased: isKept });
  }

  nextMs(queue: Queue): number | undefined {
    const held = this.#heldIn(queue);
    const [first] = this.#free(queue, ALWAYS_MS, held.length + 1);
    const times = [...held, ...(first === undefined ? [] : [first])].map(({ fromMs }) => fromMs);
    return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
  }

  count(queue: Queue): number {
    return Number(this.#count.get(queue, ALWAYS_MS)?.['count']);
  }

  onDue(listener: (due: Due) => void): () => void {
    return this.#listeners.add(listener);
  }

  #heldIn(queue: Queue): Held[] {
    return [...this.#held.values()].filter((each) => each.queue === queue);
  }

  /** Of the first `rows` records that are due later than `afterMs`, those that are as the tables have them. */
  #free(queue: Queue, afterMs: number, rows: number): Waiting[] {
    const waiting = this.#dueAfter.all(queue, afterMs, rows) as unknown as Waiting[];
    return waiting.filter(({ kind, id }) => !this.#held.has(keyOf(kind, id)));
  }
}

const ALWAYS_MS = Number.NEGATIVE_INFINITY;

const keyOf = (kind: Kind, id: string): string => `${kind}/${id}`;
