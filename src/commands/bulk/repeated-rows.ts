import { isLike } from '../../core/bulk/earlier-charges.ts';
import { type BulkCharge, type ChargeFileTerms, isChargeRun } from '../../core/records/bulk.ts';
import { isContradicted, type Payment } from '../../core/records/payment.ts';
import { dayAt, firstOfMonth, startOfDay } from '../../core/values/calendar-day.ts';
import { showNear } from '../../core/values/format-time.ts';
import { stateWord } from '../cards/payment-words.ts';
import { momentOf, type Services } from '../command.ts';
import { rowsText } from './dry-run-words.ts';

/** Two lists of one day are likely the same list; the dues of two weeks are not. */
const LOOKS_BACK_MS = 12 * 3_600_000;

const MOST_NAMED = 6;

type RepeatNeeds = Pick<Services, 'earlier' | 'bulkRuns' | 'clock' | 'settings'>;

/** Whether those of a run without success are asked for once more, or all of it for a month. */
export type AskedFor = Pick<ChargeFileTerms, 'again' | 'round'>;

/**
 * Earlier charges that the rows may repeat: those that are open, and those that were paid lately. The `rows` that it
 * returns name them, `repeated` is for the draft, and `hasNew` says that the rows did not name all of them before.
 */
export const lookForRepeats = async (
  needs: RepeatNeeds,
  rows: readonly BulkCharge[],
  of: AskedFor,
) => {
  const sinceMs = await sinceMsOf(needs, of, needs.clock.now());
  const numbers = rows.map(({ terms }) => terms.customerNumber);
  const byCustomer = Map.groupBy(
    await needs.earlier.of(numbers, sinceMs, rows[0]?.terms.merchant),
    ({ terms }) => terms.customerNumber,
  );
  const found = rows.map((row) => {
    const theirs = byCustomer.get(row.terms.customerNumber) ?? [];
    const like = theirs.filter((each) => isLike(each, row.terms));
    const named = row.repeats ?? [];
    const repeats = [...new Set([...named, ...like.map(({ id }) => id)])];
    const isNew = repeats.length > named.length;
    return { row: isNew ? { ...row, repeats } : row, newest: like[0], isNew };
  });
  const repeating = found.flatMap(({ row: { row }, newest }) => (newest ? { row, newest } : []));
  const warnings = await warningsOf(needs, repeating);
  return {
    rows: found.map(({ row }) => row),
    repeated: repeating.length === 0 ? undefined : { rows: repeating.length, warnings },
    hasNew: found.some(({ isNew }) => isNew),
  };
};

/** Of another try as far back as the question of its first run looked: what that named is named again. */
const sinceMsOf = async (
  needs: RepeatNeeds,
  { again, round }: AskedFor,
  atMs: number,
): Promise<number> => {
  const before = again === undefined ? undefined : await needs.bulkRuns.get(again);
  if (before !== undefined && isChargeRun(before))
    return sinceMsOf(needs, before.terms, Math.min(before.confirmedAtMs, atMs));
  const lateMs = atMs - LOOKS_BACK_MS;
  const { timeZone } = needs.settings;
  // Dues of a month are paid once in it.
  const month = round && firstOfMonth(dayAt(atMs, timeZone));
  return month === undefined ? lateMs : Math.min(lateMs, startOfDay(month, timeZone));
};

/** A row, and the newest charge that it repeats. */
type Repetition = { readonly row: number; readonly newest: Payment };

/** A line for each earlier file and each earlier charge, with the rows that repeat it. */
const warningsOf = async (
  needs: RepeatNeeds,
  repeating: readonly Repetition[],
): Promise<readonly string[]> => {
  if (repeating.length === 0) return [];
  const groups = Map.groupBy(repeating, ({ newest }) => newest.bulk?.run ?? newest.id);
  const named = [...groups.values()].slice(0, MOST_NAMED);
  const others = [...groups.values()].slice(MOST_NAMED).flat();
  const lines = await Promise.all(named.map((group) => lineOf(needs, group)));
  return [
    ...lines,
    ...(others.length === 0 ? [] : [`Earlier charges are repeated by ${rowsOf(others)} too.`]),
    'Charge them again only for a second sale.',
  ];
};

const rowsOf = (group: readonly Repetition[]): string => rowsText(group.map(({ row }) => row));

/** `Rows 2 and 3 repeat dues.csv of ama, today 10:00: 1 completed, 1 being sent.` */
const lineOf = async (needs: RepeatNeeds, group: readonly Repetition[]): Promise<string> => {
  const payments = group.map(({ newest }) => newest);
  const [payment] = payments;
  if (payment === undefined) return '';
  const run = payment.bulk && (await needs.bulkRuns.get(payment.bulk.run));
  const what = run === undefined ? 'a charge' : run.terms.fileName;
  const when = showNear((run ?? payment).confirmedAtMs, momentOf(needs));
  const rows = rowsOf(group).replace('row', 'Row');
  const verb = group.length === 1 ? 'repeats' : 'repeat';
  return `${rows} ${verb} ${what} of ${payment.requester.name}, ${when}: ${statesOf(payments)}.`;
};

const statesOf = (payments: readonly Payment[]): string => {
  const states = [...Map.groupBy(payments, wordOf)];
  return states.length === 1
    ? (states[0]?.[0] ?? '')
    : states.map(([word, { length }]) => `${length.toLocaleString('en')} ${word}`).join(', ');
};

const wordOf = (payment: Payment): string =>
  isContradicted(payment)
    ? `${stateWord(payment.state)}, which the payment service contradicts`
    : stateWord(payment.state);
