import type { Put } from '../records/records.ts';
import type { Store } from '../store/store.ts';
import type { Drafts } from './drafts.ts';

/**
 * Forgets what has served its time: closed drafts, abandoned forms, reported SMS batches, notices that were
 * told. An approval that was not given in time ends first.
 */
export const expireRecord = async (
  { store, drafts }: { store: Store; drafts: Pick<Drafts, 'runOut'> },
  { kind, record }: Put,
): Promise<void> => {
  if (kind === 'draft' && (await drafts.runOut(record))) return;
  await store.commit({ remove: [{ kind, id: record.id, version: record.version }] });
};
