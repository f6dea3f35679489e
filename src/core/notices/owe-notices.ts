import type { Notice } from '../records/notice.ts';
import type { Put } from '../records/records.ts';
import type { Store } from '../store/store.ts';

/** Puts that store notices, each as the next version of its id: of one that is still owed, only the newest is delivered. */
export const oweNotices = (
  store: Pick<Store, 'get'>,
  notices: readonly Notice[],
): Promise<Extract<Put, { readonly kind: 'notice' }>[]> =>
  Promise.all(
    notices.map(async (notice) => {
      const earlier = await store.get('notice', notice.id);
      return {
        kind: 'notice',
        record: { ...notice, version: (earlier?.version ?? 0) + 1 },
      } as const;
    }),
  );
