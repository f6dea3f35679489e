import type { Payment, PaymentState } from './payment.ts';

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
export type PaymentFigure<Group extends FigureGroup = never> = Pick<Groups, Group> & {
  readonly state: PaymentState;
  readonly currency: string;
  readonly flag: NonNullable<Payment['flag']> | null;
  readonly count: number;
  readonly amountMinor: number;
};

/** Those with the same key as one, by that key and in their order, added to earlier sums. */
export const addedUp = <Each extends Pick<PaymentFigure, 'count' | 'amountMinor'>, Key>(
  figures: readonly Each[],
  keyOf: (figure: Each) => Key,
  sums = new Map<Key, Each>(),
): Map<Key, Each> => {
  for (const one of figures) {
    const { count = 0, amountMinor = 0 } = sums.get(keyOf(one)) ?? {};
    const sum = { count: count + one.count, amountMinor: amountMinor + one.amountMinor };
    sums.set(keyOf(one), { ...one, ...sum });
  }
  return sums;
};
