import { type Due, LONGEST_WAIT_MS, QUEUES, type Queue } from '../../records/due.ts';
import type { Change, Kind, Put } from '../../records/records.ts';
import { isFromClockAhead } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { DueListeners } from '../due-listeners.ts';

/** One version of a record in a queue: the next version gets a slot of its own. */
type Slot = { readonly kind: Kind; readonly id: string; readonly due: Due };

/** What a change does to the queues, taken from it before its caller may change it. */
type DueChange = { readonly dropped: readonly string[]; readonly added: readonly Slot[] };

/**
 * The queues, in memory: names and times of the records in them. Only committed versions are there, so no work is
 * done that a crash undoes; a new version takes the old one out at once, lease and all.
 */
export class DueRecords {
  readonly #read: (kind: Kind, id: string) => Put | undefined;
  readonly #listeners: DueListeners;
  readonly #slots = new Map<string, Slot>();
  readonly #queues = Object.fromEntries(
    QUEUES.map((queue) => [queue, new DueQueue()]),
  ) as unknown as Readonly<Record<Queue, DueQueue<Slot>>>;

  constructor(options: {
    readonly log: Log;
    /** The records that are in a queue at the start. */
    readonly due: Iterable<Put>;
    /** Reads what is claimed. */
    readonly read: (kind: Kind, id: string) => Put | undefined;
  }) {
    this.#listeners = new DueListeners(options.log);
    this.#read = options.read;
    for (const put of options.due) for (const slot of slotsOf(put)) this.#add(slot);
  }

  /** Takes a committed change over; listeners are told of its new work. */
  take({ dropped, added }: DueChange): void {
    for (const key of dropped) this.#drop(key);
    for (const slot of added) this.#add(slot);
    for (const { due } of added) this.#listeners.tell(due);
  }

  claim(queue: Queue, options: { nowMs: number; leaseMs: number; limit: number }): Put[] {
    const claimed = this.#queues[queue].claim({ ...options, longestMs: LONGEST_WAIT_MS[queue] });
    return claimed.flatMap(({ kind, id }) => this.#read(kind, id) ?? []);
  }

  release(kind: Kind, id: string, atMs: number, isKept: boolean): void {
    const slot = this.#slots.get(keyOf(kind, id));
    if (slot !== undefined) this.#queues[slot.due.queue].release(slot, atMs, isKept);
  }

  nextMs(queue: Queue): number | undefined {
    return this.#queues[queue].nextMs();
  }

  count(queue: Queue): number {
    return this.#queues[queue].size;
  }

  onDue(listener: (due: Due) => void): () => void {
    return this.#listeners.add(listener);
  }

  #add(slot: Slot): void {
    this.#slots.set(keyOf(slot.kind, slot.id), slot);
    this.#queues[slot.due.queue].add(slot, slot.due.atMs);
  }

  #drop(key: string): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#slots.delete(key);
    this.#queues[slot.due.queue].remove(slot);
  }
}

export const dueChange = ({ put = [], remove = [] }: Change): DueChange => ({
  dropped: [
    ...put.map(({ kind, record }) => keyOf(kind, record.id)),
    ...remove.map(({ kind, id }) => keyOf(kind, id)),
  ],
  added: put.flatMap(slotsOf),
});

const slotsOf = ({ kind, record: { id, due } }: Put): Slot[] =>
  due === undefined ? [] : [{ kind, id, due: { ...due } }];

const keyOf = (kind: Kind, id: string): string => `${kind}/${id}`;

/** `atMs` is when it may be claimed (again); `order` keeps what came first first. */
type Entry<T> = {
  readonly item: T;
  readonly atMs: number;
  readonly order: number;
  readonly leased: boolean;
};

/** Dead entries are swept once they outnumber the living by this many. */
const SWEEP_SLACK = 64;

