import { setTimeout as sleep } from 'node:timers/promises';
import { postCallback } from './post-callback.ts';

type Callback = {
  readonly transaction_id: string;
  readonly status: string;
  readonly amount: number;
};

/** A callback that was answered with 200: whoever took it has to do something about it. */
export type Taken = { readonly id: string; readonly sentAtMs: number; readonly atMs: number };

/** Sends callbacks at their time, each a few times until it is taken. */
export class CallbackPost {
  readonly taken: Taken[] = [];
  readonly #patience: { readonly tries: number; readonly pauseMs: number };
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  constructor(patience: { readonly tries: number; readonly pauseMs: number }) {
    this.#patience = patience;
  }

  owe(url: string, body: Callback, atMs: number): void {
    const sending = this.#send(url, body, atMs)
      // Stopped in the middle of a pause.
      .catch(() => {})
      .finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#underWay);
  }

  async #send(url: string, body: Callback, atMs: number): Promise<void> {
    const { signal } = this.#stopping;
    const { tries, pauseMs } = this.#patience;
    await sleep(Math.max(0, atMs - Date.now()), undefined, { signal });
    for (let left = tries; left > 0 && !signal.aborted; left--) {
      const sentAtMs = Date.now();
      if (await postCallback(url, body, signal)) {
        this.taken.push({ id: body.transaction_id, sentAtMs, atMs: Date.now() });
        return;
      }
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
