import type { ToldBalances } from '../../core/records/balances.ts';
import { type DayFigures, doubtOf, type Sum } from '../../core/records/closed-day.ts';
import type { Payment } from '../../core/records/payment.ts';
import { everyPayment } from '../../core/store/store.ts';
import { type CalendarDay, dayAt, startOfDay } from '../../core/values/calendar-day.ts';
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
  day: CalendarDay,
  limit: number,
): Promise<{ figures: DayFigures; doubtful: readonly Payment[] }> => {
  const { store, balances, settings } = from;
  const { currency, timeZone } = settings;
  const [fromMs, untilMs] = [startOfDay(day, timeZone), startOfDay(day + 1, timeZone)];
  const opening = balanceFrom(await balances.ofDay(day - 1), currency);
  const closing = balanceFrom(await balances.ofDay(day), currency);
  const conflicts = await conflictsOf(store, fromMs, untilMs);
  const open = await store.listPayments(
    { states: ['confirmed', 'submitting', 'pending', 'unknown'], sinceMs: fromMs, untilMs },
    { limit },
  );
  const minorBetween = async (sinceMs: number | undefined, endMs: number): Promise<number> =>
    sinceMs === undefined
      ? 0
      : ((await collectedIn(store, sinceMs, endMs)).find((sum) => sum.currency === currency)
          ?.amountMinor ?? 0);
  const strays = await from.unmatched.all();
  return {
    figures: {
      ...(opening === undefined ? {} : { opening }),
      ...(closing === undefined ? {} : { closing }),
      collected: await collectedIn(store, fromMs, untilMs),
      earlyMinor: await minorBetween(opening?.atMs, fromMs),
      lateMinor: await minorBetween(closing?.atMs, untilMs),
      doubts: summed([...(await openIn(store, fromMs, untilMs)), ...conflicts.map(asDoubt)]),
      strays: strays.filter(({ firstAtMs }) => dayAt(firstAtMs, timeZone) === day).length,
    },
    doubtful: [...conflicts, ...open.payments.filter(({ flag }) => flag !== 'conflict')].slice(
      0,
      limit,
    ),
  };
};

const balanceFrom = (told: ToldBalances | undefined, currency: string) => {
  const money =
    told?.collection === undefined ? undefined : moneyFromService(told.collection, currency);
  return told && money && { amountMinor: money.amountMinor, atMs: told.atMs };
};

const collectedIn = async (store: Store, fromMs: number, untilMs: number): Promise<Sum[]> => {
  const figures = await store.paymentFigures({ time: 'settled', fromMs, untilMs });
  return summed(figures.filter(({ state }) => state === 'completed'));
};

type DoubtSum = DayFigures['doubts'][number];

/** Without an outcome and not in conflict, by when they were confirmed. */
const openIn = async (store: Store, fromMs: number, untilMs: number): Promise<DoubtSum[]> => {
  const figures = await store.paymentFigures({ time: 'confirmed', fromMs, untilMs });
  return figures.flatMap(({ state, flag, ...sum }) => {
    const doubt = flag === 'conflict' ? undefined : doubtOf({ state });
    return doubt === undefined ? [] : [{ ...sum, doubt }];
  });
};

/** Recorded as completed on the day, or confirmed on it and recorded otherwise. There are few, so each is read. */
const conflictsOf = async (store: Store, fromMs: number, untilMs: number): Promise<Payment[]> => {
  const found: Payment[] = [];
  const filter = { flag: 'conflict', endedSinceMs: fromMs } as const;
  for await (const payment of everyPayment(store, filter, 100)) {
    const { state, confirmedAtMs, settledAtMs = confirmedAtMs } = payment;
    const atMs = state === 'completed' ? settledAtMs : confirmedAtMs;
    if (atMs >= fromMs && atMs < untilMs) found.push(payment);
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
