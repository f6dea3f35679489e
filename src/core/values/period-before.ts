import { type CalendarDay, firstOfMonth, startOfDay } from './calendar-day.ts';
import type { Moment } from './format-time.ts';
import type { Period } from './period.ts';

/** How far before a period the one lies that it is compared with: as many days as it has, a week or a month. */
export type Step = 'its days' | NonNullable<Period['step']>;

/**
 * What a period is compared with: a month that is over with the whole month before. While its last day is not over, that
 * is cut off at the same time of day: a morning is not compared with a whole day.
 */
export const periodBefore = (period: Period, step: Step, { nowMs, timeZone }: Moment): Period => {
  const back = (day: CalendarDay): CalendarDay => {
    if (step === 'a month') return monthBefore(day);
    return day - (step === 'a week' ? 7 : period.lastDay - period.firstDay + 1);
  };
  const isOver = period.untilMs <= nowMs;
  const isMonth = step === 'a month' && isOver && firstOfMonth(period.lastDay + 1) > period.lastDay;
  const firstDay = back(period.firstDay);
  const lastDay = isMonth ? period.firstDay - 1 : back(period.lastDay);
  const endMs = startOfDay(lastDay + 1, timeZone);
  const sameTimeMs = startOfDay(lastDay, timeZone) + nowMs - startOfDay(period.lastDay, timeZone);
  return {
    firstDay,
    lastDay,
    fromMs: startOfDay(firstDay, timeZone),
    untilMs: isOver ? endMs : Math.min(endMs, sameTimeMs),
  };
};

/** The same day of the month before, or the last one that it has. */
const monthBefore = (day: CalendarDay): CalendarDay => {
  const first = firstOfMonth(day);
  const lastBefore = first - 1;
  return Math.min(lastBefore, firstOfMonth(lastBefore) + (day - first));
};
