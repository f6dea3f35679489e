import type { DigestPeriod } from '../../core/records/digest.ts';
import { addedUp } from '../../core/records/payment-figures.ts';
import { type CalendarDay, firstOfMonth, mondayOf } from '../../core/values/calendar-day.ts';
import { type Period, periodOf } from '../../core/values/period.ts';
import { periodBefore } from '../../core/values/period-before.ts';
import type { ScopedFigure } from '../figures/scope.ts';
import type { DayFigure } from '../figures/sums.ts';

type Ours = (figures: readonly ScopedFigure[]) => readonly ScopedFigure[];

/**
 * The week and the month that ended since a digest was told, of which there are figures from the first one of the new week or
 * month on: a program that was off on Monday tells the week on Tuesday. Each is read once, and asked for by each scope.
 */
export const readPeriods = async (
  figuresOf: (period: Period) => Promise<ScopedFigure[]>,
  { day, toldDay, timeZone }: { day: CalendarDay; toldDay: CalendarDay; timeZone: string },
): Promise<((ours: Ours) => DigestPeriod)[]> => {
  const [monday, first] = [mondayOf(day), firstOfMonth(day)];
  const over = [
    { of: 'week', next: monday, firstDay: monday - 7, step: 'a week' },
    { of: 'month', next: first, firstDay: firstOfMonth(first - 1), step: 'a month' },
  ] as const;
  const read: ((ours: Ours) => DigestPeriod)[] = [];
  for (const { of, next, firstDay, step } of over) {
    if (next <= toldDay) continue;
    const period = periodOf(firstDay, next - 1, timeZone);
    const before = periodBefore(period, step, { nowMs: period.untilMs, timeZone });
    const [now, then] = [await figuresOf(period), await figuresOf(before)];
    read.push((ours) => {
      const [figures, figuresBefore] = [added(ours(now)), added(ours(then))];
      return { of, period, before, figures, figuresBefore };
    });
  }
  return read;
};

/** By day, state, currency and flag alone. */
const added = (figures: readonly ScopedFigure[]): DayFigure[] => {
  const plain = figures.map(({ requester: _, place: __, merchant: ___, ...rest }) => rest);
  const keyOf = ({ day, state, currency, flag }: DayFigure) =>
    `${day} ${state} ${currency} ${flag}`;
  return [...addedUp(plain, keyOf).values()];
};
