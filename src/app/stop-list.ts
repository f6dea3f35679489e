/** What was started, each with the way to stop it. */
export class StopList {
  readonly #stops: (() => Promise<void>)[] = [];

  add(stop: () => Promise<void>): void {
    this.#stops.push(stop);
  }

  /** Starts work that ends by its signal; stopping waits for it. */
  addBackground(work: (stop: AbortSignal) => Promise<void>): void {
    const stopping = new AbortController();
    const done = work(stopping.signal);
    this.add(() => {
      stopping.abort();
      return done;
    });
  }

  /** Stops everything, one after another, what was added last first. A second call finds nothing left. */
  async stopAll(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }
}
