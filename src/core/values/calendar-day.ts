import { BoundedMap } from '../runtime/bounded-map.ts';

/** A date without time or zone, as the number of days since 1970-01-01, so that dates are compared and counted as numbers. */
export type CalendarDay = number;

const DAY_MS = 24 * 3_600_000;
/** Zones are at most 14 hours from UTC; a change of clocks adds an hour or two. */
const FARTHEST_ZONE_MS = 18 * 3_600_000;

/** @returns undefined for a date that does not exist, such as 31 November. @param month 1 for January. */
export const calendarDay = (year: number, month: number, day: number): CalendarDay | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() / DAY_MS : undefined;
};

/** The year, the month from 1 on and the day of the month. */
export const dateOf = (day: CalendarDay): { year: number; month: number; day: number } => {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
};

/** `2026-11-15` */
export const isoDate = (day: CalendarDay): string =>
  new Date(day * DAY_MS).toISOString().slice(0, 10);

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format is slow, using it is not. */
const formatFor = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
};

type DateParts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>;

const MINUTE_MS = 60_000;
/** The minutes of some hours: most times that are shown are of now. */
const recentMinutes = new BoundedMap<string, DateParts>(500);

/** Kept by minute: formatting takes 20 microseconds, and a card shows the same times at each edit. */
export const partsOf = (ms: number, timeZone: string): DateParts => {
  const key = `${timeZone} ${Math.floor(ms / MINUTE_MS)}`;
  const known = recentMinutes.get(key);
  if (known !== undefined) return known;
  const parts: DateParts = {};
  for (const { type, value } of formatFor(timeZone).formatToParts(ms)) parts[type] = value;
  recentMinutes.set(key, parts);
  return parts;
};

export const dayAt = (ms: number, timeZone: string): CalendarDay => {
  const { year, month, day } = partsOf(ms, timeZone);
  return Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS;
};

/**
 * The first moment of a date in a zone. Searched for, because a day begins at 01:00 where clocks change at midnight.
 * A date that the zone left out (Samoa, 30 December 2011) begins and ends with the next one.
 */
export const startOfDay = (day: CalendarDay, timeZone: string): number => {
  let beforeMs = day * DAY_MS - FARTHEST_ZONE_MS;
  let withinMs = day * DAY_MS + FARTHEST_ZONE_MS;
  while (withinMs - beforeMs > 1) {
    const middleMs = Math.floor((beforeMs + withinMs) / 2);
    if (dayAt(middleMs, timeZone) >= day) withinMs = middleMs;
    else beforeMs = middleMs;
  }
  return withinMs;
};

/** The first moment of the day that a moment falls on. */
export const startOfDayMs = (ms: number, timeZone: string): number =>
  startOfDay(dayAt(ms, timeZone), timeZone);

export const mondayOf = (day: CalendarDay): CalendarDay => {
  // Day 0 was a Thursday.
  const sinceMonday = (((day + 3) % 7) + 7) % 7;
  return day - sinceMonday;
};

export const firstOfMonth = (day: CalendarDay): CalendarDay => day - dateOf(day).day + 1;
