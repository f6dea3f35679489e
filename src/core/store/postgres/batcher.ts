import type { Clock } from '../../runtime/clock.ts';
import { nextTurn } from '../../runtime/turn-budget.ts';

/** An item waits this long at most for batches that are slow, such as behind a lock; then one more is made. */
const PATIENCE_MS = 50;

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { readonly item: Item };

type BatcherOptions<Item, Result> = {
  readonly clock: Clock;
  /** Batches under way at once; more while they are slow. */
  readonly mostAtOnce: number;
  readonly mostInBatch: number;
  /** Begins a batch. The function returned says in the order of the items whether each may be in it; those that may are. */
  readonly joining: () => (item: Item) => boolean;
  /** One result for each item, in their order. When it rejects, every item of the batch fails. */
  readonly make: (batch: readonly Item[]) => Promise<readonly Result[]>;
};

/**
 * Batches requests to the server: items that come while `mostAtOnce` batches are under way go together in the next
 * one. An item that is alone does not wait.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #underWay = 0;
  #isTimed = false;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  ask(item: Item): Promise<Result> {
    const waiting = { item, ...Promise.withResolvers<Result>() };
    this.#waiting.push(waiting);
    if (this.#underWay < this.#options.mostAtOnce) void this.#makeBatches();
    else if (!this.#isTimed) void this.#makeAfterPatience();
    return waiting.promise;
  }

  async #makeAfterPatience(): Promise<void> {
    this.#isTimed = true;
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      await this.#options.clock.sleep(PATIENCE_MS);
      if (this.#waiting[0] === first) void this.#makeBatches();
    }
    this.#isTimed = false;
  }

  async #makeBatches(): Promise<void> {
    this.#underWay++;
    // Items of the same turn of the event loop share the first batch as well.
    await nextTurn();
    for (let batch = this.#takeBatch(); batch.length > 0; batch = this.#takeBatch()) {
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

  /** Takes waiting items, first come first served; one that must not join waits for the next batch. */
  #takeBatch(): Waiting<Item, Result>[] {
    const { mostInBatch, joining } = this.#options;
    const mayJoin = joining();
    const batch: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    for (const one of this.#waiting)
      if (batch.length < mostInBatch && mayJoin(one.item)) batch.push(one);
      else left.push(one);
    this.#waiting = left;
    return batch;
  }
}
