import { type BulkRun, isUnsent } from '../records/bulk.ts';
import type { Put } from '../records/records.ts';
import { unsentRuns } from '../records/stored-values.ts';
import type { Store } from '../store/store.ts';

/** The runs of a kind with rows that are still to be made: they count against limits before they are sent. */
export const readUnsentRuns = async <Run extends BulkRun>(
  store: Pick<Store, 'get'>,
  isOfKind: (run: BulkRun) => run is Run,
): Promise<readonly Run[]> => {
  const ids = (await unsentRuns.in(store)) ?? [];
  const runs = await Promise.all(ids.map((id) => store.get('bulk', id)));
  return runs.flatMap((run) => (run !== undefined && isUnsent(run) && isOfKind(run) ? run : []));
};

/** Notes in the commit of a run whether it still has rows to send; nothing where that is as before. */
export const noteUnsent = async (store: Pick<Store, 'get'>, run: BulkRun): Promise<Put[]> => {
  const earlier = await store.get('setting', unsentRuns.id);
  const ids = unsentRuns.read(earlier) ?? [];
  if (ids.includes(run.id) === isUnsent(run)) return [];
  const others = ids.filter((id) => id !== run.id);
  return [unsentRuns.put(isUnsent(run) ? [...others, run.id] : others, earlier)];
};
