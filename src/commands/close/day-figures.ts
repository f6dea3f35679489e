import type { ToldBalances } from '../../core/records/balances.ts';
import { type DayFigures, doubtOf, type ShopDay, type Sum } from '../../core/records/closed-day.ts';
import type { Payment, PaymentFilter } from '../../core/records/payment.ts';
import { everyPayment } from '../../core/store/store.ts';
import { dayAt, startOfDay } from '../../core/values/calendar-day.ts';
import { moneyFromService } from '../../core/values/money.ts';
import type { Services } from '../command.ts';

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
  const opening = balanceFrom(await balances.ofDay(day - 1, merchant), currency);
  const closing = balanceFrom(await balances.ofDay(day, merchant), currency);
  const of = { store, merchant, fromMs, untilMs };
  const conflicts = await conflictsOf(of);
  const minorBetween = async (sinceMs: number | undefined, endMs: number): Promise<number> =>
    sinceMs === undefined
      ? 0
      : ((await collectedIn({ ...of, fromMs: sinceMs, untilMs: endMs })).find(
          (sum) => sum.currency === currency,
        )?.amountMinor ?? 0);
  const strays = await from.unmatched.all();
  return {
    figures: {
      ...(opening === undefined ? {} : { opening }),
      ...(closing === undefined ? {} : { closing }),
      collected: await collectedIn(of),
      earlyMinor: await minorBetween(opening?.atMs, fromMs),
      lateMinor: await minorBetween(closing?.atMs, untilMs),
      doubts: summed([...(await openIn(of)), ...conflicts.map(asDoubt)]),
      strays: strays.filter(({ firstAtMs }) => dayAt(firstAtMs, timeZone) === day).length,
    },
    doubtful: [...conflicts, ...(await openPayments(of, limit - conflicts.length))].slice(0, limit),
  };
};

const balanceFrom = (told: ToldBalances | undefined, currency: string) => {
  const money =
    told?.collection === undefined ? undefined : moneyFromService(told.collection, currency);
  return told && money && { amountMinor: money.amountMinor, atMs: told.atMs };
};

type Range = {
  readonly store: Store;
  readonly merchant: string | undefined;
  readonly fromMs: number;
  readonly untilMs: number;
};

const figuresIn = async ({ store, merchant, ...range }: Range, time: 'settled' | 'confirmed') => {
  const figures = await store.paymentFigures({ ...range, time, by: ['merchant'] });
  return figures
    .filter((figure) => merchant === undefined || figure.merchant === merchant)
    .map(({ merchant: _, ...figure }) => figure);
};

const isOf = ({ terms }: Payment, merchant: string | undefined): boolean =>
  merchant === undefined || terms.merchant === merchant;

const collectedIn = async (range: Range): Promise<Sum[]> =>
  summed((await figuresIn(range, 'settled')).filter(({ state }) => state === 'completed'));

type DoubtSum = DayFigures['doubts'][number];

/** Without an outcome and not in conflict, by when they were confirmed. */
const openIn = async (range: Range): Promise<DoubtSum[]> => {
  const figures = await figuresIn(range, 'confirmed');
  return figures.flatMap(({ state, flag, ...sum }) => {
    const doubt = flag === 'conflict' ? undefined : doubtOf({ state });
    return doubt === undefined ? [] : [{ ...sum, doubt }];
  });
};

/** Recorded as completed on the day, or confirmed on it and recorded otherwise. There are few, so each is read. */
const conflictsOf = async ({ store, merchant, fromMs, untilMs }: Range): Promise<Payment[]> => {
  const found: Payment[] = [];
  const filter = { flag: 'conflict', endedSinceMs: fromMs } as const;
  for await (const payment of everyPayment(store, filter, 100)) {
    const { state, confirmedAtMs, settledAtMs = confirmedAtMs } = payment;
    const atMs = state === 'completed' ? settledAtMs : confirmedAtMs;
    if (atMs >= fromMs && atMs < untilMs && isOf(payment, merchant)) found.push(payment);
  }
  return found;
};

/** Those that `openIn` counts, newest first, `limit` at most. */
const openPayments = async (
  { store, merchant, fromMs: sinceMs, untilMs }: Range,
  limit: number,
): Promise<Payment[]> => {
  const found: Payment[] = [];
  const states = ['confirmed', 'submitting', 'pending', 'unknown'] as const;
  const filter: PaymentFilter = { states, sinceMs, untilMs };
  if (limit <= 0) return found;
  for await (const payment of everyPayment(store, filter, 100)) {
    if (payment.flag !== 'conflict' && isOf(payment, merchant)) found.push(payment);
    if (found.length === limit) return found;
  }
  return found;
};

const asDoubt = (payment: Payment): DoubtSum => ({
  ...payment.terms.amount,
  count: 1,
  doubt: payment.state === 'completed' ? 'perhaps reversed' : 'in conflict',
});

/** Added up by currency, and by doubt where they have one; in order. */
const summed = <Each extends Sum & { readonly doubt?: string }>(sums: readonly Each[]): Each[] => {
  const keyOf = ({ doubt = '', currency }: Each): string => `${doubt} ${currency}`;
  const groups = Map.groupBy(
    sums.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
    keyOf,
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { doubt, currency } = first;
    const total = { currency, count: first.count, amountMinor: first.amountMinor };
    for (const { count, amountMinor } of others) {
      total.count += count;
      total.amountMinor += amountMinor;
    }
    return [{ ...(doubt === undefined ? {} : { doubt }), ...total } as Each];
  });
};
