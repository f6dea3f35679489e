import type { Due } from '../records/due.ts';
import type { Log } from '../runtime/log.ts';

export class DueListeners {
  readonly #log: Log;
  readonly #listeners = new Set<(due: Due) => void>();

  constructor(log: Log) {
    this.#log = log;
  }

  add(listener: (due: Due) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(due: Due): void {
    for (const listener of this.#listeners) {
      try {
        listener(due);
      } catch (error) {
        // A listener that throws does not undo the commit.
        this.#log.error({ err: error, queue: due.queue }, 'a listener for due work failed');
      }
    }
  }
}
