import { readRows } from '../../core/bulk/bulk-pages.ts';
import { whyNoOtherTry } from '../../core/payments/next-try.ts';
import {
  type BulkCharge,
  bulkRunId,
  type ChargeFileTerms,
  type ChargeRun,
  isCharge,
  isChargeRun,
} from '../../core/records/bulk.ts';
import { type Payment, UNPAID_STATES } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { everyPayment } from '../../core/store/store.ts';
import { dayAt, firstOfMonth } from '../../core/values/calendar-day.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { newTransactionId } from '../../core/values/transaction-id.ts';
import { grantsOfFiles } from '../access/grants.ts';
import { type Card, plainCard } from '../cards/card.ts';
import { roomToday } from '../charge/charge-limits.ts';
import { type Context, isOwn, type Press, type Services } from '../command.ts';
import { frozenCard, goneCard } from '../draft-buttons.ts';
import { refusalFor } from '../merchants.ts';
import { type Proposal, propose } from './dry-run.ts';
import { againWarningsOf, approvalNotes } from './dry-run-words.ts';
import { monthAfter, monthOf, referenceFor } from './next-month.ts';
import { rowsAbove, totalOf } from './plan-bulk.ts';
import { lookForRepeats } from './repeated-rows.ts';
import { newestRun, runCard } from './run-card.ts';

/** Asks for the rows without success once more, by a question of its own. */
export const askAgain =
  (services: Services): Press['run'] =>
  async (id, context) => {
    const newest = await newestRun(services, id);
    if (newest !== undefined && newest.id !== id)
      return context.surface.answerPress(runCard(newest, services.settings));
    const run = await askableRun(services, id, context);
    if ('title' in run) return context.surface.answerPress(run);
    await askRows(services, run, { again: run.id }, context);
  };

/**
 * Asks for all rows of a file once more, for the next month, by a question of its own: with new transaction ids and
 * references. A file has one such run a month, from whichever of its cards it is asked.
 */
export const askNextMonth =
  (services: Services): Press['run'] =>
  async (id, context) => {
    const { clock, settings } = services;
    const run = await askableRun(services, id, context);
    if ('title' in run) return context.surface.answerPress(run);
    const thisMonth = firstOfMonth(dayAt(clock.now(), settings.timeZone));
    const month = Math.max(monthAfter(run, settings.timeZone), thisMonth);
    const round = { of: run.terms.round?.of ?? run.id, month };
    const known = await newestRun(services, bulkRunId({ sha256: run.terms.sha256, round }));
    if (known !== undefined)
      return context.surface.answerPress(runCard(known, settings, 'same file'));
    await askRows(services, run, { round }, context);
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

/** Whether those without success are asked for once more, or all for a month. */
type AskedFor = Pick<ChargeFileTerms, 'again' | 'round'>;

const askRows = async (
  services: Services,
  run: ChargeRun,
  askedFor: AskedFor,
  context: Context,
): Promise<void> => {
  const { surface, caller } = context;
  if (run.endedAtMs === undefined) return surface.answerPress(notYetCard);
  const asked = await rowsOf(services, run, askedFor, context);
  if (asked.length === 0) return surface.answerPress(nothingCard);
  const charges = asked.map(({ row, terms }) => ({ row, ...terms }));
  const total = totalOf(charges);
  const grants = grantsOfFiles(context.grants);
  const room = await roomToday(services, grants, caller, total);
  if (!room.fits) return surface.answerPress(room.why);
  const { sha256, fileName, merchant } = run.terms;
  const { rows, repeated } = await lookForRepeats(services, asked, askedFor);
  const contentOf: Proposal['contentOf'] = (paged) => ({
    kind: 'bulk',
    terms: { sha256, fileName, total, ...askedFor, ...defined({ merchant }), ...paged },
    warnings: againWarningsOf(charges, grants),
    notes: approvalNotes(rowsAbove(charges, grants)),
    ...defined({ repeated }),
  });
  await propose(services, { of: { sha256, ...askedFor }, rows, contentOf }, context);
};

/** Those that became payments and those that were never asked for, in the order of the file, each with a new id. */
const rowsOf = async (
  { store, clock, random, settings }: Services,
  run: ChargeRun,
  { round }: AskedFor,
  { caller, grants }: Context,
): Promise<readonly BulkCharge[]> => {
  const nowMs = clock.now();
  const rows: BulkCharge[] = [];
  const isMasked = !isOwn(run, caller) && !grants.reveal;
  const month = monthOf(run, settings.timeZone);
  const add = ({ row, id: before, terms, retryOf, maskedFrom }: BulkCharge): void => {
    if (isPseudonym(terms.customerNumber)) return;
    const id = newTransactionId(nowMs, random);
    const named =
      round === undefined ? terms.reference : referenceFor(terms.reference, month, round.month);
    // Where the transaction id took the place of a reference, the new one does.
    const reference = terms.reference === before ? id : named;
    const more = {
      retryOf: round === undefined ? retryOf : undefined,
      maskedFrom: maskedFrom ?? (isMasked ? before : undefined),
    };
    rows.push({ row, id, terms: { ...terms, reference }, ...defined(more) });
  };
  const made = new Set<number>();
  for await (const payment of everyPayment(store, { bulk: run.id })) {
    const { id, terms, bulk, maskedFrom } = payment;
    if (bulk === undefined) continue;
    made.add(bulk.row);
    if (round !== undefined || mayBeTried(payment))
      add({ row: bulk.row, id, terms, retryOf: id, ...defined({ maskedFrom }) });
  }
  // After a restore they may have been sent all the same.
  if (round === undefined && run.isRestored === true) return rows;
  for (const { row } of await readRows(store, run, isCharge)) {
    if (made.has(row.row)) continue;
    const first = row.retryOf === undefined ? undefined : await store.get('payment', row.retryOf);
    if (round !== undefined || first === undefined || whyNoOtherTry(first) === undefined) add(row);
  }
  return rows.toSorted((one, other) => one.row - other.row);
};

/** It was certainly not paid. */
const mayBeTried = (payment: Payment): boolean =>
  UNPAID_STATES.includes(payment.state) && whyNoOtherTry(payment) === undefined;

const notYetCard = plainCard('Not yet', 'Some of its payments have no outcome. Wait for them.');

const nothingCard = plainCard(
  'There is nothing to ask again',
  'Each customer paid, may still pay, or was erased.',
);
