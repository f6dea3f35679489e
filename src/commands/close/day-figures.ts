import type { ToldBalances } from '../../core/records/balances.ts';
import type { BalanceAt, DayFigures, ShopDay } from '../../core/records/closed-day.ts';
import type { Payment } from '../../core/records/payment.ts';
import { addedUp, collectedIn, minorIn, type Sum } from '../../core/records/payment-figures.ts';
import { defined } from '../../core/runtime/defined.ts';
import { dayAt, startOfDay } from '../../core/values/calendar-day.ts';
import { moneyFromService } from '../../core/values/money.ts';
import type { Services } from '../command.ts';
import { isUnderWay, knownMs, type Uncertain, uncertainPayments } from './uncertain-payments.ts';

type Store = Pick<Services['store'], 'listPayments' | 'paymentFigures'>;

export type FiguresFrom = {
  readonly store: Store;
  readonly balances: Pick<Services['balances'], 'ofDay'>;
  readonly unmatched: Pick<Services['unmatched'], 'all'>;
  readonly settings: Pick<Services['settings'], 'currency' | 'timeZone'>;
};

/** The figures of a day, and the newest of the payments that may explain a difference, `limit` at most. */
export const dayFigures = async (
  from: FiguresFrom,
  { day, merchant }: ShopDay,
  limit: number,
): Promise<{ figures: DayFigures; doubtful: readonly Payment[] }> => {
  const { store, balances, settings } = from;
  const { currency, timeZone } = settings;
  const [fromMs, untilMs] = [startOfDay(day, timeZone), startOfDay(day + 1, timeZone)];
  const told = defined({
    opening: balanceFrom(await balances.ofDay(day - 1, merchant), currency),
    closing: balanceFrom(await balances.ofDay(day, merchant), currency),
  });
  const all = await uncertainPayments(store, { ...told, fromMs, untilMs, timeZone });
  const uncertain = all.filter(({ payment }) => payment.terms.merchant === merchant);
  /** Without what may be in the balance. */
  const completedAfter = async (told: BalanceAt | undefined, untilMs: number): Promise<number> => {
    if (told === undefined) return 0;
    const may = uncertain.filter(
      ({ payment }) => isUnderWay(payment, told) && knownMs(payment) < untilMs,
    );
    const sums = await completedIn({ store, merchant, fromMs: told.atMs, untilMs }, 'settled');
    return minorIn(sums, currency) - minorIn(may.map(sumOf), currency);
  };
  const unmatched = await from.unmatched.all();
  const figures: DayFigures = {
    ...told,
    collected: await completedIn({ store, merchant, fromMs, untilMs }, 'settled'),
    earlyMinor: await completedAfter(told.opening, fromMs),
    lateMinor: await completedAfter(told.closing, untilMs),
    doubts: inOrder(uncertain.map((one) => ({ ...sumOf(one), doubt: one.words }))),
    strays: unmatched.filter(({ firstAtMs }) => dayAt(firstAtMs, timeZone) === day).length,
  };
  const mayAdd = uncertain
    .map((one) => one.adds * minorIn([sumOf(one)], currency))
    .filter((minor) => minor !== 0);
  const difference = differenceMinor(figures, currency);
  const unexplained =
    difference === undefined
      ? undefined
      : leftOver(difference - figures.earlyMinor + figures.lateMinor, mayAdd);
  // Those that a person has to look into first.
  const isCalm = ({ flag }: Payment): number => Number(flag !== 'conflict');
  const doubtful = uncertain.map(({ payment }) => payment).sort((a, b) => isCalm(a) - isCalm(b));
  return {
    figures: { ...figures, ...defined({ unexplained }) },
    doubtful: doubtful.slice(0, limit),
  };
};

/** What the balance grew by beyond what was collected; undefined: a balance is missing. */
export const differenceMinor = (
  { opening, closing, collected }: DayFigures,
  currency: string,
): number | undefined =>
  opening && closing && closing.amountMinor - opening.amountMinor - minorIn(collected, currency);

const balanceFrom = (told: ToldBalances | undefined, currency: string): BalanceAt | undefined => {
  if (told?.collection === undefined) return undefined;
  const { collection, sms: _sms, payout: _payout, ...times } = told;
  const money = moneyFromService(collection, currency);
  return money && { amountMinor: money.amountMinor, ...times };
};

type Range = {
  readonly store: Pick<Store, 'paymentFigures'>;
  readonly merchant: string | undefined;
  readonly fromMs: number;
  readonly untilMs: number;
};

/** What is completed of what was confirmed in that time, or was known to be in it. */
export const completedIn = async (
  { store, merchant, ...range }: Range,
  time: 'confirmed' | 'settled',
): Promise<Sum[]> => {
  const figures = await store.paymentFigures({ ...range, time, by: ['merchant'] });
  return inOrder(collectedIn(figures.filter((one) => one.merchant === (merchant ?? null))));
};

const sumOf = ({ payment }: Uncertain): Sum => ({ ...payment.terms.amount, count: 1 });

/** Added up by currency, and by doubt where they have one; in order. */
const inOrder = <Each extends Sum & { readonly doubt?: string }>(sums: readonly Each[]): Each[] =>
  [...addedUp(sums, ({ doubt = '', currency }) => `${doubt} ${currency}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, sum]) => sum);

/** Each sum of so many payments is tried: 1,024 sums of one half beside 1,024 of the other. */
const MOST_TRIED = 20;

/** What is left after the payments that bring it nearest to 0, each as a whole or not at all; of too many, after all. */
const leftOver = (
  amountMinor: number,
  payments: readonly number[],
): NonNullable<DayFigures['unexplained']> => {
  if (payments.length <= MOST_TRIED) return { amountMinor: nearestTo0(amountMinor, payments) };
  const sign = Math.sign(amountMinor);
  const upToMinor = payments.reduce((sum, minor) => sum + Math.max(0, minor * sign), 0);
  const left = Math.abs(amountMinor) - upToMinor;
  return left > 0 || sign === 0 ? { amountMinor: left * sign } : { amountMinor: 0, upToMinor };
};

/** Goes through the sums of one half upwards while those of the other go downwards. */
const nearestTo0 = (amountMinor: number, payments: readonly number[]): number => {
  const half = payments.length / 2;
  const rising = everySumOf(payments.slice(0, half));
  const falling = everySumOf(payments.slice(half)).reverse();
  let nearest = amountMinor;
  for (let up = 0, down = 0; up < rising.length && down < falling.length; ) {
    const left = amountMinor - (rising[up] ?? 0) - (falling[down] ?? 0);
    if (Math.abs(left) < Math.abs(nearest)) nearest = left;
    if (left > 0) up++;
    else down++;
  }
  return nearest;
};

const everySumOf = (payments: readonly number[]): number[] =>
  payments
    .reduce((sums, minor) => sums.flatMap((sum) => [sum, sum + minor]), [0])
    .sort((a, b) => a - b);
