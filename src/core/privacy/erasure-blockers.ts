import { isOpen } from '../records/payment.ts';
import type { Put } from '../records/records.ts';
import { formatMoney } from '../values/money.ts';

/** Something that still needs the number: what it is, for people, and until when, where that is known. */
export type ReasonToWait = { readonly what: string; readonly untilMs?: number };

/** Why a record that would lose the number cannot lose it yet; undefined: it can. */
export const reasonToWait = ({ kind, record }: Put, nowMs: number): ReasonToWait | undefined => {
  if (kind === 'payment')
    // One that ended is asked about by its id alone.
    return isOpen(record)
      ? {
          what: `payment ${record.id} (${formatMoney(record.terms.amount)}) has no outcome yet`,
        }
      : undefined;
  if (kind === 'draft') {
    const isShown = record.status === 'open' || record.status === 'awaiting approval';
    if (!isShown || record.expiresAtMs <= nowMs) return undefined;
    const what = record.kind === 'sms' ? 'an SMS' : `charge ${record.paymentId}`;
    return { what: `${what} is shown for confirmation`, untilMs: record.expiresAtMs };
  }
  if (kind === 'sms' && record.due?.queue === 'sms')
    return { what: `SMS ${record.id} is being sent` };
  return undefined;
};
