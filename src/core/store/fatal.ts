/** Tells once that nothing can be stored any more. */
export class Fatal {
  readonly #tell: (error: Error) => void;
  #error: Error | undefined;

  constructor(tell: (error: Error) => void) {
    this.#tell = tell;
  }

  get error(): Error | undefined {
    return this.#error;
  }

  readonly report = (error: Error): void => {
    if (this.#error !== undefined) return;
    this.#error = error;
    this.#tell(error);
  };
}
