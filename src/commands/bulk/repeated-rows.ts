import { OPEN_STATES, type Payment } from '../../core/records/payment.ts';
import { everyPayment } from '../../core/store/store.ts';
import type { Money } from '../../core/values/money.ts';
import type { Services } from '../command.ts';
import type { ChargeRow } from './read-charge-rows.ts';

const RECENT_MS = 600_000;
const PAGE = 500;
/** Of so many payments at most; the newest are the likeliest. */
const MOST_LOOKED_AT = 5_000;

/** Rows like a charge that is open or was paid minutes ago: of another file, or typed. */
export const repeatedRows = async (
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  rows: readonly ChargeRow[],
): Promise<readonly number[]> => {
  const charged = new Set<string>();
  let left = MOST_LOOKED_AT;
  const filters = [
    { states: OPEN_STATES },
    { states: ['completed'] as const, endedSinceMs: clock.now() - RECENT_MS },
  ];
  for (const filter of filters)
    for await (const payment of everyPayment(store, filter, PAGE)) {
      charged.add(likeness(payment.terms));
      left--;
      if (left <= 0) break;
    }
  return rows.filter((row) => charged.has(likeness(row))).map(({ row }) => row);
};

const likeness = ({
  customerNumber,
  amount,
}: Pick<Payment['terms'], 'customerNumber'> & { readonly amount: Money }): string =>
  `${customerNumber} ${amount.currency} ${amount.amountMinor}`;
