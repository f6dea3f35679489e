import type { TodayFigures } from '../../core/records/kept-day.ts';
import type { PaymentFigure } from '../../core/records/payment-figures.ts';
import { defined } from '../../core/runtime/defined.ts';
import { type CalendarDay, dayAt } from '../../core/values/calendar-day.ts';
import type { Conversation, Person } from '../../core/values/conversation.ts';
import { type Period, periodOf } from '../../core/values/period.ts';
import { periodBefore } from '../../core/values/period-before.ts';
import type { Services } from '../command.ts';
import { inScope, SCOPE_GROUPS, type ScopedFigure, scopeOf, summed } from '../figures/scope.ts';
import { figuresByDay } from '../figures/sums.ts';
import { sumsByGroup } from '../figures/sums-by-group.ts';

export type TodayFrom = Pick<Services, 'store' | 'notify' | 'settings' | 'clock'>;

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
  const ours = async (period: Period): Promise<ScopedFigure[]> =>
    inScope(await figuresByDay(from.store, period, timeZone, SCOPE_GROUPS), scope, from).filter(
      ({ requester }) => only === undefined || requester === only,
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
    now: steady(now),
    weekBefore: { untilMs: before.untilMs, figures: steady(await ours(before)) },
    people: person === undefined ? people : [],
  };
};

/** In an order that does not change. */
const steady = (figures: readonly ScopedFigure[]): PaymentFigure[] => {
  const keyOf = ({ state, currency }: PaymentFigure): string => `${state} ${currency}`;
  return summed(figures).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
};
