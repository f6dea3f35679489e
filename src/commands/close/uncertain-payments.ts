import { type BalanceAt, type DayFigures, doubtOf } from '../../core/records/closed-day.ts';
import { OPEN_STATES, type Payment, type PaymentFilter } from '../../core/records/payment.ts';
import { everyPayment, type Store } from '../../core/store/store.ts';
import { dayAt } from '../../core/values/calendar-day.ts';

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

/** So many days are read at a time; what took more than 31 to be known is found on its last day alone. */
const STEPS_IN_DAYS = [1, 2, 4, 8, 16];

/** Those of all merchants, newest first. */
export const uncertainPayments = async (
  store: Pick<Store, 'listPayments'>,
  day: Day,
): Promise<Uncertain[]> => {
  const found = new Map<string, Uncertain>();
  for (const filter of filtersFor(day))
    for await (const payment of everyPayment(store, filter)) {
      const reading = readingOf(payment, day);
      if (reading !== undefined) found.set(payment.id, { payment, ...reading });
    }
  return [...found.values()].sort((a, b) => b.payment.confirmedAtMs - a.payment.confirmedAtMs);
};

/** In steps, because the store goes through all completed payments that were confirmed in the time of a question. */
function* filtersFor({ opening, closing, fromMs, untilMs }: Day): Generator<PaymentFilter> {
  const endedSinceMs = Math.min(opening?.atMs ?? fromMs, fromMs);
  let endMs = Math.max(answeredMs(closing), untilMs) + 1;
  yield { states: OPEN_STATES, untilMs: endMs };
  yield { flag: 'conflict', endedSinceMs, untilMs: endMs };
  for (const days of STEPS_IN_DAYS) {
    const sinceMs = endMs - days * 24 * 3_600_000;
    yield { states: ['completed'], endedSinceMs, sinceMs, untilMs: endMs };
    endMs = sinceMs;
  }
}

const answeredMs = (balance: BalanceAt | undefined): number =>
  balance?.answeredAtMs ?? balance?.atMs ?? 0;

/** Infinity without an outcome; a failed payment in conflict may have been paid at any time. */
export const knownMs = ({ state, settledAtMs }: Payment): number =>
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
    (which && `still open while I asked for the ${which} balance: uncertain`);
  if (words === undefined) return undefined;
  if (which !== undefined) return { words, adds: ms >= fromMs && ms < untilMs ? -1 : 1 };
  if (isReversed && ms < (closing?.atMs ?? untilMs)) return { words, adds: -1 };
  return { words: `${words}, after the balance was asked`, adds: 0 };
};

/** Of a completed payment whose outcome was known on another day. */
const lateWords = (payment: Payment, { fromMs, untilMs, timeZone }: Day): string | undefined => {
  const { confirmedAtMs } = payment;
  const ms = knownMs(payment);
  if (confirmedAtMs < untilMs && ms >= untilMs)
    return 'open at the end of this day, completed later';
  if (confirmedAtMs >= fromMs || ms < fromMs) return undefined;
  const isDayBefore = dayAt(confirmedAtMs, timeZone) + 1 === dayAt(ms, timeZone);
  return `asked ${isDayBefore ? 'the day before' : 'earlier'}, completed this day`;
};
