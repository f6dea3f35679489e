import { readRows } from '../../core/bulk/bulk-pages.ts';
import { whyNoOtherTry } from '../../core/payments/next-try.ts';
import {
  type BulkCharge,
  bulkRunId,
  type ChargeRun,
  isCharge,
  isChargeRun,
} from '../../core/records/bulk.ts';
import { type ChargeTerms, type Payment, UNPAID_STATES } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { everyPayment } from '../../core/store/store.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { newTransactionId } from '../../core/values/transaction-id.ts';
import { grantsOfFiles } from '../access/grants.ts';
import { type Card, plainCard } from '../cards/card.ts';
import { roomToday } from '../charge/charge-limits.ts';
import { type Context, isOwn, momentOf, type Press, type Services } from '../command.ts';
import { frozenCard, goneCard } from '../draft-buttons.ts';
import { refusalFor } from '../merchants.ts';
import { type Proposal, propose } from './dry-run.ts';
import { againWarningsOf, approvalNotes } from './dry-run-words.ts';
import { counted } from './file-facts.ts';
import { monthOf, nextMonthOf, referenceFor } from './next-month.ts';
import { rowsAbove, totalOf } from './plan-bulk.ts';
import { type AskedFor, lookForRepeats } from './repeated-rows.ts';
import { runCard } from './run-card.ts';

/** Asks for the rows without success once more, by a question of its own. */
export const askAgain = (services: Services): Press['run'] =>
  askRows(services, ({ id: again }) => ({ again }));

/**
 * Asks for all rows of a file once more, for the next month, by a question of its own: with new transaction ids and
 * references. A file has one such run a month, from whichever of its cards it is asked: also from one of another try.
 */
export const askNextMonth = (services: Services): Press['run'] => {
  const ask = askRows(services, (run) => {
    const month = nextMonthOf(run, momentOf(services));
    return { round: { of: run.terms.round?.of ?? run.id, month } };
  });
  return async (id, context) => ask(await services.bulkRuns.firstTryOf(id), context);
};

/** A run of charges whose customers this person may ask here, for money or by a reminder; else why not. */
export const askableRun = async (
  { bulkRuns, freeze, settings }: Services,
  id: string,
  { caller }: Context,
): Promise<ChargeRun | Card> => {
  const run = await bulkRuns.get(id);
  if (run === undefined || !isChargeRun(run)) return goneCard;
  const frozen = await freeze.standing();
  if (frozen !== undefined) return frozenCard(frozen, settings.timeZone);
  return refusalFor(settings, caller, run.terms.merchant) ?? run;
};

const askRows =
  (services: Services, askedForOf: (run: ChargeRun) => AskedFor): Press['run'] =>
  async (id, context) => {
    const { surface, caller } = context;
    const run = await askableRun(services, id, context);
    if ('title' in run) return surface.answerPress(run);
    const { sha256, fileName, merchant } = run.terms;
    const askedFor = askedForOf(run);
    const of = { sha256, ...askedFor };
    const known = (await services.bulkRuns.triesOf(bulkRunId(of))).at(-1);
    const why = askedFor.round && 'same file';
    if (known !== undefined) return surface.answerPress(runCard(known, services, why));
    if (run.endedAtMs === undefined) return surface.answerPress(notYetCard);
    const { asked, lost } = await rowsOf(services, run, askedFor, context);
    const leftOut = lost === 0 ? [] : [lostText(lost, run.terms.rows)];
    if (asked.length === 0) return surface.answerPress(nothingCard(leftOut[0]));
    const charges = asked.map(({ row, terms }) => ({ row, ...terms }));
    const total = totalOf(charges);
    const grants = grantsOfFiles(context.grants);
    const room = await roomToday(services, grants, caller, total);
    if (!room.fits) return surface.answerPress(room.why);
    const { rows, repeated } = await lookForRepeats(services, asked, askedFor);
    const contentOf: Proposal['contentOf'] = (paged) => ({
      kind: 'bulk',
      terms: { ...of, fileName, total, ...defined({ merchant }), ...paged },
      warnings: [...leftOut, ...againWarningsOf(charges, grants)],
      notes: approvalNotes(rowsAbove(charges, grants)),
      ...defined({ repeated }),
    });
    await propose(services, { of, rows, contentOf }, context);
  };

/**
 * Those that became payments and those that were never asked for, in the order of the file, each with a new id. `lost`:
 * how many are not stored any more.
 */
const rowsOf = async (
  { store, bulkRuns, clock, random, settings }: Services,
  run: ChargeRun,
  { round }: AskedFor,
  { caller, grants }: Context,
): Promise<{ readonly asked: readonly BulkCharge[]; readonly lost: number }> => {
  const nowMs = clock.now();
  const asked: BulkCharge[] = [];
  let erased = 0;
  const isMasked = !isOwn(run, caller) && !grants.reveal;
  const month = monthOf(run, settings.timeZone);
  const add = ({ row, id: before, terms, retryOf, maskedFrom }: BulkCharge): void => {
    if (isPseudonym(terms.customerNumber)) return void erased++;
    const id = newTransactionId(nowMs, random);
    const named =
      round === undefined ? terms.reference : referenceFor(terms.reference, month, round.month);
    // Where the transaction id took the place of a reference, the new one does.
    const reference = terms.reference === before ? id : named;
    const more = {
      retryOf: round === undefined ? retryOf : undefined,
      maskedFrom: maskedFrom ?? (isMasked ? before : undefined),
    };
    asked.push({ row, id, terms: { ...terms, reference }, ...defined(more) });
  };
  const known = new Set<number>();
  const isNew = (row: number): boolean => known.size < known.add(row).size;
  // Of rows that are gone here, or erased, another try may know the customer.
  const isGone = ({ customerNumber }: ChargeTerms): boolean =>
    round !== undefined && isPseudonym(customerNumber);
  const tries = round === undefined ? [run] : await bulkRuns.triesOf(run.id);
  for (const each of tries) {
    for await (const payment of everyPayment(store, { bulk: each.id })) {
      const { id, terms, bulk, maskedFrom } = payment;
      if (bulk === undefined || isGone(terms) || !isNew(bulk.row)) continue;
      if (round !== undefined || mayBeTried(payment))
        add({ row: bulk.row, id, terms, retryOf: id, ...defined({ maskedFrom }) });
    }
    // After a restore they may have been sent all the same.
    if (round === undefined && run.isRestored === true) return { asked, lost: erased };
    for (const { row } of await readRows(store, each, isCharge)) {
      if (isGone(row.terms) || !isNew(row.row)) continue;
      const first = row.retryOf === undefined ? undefined : await store.get('payment', row.retryOf);
      if (round !== undefined || first === undefined || whyNoOtherTry(first) === undefined)
        add(row);
    }
  }
  const inOrder = asked.toSorted((one, other) => one.row - other.row);
  return { asked: inOrder, lost: run.terms.rows - known.size + erased };
};

/** It was certainly not paid. */
const mayBeTried = (payment: Payment): boolean =>
  UNPAID_STATES.includes(payment.state) && whyNoOtherTry(payment) === undefined;

const notYetCard = plainCard('Not yet', 'Some of its payments have no outcome. Wait for them.');

const lostText = (lost: number, rows: number): string =>
  `Left out: ${lost.toLocaleString('en')} of ${counted(rows, 'row')}. They were erased or are no longer stored.`;

const nothingCard = (why = 'Each customer paid or may still pay.'): Card =>
  plainCard('There is nothing to ask again', why);
