import { correctionsOf } from '../../core/payments/corrections.ts';
import { type Correction, closedDayOf } from '../../core/records/closed-day.ts';
import type { Digest, DigestRow, DigestScope } from '../../core/records/digest.ts';
import type { Payment, PaymentFilter } from '../../core/records/payment.ts';
import type { PaymentFigure } from '../../core/records/payment-figures.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import { everyPayment } from '../../core/store/store.ts';
import { type CalendarDay, startOfDay } from '../../core/values/calendar-day.ts';
import { type Period, periodOf } from '../../core/values/period.ts';
import { periodBefore } from '../../core/values/period-before.ts';
import { reasonOf } from '../cards/payment-words.ts';
import type { Services } from '../command.ts';
import { inScope, isInScope, SCOPE_GROUPS, type ScopedFigure, summed } from '../figures/scope.ts';
import { figuresByDay, sumsOf } from '../figures/sums.ts';
import { type SumGroup, sumsByGroup } from '../figures/sums-by-group.ts';
import { readPeriods } from './digest-periods.ts';

export type DigestFrom = Pick<Services, 'store' | 'notify' | 'settings' | 'balances'>;

/** Days whose outcome is followed: longer than a payment is asked about by default. */
const DAYS_FOLLOWED = 7;
/** A correction of a closed day is looked for this far back: longer than a payment without an outcome can change. */
const DAYS_CORRECTED = 31;
const MOST_PEOPLE = 3;
const MOST_ROWS = 4;
const MOST_NAMED = 3;
const WITH_RUNS = [...SCOPE_GROUPS, 'run'] as const;
/** So many payments at most are read for reasons and for what needs a person. */
const MOST_READ = 1_000;

type Asked = {
  readonly day: CalendarDay;
  readonly atMs: number;
  /** The last day of which there was a digest, before this one. */
  readonly toldDay: CalendarDay;
  /** The digests that were told last; empty before the first. */
  readonly last: readonly Digest[];
};

/** The digest of a day for each scope, from the same figures as reports. Others have their turn in between. */
export const makeDigests = async (
  from: DigestFrom,
  scopes: readonly DigestScope[],
  { day, atMs, toldDay, last }: Asked,
): Promise<Digest[]> => {
  const { timeZone } = from.settings;
  const figuresOf = (period: Period): Promise<ScopedFigure[]> =>
    figuresByDay(from.store, period, timeZone, SCOPE_GROUPS);
  const today = periodOf(day, day, timeZone);
  const before = periodBefore(today, 'a week', { nowMs: atMs, timeZone });
  const read = {
    now: await figuresByDay(from.store, { ...today, untilMs: atMs }, timeZone, WITH_RUNS),
    weekBefore: await figuresOf(before),
    daysBefore: await figuresOf(periodOf(day - DAYS_FOLLOWED, day - 1, timeZone)),
  };
  const over = await readPeriods(figuresOf, { day, toldDay, timeZone });
  const found: Digest[] = [];
  for (const scope of scopes) {
    const isOf = (payment: Payment): boolean =>
      isInScope(scope, payment.terms.merchant, payment, from);
    const ours = <Each extends ScopedFigure>(figures: readonly Each[]) =>
      inScope(figures, scope, from);
    const now = ours(read.now);
    const { typed = [], ofFiles = [] } = Object.groupBy(now, ({ run }) =>
      run === null ? 'typed' : 'ofFiles',
    );
    const earlier = last.find((one) => isSame(one, scope));
    const sinceMs = earlier?.atMs ?? today.fromMs;
    const daysBefore = Array.from({ length: DAYS_FOLLOWED }, (_, at) => ({
      day: day - 1 - at,
      figures: summed(ours(read.daysBefore).filter((figure) => figure.day === day - 1 - at)),
    }));
    found.push({
      ...scope,
      day,
      atMs,
      now: summed(now),
      daysBefore,
      periods: over.map((ofScope) => ofScope(ours)),
      weekBefore: { untilMs: before.untilMs, figures: summed(ours(read.weekBefore)) },
      ...(await commonestReason(from, { sinceMs: today.fromMs, untilMs: atMs }, isOf)),
      people: await rowsOf(typed, 'person', MOST_PEOPLE, from),
      files: sumsOf(ofFiles).amounts,
      branches:
        scope.branch === undefined && from.notify.rules.branches.length > 0
          ? await rowsOf(now, 'branch', MOST_ROWS, from)
          : [],
      merchants:
        scope.merchant === undefined && from.settings.merchants.length > 0
          ? await rowsOf(now, 'merchant', MOST_ROWS, from)
          : [],
      attention: await attentionOf(from, startOfDay(day - DAYS_FOLLOWED, timeZone), isOf),
      balances: scope.branch === undefined ? await balancesOf(from, scope.merchant) : [],
      changed: earlier === undefined ? [] : changedSince(earlier, daysBefore),
      corrections: await correctionsSince(from, { day, sinceMs }, isOf),
    });
  }
  return found;
};

