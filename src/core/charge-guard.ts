import type { Clock } from './clock.ts';
import type { Draft } from './payments/draft.ts';
import type { Put, Store } from './store/store.ts';
import { shortIdFrom } from './transaction-id.ts';

/** Longer than anything that is counted looks back: a day of any time zone. */
const KEEP_MS = 48 * 3_600_000;

/**
 * Two records that every confirmed charge of a customer and of a requester changes. Read before the limits
 * and the repetitions are looked up and stored with the confirmation, they let it through only if no other
 * charge of either was confirmed in between, on any instance.
 */
export const chargeGuards = async (
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  { what, requester }: Draft,
): Promise<Put[]> => {
  if (what.kind !== 'charge') return [];
  const { paymentId, terms } = what;
  const about = [`customer:${terms.customerNumber}`, `${requester.platform}:${requester.id}`];
  return Promise.all(
    about.map(async (text): Promise<Put> => {
      // Not the number itself: the guard outlives what may be asked to be forgotten.
      const id = `charged:${shortIdFrom(text)}`;
      const before = await store.get('setting', id);
      return {
        kind: 'setting',
        record: {
          id,
          version: (before?.version ?? 0) + 1,
          due: { queue: 'tidy', atMs: clock.now() + KEEP_MS },
          value: paymentId,
        },
      };
    }),
  );
};
