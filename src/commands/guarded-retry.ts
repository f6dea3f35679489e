import { KeyedLock } from '../core/runtime/keyed-lock.ts';

/** Two confirmations under the same guard rarely meet; after this many in a row another fault is likelier. */
const MOST_TRIES = 20;

/** Runs confirmations that store a guard, each again while another one changed the guard first. */
export class GuardedRetry {
  /** Serialises them within this process; the guards do so over several instances. */
  readonly #lock = new KeyedLock();

  /** `attempt` resolves with false when the store refused its commit. */
  async run(key: string, draftId: string, attempt: () => Promise<boolean>): Promise<void> {
    await this.#lock.run(key, async () => {
      for (let tries = 0; tries < MOST_TRIES; tries++) if (await attempt()) return;
      throw new Error(`draft ${draftId}: ${MOST_TRIES} times another confirmation came between`);
    });
  }
}
