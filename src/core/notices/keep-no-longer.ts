import { keptDayOf } from '../records/kept-day.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';

type Needs = {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
};

/** The message with the day of a conversation was deleted, or the conversation is lost: no other message is posted there. */
export const keepNoLonger = async (
  { store, clock, log }: Needs,
  place: string,
  reason: string,
): Promise<void> => {
  const { id } = keptDayOf(place);
  log.warn({ place, reason }, 'the day is no longer kept in a conversation');
  await untilStored(id, async () => {
    const kept = await store.get('setting', id);
    if (kept === undefined) return true;
    const row = { atMs: clock.now(), kind: 'setting', id, before: null, after: null } as const;
    const remove = [{ kind: 'setting', id, version: kept.version }] as const;
    const audit = [{ ...row, what: 'kept no longer', detail: { reason } }];
    return (await store.commit({ remove, audit })) || STALE;
  });
};
