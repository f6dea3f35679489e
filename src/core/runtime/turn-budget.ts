/** In characters read, or as much work: some milliseconds. */
const WORK_PER_TURN = 20_000;

/** Lets others have their turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Splits long work over turns of the event loop, by work and not by time, so that others are served in between. */
export class TurnBudget {
  #left = WORK_PER_TURN;

  /** True: this turn's share is used up, and `next` has to be awaited. */
  spend(work: number): boolean {
    this.#left -= work;
    return this.#left <= 0;
  }

  async next(): Promise<void> {
    this.#left = WORK_PER_TURN;
    await nextTurn();
  }
}
