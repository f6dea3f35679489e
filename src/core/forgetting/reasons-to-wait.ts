import { formatMoney } from '../money.ts';
import { LAST_LOOK_AFTER_MS } from '../payments/check-schedule.ts';
import { isOpen } from '../payments/payment.ts';
import type { Put } from '../store/store.ts';

/** Something that still needs the number: what it is, for people, and until when, where that is known. */
export type ReasonToWait = { readonly what: string; readonly untilMs?: number };

/** Why a record that would lose the number cannot lose it yet; undefined: it can. */
export const reasonToWait = (
  { kind, record }: Put,
  { nowMs, isWatched }: { nowMs: number; isWatched: (paymentId: string) => boolean },
): ReasonToWait | undefined => {
  if (kind === 'payment') {
    const payment = `payment ${record.id} (${formatMoney(record.terms.amount)})`;
    if (isOpen(record)) return { what: `${payment} has no outcome yet` };
    if (!isWatched(record.id)) return undefined;
    const endedAtMs = record.settledAtMs ?? record.confirmedAtMs;
    return {
      what: `${payment} has ended, and is looked at again for a day`,
      untilMs: endedAtMs + LAST_LOOK_AFTER_MS,
    };
  }
  if (kind === 'draft') {
    const isShown = record.status === 'open' || record.status === 'awaiting approval';
    if (!isShown || record.expiresAtMs <= nowMs) return undefined;
    const what = record.what.kind === 'sms' ? 'an SMS' : `charge ${record.what.paymentId}`;
    return { what: `${what} is shown for confirmation`, untilMs: record.expiresAtMs };
  }
  if (kind === 'sms' && record.due?.queue === 'sms')
    return { what: `SMS ${record.id} is being sent` };
  return undefined;
};
