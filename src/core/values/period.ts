import { defined } from '../runtime/defined.ts';
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
import { type FoundAmong, findAmong } from './find-among.ts';
import { dayAndMonth, MONTH_NAMES, MONTHS, type Moment, showCalendarDay } from './format-time.ts';
import { plainText } from './normalise-input.ts';

/** Whole days in one time zone. */
export type Period = {
  readonly firstDay: CalendarDay;
  /** In the period, and never later than today. */
  readonly lastDay: CalendarDay;
  readonly fromMs: number;
  /** The first moment after the last day. */
  readonly untilMs: number;
  /** How far before it the one lies that it is compared with, where it was named as a week or a month. */
  readonly step?: 'a week' | 'a month';
};

type Days = Pick<Period, 'firstDay' | 'lastDay' | 'step'>;

export const periodOf = (
  firstDay: CalendarDay,
  lastDay: CalendarDay,
  timeZone: string,
): Period => ({
  firstDay,
  lastDay,
  fromMs: startOfDay(firstDay, timeZone),
  untilMs: startOfDay(lastDay + 1, timeZone),
});

/** 31 December 2099 */
const LAST_DAY: CalendarDay = 47_481;

/** The whole text as a `when`; undefined when it is none. */
export const readPeriod = (text: string, moment: Moment): Parsed<Period> | undefined =>
  periodIn(plainText(text), moment);

/**
 * Finds the `when` of a command among its words, which are those of `plainText`. A weekday or a month alone is one only
 * beside no other, and the word behind `by` is never one: it is a person.
 */
export const periodAmong = (
  words: readonly string[],
  moment: Moment,
): FoundAmong<Parsed<Period>> | undefined => {
  if (words.length > MOST_PLACES) return undefined;
  const find = (some: readonly string[], isName: boolean) =>
    findAmong(some, MOST_WORDS, (text, before) =>
      before?.toLowerCase() === 'by' || isAlsoName(text) !== isName
        ? undefined
        : periodIn(text, moment),
    );
  const found = find(words, false) ?? find(words, true);
  const other = found && find(found.rest, false);
  if (found === undefined || other === undefined) return found;
  return { ...found, value: wrong(`Name one time: "${found.words}" or "${other.words}".`) };
};

/** Whether people have such a name as well: `May`, `Friday`. */
export const isAlsoName = (words: string): boolean => NAME.test(words);

/** Of a period: `Mon 28 Dec 2026 - Sun 3 Jan 2027`. */
const MOST_WORDS = 9;
/** In a text of more words, each of which would be looked at, no period is read. */
const MOST_PLACES = 100;
/** Characters; none is longer. */
const LONGEST = 200;

const periodIn = (text: string, { nowMs, timeZone }: Moment): Parsed<Period> | undefined => {
  if (text.length > LONGEST) return undefined;
  // `15 Nov.`, and the commas of titles: `Payments, 15 Nov, failed`.
  const typed = text.replace(/(?<=[a-z\d])[.,](?= |$)/gi, '');
  if (FUTURE.test(typed)) return stillToCome(typed.charAt(0).toUpperCase() + typed.slice(1));
  const today = dayAt(nowMs, timeZone);
  const days = readingsOf(typed, today) ?? rangesIn(typed, today);
  if (days === undefined || 'problem' in days) return days;
  const newest = newestOf(days, today);
  if (newest === undefined) return noSuchDay(typed);
  const { firstDay, step } = newest;
  if (firstDay > today) return stillToCome(showCalendarDay(firstDay));
  const lastDay = Math.min(newest.lastDay, today);
  if (firstDay > lastDay || lastDay > LAST_DAY) return undefined;
  return parsed({ ...periodOf(firstDay, lastDay, timeZone), ...defined({ step }) });
};

/** The newest that has begun; none: the first one to come. */
const newestOf = (days: Readings, today: CalendarDay): Days | undefined =>
  days.find(({ firstDay }) => firstDay <= today) ?? days[0];

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

