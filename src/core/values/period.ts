import { type Parsed, parsed, wrong } from '../runtime/errors.ts';
import {
  type CalendarDay,
  calendarDay,
  dateOf,
  dayAt,
  firstOfMonth,
  mondayOf,
  startOfDay,
} from './calendar-day.ts';
import { MONTHS, type Moment } from './format-time.ts';

/** Whole days in one time zone. */
export type Period = {
  readonly firstDay: CalendarDay;
  /** In the period, and never later than today. */
  readonly lastDay: CalendarDay;
  /** The first moment of the first day. */
  readonly fromMs: number;
  /** The first moment after the last day. */
  readonly untilMs: number;
};

/** A period that the first words name, or what is wrong with it, and the words behind it. */
export type LeadingPeriod = { readonly period: Parsed<Period>; readonly rest: readonly string[] };

/** The most words a period has: `1 - 15 Nov 2026`. */
const MAX_WORDS = 5;

/**
 * Reads the `when` of a command: `today`, `yesterday`, `week` (from Monday on), `month`, `2026-11-15`, `15 Nov`,
 * `2026-11-01..2026-11-15`, `1-15 Nov`. A date without a year is the latest one that has begun; a range that goes on
 * after today ends today.
 * @returns undefined when the first words name no period.
 */
export const leadingPeriod = (
  words: readonly string[],
  moment: Moment,
): LeadingPeriod | undefined => {
  // The longest reading counts: `15 Nov 2025` is not 15 Nov and a search for 2025.
  for (let count = Math.min(words.length, MAX_WORDS); count > 0; count--) {
    const period = readPeriod(words.slice(0, count).join(' '), moment);
    if (period !== undefined) return { period, rest: words.slice(count) };
  }
  return undefined;
};

/** The period between two days; undefined when the second comes before the first, or is none of this century. */
export const periodFromDays = (
  firstDay: CalendarDay,
  lastDay: CalendarDay,
  timeZone: string,
): Period | undefined =>
  firstDay > lastDay || lastDay > LAST_DAY
    ? undefined
    : {
        firstDay,
        lastDay,
        fromMs: startOfDay(firstDay, timeZone),
        untilMs: startOfDay(lastDay + 1, timeZone),
      };

/** 31 December 2099 */
const LAST_DAY: CalendarDay = 47_481;

/** The whole text as a `when`; undefined when it is none. */
export const readPeriod = (text: string, moment: Moment): Parsed<Period> | undefined => {
  const typed = text.trim().toLowerCase();
  const today = dayAt(moment.nowMs, moment.timeZone);
  const days = readNamed(typed, today) ?? readDates(typed) ?? readInMonth(typed, today);
  if (days === undefined) return undefined;
  return days.ok ? periodOf(days.value, today, moment.timeZone) : days;
};

type Days = Pick<Period, 'firstDay' | 'lastDay'>;

/** A period in an answer: `today`, `yesterday`, `16 to 22 Nov`, with the year when that is another one. */
export const showPeriodNear = (period: Days, moment: Moment): string => {
  const { firstDay, lastDay } = period;
  const today = dayAt(moment.nowMs, moment.timeZone);
  if (firstDay === lastDay && lastDay === today) return 'today';
  if (firstDay === lastDay && lastDay === today - 1) return 'yesterday';
  return showDays(period, moment);
};

/** `22 Nov`, `16 to 22 Nov`, with the year when that is another one. */
export const showDays = (period: Days, { nowMs, timeZone }: Moment): string => {
  const { firstDay, lastDay } = period;
  const { year } = dateOf(dayAt(nowMs, timeZone));
  const isOtherYear = [firstDay, lastDay].some((day) => dateOf(day).year !== year);
  return isOtherYear ? showPeriod(period) : showPeriod(period).replace(/ \d{4}$/, '');
};

/** `15 Nov 2026`, `1 to 15 Nov 2026`, `28 Oct to 3 Nov 2026`. */
export const showPeriod = ({ firstDay, lastDay }: Days): string => {
  const last = showCalendarDay(lastDay);
  if (firstDay === lastDay) return last;
  const [from, to] = [dateOf(firstDay), dateOf(lastDay)];
  if (from.year !== to.year) return `${showCalendarDay(firstDay)} to ${last}`;
  return from.month === to.month ? `${from.day} to ${last}` : `${dayAndMonth(firstDay)} to ${last}`;
};

