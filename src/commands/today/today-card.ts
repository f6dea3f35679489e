import type { KeptDay, TodayFigures } from '../../core/records/kept-day.ts';
import { dayAt } from '../../core/values/calendar-day.ts';
import { showClock, showWeekday } from '../../core/values/format-time.ts';
import { type Card, cardOf, part } from '../cards/card.ts';
import type { CommandSettings } from '../command.ts';
import { sumsOf } from '../figures/sums.ts';
import { amountsAndNet, beforeText, shown, totalsText } from '../figures/sums-text.ts';

/** What was taken so far on a day: the totals, by person, beside the same weekday. */
export const todayCard = (
  figures: TodayFigures,
  { timeZone, currency }: Pick<CommandSettings, 'timeZone' | 'currency'>,
  { isPinRefused, buttons = [] }: Pick<KeptDay, 'isPinRefused'> & Pick<Card, 'buttons'>,
): Card => {
  const { merchant, branch, person, day, atMs, now, weekBefore, people } = figures;
  const of = [merchant, branch, person].filter((name) => name !== undefined).join(', ');
  const isOver = dayAt(atMs, timeZone) !== day;
  return cardOf(
    `Today${of === '' ? '' : `, ${of}`}: ${showWeekday(day)}`,
    [
      part.text(totalsText({ totals: now, isWhole: true }, currency)),
      part.list(
        people.map(
          ({ label, amounts, completed }) =>
            `${label} · ${amountsAndNet(amounts, currency)} · ${shown(completed)} completed`,
        ),
      ),
      part.facts({
        label: `${showWeekday(day - 7)}${isOver ? '' : ` until ${showClock(weekBefore.untilMs, timeZone)}`}`,
        value: beforeText(sumsOf(weekBefore.figures), sumsOf(now), currency),
      }),
      isPinRefused && part.note('I may not pin here. Ask the owner to let me.'),
      part.note(isOver ? 'This day is over.' : `As of ${showClock(atMs, timeZone)}.`),
    ],
    { buttons },
  );
};
