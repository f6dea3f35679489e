import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LONGEST_WAIT_MS, QUEUES, type Queue } from '../../records/due.ts';
import type { Kind, Put } from '../../records/records.ts';
import { isFromClockAhead } from '../../runtime/clock.ts';
import { keyOf, type Named, type PreparedChange } from '../sql/prepared-change.ts';
import type { ClaimOptions } from '../store.ts';

/** A record in a queue; `atMs`: when it may be claimed. */
type Waiting = Named & { readonly atMs: number };
/** One that was claimed: it may be claimed again at another moment than it is due. */
type Held = Waiting & { readonly isLeased: boolean };
/** The first of a queue, held or not: all that are due before a moment, and none that is due after it. */
type Head = { readonly rows: Map<string, Waiting>; readonly untilMs: number };

/** Read besides what is asked for, so that not each look for work reads. */
const SPARE = 64;
/** A head that grew longer is read again. */
const LONGEST_HEAD = 512;

/** Those of a queue that are due after a moment, from the index of each table. */
const DUE = `SELECT 'payment' AS kind, id, due_ms AS atMs FROM payments WHERE queue = ?1 AND due_ms > ?2
  UNION ALL SELECT kind, id, due_ms AS atMs FROM records WHERE queue = ?1 AND due_ms > ?2`;
const EVER = Number.MIN_SAFE_INTEGER;

/** Two seeks in indexes, however many wait. */
const LAST = `SELECT max(last) AS last FROM (SELECT max(due_ms) AS last FROM payments WHERE queue = ?1
  UNION ALL SELECT max(due_ms) FROM records WHERE queue = ?1)`;

/**
 * The queues: what is due is in the tables; who has it, and the first of each queue, in memory. Only committed versions are there, so no work is
 * done that a crash undoes; a new version ends the lease of the old one.
 */
export class DueRecords {
  readonly #read: (kind: Kind, id: string) => Put | undefined;
  readonly #held = new Map<Queue, Map<string, Held>>(QUEUES.map((queue) => [queue, new Map()]));
  /** Kept up with each commit: no other process writes here. */
  readonly #heads = new Map<Queue, Head>();
  /** No record of the queue is due later than this. */
  readonly #lastMs = new Map<Queue, number>();
  readonly #select: StatementSync;
  readonly #last: StatementSync;
  readonly #count: StatementSync;

  constructor(database: DatabaseSync, read: (kind: Kind, id: string) => Put | undefined) {
    this.#read = read;
    this.#select = database.prepare(`${DUE} ORDER BY atMs LIMIT ?3`);
    this.#last = database.prepare(LAST);
    this.#count = database.prepare(`SELECT count(*) AS count FROM (${DUE})`);
  }

  /** Takes a committed change over. */
  take({ payments, records, removals }: PreparedChange): void {
    const puts = [...payments, ...records];
    const keys = [...puts, ...removals].map(keyOf);
    for (const held of this.#held.values()) for (const key of keys) held.delete(key);
    for (const { rows } of this.#heads.values()) for (const key of keys) rows.delete(key);
    for (const { kind, id, due } of puts)
      if (due !== undefined) this.#add({ kind, id, atMs: Math.ceil(due.atMs) }, due.queue);
  }

  /** Up to `limit` records that are due, oldest first; no other caller gets them until the lease ends. */
  claim(queue: Queue, { nowMs, leaseMs, limit }: ClaimOptions): Put[] {
    const held = this.#heldIn(queue);
    const longestMs = LONGEST_WAIT_MS[queue];
    const isDue = ({ atMs }: Waiting) => atMs <= nowMs;
    const isAhead = ({ atMs }: Waiting) => isFromClockAhead(atMs, nowMs, longestMs);
    const due = [
      ...[...held.values()].filter((one) => isDue(one) || isAhead(one)),
      ...this.#free(queue, limit).filter(isDue),
      ...this.#after(nowMs + longestMs, queue, limit),
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
    const all = [...this.#free(queue, 1), ...this.#heldIn(queue).values()];
    return all.length === 0 ? undefined : Math.min(...all.map(({ atMs }) => atMs));
  }

  count(queue: Queue): number {
    return Number(this.#count.get(queue, EVER)?.['count']);
  }

  #add(row: Waiting, queue: Queue): void {
    this.#lastMs.set(queue, Math.max(row.atMs, this.#lastOf(queue)));
    const head = this.#heads.get(queue);
    if (head === undefined || row.atMs >= head.untilMs) return;
    head.rows.set(keyOf(row), row);
    if (head.rows.size > LONGEST_HEAD) this.#heads.delete(queue);
  }

  /** At least the first `most` of those without a lease, as far as there are as many. */
  #free(queue: Queue, most: number): Waiting[] {
    const held = this.#heldIn(queue);
    const freeOf = ({ rows }: Head) =>
      [...rows].flatMap(([key, row]) => (held.has(key) ? [] : row));
    const known = this.#heads.get(queue);
    const free = known === undefined ? [] : freeOf(known);
    if (free.length >= most || known?.untilMs === Number.POSITIVE_INFINITY) return free;
    return freeOf(this.#readHead(queue, held.size + most + SPARE));
  }

  #readHead(queue: Queue, most: number): Head {
    const found = this.#select.all(queue, EVER, most) as unknown as Waiting[];
    const isWhole = found.length < most;
    const head = {
      rows: new Map(found.map((row) => [keyOf(row), row])),
      untilMs: isWhole ? Number.POSITIVE_INFINITY : (found.at(-1)?.atMs ?? EVER),
    };
    this.#heads.set(queue, head);
    return head;
  }

  /** The first without a lease that are due after a moment: nearly always there is none. */
  #after(afterMs: number, queue: Queue, most: number): Waiting[] {
    if (this.#lastOf(queue) <= afterMs) return [];
    const held = this.#heldIn(queue);
    const rows = this.#select.all(queue, afterMs, held.size + most) as unknown as Waiting[];
    if (rows.length === 0) this.#lastMs.delete(queue);
    return rows.filter((row) => !held.has(keyOf(row)));
  }

  #lastOf(queue: Queue): number {
    const known = this.#lastMs.get(queue);
    if (known !== undefined) return known;
    const lastMs = Number(this.#last.get(queue)?.['last'] ?? EVER);
    this.#lastMs.set(queue, lastMs);
    return lastMs;
  }

  #heldIn(queue: Queue): Map<string, Held> {
    return this.#held.get(queue) ?? new Map();
  }
}
