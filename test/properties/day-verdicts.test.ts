import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openDayCard } from '../../src/commands/close/close-card.ts';
import { dayFigures, type FiguresFrom } from '../../src/commands/close/day-figures.ts';
import { endedAtMs, type Payment } from '../../src/core/records/payment.ts';
import type { PaymentFigure } from '../../src/core/records/payment-figures.ts';
import { calendarDay } from '../../src/core/values/calendar-day.ts';
import { newTransactionId } from '../../src/core/values/transaction-id.ts';
import { aPayment } from '../support/a-payment.ts';
import { cardText } from '../support/card-text.ts';
import { check } from '../support/check.ts';

const DAY = calendarDay(2026, 11, 22) ?? 0;
const START_MS = Date.parse('2026-11-22T00:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const END_MS = START_MS + 24 * HOUR_MS;
const HELD_MINOR = 1_000_000;

/** Few amounts, so that different payments explain the same sum. */
const amount = fc.constantFrom(1_000, 1_000, 2_000, 3_750, 5_000, 5_001, 200_000);

/** A question about the balance: when, for how long, and when the payment service looked meanwhile. */
const question = fc
  .tuple(fc.integer({ min: 0, max: 90_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([tookMs, part]) => ({ tookMs, lookedAfterMs: Math.floor(tookMs * part) }));

/** Minutes before midnight; the second one may be in the middle of the day. */
const askedBefore = fc.oneof(
  fc.integer({ min: 1, max: 30 }),
  fc.integer({ min: 1, max: 12 * 60 }),
  fc.constant(0.01),
);

/** When the request was confirmed, how long the customer took, and how long it took to hear of it. */
const drawnPayment = fc.record({
  amount,
  near: fc.constantFrom<'opening' | 'start' | 'closing' | 'end'>(
    'opening',
    'start',
    'closing',
    'end',
  ),
  confirmedAfterMs: fc.oneof(
    fc.integer({ min: -5 * MINUTE_MS, max: 5 * MINUTE_MS }),
    fc.integer({ min: -50 * HOUR_MS, max: 8 * HOUR_MS }),
  ),
  toPayMs: fc.oneof(
    fc.integer({ min: 0, max: 4 * MINUTE_MS }),
    fc.integer({ min: 0, max: 30 * HOUR_MS }),
  ),
  toHearMs: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 0, max: 4 * MINUTE_MS }),
    fc.integer({ min: 0, max: 30 * HOUR_MS }),
  ),
  end: fc.constantFrom('paid', 'paid', 'paid', 'not paid', 'never heard of'),
  open: fc.constantFrom<'pending' | 'unknown'>('pending', 'unknown'),
});

const drawnDay = fc.record({
  opening: fc.record({ before: askedBefore, question }),
  closing: fc.record({ before: askedBefore, question }),
  /** When `/close` is typed, after the closing balance was told. */
  hoursLater: fc.constantFrom(0, 0, 3, 30, 90),
  lives: fc.array(drawnPayment, { maxLength: 8 }),
  /** What left or entered the balance on other ways. */
  missing: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: amount },
    { weight: 1, arbitrary: fc.integer({ min: -300_000, max: 300_000 }) },
  ),
});
type DrawnDay = typeof drawnDay extends fc.Arbitrary<infer Each> ? Each : never;

type Balance = {
  readonly atMs: number;
  readonly answeredAtMs: number;
  /** When the payment service added up. */
  readonly trueMs: number;
};

const balanceOf = (
  midnightMs: number,
  { before, question: { tookMs, lookedAfterMs } }: DrawnDay['opening'],
): Balance => {
  const atMs = midnightMs - Math.ceil(before * MINUTE_MS);
  return { atMs, answeredAtMs: atMs + tookMs, trueMs: atMs + lookedAfterMs };
};

/** A payment as it is stored at `nowMs`, and when its money came; undefined: it did not. */
type Life = { readonly payment: Payment; readonly bookedMs: number | undefined };

const lifeIn =
  (opening: Balance, closing: Balance, nowMs: number) =>
  (drawn: DrawnDay['lives'][number], at: number): Life[] => {
    const nearMs = {
      opening: opening.atMs,
      start: START_MS,
      closing: closing.atMs,
      end: END_MS,
    }[drawn.near];
    const confirmedAtMs = nearMs + drawn.confirmedAfterMs;
    if (confirmedAtMs > nowMs) return [];
    const paidMs = confirmedAtMs + drawn.toPayMs;
    const isPaid = drawn.end !== 'not paid' && paidMs <= nowMs;
    const settledAtMs = paidMs + drawn.toHearMs;
    const isOpen = drawn.end === 'never heard of' || settledAtMs > nowMs;
    const { due: _, ...base } = aPayment();
    const payment: Payment = {
      ...base,
      id: newTransactionId(confirmedAtMs + at),
      confirmedAtMs,
      state: isOpen ? drawn.open : isPaid ? 'completed' : 'failed',
      ...(isOpen ? {} : { settledAtMs }),
      terms: { ...base.terms, amount: { currency: 'GHS', amountMinor: drawn.amount } },
    };
    return [{ payment, bookedMs: isPaid ? paidMs : undefined }];
  };

