/** Our own names: what a locale abbreviates to changes with the version of Node (`Sep`, `Sept`). */
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** No day lasts longer, whatever the clocks do. */
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
    second: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
};

type Parts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>;

const partsOf = (ms: number, timeZone: string): Parts => {
  const parts: Parts = {};
  for (const { type, value } of formatFor(timeZone).formatToParts(ms)) parts[type] = value;
  return parts;
};

/** `21 Nov 2026, 14:05` */
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
  const { hour, minute, second } = partsOf(ms, timeZone);
  return `${hour}:${minute}:${second}`;
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