const WEEKDAY_NAMES = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday';
/** In full, in three letters, and as some people write them. */
const FULL_MONTHS = MONTH_NAMES.join('|').toLowerCase();
const MONTH = `${FULL_MONTHS}|${MONTHS.join('|')}|sept`;
const WEEKDAY = `${WEEKDAY_NAMES}|mon|tues?|wed|thu|thurs?|fri|sat|sun`;
/** From 0 on. */
const placeOf = (name: string, names: string): number =>
  names.split('|').findIndex((full) => full.startsWith(name.slice(0, 3).toLowerCase()));

const NAME = new RegExp(`^(?:${WEEKDAY}|${MONTH})$`, 'i');
const FUTURE = new RegExp(`^(?:tomorrow|next (?:week|month|${WEEKDAY}|${MONTH}))$`, 'i');

/** What a text may mean, the newest first: days of several years where it names none. Empty: there is no such day. */
type Readings = readonly Days[];

const readingsOf = (text: string, today: CalendarDay): Readings | undefined =>
  named(text.toLowerCase(), today) ??
  numbered(text) ??
  weekdays(text, today) ??
  inYears(text, dateOf(today).year);

const named = (text: string, today: CalendarDay): Readings | undefined => {
  const [monday, first] = [mondayOf(today), firstOfMonth(today)];
  const [, count] = /^(?:last )?([1-9]\d{0,3}) days?$/.exec(text) ?? [];
  if (count !== undefined) return [{ firstDay: today + 1 - Number(count), lastDay: today }];
  const days = new Map<string, Days>([
    ['today', { firstDay: today, lastDay: today }],
    ['yesterday', { firstDay: today - 1, lastDay: today - 1 }],
    ['week', { firstDay: monday, lastDay: today, step: 'a week' }],
    ['last week', { firstDay: monday - 7, lastDay: monday - 1 }],
    ['month', { firstDay: first, lastDay: today, step: 'a month' }],
    ['last month', { firstDay: firstOfMonth(first - 1), lastDay: first - 1, step: 'a month' }],
  ]).get(text.replace(/^this (?=week$|month$)/, ''));
  return days && [days];
};

/** The days as a button's data has them: its `today` would be another day tomorrow. */
export const periodWord = ({ firstDay, lastDay }: Days): string => `d${firstDay}-${lastDay}`;

/** `2026-11-15`, and the word of a button */
const numbered = (text: string): Readings | undefined => {
  const [, firstDay, lastDay] = (/^d(\d{1,5})-(\d{1,5})$/.exec(text) ?? []).map(Number);
  if (firstDay !== undefined && lastDay !== undefined) return [{ firstDay, lastDay }];
  const [, year = 0, month = 0, day] = (ISO.exec(text) ?? []).map(Number);
  return day === undefined ? undefined : oneDay(calendarDay(year, month, day));
};
const ISO = /^(20\d\d)-(\d{1,2})-(\d{1,2})$/;

const oneDay = (day: CalendarDay | undefined): Readings =>
  day === undefined ? [] : [{ firstDay: day, lastDay: day }];

const ON_WEEKDAY = new RegExp(`^(last )?(${WEEKDAY})$`, 'i');

/** The newest one that has begun, and the next one, with which a range may end. `last Friday` is before today. */
const weekdays = (text: string, today: CalendarDay): Readings | undefined => {
  const [, last, name] = ON_WEEKDAY.exec(text) ?? [];
  if (name === undefined) return undefined;
  const place = placeOf(name, WEEKDAY_NAMES);
  const newest = mondayOf(today - (last === undefined ? 0 : 1) - place) + place;
  return last === undefined ? [newest + 7, newest].flatMap(oneDay) : oneDay(newest);
};

