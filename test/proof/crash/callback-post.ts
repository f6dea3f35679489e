import { setTimeout as sleep } from 'node:timers/promises';
import { postCallback } from '../../support/post-callback.ts';
import type { Posting } from './gateway.ts';

const TRIES = 6;
const PAUSE_MS = 400;

/** A callback that was answered with 200: whoever took it has to do something about it. */
export type Taken = { readonly id: string; readonly sentAtMs: number; readonly atMs: number };

/** Tells the ends of payments to their callback addresses, each a few times until it is taken. */
export class CallbackPost {
  readonly taken: Taken[] = [];
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  /** `copies` of one callback, all at once. */
  owe(posting: Posting, url: string, copies: number): void {
    for (let copy = 0; copy < copies; copy++) {
      const sending = this.#send(posting, url)
        // Stopped in the middle of a pause.
        .catch(() => {})
        .finally(() => this.#underWay.delete(sending));
      this.#underWay.add(sending);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#underWay);
  }

  async #send({ id, truth, amount, settlesAtMs }: Posting, url: string): Promise<void> {
    const { signal } = this.#stopping;
    await sleep(Math.max(0, settlesAtMs - Date.now()), undefined, { signal });
    const body = { transaction_id: id, status: truth, amount: Number(amount) };
    for (let tries = 1; tries <= TRIES && !signal.aborted; tries++) {
      const sentAtMs = Date.now();
      if (await postCallback(url, body, signal)) {
        this.taken.push({ id, sentAtMs, atMs: Date.now() });
        return;
      }
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }
}
