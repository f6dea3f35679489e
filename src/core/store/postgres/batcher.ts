import type { Clock } from '../../runtime/clock.ts';

/** Behind trips that take longer than this (a lock that another transaction holds) no change waits any further. */
const PATIENCE_MS = 50;

type Passenger<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

type TripOptions<Item, Result> = {
  readonly clock: Clock;
  /** As long as none takes long; then there are more. */
  readonly mostAtOnce: number;
  readonly mostOnOne: number;
  /** Begins a batch: whether an item may be in it, asked in the order of the items. What may is in it. */
  readonly joining: () => (item: Item) => boolean;
  /** One result for each item, in their order. When it rejects, every item of the batch fails. */
  readonly make: (batch: readonly Item[]) => Promise<readonly Result[]>;
};

/**
 * Lets a crowd of callers share trips to the server: whatever is asked for while all trips that may be under
 * way at once are under way goes together on the next one. A change that is alone does not wait.
 */
export class SharedTrips<Item, Result> {
  readonly #options: TripOptions<Item, Result>;
  #waiting: Passenger<Item, Result>[] = [];
  #underWay = 0;
  #isTimed = false;

  constructor(options: TripOptions<Item, Result>) {
    this.#options = options;
  }

  ask(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, resolve, reject });
    if (this.#underWay < this.#options.mostAtOnce) void this.#travel();
    else if (!this.#isTimed) void this.#travelAnyway();
    return promise;
  }

  async #travelAnyway(): Promise<void> {
    this.#isTimed = true;
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      await this.#options.clock.sleep(PATIENCE_MS);
      if (this.#waiting[0] === first) void this.#travel();
    }
    this.#isTimed = false;
  }

  async #travel(): Promise<void> {
    this.#underWay++;
    // What is asked for in the same turn of the event loop shares the first trip as well.
    await new Promise((resolve) => setImmediate(resolve));
    for (let batch = this.#board(); batch.length > 0; batch = this.#board()) {
      try {
        const results = await this.#options.make(batch.map(({ item }) => item));
        // As many as items; the compiler cannot know.
        for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#underWay--;
  }

  /** The waiting items, first come first served; one that must not join waits for the next trip. */
  #board(): Passenger<Item, Result>[] {
    const { mostOnOne, joining } = this.#options;
    const mayJoin = joining();
    const batch: Passenger<Item, Result>[] = [];
    const left: Passenger<Item, Result>[] = [];
    for (const passenger of this.#waiting)
      if (batch.length < mostOnOne && mayJoin(passenger.item)) batch.push(passenger);
      else left.push(passenger);
    this.#waiting = left;
    return batch;
  }
}
