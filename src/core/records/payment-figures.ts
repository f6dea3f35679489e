import type { Payment, PaymentState, PaymentTotal } from './payment.ts';

/** Payments in one currency, and the sum of their amounts. */
export type Sum = Omit<PaymentTotal, 'state'>;

export const QUARTER_MS = 15 * 60_000;

/** What payments may be counted by, beside state, currency and flag. */
type Groups = {
  /** `platform:id` */
  readonly requester: string;
  /** `platform:channel` of the conversation */
  readonly place: string;
  readonly network: string;
  readonly option: string;
  /** null: there was one merchant. */
  readonly merchant: string | null;
  /** The role whose daily total it counts against, as JSON; null: none. Read from each body, and not from an index. */
  readonly countedFor: string | null;
  /** The run of its file; null: it came with none. Not read from an index either. */
  readonly run: string | null;
  /** Quarters of an hour since 1970. Offsets of zones are whole quarters, so each is in one hour and one day of any zone. */
  readonly quarter: number;
  /** Whole seconds from confirmed to settled; null: not settled. */
  readonly secondsToSettle: number | null;
};
export type FigureGroup = keyof Groups;

/** Payments confirmed, or settled, from `fromMs` on and before `untilMs`. */
export type FiguresAsked<Group extends FigureGroup = never> = {
  readonly time: 'confirmed' | 'settled';
  readonly fromMs: number;
  readonly untilMs: number;
  /** Only those that this person asked for: `platform:id`. */
  readonly requester?: string;
  readonly merchant?: string;
  /** @default none */
  readonly by?: readonly Group[];
};

/** How many payments are alike in all this, and the sum of their amounts. */
export type PaymentFigure<Group extends FigureGroup = never> = Pick<Groups, Group> &
  PaymentTotal & { readonly flag: NonNullable<Payment['flag']> | null };

export const countedIn = (groups: readonly { readonly count: number }[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0);

export const countOf = (
  totals: readonly Pick<PaymentTotal, 'state' | 'count'>[],
  states: readonly PaymentState[],
): number => countedIn(totals.filter(({ state }) => states.includes(state)));

/** The sum in one currency: currencies are not added up. */
export const minorIn = (
  sums: readonly Pick<Sum, 'currency' | 'amountMinor'>[],
  currency: string | undefined,
): number =>
  sums.reduce((total, sum) => (sum.currency === currency ? total + sum.amountMinor : total), 0);

/** What was collected, by currency: what is completed, and nothing that may still be. */
export const collectedIn = (totals: readonly PaymentTotal[]): Sum[] => {
  const sums = totals.flatMap(({ state, currency, count, amountMinor, givenBackMinor = 0 }) =>
    state === 'completed' ? [{ currency, count, amountMinor, givenBackMinor }] : [],
  );
  return [...addedUp(sums, ({ currency }) => currency).values()];
};

/** Those with the same key as one, by that key and in their order, added to earlier sums. */
export const addedUp = <Each extends Omit<Sum, 'currency'>, Key>(
  figures: readonly Each[],
  keyOf: (figure: Each) => Key,
  sums = new Map<Key, Each>(),
): Map<Key, Each> => {
  for (const one of figures) {
    const { count = 0, amountMinor = 0, givenBackMinor = 0 } = sums.get(keyOf(one)) ?? {};
    const sum = {
      count: count + one.count,
      amountMinor: amountMinor + one.amountMinor,
      givenBackMinor: givenBackMinor + (one.givenBackMinor ?? 0),
    };
    sums.set(keyOf(one), { ...one, ...sum });
  }
  return sums;
};