/**
 * Items waiting for their moment: a binary heap by time. Taking one out of the middle only makes its
 * entry dead; the dead are dropped when they come to the top. A lease is an entry with a later time.
 */
export class DueQueue<T> {
  #heap: Entry<T>[] = [];
  readonly #living = new Map<T, Entry<T>>();
  #order = 0;
  /** No item waits for a later moment. */
  #latestMs = Number.NEGATIVE_INFINITY;

  add(item: T, atMs: number): void {
    this.#place(item, atMs, false);
  }

  remove(item: T): void {
    this.#living.delete(item);
    if (this.#heap.length > 2 * this.#living.size + SWEEP_SLACK) this.#sweep();
  }

  /** Up to `limit` items that are due, oldest first; no other caller gets them until the lease ends. */
  claim(options: { nowMs: number; leaseMs: number; limit: number; longestMs: number }): T[] {
    this.#bringForward(options);
    const claimed: T[] = [];
    while (claimed.length < options.limit) {
      const top = this.#top();
      if (top === undefined || top.atMs > options.nowMs) break;
      claimed.push(top.item);
      // Out of the heap first: with a lease of no length it would be on top again.
      this.#living.delete(top.item);
    }
    for (const item of claimed) this.#place(item, options.nowMs + options.leaseMs, true);
    return claimed;
  }

  /** Ends a lease, or keeps it until then; does nothing to an item that is not claimed, so a late call cannot move newer work. */
  release(item: T, atMs: number, isKept = false): void {
    if (this.#living.get(item)?.leased) this.#place(item, atMs, isKept);
  }

  /** Makes due what waits for longer than `longestMs`. */
  #bringForward({ nowMs, longestMs }: { nowMs: number; longestMs: number }): void {
    if (!isFromClockAhead(this.#latestMs, nowMs, longestMs)) return;
    this.#latestMs = nowMs + longestMs;
    for (const { item, atMs } of this.#inOrder())
      if (isFromClockAhead(atMs, nowMs, longestMs)) this.#place(item, nowMs, false);
  }

  get size(): number {
    return this.#living.size;
  }

  nextMs(): number | undefined {
    return this.#top()?.atMs;
  }

  #place(item: T, atMs: number, leased: boolean): void {
    const entry = { item, atMs, order: this.#order++, leased };
    this.#living.set(item, entry);
    this.#latestMs = Math.max(this.#latestMs, atMs);
    this.#rise(entry, this.#heap.length);
  }

  #top(): Entry<T> | undefined {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      if (this.#living.get(top.item) === top) return top;
      const last = this.#heap.pop();
      if (last !== undefined && last !== top) this.#sink(last);
    }
    return undefined;
  }

  /** Puts an entry in at the bottom and lets those above that are later make room. */
  #rise(entry: Entry<T>, from: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#heap[above];
      if (parent === undefined || !comesFirst(entry, parent)) break;
      this.#heap[at] = parent;
      at = above;
    }
    this.#heap[at] = entry;
  }

  /** Puts an entry in at the top and lets the earlier of those below rise. */
  #sink(entry: Entry<T>): void {
    let at = 0;
    for (;;) {
      const below = this.#earlierChild(at);
      const child = this.#heap[below];
      if (child === undefined || !comesFirst(child, entry)) break;
      this.#heap[at] = child;
      at = below;
    }
    this.#heap[at] = entry;
  }

  #earlierChild(at: number): number {
    const left = 2 * at + 1;
    const [first, second] = [this.#heap[left], this.#heap[left + 1]];
    return first !== undefined && second !== undefined && comesFirst(second, first)
      ? left + 1
      : left;
  }

  /** An array in order is a heap. */
  #sweep(): void {
    this.#heap = this.#inOrder();
  }

  #inOrder(): Entry<T>[] {
    return [...this.#living.values()].sort((a, b) => (comesFirst(a, b) ? -1 : 1));
  }
}

const comesFirst = <T>(a: Entry<T>, b: Entry<T>): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
