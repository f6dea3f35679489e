import { closedDayOf, doubtOf } from '../records/closed-day.ts';
import type { Payment } from '../records/payment.ts';
import type { AuditRow } from '../records/records.ts';
import type { Store } from '../store/store.ts';
import { dayAt } from '../values/calendar-day.ts';
import type { Cause } from './payment-audit.ts';

const CORRECTED = 'corrected';

/**
 * The audit rows for the commit of a changed payment: one for each closed day on which it was confirmed or settled, if
 * its line or the sum of that day changes.
 */
export const correctionRows = async (
  { store, timeZone }: { readonly store: Pick<Store, 'get'>; readonly timeZone: string },
  {
    before,
    after,
    cause,
  }: { readonly before: Payment; readonly after: Payment; readonly cause: Cause },
  nowMs: number,
): Promise<AuditRow[]> => {
  const was = doubtOf(before) ?? before.state;
  const is = doubtOf(after) ?? after.state;
  // As with most callbacks.
  if (was === is) return [];
  const { id, confirmedAtMs, settledAtMs = confirmedAtMs, terms } = after;
  const days = new Set([confirmedAtMs, settledAtMs].map((ms) => dayAt(ms, timeZone)));
  // Closed for its merchant, or for all payments before there were several merchants.
  const merchants = new Set([undefined, terms.merchant]);
  const closed = [...days].flatMap((day) =>
    [...merchants].map((merchant) => closedDayOf({ day, merchant })),
  );
  const found = await Promise.all(closed.map((each) => store.get('setting', each.id)));
  const { who, where } = cause;
  return found
    .filter((setting) => setting !== undefined)
    .map((setting) => ({
      atMs: nowMs,
      kind: 'setting',
      id: setting.id,
      what: CORRECTED,
      before: was,
      after: is,
      ...(who === undefined ? {} : { who }),
      ...(where === undefined ? {} : { where }),
      detail: { paymentId: id, amount: terms.amount },
    }));
};

/** Whether a row of a closed day is a correction. */
export const isCorrection = ({ what }: AuditRow): boolean => what === CORRECTED;
