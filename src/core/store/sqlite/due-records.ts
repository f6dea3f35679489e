import type { Due, Queue } from '../../records/due.ts';
import type { Change, Kind, Put } from '../../records/records.ts';
import type { Log } from '../../runtime/log.ts';
import { DueWork, type Slot } from '../due-work.ts';
import { frozenCopy } from '../frozen-copy.ts';

type DueChange = { readonly dropped: readonly string[]; readonly due: readonly Put[] };

/** The records that are in a queue, in memory. Only committed versions are in it, so no work is done that a crash undoes. */
export class DueRecords {
  readonly #work: DueWork;
  readonly #slots = new Map<string, Slot>();

  constructor(log: Log, due: Iterable<Put>) {
    this.#work = new DueWork(log);
    for (const put of due) this.#add(put);
  }

  /** Takes a committed change over; whoever listens is told of its new work. */
  take({ dropped, due }: DueChange): void {
    for (const key of dropped) this.#drop(key);
    const added = due.flatMap((put) => this.#add(put));
    for (const slot of added) this.#work.tell(slot);
  }

  claim(queue: Queue, options: { nowMs: number; leaseMs: number; limit: number }): Put[] {
    return this.#work.claim(queue, options);
  }

  release(kind: Kind, id: string, atMs: number): void {
    const slot = this.#slots.get(keyOf(kind, id));
    if (slot !== undefined) this.#work.release(slot, atMs);
  }

  nextMs(queue: Queue): number | undefined {
    return this.#work.nextMs(queue);
  }

  count(queue: Queue): number {
    return this.#work.count(queue);
  }

  onDue(listener: (due: Due) => void): () => void {
    return this.#work.onDue(listener);
  }

  #add(put: Put): Slot[] {
    if (put.record.due === undefined) return [];
    const slot: Slot = { put };
    this.#slots.set(keyOf(put.kind, put.record.id), slot);
    this.#work.add(slot);
    return [slot];
  }

  #drop(key: string): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#slots.delete(key);
    this.#work.remove(slot);
  }
}

/** What a change does to the queues: copies that nobody can change, so that it can be applied after COMMIT. */
export const dueChange = ({ put = [], remove = [] }: Change): DueChange => ({
  dropped: [
    ...put.map(({ kind, record }) => keyOf(kind, record.id)),
    ...remove.map(({ kind, id }) => keyOf(kind, id)),
  ],
  due: put.filter(({ record }) => record.due !== undefined).map(frozenCopy),
});

const keyOf = (kind: Kind, id: string): string => `${kind}/${id}`;
