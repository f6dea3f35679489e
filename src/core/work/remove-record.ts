import type { Put } from '../records/records.ts';
import type { Store } from '../store/store.ts';

/**
 * Removes what is due in the queue `tidy`: a delivered notice, an abandoned form, a closed draft, a stored value. False:
 * it was changed meanwhile, and has a due time of its own.
 */
export const removeRecord = (
  store: Pick<Store, 'commit'>,
  { kind, record: { id, version } }: Put,
): Promise<boolean> => store.commit({ remove: [{ kind, id, version }] });
