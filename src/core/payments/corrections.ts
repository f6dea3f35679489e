import { type Correction, closedDayOf, doubtOf } from '../records/closed-day.ts';
import { givenBackOf } from '../records/given-back.ts';
import type { Payment } from '../records/payment.ts';
import type { AuditRow } from '../records/records.ts';
import { defined } from '../runtime/defined.ts';
import type { Store } from '../store/store.ts';
import { dayAt } from '../values/calendar-day.ts';
import { formatMoney } from '../values/money.ts';
import type { Changed } from './payment-audit.ts';

const CORRECTED = 'corrected';

/**
 * The audit rows for the commit of a changed payment: one for each closed day from its confirmation to its outcome, all
 * of which list it or count it, if its line or the sum of that day changes. What was confirmed after a day was closed is
 * no part of what was closed.
 */
export const correctionRows = async (
  { store, timeZone }: { readonly store: Pick<Store, 'get'>; readonly timeZone: string },
  { before, after, cause }: Changed,
  nowMs: number,
): Promise<AuditRow[]> => {
  const [was, is] = [wordOf(before), wordOf(after)];
  // As with most callbacks.
  if (was === is) return [];
  const { id, confirmedAtMs, settledAtMs = nowMs, terms } = after;
  const lastDay = dayAt(settledAtMs, timeZone);
  // What was given back belongs to the sum of the last day alone.
  const isGiven = before.givenBack?.length !== after.givenBack?.length;
  const firstDay = isGiven ? lastDay : dayAt(confirmedAtMs, timeZone);
  const days = Array.from({ length: Math.max(1, lastDay + 1 - firstDay) }, (_, at) =>
    closedDayOf({ day: firstDay + at, merchant: terms.merchant }),
  );
  const closed = await Promise.all(days.map((day) => day.in(store)));
  return days
    .filter((_, at) => (closed[at]?.atMs ?? 0) > confirmedAtMs)
    .map((day) => ({
      atMs: nowMs,
      kind: 'setting',
      id: day.id,
      what: CORRECTED,
      before: was,
      after: is,
      ...defined({ who: cause.who, where: cause.where }),
      detail: { paymentId: id, amount: terms.amount },
    }));
};

/** What a closed day says of a payment. */
const wordOf = (payment: Payment): string => {
  const given = givenBackOf(payment);
  const word = doubtOf(payment) ?? payment.state;
  return given.amountMinor === 0 ? word : `${word}, ${formatMoney(given)} given back`;
};

/** What was corrected of the closed day with this id, oldest first. */
export const correctionsOf = async (
  store: Pick<Store, 'auditOf'>,
  id: string,
): Promise<Correction[]> =>
  (await store.auditOf(id))
    .filter(({ what }) => what === CORRECTED)
    .map(({ atMs, before, after, detail }) => {
      // Only Paythread writes it.
      const what = detail as Pick<Correction, 'paymentId' | 'amount'>;
      return { ...what, atMs, before: before ?? '', after: after ?? '' };
    });
