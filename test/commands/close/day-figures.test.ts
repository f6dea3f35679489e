import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayFigures, differenceMinor } from '../../../src/commands/close/day-figures.ts';
import type { Payment, PaymentState } from '../../../src/core/records/payment.ts';
import { calendarDay, isoDate } from '../../../src/core/values/calendar-day.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { aPayment } from '../../support/a-payment.ts';
import { startPostgres } from '../../support/postgres.ts';
import { premisesOn } from '../../support/shop-in-hand.ts';

const HOUR_MS = 3_600_000;

/** Days on which clocks change, at midnight in Cairo, and days without a change. */
const DAYS: Readonly<Record<string, readonly [number, number, number]>> = {
  'Africa/Accra': [2026, 11, 22],
  'Africa/Cairo': [2026, 4, 24],
  'America/New_York': [2026, 11, 1],
  'Asia/Kathmandu': [2026, 2, 28],
  'Pacific/Auckland': [2026, 9, 27],
};
const OPEN: readonly PaymentState[] = ['confirmed', 'submitting', 'pending'];

/** Found without the code that is tested: the date as the platform's own calendar has it. */
const dateIn = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone });
  return (ms: number): string => format.format(ms);
};

const drawn = fc.record({
  state: fc.constantFrom<PaymentState>(
    ...(['completed', 'completed', 'completed', 'failed', 'refused', 'not sent'] as const),
    ...([...OPEN, 'unknown'] as const),
  ),
  flag: fc.constantFrom(undefined, undefined, undefined, 'conflict', 'needs a person'),
  currency: fc.constantFrom('GHS', 'GHS', 'GHS', 'USD'),
  amountMinor: fc.integer({ min: 1, max: 1_000_000 }),
  confirmedAfterMs: fc.integer({ min: -30 * HOUR_MS, max: 54 * HOUR_MS }),
  toSettleMs: fc.integer({ min: 0, max: 30 * HOUR_MS }),
  merchant: fc.constantFrom('osu', 'tema', undefined),
} as const);

const paymentOf = (middayMs: number) => (one: DrawnPayment, at: number) => {
  const { state, flag, currency, amountMinor, merchant, confirmedAfterMs, toSettleMs } = one;
  const { due: _, ...base } = aPayment();
  const confirmedAtMs = middayMs - 12 * HOUR_MS + confirmedAfterMs;
  const isOpen = [...OPEN, 'unknown'].includes(state);
  const payment: Payment = {
    ...base,
    id: newTransactionId(confirmedAtMs + at),
    state,
    confirmedAtMs,
    ...(isOpen ? {} : { settledAtMs: confirmedAtMs + toSettleMs }),
    ...(flag === undefined ? {} : { flag }),
    terms: {
      ...base.terms,
      ...(merchant === undefined ? {} : { merchant }),
      amount: { currency, amountMinor },
    },
  };
  return payment;
};
type DrawnPayment = typeof drawn extends fc.Arbitrary<infer Each> ? Each : never;

type Times = {
  day: string;
  openingMs: number;
  closingMs: number;
  dateOf: (ms: number) => string;
};

/** What the lines are called, told apart by hand; undefined: it has none. */
const lineOf = (
  { state, flag, confirmedAtMs, settledAtMs }: Payment,
  { day, openingMs, closingMs, dateOf }: Times,
): string | undefined => {
  const isOpen = OPEN.includes(state) || state === 'unknown';
  const confirmed = dateOf(confirmedAtMs);
  const settled = dateOf(settledAtMs ?? Number.MAX_SAFE_INTEGER / 2);
  const isUnderWay = (balanceMs: number) =>
    confirmedAtMs <= balanceMs && (state !== 'completed' || (settledAtMs ?? 0) >= balanceMs);
  const late =
    isUnderWay(openingMs) || isUnderWay(closingMs) ? '' : ', after the balance was asked';
  if (confirmed > day) return undefined;
  if (state !== 'completed') {
    if (flag === 'conflict')
      return !isOpen && (settledAtMs ?? 0) < openingMs ? undefined : `in conflict${late}`;
    return isOpen ? `${state === 'unknown' ? state : 'pending'}${late}` : undefined;
  }
  if (settled <= day && flag === 'conflict') {
    if ((settledAtMs ?? 0) < openingMs) return undefined;
    return `perhaps reversed${(settledAtMs ?? 0) < closingMs ? '' : late}`;
  }
  if (settled > day) return `open at the end of this day, completed later${late}`;
  if (settled === day && confirmed < day) {
    const isDayBefore = nextOf(confirmed) === day;
    return `asked ${isDayBefore ? 'the day before' : 'earlier'}, completed this day${late}`;
  }
  if (isUnderWay(closingMs)) return 'still open while I asked for the closing balance: uncertain';
  return isUnderWay(openingMs)
    ? 'still open while I asked for the opening balance: uncertain'
    : undefined;
};

const nextOf = (date: string): string =>
  new Date(Date.parse(date) + 24 * HOUR_MS).toISOString().slice(0, 10);

