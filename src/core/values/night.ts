import { dayAt } from './calendar-day.ts';
import { clockTimeOf } from './clock-time.ts';
import { showClock } from './format-time.ts';

/** When messages that no person pressed for wait, in hours of the shop's clock. */
const NIGHT = { fromHour: 20, untilHour: 7 } as const;

/** When the night that `ms` falls in is over; undefined by day. */
export const nightEndsAtMs = (ms: number, timeZone: string): number | undefined => {
  const hour = Number(showClock(ms, timeZone).slice(0, 2));
  if (hour >= NIGHT.untilHour && hour < NIGHT.fromHour) return undefined;
  const day = dayAt(ms, timeZone) + (hour < NIGHT.untilHour ? 0 : 1);
  return clockTimeOf(day, NIGHT.untilHour * 60, timeZone);
};