const growthOf = (lives: readonly Life[], fromMs: number, untilMs: number): number =>
  lives.reduce(
    (sum, { payment, bookedMs }) =>
      bookedMs !== undefined && bookedMs > fromMs && bookedMs <= untilMs
        ? sum + payment.terms.amount.amountMinor
        : sum,
    0,
  );

/**
 * Answers as both stores do, which test/commands/close/day-figures.test.ts asks: a database for each input would leave
 * time for few of them.
 */
const storeOf = (payments: readonly Payment[]): FiguresFrom['store'] => ({
  listPayments: async ({ states, flag, sinceMs = 0, untilMs = Infinity, endedSinceMs = 0 }) => ({
    payments: payments.filter(
      (one) =>
        (states?.includes(one.state) ?? true) &&
        (flag === undefined || one.flag === flag) &&
        one.confirmedAtMs >= sinceMs &&
        one.confirmedAtMs < untilMs &&
        endedAtMs(one) >= endedSinceMs,
    ),
  }),
  paymentFigures: async ({ fromMs, untilMs }) =>
    payments.flatMap(({ state, settledAtMs = Infinity, terms }) => {
      const figure: PaymentFigure<'merchant'> = {
        ...{ state, flag: null, merchant: null, count: 1 },
        ...terms.amount,
      };
      return settledAtMs >= fromMs && settledAtMs < untilMs ? [figure as never] : [];
    }),
});

/** Whether a payment can, and can not, be in what a balance grew by, from what is recorded of it alone. */
const possible = ({ payment }: Life, opening: Balance, closing: Balance): readonly boolean[] => {
  const { state, confirmedAtMs, settledAtMs = Number.POSITIVE_INFINITY } = payment;
  if (state === 'failed') return [false];
  const isOpen = state !== 'completed';
  const canBeIn = confirmedAtMs <= closing.answeredAtMs && settledAtMs >= opening.atMs;
  const canBeOut = isOpen || confirmedAtMs <= opening.answeredAtMs || settledAtMs >= closing.atMs;
  return [...(canBeIn ? [true] : []), ...(canBeOut ? [false] : [])];
};

/** Every amount that the balance can have grown by as far as is recorded: each payment whole, or not at all. */
const growths = (lives: readonly Life[], opening: Balance, closing: Balance): Set<number> => {
  let sums = new Set([0]);
  for (const life of lives)
    sums = new Set(
      possible(life, opening, closing).flatMap((isIn) =>
        [...sums].map((sum) => sum + (isIn ? life.payment.terms.amount.amountMinor : 0)),
      ),
    );
  return sums;
};

const VERDICT =
  /The balance is GHS ([\d,.]+) too (high|low)|grew by what was collected|can explain the (?:difference|balance)/;

/** What the card blames the payment service for, in minor units; 0: nothing; undefined: it has no verdict. */
const blamedOn = (text: string): number | undefined => {
  const [found, money, direction] = VERDICT.exec(text) ?? [];
  if (found === undefined) return undefined;
  if (money === undefined) return 0;
  const minor = Math.round(Number(money.replaceAll(',', '')) * 100);
  return direction === 'low' ? -minor : minor;
};

it(
  'the verdict on a day blames the payment service for what no payment can explain, and for nothing else',
  { tags: ['F74', 'T64'] },
  () =>
    check(
      fc.asyncProperty(drawnDay, async (drawn) => {
        const opening = balanceOf(START_MS, drawn.opening);
        const closing = balanceOf(END_MS, drawn.closing);
        const nowMs = closing.answeredAtMs + drawn.hoursLater * HOUR_MS;
        const lives = drawn.lives.flatMap(lifeIn(opening, closing, nowMs));
        const grown = growthOf(lives, opening.trueMs, closing.trueMs) - drawn.missing;
        const told = (minor: number, { atMs, answeredAtMs }: Balance) => ({
          ...{ collection: (minor / 100).toFixed(2), atMs, answeredAtMs },
        });
        const balances = new Map([
          [DAY - 1, told(HELD_MINOR, opening)],
          [DAY, told(HELD_MINOR + grown, closing)],
        ]);
        const read = await dayFigures(
          {
            store: storeOf(lives.map(({ payment }) => payment)),
            balances: { ofDay: async (day) => balances.get(day) },
            unmatched: { all: async () => [] },
            settings: { currency: 'GHS', timeZone: 'Africa/Accra' },
          },
          { day: DAY },
          8,
        );
        const shown = { of: { day: DAY }, currency: 'GHS', moment: { timeZone: 'UTC', nowMs } };
        const text = cardText(openDayCard(read, shown));
        const left = [...growths(lives, opening, closing)].map((sum) => grown - sum);
        const nearest = Math.min(...left.map(Math.abs));
        // Nothing is missing: then what is recorded explains it.
        if (drawn.missing === 0) expect(nearest).toBe(0);
        const blamed = blamedOn(text);
        expect([Math.abs(blamed ?? Number.NaN), text]).toEqual([nearest, text]);
        expect(left).toContain(blamed);
        // What was confirmed on one day and known on another is named.
        const crosses = lives.filter(
          ({ payment: { confirmedAtMs, settledAtMs, state } }) =>
            state === 'completed' &&
            [START_MS, END_MS].some((ms) => confirmedAtMs < ms && (settledAtMs ?? 0) >= ms),
        );
        if (crosses.length > 0) expect(text).toMatch(/completed (?:this day|later)/);
      }),
      4_000,
    ),
);
