import { type CalendarDay, dayAt, startOfDay } from './calendar-day.ts';
import { showClock } from './format-time.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Minutes since midnight of `18:00`; undefined for what no clock shows. */
export const parseClock = (text: string): number | undefined => {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
};

/**
 * When the clocks of a zone show so many minutes since midnight on a day: the first time where they show it twice, and
 * as much later as the clocks are put forward where they leave it out, as `Temporal` has it by default.
 */
export const clockTimeOf = (day: CalendarDay, minutes: number, timeZone: string): number => {
  const [startMs, endMs] = [startOfDay(day, timeZone), startOfDay(day + 1, timeZone)];
  const shownAt = (ms: number): number =>
    (dayAt(ms, timeZone) - day) * DAY_MINUTES + (parseClock(showClock(ms, timeZone)) ?? 0);
  const plainMs = startMs + (minutes - shownAt(startMs)) * MINUTE_MS;
  const movedMs = plainMs + (minutes - shownAt(plainMs)) * MINUTE_MS;
  const foundMs = shownAt(movedMs) === minutes ? movedMs : plainMs;
  return Math.max(startMs, Math.min(foundMs, endMs - MINUTE_MS));
};
