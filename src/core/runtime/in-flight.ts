/** Work that has begun and not ended, for which a stop has to wait. */
export class InFlight {
  readonly #work = new Set<Promise<unknown>>();

  get size(): number {
    return this.#work.size;
  }

  add<T>(work: Promise<T>): Promise<T> {
    const held = work.finally(() => this.#work.delete(held));
    this.#work.add(held);
    return held;
  }

  /** Resolves when nothing is in flight; never rejects. */
  async ended(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }
}
