import { isChargeRun } from '../../core/records/bulk.ts';
import { grantsOfFiles } from '../access/access.ts';
import { cardOf, part } from '../cards/card.ts';
import { askApproval } from '../charge/ask-approval.ts';
import type { CommandRecord, Context, Services } from '../command.ts';
import { awaitingApprovalCard, goneCard, pressOn, requestersDraft } from '../draft-buttons.ts';
import type { IncomingFile } from '../inbound.ts';
import { answerZero } from './answer-zero.ts';
import { askAgain } from './ask-again.ts';
import { BulkConfirmation } from './confirm-bulk.ts';
import { dryRun } from './dry-run.ts';
import { dryRunCard } from './dry-run-card.ts';
import { rowsAbove } from './plan-bulk.ts';
import { chargesOf } from './repeated-rows.ts';
import { runPresses } from './run-presses.ts';
import { oneFileEach } from './take-file.ts';

/** `/bulk`: the charges of a file, first as a dry run. */
export const bulkCommand = (services: Services): CommandRecord => {
  const read = oneFileEach();
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
      'bulk-charge': { run: pressOn(requestersDraft(services), confirmPress(services)) },
      'bulk-zero': {
        run: pressOn(requestersDraft(services), answerZero(services, 'bulk', 'bulk-zero')),
      },
      ...runPresses(services, {
        verb: 'bulk',
        isOwnRun: isChargeRun,
        goesOn: 'Customers who were asked already can still pay.',
      }),
      'bulk-again': { run: askAgain(services) },
    },
  };
};

type OnDraft = Parameters<typeof pressOn>[1];

const confirmPress = (services: Services): OnDraft => {
  const confirmation = new BulkConfirmation(services);
  return async (draft, context, revision) => {
    const { surface } = context;
    if (draft.kind !== 'bulk') return surface.refusePress(goneCard);
    if (draft.status === 'awaiting approval') return surface.refusePress(awaitingApprovalCard);
    if (revision !== (draft.revision ?? 0) || draft.zeroAsked !== undefined)
      return surface.replace(dryRunCard(draft));
    const grants = grantsOfFiles(context.grants);
    // Asked at the press, because limits change; of rows that are gone or changed the run makes nothing.
    const rows = await chargesOf(services, draft);
    const above = rowsAbove(
      rows.map(({ row, terms }) => ({ row, ...terms })),
      grants,
    );
    if (above.length > 0) return askApproval(services, draft, { ...context, grants });
    await confirmation.run(draft, 'bulk-charge', context);
  };
};

const howToCard = cardOf('Send me the file', [
  part.text('Drop a CSV file into our direct chat. Nothing is charged before you press.'),
  part.text('Its first row names the columns:'),
  part.example('number,amount,reference,network,name'),
]);
