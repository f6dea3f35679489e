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

  add(item: T, atMs: number): void {
    this.#place(item, atMs, false);
  }

  remove(item: T): void {
    this.#living.delete(item);
    if (this.#heap.length > 2 * this.#living.size + SWEEP_SLACK) this.#sweep();
  }

  /** Up to `limit` items that are due, oldest first; no other caller gets them until the lease ends. */
  claim(options: { nowMs: number; leaseMs: number; limit: number }): T[] {
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

  /** Ends a lease; does nothing to an item that is not claimed, so a late call cannot move newer work. */
  release(item: T, atMs: number): void {
    if (this.#living.get(item)?.leased) this.#place(item, atMs, false);
  }

  /** Items waiting or claimed. */
  get size(): number {
    return this.#living.size;
  }

  /** When the next item may be claimed. */
  nextMs(): number | undefined {
    return this.#top()?.atMs;
  }

  #place(item: T, atMs: number, leased: boolean): void {
    const entry = { item, atMs, order: this.#order++, leased };
    this.#living.set(item, entry);
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
    this.#heap = [...this.#living.values()].sort((a, b) => (comesFirst(a, b) ? -1 : 1));
  }
}

const comesFirst = <T>(a: Entry<T>, b: Entry<T>): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
