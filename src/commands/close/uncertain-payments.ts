import { type BalanceAt, type DayFigures, doubtOf } from '../../core/records/closed-day.ts';
import { OPEN_STATES, type Payment, type PaymentFilter } from '../../core/records/payment.ts';
import { everyPayment, type Store } from '../../core/store/store.ts';
import { dayAt } from '../../core/values/calendar-day.ts';

/** A day with its balances. */
type Day = Pick<DayFigures, 'opening' | 'closing'> & {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly timeZone: string;
};

/** A payment whose money, or outcome, may be of this day or of another. */
export type Uncertain = {
  readonly payment: Payment;
  readonly words: string;
  /** How often its amount may be in what the balance grew by beyond what was collected; or it is not. */
  readonly adds: -1 | 0 | 1;
};

/** Completed payments are looked for in so many days, then in those before: what took more than 31 is found on its last day alone. */
const DAYS_BACK = [1, 2, 4, 8, 16];
const PAGE_LENGTH = 500;

/** Those of all merchants, newest first. */
export const uncertainPayments = async (
  store: Pick<Store, 'listPayments'>,
  day: Day,
): Promise<Uncertain[]> => {
  const found = new Map<string, Uncertain>();
  for (const filter of filtersFor(day)) {
    for await (const payment of everyPayment(store, filter, PAGE_LENGTH)) {
      const reading = readingOf(payment, day);
      if (reading !== undefined) found.set(payment.id, { payment, ...reading });
    }
    // Others have their turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return [...found.values()].sort((a, b) => b.payment.confirmedAtMs - a.payment.confirmedAtMs);
};

/** In steps: the embedded store reads synchronously, and goes through all that were confirmed in the time of a step. */
function* filtersFor({ opening, closing, fromMs, untilMs }: Day): Generator<PaymentFilter> {
  const edges = [
    [Math.min(opening?.atMs ?? fromMs, fromMs), Math.max(answeredMs(opening), fromMs) + 1],
    [Math.min(closing?.atMs ?? untilMs, untilMs), Math.max(answeredMs(closing), untilMs) + 1],
  ] as const;
  yield { states: OPEN_STATES, untilMs: edges[1][1] };
  yield { flag: 'conflict', endedSinceMs: edges[0][0], untilMs: edges[1][1] };
  for (const [endedSinceMs, endMs] of edges) {
    let untilMs = endMs;
    for (const days of DAYS_BACK) {
      const sinceMs = untilMs - days * 24 * 3_600_000;
      yield { states: ['completed'], endedSinceMs, sinceMs, untilMs };
      untilMs = sinceMs;
    }
  }
}

const answeredMs = (balance: BalanceAt | undefined): number =>
  balance?.answeredAtMs ?? balance?.atMs ?? 0;

/** A failed payment in conflict may have been paid at any time. */
const knownMs = ({ state, settledAtMs }: Payment): number =>
  (state === 'completed' ? settledAtMs : undefined) ?? Number.POSITIVE_INFINITY;

/** Whether it was without an outcome at a moment between question and answer: its money may be in the balance. */
export const isUnderWay = (payment: Payment, balance: BalanceAt | undefined): boolean =>
  balance !== undefined &&
  payment.confirmedAtMs <= answeredMs(balance) &&
  knownMs(payment) >= balance.atMs;

/** undefined: money and outcome are of one day, as far as the balances show. */
const readingOf = (payment: Payment, day: Day): Omit<Uncertain, 'payment'> | undefined => {
  const { fromMs, untilMs, closing } = day;
  const ms = knownMs(payment);
  const doubt = doubtOf(payment);
  const isReversed = doubt === 'perhaps reversed' && ms < untilMs;
  const which = (['closing', 'opening'] as const).find((each) => isUnderWay(payment, day[each]));
  const words =
    (isReversed || payment.state !== 'completed' ? doubt : lateWords(payment, day)) ??
    (which && `open while the ${which} balance was asked: uncertain`);
  if (words === undefined) return undefined;
  if (which !== undefined) return { words, adds: ms >= fromMs && ms < untilMs ? -1 : 1 };
  if (isReversed && ms < (closing?.atMs ?? untilMs)) return { words, adds: -1 };
  return { words: `${words}, after the balance was told`, adds: 0 };
};

/** Of a completed payment whose outcome was known on another day. */
const lateWords = (
  { confirmedAtMs, settledAtMs = 0 }: Payment,
  { fromMs, untilMs, timeZone }: Day,
): string | undefined => {
  const isNextDay = dayAt(confirmedAtMs, timeZone) + 1 === dayAt(settledAtMs, timeZone);
  if (confirmedAtMs < untilMs && settledAtMs >= untilMs)
    return confirmedAtMs >= fromMs && isNextDay
      ? 'confirmed on this day, known the day after'
      : 'open at the end of this day, known later';
  return confirmedAtMs < fromMs && settledAtMs >= fromMs
    ? `confirmed ${isNextDay ? 'the day before' : 'earlier'}, known on this day`
    : undefined;
};
