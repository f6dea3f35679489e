import { OPEN_STATES } from '../records/payment.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';

const LOOK_EVERY_MS = 100;

/**
 * True once nothing asked for since `sinceMs` is under way: no payment without an outcome, no unsent SMS, no
 * notice owed. False: `withinMs` passed first.
 */
export const waitUntilIdle = async (
  store: Store,
  clock: Clock,
  { sinceMs, withinMs }: { sinceMs: number; withinMs: number },
): Promise<boolean> => {
  const deadlineMs = clock.now() + withinMs;
  while (await isBusy(store, sinceMs)) {
    if (clock.now() >= deadlineMs) return false;
    await clock.sleep(LOOK_EVERY_MS);
  }
  return true;
};

const isBusy = async (store: Store, sinceMs: number): Promise<boolean> => {
  const open = await store.listPayments({ sinceMs, states: OPEN_STATES }, { limit: 1 });
  if (open.payments.length > 0) return true;
  const due = await Promise.all([store.nextDueMs('notice'), store.nextDueMs('sms')]);
  return due.some((atMs) => atMs !== undefined);
};