/** `15 Nov 2026` */
const showCalendarDay = (day: CalendarDay): string => `${dayAndMonth(day)} ${dateOf(day).year}`;

const dayAndMonth = (calendar: CalendarDay): string => {
  const { day, month } = dateOf(calendar);
  return `${day} ${MONTHS[month - 1]}`;
};

const readNamed = (typed: string, today: CalendarDay): Parsed<Days> | undefined => {
  const firstDay = new Map([
    ['today', today],
    ['yesterday', today - 1],
    ['week', mondayOf(today)],
    ['month', firstOfMonth(today)],
  ]).get(typed);
  if (firstDay === undefined) return undefined;
  return parsed({ firstDay, lastDay: typed === 'yesterday' ? firstDay : today });
};

/** Dots as people type them; a keyboard makes one character of three. */
const DATES = /^(20\d\d-\d{1,2}-\d{1,2})(?: ?(?:\.{2,3}|…) ?(20\d\d-\d{1,2}-\d{1,2}))?$/;

/** `2026-11-15`, `2026-11-01..2026-11-15` */
const readDates = (typed: string): Parsed<Days> | undefined => {
  const [, first, last = first] = DATES.exec(typed) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const [firstDay, lastDay] = [first, last].map(readDate);
  if (firstDay === undefined) return noSuchDay(first);
  return lastDay === undefined ? noSuchDay(last) : parsed({ firstDay, lastDay });
};

const readDate = (iso: string): CalendarDay | undefined => {
  const [year = 0, month = 0, day = 0] = iso.split('-').map(Number);
  return calendarDay(year, month, day);
};

const IN_MONTH = /^(\d{1,2})(?: ?(?:-|\.{2,3}|…) ?(\d{1,2}))? ?([a-z]{3,9})\.?(?: (20\d\d))?$/;
/** In full, or cut after the third letter at the earliest: `Nov`, `Sept`, `November`. */
const MONTH_NAMES =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/** `15 Nov`, `1-15 Nov`, `15 Nov 2025` */
const readInMonth = (typed: string, today: CalendarDay): Parsed<Days> | undefined => {
  const [, first = '', last = first, name = '', typedYear] = IN_MONTH.exec(typed) ?? [];
  const month = MONTH_NAMES.findIndex((known) => name !== '' && known.startsWith(name)) + 1;
  if (month === 0) return undefined;
  const year =
    typedYear === undefined ? latestYear({ month, day: Number(first) }, today) : Number(typedYear);
  const [firstDay, lastDay] = [first, last].map((day) => calendarDay(year, month, Number(day)));
  const inWords = (day: string): string =>
    [Number(day), MONTHS[month - 1], typedYear].filter((word) => word !== undefined).join(' ');
  if (firstDay === undefined) return noSuchDay(inWords(first));
  return lastDay === undefined ? noSuchDay(inWords(last)) : parsed({ firstDay, lastDay });
};

/** In how many years a date comes again at the latest: 29 February around a year such as 2100. */
const LEAP_GAP_YEARS = 8;

/** The latest year in which a date has begun; this year for a date that no year has. */
const latestYear = (date: { month: number; day: number }, today: CalendarDay): number => {
  const { year: thisYear } = dateOf(today);
  for (let year = thisYear; year >= thisYear - LEAP_GAP_YEARS; year--) {
    const day = calendarDay(year, date.month, date.day);
    if (day !== undefined && day <= today) return year;
  }
  return thisYear;
};

const periodOf = (
  { firstDay, lastDay }: Days,
  today: CalendarDay,
  timeZone: string,
): Parsed<Period> => {
  if (lastDay < firstDay)
    return wrong(
      `That is the wrong way round. The first day comes first: ${showPeriod({ firstDay: lastDay, lastDay: firstDay })}.`,
    );
  if (firstDay > today)
    return wrong(`${showCalendarDay(firstDay)} is still to come. Pick today or an earlier day.`);
  const period = periodFromDays(firstDay, Math.min(lastDay, today), timeZone);
  return period === undefined ? noSuchDay(showCalendarDay(lastDay)) : parsed(period);
};

const noSuchDay = (day: string) => wrong(`There is no ${day}. Check the day and the month.`);
