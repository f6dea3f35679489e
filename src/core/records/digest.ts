import { type CalendarDay, isoDate } from '../values/calendar-day.ts';
import type { Period } from '../values/period.ts';
import type { ToldBalances } from './balances.ts';
import type { Correction } from './closed-day.ts';
import type { PaymentFigure, Sum } from './payment-figures.ts';
import { type StoredValue, storedJson } from './stored-values.ts';

/** Whose payments a conversation is told of; both absent: all. */
export type DigestScope = { readonly merchant?: string; readonly branch?: string };

/** What a person, a branch or a merchant was paid, by currency. */
export type DigestRow = {
  readonly label: string;
  readonly amounts: readonly Omit<Sum, 'count'>[];
};

/** A week or a month that is over, beside the one before it. */
export type DigestPeriod = {
  readonly of: 'week' | 'month';
  readonly period: Period;
  readonly before: Period;
  readonly figures: readonly (PaymentFigure & { readonly day: CalendarDay })[];
  readonly figuresBefore: readonly PaymentFigure[];
};

type DayFigures = { readonly day: CalendarDay; readonly figures: readonly PaymentFigure[] };

/** The summary of a day up to `atMs`, as it was told. It names no customer. */
export type Digest = DigestScope & {
  readonly day: CalendarDay;
  readonly atMs: number;
  readonly now: readonly PaymentFigure[];
  /** The same weekday a week before, up to the same time of day. */
  readonly weekBefore: { readonly untilMs: number; readonly figures: readonly PaymentFigure[] };
  /** The commonest reason of the newest `of` failed payments. */
  readonly failed?: { readonly reason: string; readonly count: number; readonly of: number };
  /** Without what came with files. */
  readonly people: readonly DigestRow[];
  /** What files brought in; absent before 0.16. */
  readonly files?: DigestRow['amounts'];
  readonly branches: readonly DigestRow[];
  readonly merchants: readonly DigestRow[];
  /** Payments that a person has to look into, the newest of them by name. `isWhole`: no more than `count`. */
  readonly attention: {
    readonly count: number;
    readonly isWhole: boolean;
    readonly newest: readonly { readonly paymentId: string }[];
  };
  readonly balances: readonly { readonly merchant?: string; readonly told: ToldBalances }[];
  /** What the days before have come to by now. The next digest tells those that have changed. */
  readonly daysBefore: readonly DayFigures[];
  /** Told on Mondays and on the 1st, each with a picture; absent on other days, and before 0.16. */
  readonly periods?: readonly DigestPeriod[];
  /** Days that are no longer as they were told; without `told`, one that no digest told. */
  readonly changed: readonly (DayFigures & { readonly told?: readonly PaymentFigure[] })[];
  /** Corrections of closed days since the digest before, newest first. */
  readonly corrections: readonly (Omit<Correction, 'atMs'> & { readonly day: CalendarDay })[];
};

/** A day's digests, one for each conversation. Its first version is the right to tell that day. */
export const digestsOf = (day: CalendarDay): StoredValue<readonly Digest[]> =>
  storedJson(`digest:${isoDate(day)}`);

/** Due when the next day is to be told. `last`: the day that was told last. */
export const digestWatch = storedJson<{ readonly last?: CalendarDay }>('digest');
