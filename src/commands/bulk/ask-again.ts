import { readPage } from '../../core/bulk/bulk-pages.ts';
import { whyNoOtherTry } from '../../core/payments/another-try.ts';
import { type BulkCharge, type ChargeRun, isCharge, isChargeRun } from '../../core/records/bulk.ts';
import { defined } from '../../core/runtime/defined.ts';
import { everyPayment } from '../../core/store/store.ts';
import { addMoney } from '../../core/values/money.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { newTransactionId } from '../../core/values/transaction-id.ts';
import { grantsOfFiles } from '../access/access.ts';
import { plainCard } from '../cards/card.ts';
import { neededApproval, notChargedCard, roomToday } from '../charge/charge-limits.ts';
import type { Press, Services } from '../command.ts';
import { frozenCard, goneCard } from '../draft-buttons.ts';
import { chargingAt } from '../merchants.ts';
import { propose } from './dry-run.ts';
import { rowsText } from './dry-run-words.ts';
import { newestRun, runCard } from './run-card.ts';
import { UNPAID } from './run-words.ts';

const PAGE = 500;

/** Asks for the rows without success once more, by a question of its own. */
export const askAgain =
  (services: Services): Press['run'] =>
  async (id, context) => {
    const { bulkRuns, freeze, settings, filePace } = services;
    const { surface, caller } = context;
    const run = await bulkRuns.get(id);
    if (run === undefined || !isChargeRun(run)) return surface.refusePress(goneCard);
    const newest = await newestRun(services, id);
    if (newest !== undefined && newest.id !== id) return surface.refusePress(runCard(newest));
    if (run.endedAtMs === undefined) return surface.refusePress(notYetCard);
    const frozen = await freeze.standing();
    if (frozen !== undefined) return surface.refusePress(frozenCard(frozen, settings.timeZone));
    const charging = chargingAt(settings, caller);
    if (!charging.ok) return surface.refusePress(charging.why);
    if (charging.merchant?.name !== run.terms.merchant)
      return surface.refusePress(otherMerchantCard);
    const rows = await unpaidRows(services, run);
    const total = rows
      .map(({ terms }) => terms.amount)
      .reduce(addMoney, {
        currency: run.terms.total.currency,
        amountMinor: 0,
      });
    if (rows.length === 0) return surface.refusePress(nothingCard);
    const grants = grantsOfFiles(context.grants);
    const room = await roomToday(services, grants, caller, total);
    if (!room.fits) return surface.refusePress(notChargedCard(room.why));
    const above = rows.filter(({ terms }) => neededApproval(grants, terms.amount));
    const { sha256, fileName, merchant } = run.terms;
    const lastsMs = Math.ceil(rows.length / filePace.rowsPerSecond) * 1_000;
    await propose(
      services,
      {
        rows,
        content: {
          kind: 'bulk',
          terms: {
            ...{ sha256, fileName, rows: rows.length, total, lastsMs, again: run.id },
            ...defined({ merchant }),
          },
          warnings:
            above.length === 0
              ? []
              : [
                  `Above the limit: ${rowsText(above.map(({ row }) => row))}. An approver has to press as well.`,
                ],
          notes: [],
        },
      },
      context,
    );
  };

/** Rows that were certainly not paid, and those that a stop kept from being asked for. */
const unpaidRows = async (
  { store, clock, random }: Services,
  run: ChargeRun,
): Promise<readonly BulkCharge[]> => {
  const nowMs = clock.now();
  const rows: BulkCharge[] = [];
  const add = (row: BulkCharge, before: string, retryOf?: string): void => {
    const id = newTransactionId(nowMs, random);
    const reference = row.terms.reference === before ? id : row.terms.reference;
    const terms = { ...row.terms, reference };
    rows.push({ row: row.row, id, terms, ...defined({ retryOf }) });
  };
  for await (const payment of everyPayment(store, { bulk: run.id, states: UNPAID }, PAGE)) {
    const { id, terms, bulk } = payment;
    if (bulk === undefined || isPseudonym(terms.customerNumber)) continue;
    if (whyNoOtherTry(payment) === undefined) add({ row: bulk.row, id, terms }, id, id);
  }
  if (run.isRestored === true) return rows;
  let at = 0;
  for (const page of run.terms.pages.keys())
    for (const row of (await readPage(store, run, page)) ?? []) {
      if (at >= run.next && isCharge(row)) add(row, row.id, row.retryOf);
      at++;
    }
  return rows.toSorted((one, other) => one.row - other.row);
};

const notYetCard = plainCard('Not yet', 'Some of its payments have no outcome. Wait for them.');

const nothingCard = plainCard(
  'There is nothing to ask again',
  'Each row was paid, or may still be paid.',
);

const otherMerchantCard = plainCard(
  'Nothing was charged',
  'This file belongs to another merchant. Press it in a conversation of that merchant.',
);
