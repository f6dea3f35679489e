import type { TodayFigures } from '../../core/records/kept-day.ts';
import { addedUp, type PaymentFigure } from '../../core/records/payment-figures.ts';
import { defined } from '../../core/runtime/defined.ts';
import { type CalendarDay, dayAt } from '../../core/values/calendar-day.ts';
import type { Conversation, Person } from '../../core/values/conversation.ts';
import { type Period, periodOf } from '../../core/values/period.ts';
import { periodBefore } from '../../core/values/period-before.ts';
import type { Services } from '../command.ts';
import { isInScope, scopeOf } from '../figures/scope.ts';
import { type DayFigure, figuresByDay } from '../figures/sums.ts';
import { placed, sumsByGroup } from '../figures/sums-by-group.ts';

export type TodayFrom = Pick<Services, 'store' | 'notify' | 'settings' | 'clock'>;

const BY = ['requester', 'place', 'merchant'] as const;
type Figure = DayFigure<(typeof BY)[number]>;

const MOST_PEOPLE = 6;

/** The day so far, or a whole day before, of what a conversation is told of; of a person alone where one is given. */
export const todayFigures = async (
  from: TodayFrom,
  conversation: Conversation,
  of: { readonly person?: Person | undefined; readonly day?: CalendarDay } = {},
): Promise<TodayFigures> => {
  const { timeZone } = from.settings;
  const nowMs = from.clock.now();
  const { person, day = dayAt(nowMs, timeZone) } = of;
  const today = periodOf(day, day, timeZone);
  const before = periodBefore(today, 'a week', { nowMs, timeZone });
  const scope = scopeOf(conversation, from);
  const only = person && `${person.platform}:${person.id}`;
  const ours = async (period: Period): Promise<Figure[]> =>
    (await figuresByDay(from.store, period, timeZone, BY)).filter(
      ({ merchant, place, requester }) =>
        isInScope(scope, merchant, placed(place, requester), from) &&
        (only === undefined || requester === only),
    );
  const now = await ours(today);
  const { rows } = await sumsByGroup(now, 'person', from, MOST_PEOPLE);
  const people = rows.map(({ label, sums: { amounts, completed } }) => {
    return { label, amounts, completed };
  });
  return {
    ...scope,
    ...defined({ person: person?.name }),
    day,
    atMs: nowMs,
    now: summed(now),
    weekBefore: { untilMs: before.untilMs, figures: summed(await ours(before)) },
    people: person === undefined ? people : [],
  };
};

/** By state and currency, in an order that does not change. */
const summed = (figures: readonly Figure[]): PaymentFigure[] => {
  const plain = figures.map(({ day: _, requester: __, place: ___, merchant: ____, ...rest }) => {
    return { ...rest, flag: null };
  });
  return [...addedUp(plain, ({ state, currency }) => `${state} ${currency}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, sum]) => sum);
};
