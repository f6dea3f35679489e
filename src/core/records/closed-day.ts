import { type CalendarDay, isoDate } from '../values/calendar-day.ts';
import type { Person } from '../values/conversation.ts';
import type { Money } from '../values/money.ts';
import { OPEN_STATES, type Payment } from './payment.ts';
import type { Sum } from './payment-figures.ts';
import { type StoredValue, storedJson } from './stored-values.ts';

/** Why it is not certain what the payment service did with a payment. */
export type Doubt = 'pending' | 'unknown' | 'in conflict' | 'perhaps reversed';

/** `atMs`: when it was asked; `answeredAtMs`: absent in what 0.12 closed. */
export type BalanceAt = {
  readonly amountMinor: number;
  readonly atMs: number;
  readonly answeredAtMs?: number;
};

export type DayFigures = {
  /** The collection balance in the default currency as last told on the day before; absent: it was not told. */
  readonly opening?: BalanceAt;
  /** As last told on the day. */
  readonly closing?: BalanceAt;
  /** Completed on the day, by when they settled. */
  readonly collected: readonly Sum[];
  /** In the default currency, confirmed after the opening balance and completed before the beginning of the day. */
  readonly earlyMinor: number;
  /** In the default currency, confirmed after the closing balance and completed on the day. */
  readonly lateMinor: number;
  /** Payments that may explain a difference, in the words of their line. */
  readonly doubts: readonly (Sum & { readonly doubt: string })[];
  /** What of the balance none of these explains; `upToMinor`: they are too many to try each. Absent: a balance is missing, or 0.12 closed the day. */
  readonly unexplained?: { readonly amountMinor: number; readonly upToMinor?: number };
  /** Callbacks of the day for payments that are not stored here. */
  readonly strays: number;
};

export type ClosedDay = {
  readonly figures: DayFigures;
  readonly by: Person;
  readonly atMs: number;
};

/** A payment of a closed day that became another one: its state, or the doubt about it, `before` and `after`. */
export type Correction = {
  readonly paymentId: string;
  readonly amount: Money;
  readonly before: string;
  readonly after: string;
  readonly atMs: number;
};

/** A day of a merchant; without one, of what belongs to none: there was one shop. */
export type ShopDay = { readonly day: CalendarDay; readonly merchant?: string | undefined };

/** A day that was closed; its audit rows, corrections included, have the same id. */
export const closedDayOf = ({ day, merchant }: ShopDay): StoredValue<ClosedDay> =>
  storedJson(`closed.${isoDate(day)}${merchant === undefined ? '' : `@${merchant}`}`);

/** The doubt about a payment; undefined: there is none. */
export const doubtOf = ({ state, flag }: Pick<Payment, 'state' | 'flag'>): Doubt | undefined => {
  if (flag === 'conflict') return state === 'completed' ? 'perhaps reversed' : 'in conflict';
  if (state === 'unknown') return state;
  return OPEN_STATES.includes(state) ? 'pending' : undefined;
};
