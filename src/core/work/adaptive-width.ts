/** A piece of work that takes longer shows that the other side, or this process, has enough to do. */
const SLOW_MS = 1_000;

/**
 * A concurrency limit that follows how long pieces of work take, by additive increase and multiplicative decrease:
 * a service that answers fast is asked more at once, and a slow one no more than `least`.
 */
export class AdaptiveWidth {
  readonly #least: number;
  readonly #most: number;
  #width: number;

  constructor({ least, most }: { readonly least: number; readonly most: number }) {
    this.#least = least;
    this.#most = most;
    this.#width = least;
  }

  /** Pieces that may be served side by side now. */
  get places(): number {
    return this.#width;
  }

  /** Counts a piece that has ended. `wasFull`: it took one of the last places; otherwise more would be of no use. */
  ended(tookMs: number, wasFull: boolean): void {
    if (tookMs > SLOW_MS) this.#width = Math.max(this.#least, Math.floor(this.#width / 2));
    else if (wasFull) this.#width = Math.min(this.#most, this.#width + 1);
  }
}
