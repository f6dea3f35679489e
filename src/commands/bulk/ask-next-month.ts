import { readRows } from '../../core/bulk/bulk-pages.ts';
import { type BulkCharge, bulkRunId, type ChargeRun, isCharge } from '../../core/records/bulk.ts';
import { defined } from '../../core/runtime/defined.ts';
import { everyPayment } from '../../core/store/store.ts';
import { type CalendarDay, dayAt, firstOfMonth } from '../../core/values/calendar-day.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { plainCard } from '../cards/card.ts';
import { type Context, isOwn, type Press, type Services } from '../command.ts';
import { askableRun } from './askable-run.ts';
import { proposeCharges } from './dry-run.ts';
import { monthAfter, referenceFor } from './next-month.ts';
import type { ChargeFile, ChargeRow } from './read-charge-rows.ts';
import { newestRun, runCard } from './run-card.ts';

/**
 * Asks all rows of a file once more, for the next month, by a dry run of its own: with new transaction ids and references, and
 * the looks for repeats that a new file has. A file has one such run a month, from whichever of its cards it is asked.
 */
export const askNextMonth =
  (services: Services): Press['run'] =>
  async (id, context) => {
    const { clock, settings } = services;
    const { surface } = context;
    const run = await askableRun(services, id, context);
    if ('title' in run) return surface.answerPress(run);
    const now = firstOfMonth(dayAt(clock.now(), settings.timeZone));
    const month = Math.max(monthAfter(run, settings.timeZone), now);
    const round = { of: run.terms.round?.of ?? run.id, month };
    const { sha256, fileName, merchant } = run.terms;
    const terms = { sha256, fileName, round, ...defined({ merchant }) };
    const known = await newestRun(services, bulkRunId(terms));
    if (known !== undefined) return surface.answerPress(runCard(known, settings, 'same file'));
    const rows = await rowsOf(services, run);
    if (rows.length === 0) return surface.answerPress(noRowsCard);
    const file = fileFrom(rows, month);
    const maskedFrom = maskedIn(rows, run, context);
    const asked = { file, terms, ...defined({ maskedFrom }) };
    const refusal = await proposeCharges(services, asked, context);
    if (refusal !== undefined) await surface.answerPress(refusal);
  };

type Row = Pick<BulkCharge, 'row' | 'id' | 'terms' | 'maskedFrom'>;

/** Those that became payments, and those that were never asked for, in the order of the file. */
const rowsOf = async (
  { store }: Pick<Services, 'store'>,
  run: ChargeRun,
): Promise<readonly Row[]> => {
  const rows = new Map<number, Row>();
  for (const { row } of await readRows(store, run, isCharge)) rows.set(row.row, row);
  for await (const { id, terms, bulk, maskedFrom } of everyPayment(store, { bulk: run.id }))
    if (bulk !== undefined)
      rows.set(bulk.row, { row: bulk.row, id, terms, ...defined({ maskedFrom }) });
  return [...rows.values()]
    .filter(({ terms }) => !isPseudonym(terms.customerNumber))
    .sort((one, other) => one.row - other.row);
};

/** As a file that was read just now: names are compared with those of the wallets again. */
const fileFrom = (rows: readonly Row[], month: CalendarDay): ChargeFile => {
  const good = rows.map(({ row, id, terms }): ChargeRow => {
    const { customerNumber, amount, network, reference, customerName: name } = terms;
    // Where the transaction id took the place of a reference, the new one does.
    const next = reference === id ? undefined : referenceFor(reference, month);
    const known = defined({ reference: next, name });
    return { row, customerNumber, amount, network, doubtful: false, ...known };
  });
  const byCustomer = Map.groupBy(good, ({ customerNumber }) => customerNumber);
  const several = [...byCustomer].filter(([, theirs]) => theirs.length > 1);
  const sameCustomer = several.map(
    ([number, theirs]) => [number, theirs.map(({ row }) => row)] as const,
  );
  const lines = { all: good.length, empty: 0 };
  return { header: [], good, bad: [], twice: [], sameCustomer, withoutZero: [], lines };
};

/** By row; undefined: this person may see all of them whole. */
const maskedIn = (
  rows: readonly Row[],
  run: ChargeRun,
  { caller, grants }: Context,
): ReadonlyMap<number, string> | undefined => {
  const isTheirs = isOwn(run, caller) || grants.reveal;
  const masked = rows.flatMap(({ row, id, maskedFrom }): [number, string][] => {
    const from = maskedFrom ?? (isTheirs ? undefined : id);
    return from === undefined ? [] : [[row, from]];
  });
  return masked.length === 0 ? undefined : new Map(masked);
};

const noRowsCard = plainCard(
  'No customer of this file is left',
  'The number of each customer was erased. Send the file again.',
);
