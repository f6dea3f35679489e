import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** Idle turns of the event loop after which nothing follows any more from what has happened. */
const IDLE_TURNS = 8;

/** Counts the HTTP requests of this process, so that a manual clock can wait for what happens on real sockets. */
export class HttpInFlight {
  readonly #requests = new Set<unknown>();
  readonly #begin = (message: unknown) => void this.#requests.add(requestOf(message));
  readonly #end = (message: unknown) => void this.#requests.delete(requestOf(message));

  constructor() {
    subscribe('undici:request:create', this.#begin);
    subscribe('undici:request:trailers', this.#end);
    subscribe('undici:request:error', this.#end);
  }

  /** Resolves once no request is in flight and none begins. */
  async quiet(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS; idle++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#requests.size > 0) idle = 0;
    }
  }

  stop(): void {
    unsubscribe('undici:request:create', this.#begin);
    unsubscribe('undici:request:trailers', this.#end);
    unsubscribe('undici:request:error', this.#end);
  }
}

const requestOf = (message: unknown): unknown => (message as { request: unknown }).request;
