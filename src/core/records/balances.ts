import { type CalendarDay, isoDate } from '../values/calendar-day.ts';
import type { WatchedBalance } from './notice.ts';
import { type StoredValue, storedJson } from './stored-values.ts';

/** What the payment service said it holds for the shop: decimal text as it came; absent where it told none. */
export type ToldBalances = {
  readonly sms?: string;
  readonly payout?: string;
  readonly collection?: string;
  readonly atMs: number;
  /** When the answer came: payments that settle in between may be in it or not. Absent in what 0.12 stored. */
  readonly answeredAtMs?: number;
};

/** `low`: those that the operators were told of and that have not recovered since. */
export type BalanceWatch = {
  /** Whose they are; absent: there is one merchant. */
  readonly merchant?: string;
  readonly told?: ToldBalances;
  readonly low: readonly WatchedBalance[];
};

/** The last answer, over all instances. It is due when the payment service is to be asked again. */
export const balanceWatchOf = (merchant?: string): StoredValue<BalanceWatch> =>
  storedJson(merchant === undefined ? 'balances' : `balances.${merchant}`);

/** The last answer of a day, which is what its end is known by. */
export const balancesOf = (day: CalendarDay, merchant?: string): StoredValue<ToldBalances> =>
  storedJson(`${balanceWatchOf(merchant).id}:${isoDate(day)}`);
