import { keptDayOf } from '../records/kept-day.ts';
import type { AuditRow } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';

type Needs = { readonly store: Store; readonly clock: Pick<Clock, 'now'> };

/** No other message with the day is posted in a conversation. `by`: who wants it so; or why it has to be. */
export const keepNoLonger = (
  { store, clock }: Needs,
  place: string,
  by: Pick<AuditRow, 'who' | 'where' | 'button' | 'detail'>,
): Promise<boolean> => {
  const { id } = keptDayOf(place);
  return untilStored(id, async () => {
    const kept = await store.get('setting', id);
    if (kept === undefined) return false;
    const row = { atMs: clock.now(), kind: 'setting', id, before: null, after: null } as const;
    const remove = [{ kind: 'setting', id, version: kept.version }] as const;
    const audit = [{ ...row, ...by, what: 'kept no longer' }];
    return (await store.commit({ remove, audit })) || STALE;
  });
};
