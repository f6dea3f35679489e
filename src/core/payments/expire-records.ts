import type { Put } from '../records/records.ts';
import type { Store } from '../store/store.ts';
import type { Drafts } from './drafts.ts';

/**
 * Removes a record that is not needed any more: a closed draft, an abandoned form, a reported SMS batch, a
 * delivered notice. A draft that still awaits an approval is ended instead.
 */
export const expireRecord = async (
  { store, drafts }: { store: Store; drafts: Pick<Drafts, 'runOut'> },
  { kind, record }: Put,
): Promise<void> => {
  if (kind === 'draft' && (await drafts.runOut(record))) return;
  await store.commit({ remove: [{ kind, id: record.id, version: record.version }] });
};
