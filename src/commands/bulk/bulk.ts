import { readRows } from '../../core/bulk/bulk-pages.ts';
import { whyNoOtherTry } from '../../core/payments/next-try.ts';
import { type BulkCharge, type ChargeRun, isCharge } from '../../core/records/bulk.ts';
import { UNPAID_STATES } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { everyPayment } from '../../core/store/store.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { newTransactionId } from '../../core/values/transaction-id.ts';
import { grantsOfFiles } from '../access/grants.ts';
import { cardOf, part, plainCard } from '../cards/card.ts';
import { roomToday } from '../charge/charge-limits.ts';
import { type CommandRecord, type Context, isOwn, type Press, type Services } from '../command.ts';
import { confirmPress } from '../confirm-draft.ts';
import type { IncomingFile } from '../inbound.ts';
import { answerZero } from './answer-zero.ts';
import { askNextMonth } from './ask-next-month.ts';
import { askableRun } from './askable-run.ts';
import { confirmingBulk } from './confirm-bulk.ts';
import { dryRun, type Proposal, propose } from './dry-run.ts';
import { aboveText } from './dry-run-words.ts';
import { rowsAbove, totalOf } from './plan-bulk.ts';
import { lookForRepeats } from './repeated-rows.ts';
import { newestRun, runCard } from './run-card.ts';
import { runPresses } from './run-presses.ts';
import { oneFileEach } from './take-file.ts';

/** `/bulk`: the charges of a file, first as a dry run. */
export const bulkCommand = (services: Services): CommandRecord => {
  const read = oneFileEach(services);
  const takeFile = (file: IncomingFile, context: Context): Promise<void> =>
    read(file, context, (sent) => dryRun(services, sent, context));
  return {
    summary: 'Charge the customers in a file',
    deed: 'charge by file',
    usage: '',
    examples: [''],
    takeFile: (file, _words, context) => takeFile(file, context),
    run: async (words, context) => {
      const file = words === '' ? undefined : context.fileAt?.(words);
      return file === undefined ? context.surface.say(howToCard) : takeFile(file, context);
    },
    presses: {
      'bulk-charge': confirmPress(services, confirmingBulk(services)),
      'bulk-zero': answerZero(services, 'bulk', 'bulk-zero'),
      ...runPresses(services, {
        verb: 'bulk',
        goesOn: 'Customers who were asked already can still pay.',
      }),
      'bulk-again': { of: 'bulk', run: askAgain(services) },
      'bulk-round': { of: 'bulk', run: askNextMonth(services) },
    },
  };
};

const howToCard = cardOf('Send me the file', [
  part.text('Drop a CSV file into our private chat. Nothing is charged before you press.'),
  part.text('Its first row names the columns:'),
  part.example('number,amount,reference,network,name'),
]);

/** Asks for the rows without success once more, by a question of its own. */
const askAgain =
  (services: Services): Press['run'] =>
  async (id, context) => {
    const { surface, caller } = context;
    const newest = await newestRun(services, id);
    if (newest !== undefined && newest.id !== id)
      return surface.answerPress(runCard(newest, services.settings));
    const run = await askableRun(services, id, context);
    if ('title' in run) return surface.answerPress(run);
    const unpaid = await unpaidRows(services, run, context);
    if (unpaid.length === 0) return surface.answerPress(nothingCard);
    const charges = unpaid.map(({ row, terms }) => ({ row, ...terms }));
    const total = totalOf(charges);
    const grants = grantsOfFiles(context.grants);
    const room = await roomToday(services, grants, caller, total);
    if (!room.fits) return surface.answerPress(room.why);
    const { sha256, fileName, merchant } = run.terms;
    const { rows, repeated } = await lookForRepeats(services, unpaid, { again: run.id });
    const contentOf: Proposal['contentOf'] = (paged) => ({
      kind: 'bulk',
      terms: { sha256, fileName, total, again: run.id, ...defined({ merchant }), ...paged },
      warnings: aboveText(rowsAbove(charges, grants), grants),
      notes: [],
      ...defined({ repeated }),
    });
    await propose(services, { of: { sha256, again: run.id }, rows, contentOf }, context);
  };

/** Rows that were certainly not paid, and those that were never asked for. */
const unpaidRows = async (
  { store, clock, random }: Services,
  run: ChargeRun,
  { caller, grants }: Context,
): Promise<readonly BulkCharge[]> => {
  const nowMs = clock.now();
  const rows: BulkCharge[] = [];
  const isMasked = !isOwn(run, caller) && !grants.reveal;
  const add = ({ row, id: before, terms, retryOf, maskedFrom }: BulkCharge): void => {
    if (isPseudonym(terms.customerNumber)) return;
    const id = newTransactionId(nowMs, random);
    const reference = terms.reference === before ? id : terms.reference;
    const masked = maskedFrom ?? (isMasked ? before : undefined);
    rows.push({
      row,
      id,
      terms: { ...terms, reference },
      ...defined({ retryOf, maskedFrom: masked }),
    });
  };
  const made = new Set<number>();
  for await (const payment of everyPayment(store, { bulk: run.id })) {
    const { id, state, terms, bulk, maskedFrom } = payment;
    if (bulk === undefined) continue;
    made.add(bulk.row);
    if (UNPAID_STATES.includes(state) && whyNoOtherTry(payment) === undefined)
      add({ row: bulk.row, id, terms, retryOf: id, ...defined({ maskedFrom }) });
  }
  // After a restore they may have been sent all the same.
  if (run.isRestored === true) return rows;
  for (const { row } of await readRows(store, run, isCharge))
    if (!made.has(row.row) && (await mayBeTried(store, row))) add(row);
  return rows.toSorted((one, other) => one.row - other.row);
};

/** Whether the payment that a row is another try of was not paid, as far as there is one. */
const mayBeTried = async (
  store: Pick<Services['store'], 'get'>,
  { retryOf }: BulkCharge,
): Promise<boolean> => {
  const first = retryOf === undefined ? undefined : await store.get('payment', retryOf);
  return first === undefined || whyNoOtherTry(first) === undefined;
};

const nothingCard = plainCard(
  'There is nothing to ask again',
  'Each row was paid, or may still be paid.',
);
