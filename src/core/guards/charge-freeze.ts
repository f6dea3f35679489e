import { markChange, type RestoreMark, restoreMark } from '../records/stored-values.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';

/** Whether charges may be made. Read from the store each time: another process may lift it. */
export class ChargeFreeze {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The last restore, lifted or not; undefined: there never was one. */
  mark(): Promise<RestoreMark | undefined> {
    return restoreMark.in(this.#store);
  }

  /** The mark while nothing may be charged; undefined: charge on. */
  async standing(): Promise<RestoreMark | undefined> {
    const mark = await this.mark();
    return mark?.liftedAtMs === undefined ? mark : undefined;
  }

  /** From now on nothing is charged. An earlier mark is replaced. */
  async set(mark: RestoreMark, nowMs: number): Promise<void> {
    await untilStored('the mark of a restore', async () => {
      const earlier = await this.#store.get('setting', restoreMark.id);
      return (await this.#store.commit(markChange(mark, earlier, nowMs))) || STALE;
    });
  }

  /** Charges go on. False: it was restored once more meanwhile, and that mark stays. */
  async lift(mark: RestoreMark, nowMs: number, found: Record<string, unknown>): Promise<boolean> {
    const earlier = await this.#store.get('setting', restoreMark.id);
    if (restoreMark.read(earlier)?.sinceMs !== mark.sinceMs) return false;
    // A mark that a clock ahead made would go on refusing what is asked from now on.
    const lifted = { ...mark, sinceMs: Math.min(mark.sinceMs, nowMs), liftedAtMs: nowMs };
    return this.#store.commit(markChange(lifted, earlier, nowMs, found));
  }
}
