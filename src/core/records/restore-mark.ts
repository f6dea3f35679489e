import type { Change, Setting } from './records.ts';

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
