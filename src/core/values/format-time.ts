import { type CalendarDay, dateOf, dayAt, mondayOf, partsOf } from './calendar-day.ts';

/** Our own names: what a locale abbreviates to changes with the version of Node (`Sep`, `Sept`). */
export const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
export const MONTH_NAMES =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const WEEKDAYS = 'Mon Tue Wed Thu Fri Sat Sun'.split(' ');

/** From where a time is looked at: `today` is the day of `nowMs` in this zone. */
export type Moment = { readonly timeZone: string; readonly nowMs: number };

/**
 * A time in an answer, read at once: `today 14:02`, `yesterday 09:15`, `Fri 20 Nov 09:15`, with the
 * year when that is another one. A message that stays takes `showBeside`: its `today` would become untrue.
 */
export const showNear = (ms: number, { timeZone, nowMs }: Moment): string => {
  const [day, today] = [dayAt(ms, timeZone), dayAt(nowMs, timeZone)];
  const clock = showClock(ms, timeZone);
  if (day === today) return `today ${clock}`;
  if (day === today - 1) return `yesterday ${clock}`;
  return dateOf(day).year === dateOf(today).year
    ? showDay(ms, timeZone)
    : `${weekday(day)} ${showCalendarDay(day)} ${clock}`;
};

/** A time in a line of a list: `14:02` on `day`, else `20 Nov 14:02`, and of another year `20 Nov 2025`. @param day the list is of it; undefined: today. */
export const showInList = (
  ms: number,
  { timeZone, nowMs }: Moment,
  day = dayAt(nowMs, timeZone),
): string => {
  const own = dayAt(ms, timeZone);
  if (own === day) return showClock(ms, timeZone);
  return dateOf(own).year === dateOf(dayAt(nowMs, timeZone)).year
    ? `${dayAndMonth(own)} ${showClock(ms, timeZone)}`
    : showCalendarDay(own);
};

/** A time in a message of `messageMs`, which the chat dates: `14:02` of the same day, else `Fri 20 Nov 09:15`. */
export const showBeside = (messageMs: number, ms: number, timeZone: string): string =>
  dayAt(ms, timeZone) === dayAt(messageMs, timeZone)
    ? showClock(ms, timeZone)
    : showDay(ms, timeZone);

/** `Fri 20 Nov 09:15`: true whenever it is read. The chat dates the message, so the year is left out. */
export const showDay = (ms: number, timeZone: string): string =>
  `${showWeekday(dayAt(ms, timeZone))} ${showClock(ms, timeZone)}`;

/** `Fri 20 Nov` */
export const showWeekday = (day: CalendarDay): string => `${weekday(day)} ${dayAndMonth(day)}`;

const weekday = (day: CalendarDay): string => WEEKDAYS[day - mondayOf(day)] ?? '';

/** `20 Nov` */
export const dayAndMonth = (calendar: CalendarDay): string => {
  const { day, month } = dateOf(calendar);
  return `${day} ${MONTHS[month - 1]}`;
};

/** `November` */
export const monthName = (day: CalendarDay): string => MONTH_NAMES[dateOf(day).month - 1] ?? '';

/** `20 Nov 2026` */
export const showCalendarDay = (day: CalendarDay): string =>
  `${dayAndMonth(day)} ${dateOf(day).year}`;

/** To the minute with its year, for reports and files: `21 Nov 2026, 14:05` */
export const showTime = (ms: number, timeZone: string): string =>
  `${showDate(ms, timeZone)}, ${showClock(ms, timeZone)}`;

/** `21 Nov 2026` */
export const showDate = (ms: number, timeZone: string): string =>
  showCalendarDay(dayAt(ms, timeZone));

/** `14:05` */
export const showClock = (ms: number, timeZone: string): string => {
  const { hour, minute } = partsOf(ms, timeZone);
  return `${hour}:${minute}`;
};

/** `14:05:09` */
export const showSecond = (ms: number, timeZone: string): string => {
  // The offsets of all zones are whole minutes since 1972.
  const second = String(Math.floor(ms / 1_000) % 60).padStart(2, '0');
  return `${showClock(ms, timeZone)}:${second}`;
};
