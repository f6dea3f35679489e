import type { Change } from '../records/records.ts';
import type { Store } from './store.ts';

/** `failed`: the store threw, so nobody knows whether the change was stored. */
export type CommitResult = 'stored' | 'stale' | 'failed';

/** The same store; told of every change before it is stored, and of what came of it. */
export const watchedCommits = (
  store: Store,
  onCommit: (change: Change) => (result: CommitResult) => void,
): Store => ({
  get: (kind, id) => store.get(kind, id),
  commit: (change) => {
    const ended = onCommit(change);
    const stored = store.commit(change);
    stored.then(
      (done) => ended(done ? 'stored' : 'stale'),
      // Only looked at here: whoever committed gets the error itself.
      () => ended('failed'),
    );
    return stored;
  },
  claim: (queue, options) => store.claim(queue, options),
  release: (kind, id, atMs) => store.release(kind, id, atMs),
  nextDueMs: (queue) => store.nextDueMs(queue),
  onDue: (listener) => store.onDue(listener),
  listPayments: (filter, page) => store.listPayments(filter, page),
  auditOf: (id) => store.auditOf(id),
  countDue: (queue) => store.countDue(queue),
  close: () => store.close(),
});
