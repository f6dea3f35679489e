import { ChargeFreeze } from '../guards/charge-freeze.ts';
import { QUEUES } from '../records/due.ts';
import { OPEN_STATES, type Payment } from '../records/payment.ts';
import { countedIn, countOf } from '../records/payment-figures.ts';
import type { Store } from '../store/store.ts';
import type { MetricRegister } from './metric-register.ts';

const OWED = QUEUES.filter((queue) => queue !== 'tidy');
const FLAGS = ['needs a person', 'conflict'] as const satisfies readonly Payment['flag'][];

/** Never rejects: while the store is away, what it holds is left out, and `paythread_store_up` says so. */
export const stateGauges = (
  register: MetricRegister,
  { store, nowMs }: { readonly store: Store; readonly nowMs: () => number },
): (() => Promise<void>) => {
  const up = register.gauge('paythread_store_up', '1 when the store could be asked, else 0', []);
  const open = register.gauge(
    'paythread_open_payments',
    'Payments without an outcome yet, by state',
    ['state'],
  );
  const flagged = register.gauge(
    'paythread_flagged_payments',
    'Payments without an outcome that a person has to look at, by why',
    ['flag'],
  );
  const owed = register.gauge(
    'paythread_owed_work',
    'Work that is owed, due now or later, by queue; notice: messages owed to chats',
    ['queue'],
  );
  const oldest = register.gauge(
    'paythread_oldest_due_seconds',
    'How long the oldest due work of a queue has been waiting',
    ['queue'],
  );
  const frozen = register.gauge(
    'paythread_frozen',
    '1 after a restore, until npm run reconcile has asked about everything; nothing is charged meanwhile',
    [],
  );
  const readPayments = async (): Promise<void> => {
    const states = OPEN_STATES;
    // In the store, by its indexes: reading 10,000 payments held everything else up for 65 ms.
    const { totals } = await store.totalPayments({ states });
    for (const state of states) open.set({ state }, countOf(totals, [state]));
    for (const flag of FLAGS)
      flagged.set({ flag }, countedIn((await store.totalPayments({ states, flag })).totals));
  };
  const readQueues = async (): Promise<void> => {
    for (const queue of OWED) {
      const dueMs = await store.nextDueMs(queue);
      const lateMs = dueMs === undefined ? 0 : Math.max(0, nowMs() - dueMs);
      oldest.set({ queue }, lateMs / 1000);
      owed.set({ queue }, await store.countDue(queue));
    }
  };
  return async () => {
    try {
      await readPayments();
      await readQueues();
      frozen.set((await new ChargeFreeze(store).standing()) === undefined ? 0 : 1);
      up.set(1);
    } catch {
      // Callers that need the store for more than numbers report why.
      up.set(0);
      for (const gauge of [open, flagged, owed, oldest]) gauge.reset();
    }
  };
};
