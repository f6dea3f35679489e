import type { Change, Setting, Store } from './store/store.ts';

/**
 * The store goes on from a backup: payments made after it are not in it, and those in it may have gone on
 * elsewhere. It stands until everything was asked of the service; what is from before stays told apart for ever.
 */
export type RestoreMark = {
  /** What was shown for confirmation up to then may have been pressed, in the time that was lost. */
  readonly sinceMs: number;
  /** The backup has everything up to then. */
  readonly backupAtMs: number;
  /** Present: everything was asked, and charges go on. */
  readonly liftedAtMs?: number;
};

export const RESTORE_MARK_ID = 'restored';

/** Whether charges may be made. Read from the store each time: another process may lift it. */
export class Freeze {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The last restore, lifted or not; undefined: there never was one. */
  async mark(): Promise<RestoreMark | undefined> {
    const setting = await this.#store.get('setting', RESTORE_MARK_ID);
    return setting && readMark(setting);
  }

  /** The mark while nothing may be charged; undefined: charge on. */
  async standing(): Promise<RestoreMark | undefined> {
    const mark = await this.mark();
    return mark?.liftedAtMs === undefined ? mark : undefined;
  }

  /** From now on nothing is charged. A mark that stands already is replaced. */
  async set(mark: RestoreMark, nowMs: number): Promise<void> {
    const earlier = await this.#store.get('setting', RESTORE_MARK_ID);
    // Refused: another process has written it at the same moment; it is written after that one.
    if (!(await this.#store.commit(markChange(mark, earlier, nowMs)))) await this.set(mark, nowMs);
  }

  /** Charges go on. False: it was restored once more meanwhile, and that mark stands. */
  async lift(mark: RestoreMark, nowMs: number, found: Record<string, unknown>): Promise<boolean> {
    const earlier = await this.#store.get('setting', RESTORE_MARK_ID);
    if (earlier === undefined || readMark(earlier).sinceMs !== mark.sinceMs) return false;
    return this.#store.commit(markChange({ ...mark, liftedAtMs: nowMs }, earlier, nowMs, found));
  }
}

/** The mark as a change, for whoever has the store in another form than a `Store`. */
export const markChange = (
  mark: RestoreMark,
  earlier: Setting | undefined,
  nowMs: number,
  detail: Record<string, unknown> = {},
): Change => ({
  put: [
    {
      kind: 'setting',
      record: {
        id: RESTORE_MARK_ID,
        version: (earlier?.version ?? 0) + 1,
        value: JSON.stringify(mark),
      },
    },
  ],
  audit: [
    {
      atMs: nowMs,
      kind: 'setting',
      id: RESTORE_MARK_ID,
      what: mark.liftedAtMs === undefined ? 'restored' : 'reconciled',
      before: earlier === undefined ? null : wordOf(readMark(earlier)),
      after: wordOf(mark),
      detail: { ...mark, ...detail },
    },
  ],
});

/** What stands in the record; only Paythread writes it. */
export const readMark = ({ value }: Setting): RestoreMark => JSON.parse(value) as RestoreMark;

const wordOf = ({ liftedAtMs }: RestoreMark): string =>
  liftedAtMs === undefined ? 'frozen' : 'lifted';
