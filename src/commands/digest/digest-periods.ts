import type { DigestPeriod } from '../../core/records/digest.ts';
import { addedUp } from '../../core/records/payment-figures.ts';
import { defined } from '../../core/runtime/defined.ts';
import { type CalendarDay, firstOfMonth, mondayOf } from '../../core/values/calendar-day.ts';
import { type Period, periodOf } from '../../core/values/period.ts';
import { periodBefore } from '../../core/values/period-before.ts';
import type { DayFigure } from '../figures/sums.ts';

export const DIGEST_GROUPS = ['requester', 'place', 'merchant'] as const;
export type DigestFigure = DayFigure<(typeof DIGEST_GROUPS)[number]>;

type ReadPeriod = {
  readonly of: DigestPeriod['of'];
  readonly period: Period;
  readonly before: Period;
  readonly figures: readonly DigestFigure[];
  readonly figuresBefore: readonly DigestFigure[];
};

/**
 * The week and the month that ended since a digest was told, of which there are figures from the first one of the new week or
 * month on: a program that was off on Monday tells the week on Tuesday.
 */
export const readPeriods = async (
  figuresOf: (period: Period) => Promise<DigestFigure[]>,
  { day, toldDay, timeZone }: { day: CalendarDay; toldDay: CalendarDay; timeZone: string },
): Promise<ReadPeriod[]> => {
  const [monday, first] = [mondayOf(day), firstOfMonth(day)];
  const over = [
    { of: 'week', next: monday, firstDay: monday - 7, step: 'a week' },
    { of: 'month', next: first, firstDay: firstOfMonth(first - 1), step: 'a month' },
  ] as const;
  const read: ReadPeriod[] = [];
  for (const { of, next, firstDay, step } of over) {
    if (next <= toldDay) continue;
    const period = periodOf(firstDay, next - 1, timeZone);
    const before = periodBefore(period, step, { nowMs: period.untilMs, timeZone });
    const [figures, figuresBefore] = [await figuresOf(period), await figuresOf(before)];
    read.push({ of, period, before, figures, figuresBefore });
  }
  return read;
};

/** Those of one scope, as they are stored. */
export const digestPeriod = (
  { of, period, before, figures, figuresBefore }: ReadPeriod,
  ours: (figures: readonly DigestFigure[]) => readonly DigestFigure[],
): DigestPeriod => ({
  of,
  firstDay: period.firstDay,
  lastDay: period.lastDay,
  figures: added(ours(figures)),
  before: {
    firstDay: before.firstDay,
    lastDay: before.lastDay,
    figures: added(ours(figuresBefore)),
  },
});

/** By day, state, currency and flag alone. */
const added = (figures: readonly DigestFigure[]): DayFigure[] => {
  const plain = figures.map(
    ({ day, state, currency, flag, count, amountMinor, givenBackMinor }) => {
      return { day, state, currency, flag, count, amountMinor, ...defined({ givenBackMinor }) };
    },
  );
  const keyOf = ({ day, state, currency, flag }: DayFigure) =>
    `${day} ${state} ${currency} ${flag}`;
  return [...addedUp(plain, keyOf).values()];
};
