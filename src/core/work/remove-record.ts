import type { Put } from '../records/records.ts';
import type { Store } from '../store/store.ts';

/** Removes a record as it was read. False: it was changed meanwhile, and stays. */
export const removeRecord = (
  store: Pick<Store, 'commit'>,
  { kind, record: { id, version } }: Put,
): Promise<boolean> => store.commit({ remove: [{ kind, id, version }] });
