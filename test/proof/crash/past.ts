import type { Payment } from '../../../src/core/records/payment.ts';
import { openEmbeddedStore } from '../../../src/core/store/embedded-store.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { aPayment } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { silentLog } from '../../support/silent-log.ts';

/** Ended so long ago a payment may leave memory for the archive. */
const ARCHIVED_AFTER_MS = 15 * 60_000;
const PAYMENTS = 60;
/** One more in this time, so that each checkpoint of a run finds something to put into the archive. */
const EVERY_MS = 1_500;

/** Payments of another day in the data folder of a shop that opens; their ids. */
export const givePast = async (dir: string): Promise<string[]> => {
  const firstMs = Date.now() - ARCHIVED_AFTER_MS - 10 * EVERY_MS;
  const payments = Array.from({ length: PAYMENTS }, (_, at) => ended(firstMs + at * EVERY_MS));
  const store = await openEmbeddedStore({
    dir,
    clock: new ManualClock(firstMs - ARCHIVED_AFTER_MS),
    log: silentLog,
    onFatal: (error) => {
      throw error;
    },
  });
  for (const record of payments) await store.commit({ put: [{ kind: 'payment', record }] });
  await store.close();
  return payments.map(({ id }) => id);
};

const ended = (atMs: number): Payment => {
  const { due: _, ...payment } = aPayment({
    id: newTransactionId(atMs - 60_000),
    state: 'completed',
    confirmedAtMs: atMs - 60_000,
    submittedAtMs: atMs - 60_000,
    settledAtMs: atMs,
  });
  return payment;
};
