/** Work begun and not ended: what a stop has to wait for. */
export class InFlight {
  readonly #work = new Set<Promise<unknown>>();

  /** Runs a task, counted until it ends. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const work = task();
    this.#work.add(work);
    try {
      return await work;
    } finally {
      this.#work.delete(work);
    }
  }

  /** Resolves when nothing is in hand; never rejects. */
  async ended(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }
}
