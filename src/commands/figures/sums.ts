import { OPEN_STATES } from '../../core/records/payment.ts';
import {
  collectedIn,
  countedIn,
  countOf,
  type FigureGroup,
  type FiguresAsked,
  type PaymentFigure,
  type Sum,
} from '../../core/records/payment-figures.ts';
import { nextTurn } from '../../core/runtime/turn-budget.ts';
import type { Store } from '../../core/store/store.ts';
import { type CalendarDay, startOfDay } from '../../core/values/calendar-day.ts';
import type { Period } from '../../core/values/period.ts';

export type DayFigure<Group extends FigureGroup = never> = PaymentFigure<Group> & {
  readonly day: CalendarDay;
};

/** The figures of a period by the day that payments were confirmed on; between two days others have their turn. */
export const figuresByDay = async <Group extends FigureGroup = never>(
  store: Pick<Store, 'paymentFigures'>,
  period: Period,
  timeZone: string,
  by: readonly Group[] = [],
  of: Pick<FiguresAsked, 'merchant'> = {},
): Promise<DayFigure<Group>[]> => {
  const found: DayFigure<Group>[] = [];
  let fromMs = period.fromMs;
  for (let day = period.firstDay; day <= period.lastDay; day++) {
    const untilMs = Math.min(period.untilMs, startOfDay(day + 1, timeZone));
    const figures = await store.paymentFigures({ time: 'confirmed', fromMs, untilMs, by, ...of });
    for (const figure of figures) found.push({ ...figure, day });
    fromMs = untilMs;
    await nextTurn();
  }
  return found;
};

export type Sums = {
  /** All of them, however they ended. */
  readonly count: number;
  readonly completed: number;
  /** With an outcome. */
  readonly ended: number;
  readonly open: number;
  readonly conflicts: number;
  /** What is completed, by currency; those with the most payments first. */
  readonly amounts: readonly Sum[];
};

export const sumsOf = (figures: readonly PaymentFigure[]): Sums => {
  const open = countOf(figures, OPEN_STATES);
  const count = countedIn(figures);
  return {
    count,
    completed: countOf(figures, ['completed']),
    ended: count - open,
    open,
    conflicts: countedIn(figures.filter(({ flag }) => flag === 'conflict')),
    amounts: collectedIn(figures).sort((a, b) => b.count - a.count),
  };
};

/** The seconds within which so large a part of the completed payments was paid; undefined: there is none. */
export const secondsWithin = (
  figures: readonly PaymentFigure<'secondsToSettle'>[],
  part: number,
): number | undefined => {
  const paid = figures
    .flatMap(({ state, secondsToSettle, count }) =>
      state === 'completed' && secondsToSettle !== null ? [{ secondsToSettle, count }] : [],
    )
    .sort((a, b) => a.secondsToSettle - b.secondsToSettle);
  let left = part * countedIn(paid);
  return paid.find(({ count }) => {
    left -= count;
    return left <= 0;
  })?.secondsToSettle;
};
