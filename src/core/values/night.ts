import { showClock } from './format-time.ts';

/** When messages that no person pressed for wait, in hours of the shop's clock. */
const NIGHT = { fromHour: 20, untilHour: 7 } as const;

const QUARTER_MS = 15 * 60_000;

const isNight = (ms: number, timeZone: string): boolean => {
  const hour = Number(showClock(ms, timeZone).slice(0, 2));
  return hour >= NIGHT.fromHour || hour < NIGHT.untilHour;
};

/**
 * When the night that `ms` falls in is over; undefined by day. Searched for in quarters of an hour, because clocks
 * change at night; every zone's offset is a whole number of them.
 */
export const nightEndsAtMs = (ms: number, timeZone: string): number | undefined => {
  if (!isNight(ms, timeZone)) return undefined;
  let atMs = Math.floor(ms / QUARTER_MS) * QUARTER_MS;
  while (isNight(atMs, timeZone)) atMs += QUARTER_MS;
  return atMs;
};