const totals = (payments: readonly Payment[], word: (payment: Payment) => string) =>
  Object.fromEntries(
    [...Map.groupBy(payments, (one) => `${word(one)} ${one.terms.amount.currency}`)].map(
      ([key, each]) => [key, [each.length, minorOf(each)]],
    ),
  );

const minorOf = (payments: readonly Payment[], currency?: string): number =>
  payments
    .filter(({ terms }) => currency === undefined || terms.amount.currency === currency)
    .reduce((sum, { terms }) => sum + terms.amount.amountMinor, 0);

const postgres = await startPostgres();

describe.each(premisesOn(postgres))('with %s', (_store, premises) => {
  it('the figures of a day are those of a naive recount, in any zone and on days when clocks change', async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...Object.entries(DAYS)),
      fc.array(drawn, { maxLength: 30 }),
      fc.constantFrom(undefined, 'osu'),
      fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 })),
      fc.array(fc.integer({ min: -30 * HOUR_MS, max: 54 * HOUR_MS }), { maxLength: 5 }),
      async ([timeZone, date], lives, merchant, [hoursBefore, hoursIn], strayAfterMs) => {
        const store = await (await premises()).open();
        const day = calendarDay(...date) ?? 0;
        const dateOf = dateIn(timeZone);
        const startMs = beginningOf(isoDate(day), dateOf);
        const endMs = beginningOf(isoDate(day + 1), dateOf);
        const stored = lives.map(paymentOf(startMs + 12 * HOUR_MS));
        const payments = stored.filter(({ terms }) => terms.merchant === merchant);
        await store.commit({ put: stored.map((record) => ({ kind: 'payment', record })) });
        const [openingMs, closingMs] = [
          startMs - hoursBefore * HOUR_MS,
          startMs + hoursIn * HOUR_MS,
        ];
        const settledIn = (fromMs: number, untilMs: number) =>
          payments.filter(
            ({ state, settledAtMs: ms }) =>
              state === 'completed' && ms !== undefined && ms >= fromMs && ms < untilMs,
          );
        const isToday = (ms: number) => dateOf(ms) === isoDate(day);
        const times = {
          ...{ day: isoDate(day), openingMs, closingMs, dateOf },
        };
        const listed = payments.filter((one) => lineOf(one, times) !== undefined);
        const closing = 500_000 + minorOf(settledIn(openingMs, closingMs), 'GHS');
        const told = new Map([
          [day - 1, { collection: '5000', atMs: openingMs }],
          [day, { collection: (closing / 100).toFixed(2), atMs: closingMs }],
        ]);
        const strays = strayAfterMs.map((ms) => ({
          paymentId: 'X',
          body: '',
          firstAtMs: startMs + ms,
        }));
        const { figures, doubtful: named } = await dayFigures(
          {
            store,
            balances: { ofDay: async (asked) => told.get(asked) },
            unmatched: { all: async () => strays },
            settings: { currency: 'GHS', timeZone },
          },
          { day, merchant },
          100,
        );
        const collected = settledIn(startMs, endMs);
        expect(collected.every(({ settledAtMs }) => isToday(settledAtMs ?? 0))).toBe(true);
        const asTotals = (sums: typeof figures.doubts | typeof figures.collected) =>
          Object.fromEntries(
            sums.map((sum) => [
              `${'doubt' in sum ? sum.doubt : 'completed'} ${sum.currency}`,
              [sum.count, sum.amountMinor],
            ]),
          );
        expect(asTotals(figures.collected)).toEqual(totals(collected, () => 'completed'));
        expect(asTotals(figures.doubts)).toEqual(totals(listed, (one) => lineOf(one, times) ?? ''));
        // What was confirmed before a balance was told may be in it.
        const surelyAfter = (balanceMs: number, untilMs: number) =>
          settledIn(balanceMs, untilMs).filter(({ confirmedAtMs }) => confirmedAtMs > balanceMs);
        expect(figures.earlyMinor).toBe(minorOf(surelyAfter(openingMs, startMs), 'GHS'));
        expect(figures.lateMinor).toBe(minorOf(surelyAfter(closingMs, endMs), 'GHS'));
        expect(figures.strays).toBe(strays.filter(({ firstAtMs }) => isToday(firstAtMs)).length);
        expect(named.map(({ id }) => id).sort()).toEqual(listed.map(({ id }) => id).sort());
        expect(differenceMinor(figures, 'GHS')).toBe(closing - 500_000 - minorOf(collected, 'GHS'));
        // All money came when it was known.
        expect(figures.unexplained?.amountMinor).toBe(0);
        await store.close();
      },
    );
    await fc.assert(property, { numRuns: 25, endOnFailure: true });
  });
});

/** The first millisecond of a date, looked for minute by minute. */
const beginningOf = (date: string, dateOf: (ms: number) => string): number => {
  let ms = Date.parse(`${date}T00:00:00Z`) - 15 * HOUR_MS;
  while (dateOf(ms) < date) ms += 60_000;
  return ms;
};