const IN_YEAR = new RegExp(
  `^(?:(?:(${WEEKDAY}) )?(\\d{1,2})(?:st|nd|rd|th)? ?)?(${MONTH})(?: (20\\d\\d))?$`,
  'i',
);
/** A date comes again at the latest after 8 years: 29 February around a year such as 2100. */
const YEARS_AROUND = [1, 0, -1, -2, -3, -4, -5, -6, -7, -8];

/** `15 Nov`, `Sun 15 Nov 2026`, `Nov` */
const inYears = (text: string, thisYear: number): Readings | undefined => {
  const [, weekday, day, name, typedYear] = IN_YEAR.exec(text) ?? [];
  if (name === undefined) return undefined;
  const month = placeOf(name, FULL_MONTHS) + 1;
  const years = typedYear === undefined ? YEARS_AROUND.map((far) => thisYear + far) : [typedYear];
  const days = years.flatMap((year) => oneDay(calendarDay(Number(year), month, Number(day ?? 1))));
  if (day === undefined) return days.map(({ firstDay }) => monthFrom(firstDay));
  if (weekday === undefined) return days;
  const place = placeOf(weekday, WEEKDAY_NAMES);
  return days.filter(({ firstDay }) => firstDay - mondayOf(firstDay) === place);
};

const monthFrom = (firstDay: CalendarDay): Days => {
  const lastDay = firstOfMonth(firstDay + 31) - 1;
  return { firstDay, lastDay, step: 'a month' };
};

/** Dots as people type them; a keyboard makes one character of three. */
const BETWEEN = / ?(?:-|\.{2,3}|…) ?| to /gi;

/** `1-15 Nov`, `28 Oct to 3 Nov`, `2026-11-01..2026-11-15`, `Mon-Wed`, `Oct to Nov 2025` */
const rangesIn = (text: string, today: CalendarDay) => {
  for (const { index, 0: sign } of text.matchAll(BETWEEN)) {
    const to = text.slice(index + sign.length);
    const from = withMonthOf(to, text.slice(0, index));
    const [first, last] = [readingsOf(from, today), readingsOf(to, today)];
    if (first === undefined || last === undefined) continue;
    if (first.length === 0 || last.length === 0) return noSuchDay(first.length === 0 ? from : to);
    const ranges = between(first, last, today);
    const turned = newestOf(between(last, first, today), today);
    if (ranges.length > 0 || turned === undefined) return ranges;
    return wrong(`That is the wrong way round. The first day comes first: ${showPeriod(turned)}.`);
  }
  return undefined;
};

/** The first day of `1-15 Nov` has the month of the other one. */
const withMonthOf = (to: string, from: string): string => {
  const [day] = /^\d{1,2}(?=(?:st|nd|rd|th)?$)/i.exec(from) ?? [];
  return day !== undefined && /^\d/.test(to) && IN_YEAR.test(to) ? to.replace(/^\d+/, day) : from;
};

/** Six months, whichever. */
const MOST_OVER_NEW_YEAR = 184;

/**
 * The ranges, newest and shortest first. Over the end of a year it is a short one, `28 Dec to 3 Jan`, or the year was
 * typed: `3 Nov to 28 Oct` was more likely meant the other way round.
 */
const between = (first: Readings, last: Readings, today: CalendarDay): Readings => {
  const isMeant = ({ firstDay, lastDay }: Days): boolean =>
    dateOf(firstDay).year === dateOf(lastDay).year ||
    lastDay - firstDay <= MOST_OVER_NEW_YEAR ||
    (first.length === 1 && (last.length === 1 || lastDay <= today));
  return first
    .flatMap(({ firstDay }) => last.map(({ lastDay }) => ({ firstDay, lastDay })))
    .filter((range) => range.firstDay <= range.lastDay && isMeant(range))
    .toSorted((one, other) => other.firstDay - one.firstDay || one.lastDay - other.lastDay);
};

const stillToCome = (day: string) =>
  wrong(`${day} is still to come. Pick today or an earlier day.`);

const noSuchDay = (day: string) => wrong(`There is no ${day}. Check the day and the month.`);
