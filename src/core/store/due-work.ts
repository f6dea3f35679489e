import type { Due, Queue } from '../records/due.ts';
import type { Put } from '../records/records.ts';
import type { Log } from '../runtime/log.ts';
import { DueListeners } from './due-listeners.ts';
import { DueQueue } from './due-queue.ts';

/** One version of a record in a queue: the next version gets a slot of its own. */
export type Slot = { readonly put: Put };

/**
 * The queues of due work. Only slots whose commit is durable are in them, so nobody acts on what a
 * crash could undo; a new commit of a record takes the old slot out at once, lease and all.
 */
export class DueWork {
  readonly #listeners: DueListeners;
  readonly #queues: Readonly<Record<Queue, DueQueue<Slot>>> = {
    submit: new DueQueue(),
    check: new DueQueue(),
    notice: new DueQueue(),
    sms: new DueQueue(),
    tidy: new DueQueue(),
  };

  constructor(log: Log) {
    this.#listeners = new DueListeners(log);
  }

  add(slot: Slot): void {
    const due = slot.put.record.due;
    if (due !== undefined) this.#queues[due.queue].add(slot, due.atMs);
  }

  remove(slot: Slot): void {
    const due = slot.put.record.due;
    if (due !== undefined) this.#queues[due.queue].remove(slot);
  }

  claim(queue: Queue, options: { nowMs: number; leaseMs: number; limit: number }): Put[] {
    return this.#queues[queue].claim(options).map(({ put }) => put);
  }

  release(slot: Slot, atMs: number): void {
    const due = slot.put.record.due;
    if (due !== undefined) this.#queues[due.queue].release(slot, atMs);
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

  tell(slot: Slot): void {
    const due = slot.put.record.due;
    if (due !== undefined) this.#listeners.tell(due);
  }
}
