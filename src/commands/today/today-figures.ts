import type { DigestScope } from '../../core/records/digest.ts';
import type { TodayFigures } from '../../core/records/kept-day.ts';
import { addedUp, type PaymentFigure } from '../../core/records/payment-figures.ts';
import { dayAt } from '../../core/values/calendar-day.ts';
import type { Person } from '../../core/values/conversation.ts';
import { periodOf } from '../../core/values/period.ts';
import { periodBefore } from '../../core/values/period-before.ts';
import type { Services } from '../command.ts';
import { isInScope } from '../figures/scope.ts';
import { type DayFigure, figuresByDay } from '../figures/sums.ts';
import { placed, sumsByGroup } from '../figures/sums-by-group.ts';

export type TodayFrom = Pick<Services, 'store' | 'notify' | 'settings' | 'clock'>;

const BY = ['requester', 'place', 'merchant'] as const;
type Figure = DayFigure<(typeof BY)[number]>;

const MOST_PEOPLE = 6;

/** The day so far, of the payments in scope; of a person alone where one is given. */
export const todayFigures = async (
  from: TodayFrom,
  scope: DigestScope,
  person?: Person,
): Promise<TodayFigures> => {
  const { timeZone } = from.settings;
  const nowMs = from.clock.now();
  const day = dayAt(nowMs, timeZone);
  const today = periodOf(day, day, timeZone);
  const before = periodBefore(today, 'a week', { nowMs, timeZone });
  const requesterOf = person && `${person.platform}:${person.id}`;
  const ours = async (period: typeof today): Promise<Figure[]> =>
    (await figuresByDay(from.store, period, timeZone, BY)).filter(
      ({ merchant, place, requester }) =>
        isInScope(scope, merchant, placed(place, requester), from) &&
        (requesterOf === undefined || requester === requesterOf),
    );
  const now = await ours(today);
  const { rows } = await sumsByGroup(now, 'person', from, MOST_PEOPLE);
  return {
    ...scope,
    ...(person === undefined ? {} : { person: person.name }),
    day,
    atMs: nowMs,
    now: summed(now),
    weekBefore: { untilMs: before.untilMs, figures: summed(await ours(before)) },
    people:
      person === undefined
        ? rows.map(({ label, sums: { amounts, completed } }) => ({ label, amounts, completed }))
        : [],
  };
};

/** By state, currency and flag, in an order that does not change: the same figures are the same text. */
const summed = (figures: readonly Figure[]): PaymentFigure[] => {
  const plain = figures.map(
    ({ day: _, requester: __, place: ___, merchant: ____, ...rest }) => rest,
  );
  const keyOf = ({ state, currency, flag }: PaymentFigure) => `${state} ${currency} ${flag}`;
  return [...addedUp(plain, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
};
