/** Something that happens at a moment of virtual time. */
export type Event = {
  readonly atMs: number;
  readonly order: number;
  act: (() => void) | undefined;
};

/**
 * Virtual time, and what happens in it, one event after the other. Between two events everybody who was
 * woken works until nobody has anything left to do; that this is so is known by counting what they do.
 */
export class Timeline {
  #nowMs: number;
  #order = 0;
  readonly #events: Event[] = [];
  /** Naps of workers that found nothing to do. */
  readonly #naps: Event[] = [];
  #activity = 0;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Somebody did something, so others may have something to do. */
  stir(): void {
    this.#activity++;
  }

  after(ms: number, act: () => void): Event {
    return this.#add(this.#events, ms, act);
  }

  /** Like `after`; may be passed over while nothing is due, and happens late then. */
  nap(ms: number, act: () => void): Event {
    return this.#add(this.#naps, ms, act);
  }

  cancel(event: Event): void {
    event.act = undefined;
  }

  /**
   * Lets everything happen until `untilMs`. `nextDueMs` says when somebody who naps would find something
   * to do: until then naps are passed over, so that an idle hour costs as little as an idle second.
   */
  async run(
    untilMs: number,
    nextDueMs: () => Promise<number> = async () => Number.POSITIVE_INFINITY,
  ): Promise<void> {
    await this.#settle();
    for (;;) {
      const nextMs = earliest(this.#events)?.atMs ?? Number.POSITIVE_INFINITY;
      const napMs = earliest(this.#naps)?.atMs ?? Number.POSITIVE_INFINITY;
      if (Math.min(nextMs, napMs) > untilMs) break;
      if (napMs < nextMs) {
        const dueMs = Math.max(await nextDueMs(), napMs);
        await this.#wakeNappers(Math.min(dueMs, nextMs, untilMs));
      } else {
        await this.#happen(nextMs, pop(this.#events));
      }
    }
    this.#nowMs = untilMs;
    await this.#settle();
  }

  async #wakeNappers(nowMs: number): Promise<void> {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    for (let nap = earliest(this.#naps); nap !== undefined && nap.atMs <= nowMs; ) {
      pop(this.#naps)?.act?.();
      nap = earliest(this.#naps);
    }
    await this.#settle();
  }

  async #happen(atMs: number, event: Event | undefined): Promise<void> {
    this.#nowMs = Math.max(this.#nowMs, atMs);
    event?.act?.();
    await this.#settle();
  }

  /** Two turns of the event loop in which nobody did anything: whoever waits now waits for time to pass. */
  async #settle(): Promise<void> {
    for (let quiet = 0, seen = this.#activity; quiet < 2; ) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.#activity === seen && !isWorking() ? quiet + 1 : 0;
      seen = this.#activity;
    }
  }

  #add(heap: Event[], ms: number, act: () => void): Event {
    const event = { atMs: this.#nowMs + Math.max(0, ms), order: this.#order++, act };
    push(heap, event);
    return event;
  }
}

/** Whether long work, which goes on in the next turn, waits for it. */
const isWorking = (): boolean => process.getActiveResourcesInfo().includes('Immediate');

/** The next event that was not cancelled. */
const earliest = (heap: Event[]): Event | undefined => {
  while (heap[0] !== undefined && heap[0].act === undefined) pop(heap);
  return heap[0];
};

const isBefore = (a: Event, b: Event): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

const push = (heap: Event[], event: Event): void => {
  let at = heap.length;
  for (; at > 0; ) {
    const above = (at - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || isBefore(parent, event)) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = event;
};

const pop = (heap: Event[]): Event | undefined => {
  const top = heap[0];
  const last = heap.pop();
  if (last === undefined || last === top) return top;
  let at = 0;
  for (;;) {
    const left = heap[2 * at + 1];
    const right = heap[2 * at + 2];
    const child = left && right && isBefore(right, left) ? right : left;
    if (child === undefined || isBefore(last, child)) break;
    heap[at] = child;
    at = 2 * at + (child === right ? 2 : 1);
  }
  heap[at] = last;
  return top;
};
