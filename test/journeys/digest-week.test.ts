import { expect } from 'vitest';
import { type CalendarDay, mondayOf, startOfDay } from '../../src/core/values/calendar-day.ts';
import { EDGES, openEdge } from '../support/edges.ts';
import { storePayments } from '../support/stored-payments.ts';
import { together } from '../support/together.ts';

const it = together();

const DAY_MS = 24 * 3_600_000;

const figuresOf = (day: string, unit: string): RegExp =>
  new RegExp(
    [
      `Day so far, ${day}`,
      `Last ${unit}, [\\w ]+:?\\S* ?2 completed · GHS 100\\.00 · 1 failed`,
      `The ${unit} before:?\\S* ?0 completed · GHS 0\\.00`,
    ].join('[\\s\\S]*'),
  );

/** With the first day after each. */
const PERIODS = [
  ['on Monday', 'week', 'Mon ', (today: CalendarDay) => mondayOf(today) + 7],
  ['on the 1st', 'month', '\\w+ 1 ', (today: CalendarDay) => firstOfNextMonth(today)],
] as const;

const firstOfNextMonth = (today: CalendarDay): CalendarDay => {
  const date = new Date(today * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / DAY_MS;
};

const edges = EDGES.filter((name) => name !== 'the terminal');

it.each(edges.flatMap((name) => PERIODS.map((period) => [name, ...period] as const)))(
  '%s is told %s what the %s came to, with its picture',
  async (name, _when, unit, day, nextOf) => {
    const efua = await openEdge(name, (DIGEST) => ({ DIGEST, DIGEST_AT: '18:00' }));
    const today = Math.floor(efua.shop.clock.now() / DAY_MS);
    const nextMs = startOfDay(nextOf(today), 'Africa/Accra');
    const states = ['completed', 'completed', 'failed'] as const;
    await storePayments(
      efua.shop.app.store,
      states.map((state, at) => ({ id: `P${at}`, state, confirmedAtMs: nextMs - DAY_MS })),
    );
    await efua.restart(nextMs + 18 * 3_600_000 + 1_000);
    await efua.sees(figuresOf(day, unit));
    const picture = await efua.file(new RegExp(`^test-report-last-${unit}-.*\\.png$`));
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
  },
);
