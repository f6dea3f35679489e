import type { ToldBalances } from '../../core/records/balances.ts';
import type { BalanceAt, DayFigures, ShopDay, Sum } from '../../core/records/closed-day.ts';
import type { Payment } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { dayAt, startOfDay } from '../../core/values/calendar-day.ts';
import { moneyFromService } from '../../core/values/money.ts';
import type { Services } from '../command.ts';
import { leftOver } from './left-over.ts';
import { isUnderWay, type Uncertain, uncertainPayments } from './uncertain-payments.ts';

type Store = Pick<Services['store'], 'listPayments' | 'paymentFigures'>;

/** What the figures are read from. */
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
  const sumBetween = async (balance: BalanceAt | undefined, endMs: number): Promise<number> => {
    if (balance === undefined) return 0;
    const range = { store, merchant, fromMs: balance.atMs, untilMs: endMs };
    const certain = minorIn(await completedIn(range, 'settled'), currency);
    return certain - minorIn(uncertain.filter(isSettledIn(range, balance)).map(sumOf), currency);
  };
  const strays = await from.unmatched.all();
  const figures: DayFigures = {
    ...told,
    collected: await completedIn({ store, merchant, fromMs, untilMs }, 'settled'),
    earlyMinor: await sumBetween(told.opening, fromMs),
    lateMinor: await sumBetween(told.closing, untilMs),
    doubts: summed(uncertain.map((one) => ({ ...sumOf(one), doubt: one.words }))),
    strays: strays.filter(({ firstAtMs }) => dayAt(firstAtMs, timeZone) === day).length,
  };
  const rest = certainRestMinor(figures, currency);
  const mayAdd = uncertain.map((one) => one.adds * minorIn([sumOf(one)], currency));
  const unexplained =
    rest === undefined
      ? undefined
      : leftOver(
          rest,
          mayAdd.filter((minor) => minor !== 0),
        );
  return {
    figures: { ...figures, ...defined({ unexplained }) },
    doubtful: newest(uncertain, limit),
  };
};

/** What the balance grew by beyond what was collected; undefined: a balance is missing. */
export const differenceMinor = (
  { opening, closing, collected }: DayFigures,
  currency: string,
): number | undefined =>
  opening && closing && closing.amountMinor - opening.amountMinor - minorIn(collected, currency);

/** The same without what certainly came before or after the balances. */
export const certainRestMinor = (figures: DayFigures, currency: string): number | undefined => {
  const difference = differenceMinor(figures, currency);
  return difference === undefined ? undefined : difference - figures.earlyMinor + figures.lateMinor;
};

const minorIn = (sums: readonly Sum[], currency: string): number =>
  sums.reduce((total, sum) => (sum.currency === currency ? total + sum.amountMinor : total), 0);

const balanceFrom = (told: ToldBalances | undefined, currency: string): BalanceAt | undefined => {
  const money =
    told?.collection === undefined ? undefined : moneyFromService(told.collection, currency);
  if (told === undefined || money === undefined) return undefined;
  const { atMs, answeredAtMs } = told;
  return { amountMinor: money.amountMinor, atMs, ...defined({ answeredAtMs }) };
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
  return summed(
    figures
      .filter((one) => one.state === 'completed' && one.merchant === (merchant ?? null))
      .map(({ currency, count, amountMinor }) => ({ currency, count, amountMinor })),
  );
};

/** Those that are in the sum of a time, though they may be in its balance. */
const isSettledIn =
  ({ fromMs, untilMs }: Range, balance: BalanceAt) =>
  ({ payment }: Uncertain): boolean => {
    const { state, settledAtMs = 0 } = payment;
    return (
      state === 'completed' &&
      settledAtMs >= fromMs &&
      settledAtMs < untilMs &&
      isUnderWay(payment, balance)
    );
  };

const sumOf = ({ payment }: Uncertain): Sum => ({ ...payment.terms.amount, count: 1 });

/** Payments in conflict first: a person has to look into them. */
const newest = (uncertain: readonly Uncertain[], limit: number): Payment[] =>
  uncertain
    .map(({ payment }) => payment)
    .sort((a, b) => Number(b.flag === 'conflict') - Number(a.flag === 'conflict'))
    .slice(0, limit);

/** Added up by currency, and by doubt where they have one; in order. */
const summed = <Each extends Sum & { readonly doubt?: string }>(sums: readonly Each[]): Each[] => {
  const found = new Map<string, Each>();
  for (const one of sums) {
    const key = `${one.doubt ?? ''} ${one.currency}`;
    const { count = 0, amountMinor = 0 } = found.get(key) ?? {};
    const sum = { count: count + one.count, amountMinor: amountMinor + one.amountMinor };
    found.set(key, { ...one, ...sum });
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
};
