import type { Due, Queue } from '../../records/due.ts';
import type { Change, Kind, Put } from '../../records/records.ts';
import type { Log } from '../../runtime/log.ts';
import { DueListeners } from '../due-listeners.ts';
import { DueQueue } from '../due-queue.ts';

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
  readonly #queues: Readonly<Record<Queue, DueQueue<Slot>>> = {
    submit: new DueQueue(),
    check: new DueQueue(),
    notice: new DueQueue(),
    sms: new DueQueue(),
    tidy: new DueQueue(),
  };

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
    return this.#queues[queue].claim(options).flatMap(({ kind, id }) => this.#read(kind, id) ?? []);
  }

  release(kind: Kind, id: string, atMs: number): void {
    const slot = this.#slots.get(keyOf(kind, id));
    if (slot !== undefined) this.#queues[slot.due.queue].release(slot, atMs);
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
