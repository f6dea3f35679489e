import { pagesOf } from '../../core/bulk/bulk-pages.ts';
import type { Press as AuditedPress } from '../../core/payments/draft-audit.ts';
import { type BulkCharge, bulkRunId } from '../../core/records/bulk.ts';
import type { BulkDraft } from '../../core/records/draft.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Person } from '../../core/values/conversation.ts';
import type { Services } from '../command.ts';
import { awaitingApprovalCard, goneCard, overtakenCard, type pressOn } from '../draft-buttons.ts';
import { dryRunCard } from './dry-run-card.ts';
import { rowsText } from './dry-run-words.ts';
import { totalOf } from './plan-bulk.ts';
import { chargesOf, type LookedAt } from './repeated-rows.ts';

/** The press that takes the rows out of a file that may repeat earlier charges. */
export const leaveOutPress =
  (services: Services): Parameters<typeof pressOn>[1] =>
  async (draft, { surface, caller: by }, revision) => {
    if (draft.kind !== 'bulk') return surface.refusePress(goneCard);
    if (draft.status === 'awaiting approval') return surface.refusePress(awaitingApprovalCard);
    const all = await chargesOf(services, draft);
    const rows = all.filter(({ repeats }) => repeats === undefined);
    if (revision !== (draft.revision ?? 0) || rows.length === 0)
      return surface.replace(dryRunCard(draft));
    const out = all.filter(({ repeats }) => repeats !== undefined).map(({ row }) => row);
    const warnings = [...draft.warnings, `Left out as repeated: ${rowsText(out)}.`];
    const press = { button: 'bulk-leave-out', where: by.conversation };
    const shown = await showFileAgain(services, { ...draft, warnings }, { rows }, { by, press });
    await (shown === undefined
      ? surface.refusePress(await overtakenCard(draft.id, services))
      : surface.replace(dryRunCard(shown)));
  };

/** The question of a file with other rows, or with rows that know more. Undefined: another press changed it first. */
export const showFileAgain = async (
  { store, drafts, clock, filePace }: Services,
  draft: BulkDraft,
  { rows, repeated }: Pick<LookedAt, 'repeated'> & { readonly rows: readonly BulkCharge[] },
  { by, press }: { readonly by: Person; readonly press: AuditedPress },
): Promise<BulkDraft | undefined> => {
  const { repeated: _, ...rest } = draft;
  const of = { of: draft.id, run: bulkRunId(draft.terms), nowMs: clock.now() };
  const { puts, digests } = await pagesOf(store, rows, of);
  const terms = {
    ...{ ...draft.terms, pages: digests, rows: rows.length },
    total: totalOf(rows.map(({ terms: { amount } }) => ({ amount }))),
    lastsMs: Math.ceil(rows.length / filePace.rowsPerSecond) * 1_000,
  };
  const changed = { ...rest, terms, ...defined({ repeated }) };
  const told = repeated?.warnings ?? [];
  return drafts.showAgain<BulkDraft>(changed, by, press, { told, pages: puts });
};
