import type { Put } from '../../src/core/records/records.ts';
import type { Store } from '../../src/core/store/store.ts';
import type { ManualClock } from './manual-clock.ts';

/** Removes what is due to go, and returns it. */
export const removeDue = async (store: Store, clock: ManualClock): Promise<Put[]> => {
  const due = await store.claim('tidy', { nowMs: clock.now(), leaseMs: 1_000, limit: 100 });
  const remove = due.map(({ kind, record: { id, version } }) => ({ kind, id, version }));
  await store.commit({ remove });
  return due;
};
