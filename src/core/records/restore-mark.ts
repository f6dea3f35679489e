import type { Change, Setting } from './records.ts';
import { type RestoreMark, restoreMark } from './settings.ts';

/** The mark as a change, for callers that have the store in another form than a `Store`. */
export const markChange = (
  mark: RestoreMark,
  earlier: Setting | undefined,
  nowMs: number,
  detail: Record<string, unknown> = {},
): Change => ({
  put: [restoreMark.put(mark, earlier)],
  audit: [
    {
      atMs: nowMs,
      kind: 'setting',
      id: restoreMark.id,
      what: mark.liftedAtMs === undefined ? 'restored' : 'reconciled',
      before: wordOf(restoreMark.read(earlier)),
      after: wordOf(mark),
      detail: { ...mark, ...detail },
    },
  ],
});

const wordOf = (mark: RestoreMark | undefined): string | null => {
  if (mark === undefined) return null;
  return mark.liftedAtMs === undefined ? 'frozen' : 'lifted';
};
