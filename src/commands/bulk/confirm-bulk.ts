import { pagesOf, readRows } from '../../core/bulk/bulk-pages.ts';
import { limitGuard } from '../../core/guards/limit-guards.ts';
import { type BulkRow, type BulkRun, bulkRunId, isCharge } from '../../core/records/bulk.ts';
import type { BulkDraft, FileDraft } from '../../core/records/draft.ts';
import { defined } from '../../core/runtime/defined.ts';
import { formatMoney } from '../../core/values/money.ts';
import { grantsOfFiles } from '../access/grants.ts';
import { plainCard } from '../cards/card.ts';
import { countedRoles, roomToday } from '../charge/charge-limits.ts';
import type { Context, Services } from '../command.ts';
import { type Confirming, showConfirmed, type Tell } from '../confirm-draft.ts';
import { changedCard } from '../draft-buttons.ts';
import { dryRunCard } from './dry-run-card.ts';
import { customersText } from './file-facts.ts';
import { rowsAbove } from './plan-bulk.ts';
import { lookForRepeats } from './repeated-rows.ts';
import { runCard } from './run-card.ts';

/** A confirmed dry run of charges becomes the run of the file, after the checks that a single charge has. */
export const confirmingBulk = (services: Services): Confirming<BulkDraft, BulkRun> => ({
  is: (draft) => draft.kind === 'bulk',
  button: 'bulk-charge',
  right: 'bulk',
  question: (draft) =>
    draft.status === 'awaiting approval' ? services.approvalQuestion(draft) : dryRunCard(draft),
  limitsIn: grantsOfFiles,
  // Of rows that are gone or changed the run makes nothing.
  toApprove: async (draft, grants) => {
    const { id: draftId, terms: shown } = draft;
    const rows = await readRows(services.store, { draftId, terms: shown }, isCharge);
    const asked = rows.map(({ row: { row, terms } }) => ({ row, ...terms }));
    return rowsAbove(asked, grants).length > 0 ? draft : undefined;
  },
  deed: 'charge by file',
  keyOf: () => 'files',
  guardsOf: ({ id, requester }, presser, grants) => {
    const people = [requester, presser].map((each) => `${each.platform}:${each.id}`);
    const roles = countedRoles(grants).map((role) => `role:${role}`);
    const about = [...new Set([...people, ...roles])];
    return Promise.all(about.map((text) => limitGuard(services, text, id)));
  },
  check: async (draft, grants, context) => {
    const { requester, terms } = draft;
    const room = await roomToday(services, grants, requester, terms.total);
    if (!room.fits) return () => context.surface.replace(room.why);
    const shown = await rowsShown(services, draft, isCharge, context);
    if (typeof shown === 'function') return shown;
    // For charges like those of its rows that came after the file was shown.
    const looked = await lookForRepeats(services, shown, terms);
    if (looked.hasNew) {
      const { rows, repeated } = looked;
      const of = { of: draft.id, run: bulkRunId(terms), nowMs: services.clock.now() };
      const { puts: pages, digests } = await pagesOf(services.store, rows, of);
      const again = { ...draft, terms: { ...terms, pages: digests }, ...defined({ repeated }) };
      return { again, told: repeated?.warnings ?? [], pages };
    }
    return {
      confirm: (presser, press) =>
        services.bulkRuns.confirm(draft, presser, { ...press, countedFor: room.role }),
    };
  },
  tellConfirmed: (draft, { confirmedAtMs: atMs }, context) => {
    const { rows, total } = draft.terms;
    const card = plainCard(`Confirmed: ${customersText(rows)}, ${formatMoney(total)}`);
    return showConfirmed(services, draft, { card, atMs }, context);
  },
});

/** All rows that a question is about. Else why it cannot be confirmed: another press confirmed the file, or rows are not as shown. */
export const rowsShown = async <Row extends BulkRow>(
  services: Services,
  draft: FileDraft,
  isOfKind: (row: BulkRow) => row is Row,
  { surface }: Context,
): Promise<readonly Row[] | Tell> => {
  const { id: draftId, terms } = draft;
  const other = await services.bulkRuns.ofSame(terms);
  if (other !== undefined) return () => surface.answerPress(runCard(other, services, 'same file'));
  const placed = await readRows(services.store, { draftId, terms }, isOfKind);
  return (await services.drafts.isAsShown(draft, placed.length === terms.rows))
    ? placed.map(({ row }) => row)
    : () => surface.answerPress(changedCard(draft), 'over');
};
