import { BoundedMap } from '../runtime/bounded-map.ts';

/** Our own names: what a locale abbreviates to changes with the version of Node (`Sep`, `Sept`). */
export const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const WEEKDAYS = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ');

/** No day lasts longer, clock changes included. */
const LONGEST_DAY_MS = 26 * 3_600_000;

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

type Parts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>;

const MINUTE_MS = 60_000;
/** The minutes of some hours: most times that are shown are of now. */
const recentMinutes = new BoundedMap<string, Parts>(500);

/** Kept by minute: formatting takes 20 microseconds, and a card shows the same times at each edit. */
export const partsOf = (ms: number, timeZone: string): Parts => {
  const key = `${timeZone} ${Math.floor(ms / MINUTE_MS)}`;
  const known = recentMinutes.get(key);
  if (known !== undefined) return known;
  const parts: Parts = {};
  for (const { type, value } of formatFor(timeZone).formatToParts(ms)) parts[type] = value;
  recentMinutes.set(key, parts);
  return parts;
};

/** From where a time is looked at: `today` is the day of `nowMs` in this zone. */
export type Moment = { readonly timeZone: string; readonly nowMs: number };

/**
 * A time in an answer, read at once: `today 14:02`, `yesterday 09:15`, `Fri 20 Nov 09:15`, with the
 * year when that is another one. A message that stays takes `showBeside`: its `today` would become untrue.
 */
export const showNear = (ms: number, { timeZone, nowMs }: Moment): string => {
  const day = dateKey(ms, timeZone);
  const clock = showClock(ms, timeZone);
  if (day === dateKey(nowMs, timeZone)) return `today ${clock}`;
  if (day === dateKey(startOfDayMs(nowMs, timeZone) - 1, timeZone)) return `yesterday ${clock}`;
  const isOtherYear = partsOf(ms, timeZone).year !== partsOf(nowMs, timeZone).year;
  return isOtherYear
    ? `${weekday(ms, timeZone)} ${showDate(ms, timeZone)} ${clock}`
    : showDay(ms, timeZone);
};

/** A time in a message of `messageMs`, which the chat dates: `14:02` of the same day, else `Fri 20 Nov 09:15`. */
export const showBeside = (messageMs: number, ms: number, timeZone: string): string =>
  dateKey(ms, timeZone) === dateKey(messageMs, timeZone)
    ? showClock(ms, timeZone)
    : showDay(ms, timeZone);

/** `Fri 20 Nov 09:15`: true whenever it is read. The chat dates the message, so the year is left out. */
export const showDay = (ms: number, timeZone: string): string => {
  const { day, month } = partsOf(ms, timeZone);
  return `${weekday(ms, timeZone)} ${Number(day)} ${MONTHS[Number(month) - 1]} ${showClock(ms, timeZone)}`;
};

const weekday = (ms: number, timeZone: string): string => {
  const { day, month, year } = partsOf(ms, timeZone);
  return (
    WEEKDAYS[new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay()] ?? ''
  );
};

/** To the minute with its year, for reports and files: `21 Nov 2026, 14:05` */
export const showTime = (ms: number, timeZone: string): string => {
  return `${showDate(ms, timeZone)}, ${showClock(ms, timeZone)}`;
};

/** `21 Nov 2026` */
export const showDate = (ms: number, timeZone: string): string => {
  const { day, month, year } = partsOf(ms, timeZone);
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
};

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

const dateKey = (ms: number, timeZone: string): string => {
  const { day, month, year } = partsOf(ms, timeZone);
  return `${year}-${month}-${day}`;
};

/**
 * The first moment of the day that `ms` falls on. Searched for, because some days do not begin
 * at 00:00: there are zones whose clocks change at midnight.
 */
export const startOfDayMs = (ms: number, timeZone: string): number => {
  const today = dateKey(ms, timeZone);
  let beforeMs = ms - LONGEST_DAY_MS;
  let withinMs = ms;
  while (withinMs - beforeMs > 1) {
    const middleMs = Math.floor((beforeMs + withinMs) / 2);
    if (dateKey(middleMs, timeZone) === today) withinMs = middleMs;
    else beforeMs = middleMs;
  }
  return withinMs;
};
