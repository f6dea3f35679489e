/** Characters read, or as much work, in one turn of the event loop: some milliseconds. */
export const WORK_PER_TURN = 20_000;

/**
 * Splits long work over turns of the event loop, so that others are served in between. It counts work and no time: the
 * same work is split in the same places on every machine.
 */
export class TurnBudget {
  readonly #nextTurn: () => Promise<void>;
  #left = WORK_PER_TURN;

  constructor(nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))) {
    this.#nextTurn = nextTurn;
  }

  /** Takes work from this turn's share. True: the share is used up, and `next` has to be awaited. */
  spend(work: number): boolean {
    this.#left -= work;
    return this.#left <= 0;
  }

  async next(): Promise<void> {
    this.#left = WORK_PER_TURN;
    await this.#nextTurn();
  }
}
