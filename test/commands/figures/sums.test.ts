import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { figuresByDay, secondsWithin, sumsOf } from '../../../src/commands/figures/sums.ts';
import { sumsByGroup } from '../../../src/commands/figures/sums-by-group.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import { calendarDay, dayAt } from '../../../src/core/values/calendar-day.ts';
import { periodOf } from '../../../src/core/values/period.ts';
import { periodBefore } from '../../../src/core/values/period-before.ts';
import { aPayment } from '../../support/a-payment.ts';
import { startPostgres } from '../../support/postgres.ts';
import { premisesOn } from '../../support/shop-in-hand.ts';

const HOUR_MS = 3_600_000;
/** Around a Sunday on which clocks change in Europe, and one in America; Nepal is 5:45 ahead. */
const ZONES = [
  'Africa/Accra',
  'Europe/London',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
];
const CHANGES = ['2026-10-25T00:00:00Z', '2026-03-29T00:00:00Z', '2026-03-08T00:00:00Z'];

const drawn = fc.record({
  hours: fc.integer({ min: -60 * 4, max: 60 * 4 }).map((quarters) => quarters / 4),
  restMs: fc.constantFrom(0, 1, -1, 60_000),
  state: fc.constantFrom('completed', 'completed', 'failed', 'pending', 'unknown'),
  amountMinor: fc.integer({ min: 1, max: 1_000_000 }),
  tookMs: fc.integer({ min: 0, max: 400_000 }),
} as const);

const postgres = await startPostgres();

describe.each(premisesOn(postgres))('the figures of a report, with %s,', (_store, premises) => {
  it('are those of a naive recount in any zone, by day and by hour, also where clocks change', async () => {
    const store = await (await premises()).open();
    let ids = 0;
    let round = 0;
    const property = fc.asyncProperty(
      fc.array(drawn, { minLength: 1, maxLength: 30 }),
      fc.constantFrom(...ZONES),
      fc.constantFrom(...CHANGES),
      async (some, timeZone, change) => {
        // Each round has a currency of its own in a store that goes on.
        round += 1;
        const aroundMs = Date.parse(change);
        const payments = some.map(({ hours, restMs, state, amountMinor, tookMs }): Payment => {
          const confirmedAtMs = aroundMs + hours * HOUR_MS + restMs;
          const { due: _, ...base } = aPayment({ state });
          return {
            ...base,
            id: `P${ids++}`,
            confirmedAtMs,
            ...(state === 'pending' ? {} : { settledAtMs: confirmedAtMs + tookMs }),
            terms: { ...base.terms, amount: { amountMinor, currency: `X${round}` } },
          };
        });
        await store.commit({ put: payments.map((record) => ({ kind: 'payment', record })) });
        const today = dayAt(aroundMs, timeZone);
        const period = periodOf(today - 1, today + 1, timeZone);
        const isOurs = ({ currency }: { currency: string }) => currency === `X${round}`;
        const within = payments.filter(({ confirmedAtMs }) => {
          const day = dayAt(confirmedAtMs, timeZone);
          return day >= today - 1 && day <= today + 1;
        });
        const completed = within.filter(({ state }) => state === 'completed');
        const figures = (await figuresByDay(store, period, timeZone, ['quarter'])).filter(isOurs);
        const sums = sumsOf(figures);
        expect(sums.count).toBe(within.length);
        expect(sums.amounts[0]?.amountMinor ?? 0).toBe(sumOf(completed));
        for (const [by, keyOf] of [
          ['day', (one: Payment) => String(dayAt(one.confirmedAtMs, timeZone))],
          ['hour', (one: Payment) => hourOf(one.confirmedAtMs, timeZone)],
        ] as const) {
          const reading = { settings: { timeZone } } as Parameters<typeof sumsByGroup>[2];
          const { rows } = await sumsByGroup(figures, by, reading, 100);
          const groups = Object.entries(Object.groupBy(within, keyOf)).sort(
            ([a], [b]) => Number(a) - Number(b),
          );
          expect(
            rows.map(({ sums: { count, amounts } }) => [count, amounts[0]?.amountMinor ?? 0]),
          ).toEqual(
            groups.map(([, ones = []]) => [
              ones.length,
              sumOf(ones.filter(({ state }) => state === 'completed')),
            ]),
          );
        }
        const times = await figuresByDay(store, period, timeZone, ['secondsToSettle']);
        const took = completed
          .map(({ confirmedAtMs, settledAtMs = 0 }) =>
            Math.trunc((settledAtMs - confirmedAtMs) / 1_000),
          )
          .sort((a, b) => a - b);
        for (const part of [0.5, 0.9])
          expect(secondsWithin(times.filter(isOurs), part)).toBe(
            took[Math.ceil(part * took.length) - 1],
          );
      },
    );
    await fc.assert(property, { numRuns: 40, endOnFailure: true });
    await store.close();
  });
});

describe('the figures of a report', () => {
  it.each([
    ['2026-03-31', '2026-02-28'],
    ['2026-03-15', '2026-02-15'],
    ['2026-01-31', '2025-12-31'],
  ])('of a month up to %s are compared with those up to %s', (last, lastBefore) => {
    const [to, toBefore] = [last, lastBefore].map((date) => {
      const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
      return calendarDay(year, month, day) ?? 0;
    });
    const period = periodOf((to ?? 0) - Number(last.slice(-2)) + 1, to ?? 0, 'Africa/Accra');
    const moment = { nowMs: period.untilMs, timeZone: 'Africa/Accra' };
    expect(periodBefore(period, 'a month', moment)).toMatchObject({ lastDay: toBefore });
  });
});

const sumOf = (payments: readonly Payment[]): number =>
  payments.reduce((sum, { terms }) => sum + terms.amount.amountMinor, 0);

const hourOf = (ms: number, timeZone: string): string =>
  String(
    Number(
      new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(ms),
    ),
  );
