import { setTimeout as sleep } from 'node:timers/promises';
import { postCallback } from '../../support/post-callback.ts';
import type { Dice } from './dice.ts';
import type { Taking } from './gateway.ts';

/** Copies that a service sends which has lost count. */
const FLOOD = 20;
const TRIES = 4;
const PAUSE_MS = 1_500;

/** Sends the callbacks: of some payments none, of some a flood, some late, each a few times until it is taken. */
export class CallbackPost {
  readonly #dice: Dice;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  owe(taking: Taking, url: string): void {
    for (const lateMs of this.#latenesses()) {
      const sending = this.#send(taking, url, taking.settlesAtMs + lateMs)
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

  /** How long after the end each copy goes out; those nearly at once go to both instances at once. */
  #latenesses(): number[] {
    const copies = this.#dice.chance(0.06) ? FLOOD : this.#dice.pick([0, 1, 1, 1, 2, 3]);
    const longestMs = copies === FLOOD ? 300 : 30;
    return Array.from({ length: copies }, () =>
      this.#dice.chance(0.1) ? this.#dice.between(1_000, 8_000) : this.#dice.between(0, longestMs),
    );
  }

  async #send(taking: Taking, url: string, atMs: number): Promise<void> {
    const { signal } = this.#stopping;
    await sleep(Math.max(0, atMs - Date.now()), undefined, { signal });
    const { transactionId, truth, amountMinor } = taking;
    // Not every caller tells the truth, so none is to be believed.
    const lie = truth === 'completed' ? 'failed' : 'completed';
    const status = this.#dice.chance(0.05) ? lie : truth;
    const body = { transaction_id: transactionId, status, amount: amountMinor / 100 };
    for (let tries = 1; tries <= TRIES && !signal.aborted; tries++) {
      if (await postCallback(url, body, signal)) return;
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }
}