const isSame = (one: DigestScope, other: DigestScope): boolean =>
  one.merchant === other.merchant && one.branch === other.branch;

const rowsOf = async (
  figures: readonly ScopedFigure[],
  by: SumGroup,
  most: number,
  from: DigestFrom,
): Promise<DigestRow[]> => {
  const { rows } = await sumsByGroup(figures, by, from, most);
  return rows
    .filter(({ sums }) => sums.completed > 0)
    .map(({ label, sums: { amounts } }) => ({ label, amounts }));
};

/** Of the newest that match, so many at most; others have their turn between pages. */
const newestOf = async (
  { store }: DigestFrom,
  filter: PaymentFilter,
  isOf: (payment: Payment) => boolean,
): Promise<{ readonly found: readonly Payment[]; readonly isWhole: boolean }> => {
  const found: Payment[] = [];
  let read = 0;
  for await (const payment of everyPayment(store, filter)) {
    if (read === MOST_READ) return { found, isWhole: false };
    if (isOf(payment)) found.push(payment);
    read += 1;
  }
  return { found, isWhole: true };
};

const commonestReason = async (
  from: DigestFrom,
  within: Pick<PaymentFilter, 'sinceMs' | 'untilMs'>,
  isOf: (payment: Payment) => boolean,
): Promise<Pick<Digest, 'failed'>> => {
  const { found } = await newestOf(from, { ...within, states: ['failed'] }, isOf);
  const counts = new Map<string, number>();
  for (const payment of found) {
    // The first sentence: what to do about it is on the card.
    const [reason = ''] = maskPhones(reasonOf(payment) ?? '').split(/\.(?: |$)/);
    if (reason !== '') counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most === undefined
    ? {}
    : { failed: { reason: most[0], count: most[1], of: found.length } };
};

const attentionOf = async (
  from: DigestFrom,
  sinceMs: number,
  isOf: (payment: Payment) => boolean,
): Promise<Digest['attention']> => {
  const filters: readonly PaymentFilter[] = [
    // Nothing takes the flag of a conflict away, so older ones are left to /payments.
    { flag: 'conflict', endedSinceMs: sinceMs },
    { flag: 'needs a person' },
    { states: ['unknown'] },
  ];
  const all = new Map<string, Payment>();
  let isWhole = true;
  for (const filter of filters) {
    const newest = await newestOf(from, filter, isOf);
    isWhole &&= newest.isWhole;
    for (const payment of newest.found) all.set(payment.id, payment);
  }
  const newest = [...all.keys()].slice(0, MOST_NAMED).map((paymentId) => ({ paymentId }));
  return { count: all.size, isWhole, newest };
};

const balancesOf = async ({ balances }: DigestFrom, only: string | undefined) => {
  const told = (only === undefined ? balances.merchants : [only]).map(async (merchant) => {
    const { last } = await balances.kept(merchant);
    return last === undefined ? [] : [{ ...(merchant && { merchant }), told: last }];
  });
  return (await Promise.all(told)).flat();
};

/** Newest first. */
const changedSince = (
  { day, now, daysBefore }: Digest,
  days: Digest['daysBefore'],
): Digest['changed'] => {
  const told = new Map(daysBefore.map((each) => [each.day, each.figures]));
  told.set(day, now);
  return days.flatMap(({ day: each, figures }) => {
    const before = told.get(each);
    if (before === undefined)
      return each > day && figures.length > 0 ? [{ day: each, figures }] : [];
    return endOf(before) === endOf(figures) ? [] : [{ day: each, figures, told: before }];
  });
};

const endOf = (figures: readonly PaymentFigure[]): string =>
  figures
    .filter(({ state }) => state === 'completed' || state === 'failed')
    .map(
      ({ state, currency, count, amountMinor, givenBackMinor = 0 }) =>
        `${state} ${currency} ${count} ${amountMinor} ${givenBackMinor}`,
    )
    .sort()
    .join();

const correctionsSince = async (
  { store, settings }: DigestFrom,
  { day, sinceMs }: { readonly day: CalendarDay; readonly sinceMs: number },
  isOf: (payment: Payment) => boolean,
): Promise<Digest['corrections']> => {
  const found = new Map<string, Correction & { readonly day: CalendarDay }>();
  for (let each = day; each > day - DAYS_CORRECTED; each--)
    for (const merchant of [undefined, ...settings.merchants.map(({ name }) => name)]) {
      const { id } = closedDayOf({ day: each, merchant });
      if ((await store.get('setting', id)) === undefined) continue;
      for (const correction of await correctionsOf(store, id)) {
        const { paymentId, atMs } = correction;
        const payment = atMs >= sinceMs ? await store.get('payment', paymentId) : undefined;
        if (payment !== undefined && isOf(payment))
          found.set(`${each} ${paymentId} ${atMs}`, { day: each, ...correction });
      }
    }
  return [...found.values()]
    .sort((a, b) => b.atMs - a.atMs)
    .map(({ atMs: _, ...correction }) => correction);
};
