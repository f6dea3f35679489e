import type { Put, Store } from './store/store.ts';

/** Forgets what has served its time: closed drafts, abandoned forms, reported SMS batches, notices that were told. */
export const tidyUp = async (store: Store, { kind, record }: Put): Promise<void> => {
  await store.commit({ remove: [{ kind, id: record.id, version: record.version }] });
};
