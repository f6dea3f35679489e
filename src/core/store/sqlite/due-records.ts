import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Due, LONGEST_WAIT_MS, QUEUES, type Queue } from '../../records/due.ts';
import type { Kind, Put } from '../../records/records.ts';
import { isFromClockAhead } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { DueListeners } from '../due-listeners.ts';
import { keyOf, type Named, type PreparedChange } from '../sql/prepared-change.ts';

/** A record in a queue; `atMs`: when it may be claimed. */
type Waiting = Named & { readonly atMs: number };
/** One that was claimed: it may be claimed again at another moment than it is due. */
type Held = Waiting & { readonly isLeased: boolean };

/** Those of a queue that are due after a moment, from the index of each table. */
const DUE = `SELECT 'payment' AS kind, id, due_ms AS atMs FROM payments WHERE queue = ?1 AND due_ms > ?2
  UNION ALL SELECT kind, id, due_ms AS atMs FROM records WHERE queue = ?1 AND due_ms > ?2`;
const EVER = Number.MIN_SAFE_INTEGER;
const NEVER = Number.MAX_SAFE_INTEGER;

/** Four seeks in indexes, however many wait. */
const SPAN = `SELECT min(first) AS first, max(last) AS last FROM (
  SELECT (SELECT min(due_ms) FROM payments WHERE queue = ?1) AS first,
    (SELECT max(due_ms) FROM payments WHERE queue = ?1) AS last
  UNION ALL SELECT (SELECT min(due_ms) FROM records WHERE queue = ?1),
    (SELECT max(due_ms) FROM records WHERE queue = ?1))`;
type Span = { readonly firstMs: number; readonly lastMs: number };

/**
 * The queues: what is due is in the tables, who has it in memory. Only committed versions are there, so no work is
 * done that a crash undoes; a new version ends the lease of the old one.
 */
export class DueRecords {
  readonly #read: (kind: Kind, id: string) => Put | undefined;
  readonly #listeners: DueListeners;
  readonly #held = new Map<Queue, Map<string, Held>>(QUEUES.map((queue) => [queue, new Map()]));
  /** When the first and the last of a queue are due. A commit ends them: no other process writes here. */
  readonly #spans = new Map<Queue, Span>();
  readonly #select: StatementSync;
  readonly #span: StatementSync;
  readonly #count: StatementSync;

  constructor(options: {
    readonly log: Log;
    readonly database: DatabaseSync;
    readonly read: (kind: Kind, id: string) => Put | undefined;
  }) {
    const { log, database, read } = options;
    this.#listeners = new DueListeners(log);
    this.#read = read;
    this.#select = database.prepare(`${DUE} ORDER BY atMs LIMIT ?3`);
    this.#span = database.prepare(SPAN);
    this.#count = database.prepare(`SELECT count(*) AS count FROM (${DUE})`);
  }

  /** Takes a committed change over; listeners are told of its new work. */
  take({ payments, records, removals }: PreparedChange): void {
    this.#spans.clear();
    const puts = [...payments, ...records];
    for (const held of this.#held.values())
      for (const named of [...puts, ...removals]) held.delete(keyOf(named));
    for (const { due } of puts) if (due !== undefined) this.#listeners.tell(due);
  }

  /** Up to `limit` records that are due, oldest first; no other caller gets them until the lease ends. */
  claim(queue: Queue, options: { nowMs: number; leaseMs: number; limit: number }): Put[] {
    const { nowMs, leaseMs, limit } = options;
    const longestMs = LONGEST_WAIT_MS[queue];
    const held = this.#heldIn(queue);
    const { firstMs, lastMs } = this.#spanOf(queue);
    const isDue = (atMs: number) => atMs <= nowMs;
    const isAhead = (atMs: number) => isFromClockAhead(atMs, nowMs, longestMs);
    const due = [
      ...[...held.values()].filter(({ atMs }) => isDue(atMs) || isAhead(atMs)),
      ...(isDue(firstMs) ? this.#from(EVER, queue, limit).filter(({ atMs }) => isDue(atMs)) : []),
      ...(isAhead(lastMs) ? this.#from(nowMs + longestMs, queue, limit) : []),
    ];
    due.sort((one, other) => one.atMs - other.atMs);
    return due.slice(0, limit).flatMap(({ kind, id }) => {
      const lease = { kind, id, atMs: nowMs + leaseMs, isLeased: true };
      held.set(keyOf(lease), lease);
      return this.#read(kind, id) ?? [];
    });
  }

  /** Ends a lease, or keeps it until then; does nothing to a record that is not claimed, so a late call cannot move newer work. */
  release(kind: Kind, id: string, atMs: number, isKept: boolean): void {
    const key = keyOf({ kind, id });
    for (const held of this.#held.values())
      if (held.get(key)?.isLeased) held.set(key, { kind, id, atMs, isLeased: isKept });
  }

  nextMs(queue: Queue): number | undefined {
    const held = this.#heldIn(queue);
    if (held.size === 0) {
      const { firstMs } = this.#spanOf(queue);
      return firstMs === NEVER ? undefined : firstMs;
    }
    const all = [...this.#from(EVER, queue, 1), ...held.values()];
    return Math.min(...all.map(({ atMs }) => atMs));
  }

  count(queue: Queue): number {
    return Number(this.#count.get(queue, EVER)?.['count']);
  }

  onDue(listener: (due: Due) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** The first of those that are due after a moment and held by no one. */
  #from(afterMs: number, queue: Queue, most: number): Waiting[] {
    const held = this.#heldIn(queue);
    const rows = this.#select.all(queue, afterMs, held.size + most) as unknown as Waiting[];
    return rows.filter((row) => !held.has(keyOf(row)));
  }

  #spanOf(queue: Queue): Span {
    const known = this.#spans.get(queue);
    if (known !== undefined) return known;
    const { first, last } = this.#span.get(queue) ?? {};
    const span = { firstMs: Number(first ?? NEVER), lastMs: Number(last ?? EVER) };
    this.#spans.set(queue, span);
    return span;
  }

  #heldIn(queue: Queue): Map<string, Held> {
    return this.#held.get(queue) ?? new Map();
  }
}
