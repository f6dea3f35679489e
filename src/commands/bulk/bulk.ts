import { readPage } from '../../core/bulk/bulk-pages.ts';
import type { BulkRun } from '../../core/records/bulk.ts';
import type { BulkDraft } from '../../core/records/draft.ts';
import { grantsOfFiles } from '../access/access.ts';
import { cardOf, part, plainCard, problemCard } from '../cards/card.ts';
import { askApproval } from '../charge/ask-approval.ts';
import { neededApproval } from '../charge/charge-limits.ts';
import type { CommandRecord, Context, Press, Services } from '../command.ts';
import { isOwn } from '../command.ts';
import {
  awaitingApprovalCard,
  goneCard,
  overtakenCard,
  pressOn,
  requestersDraft,
} from '../draft-buttons.ts';
import type { IncomingFile } from '../inbound.ts';
import { askAgain } from './ask-again.ts';
import { BulkConfirmation } from './confirm-bulk.ts';
import { dryRun } from './dry-run.ts';
import { dryRunCard } from './dry-run-card.ts';
import { resultFile } from './result-files.ts';
import { runCard } from './run-card.ts';

/** `/bulk`: the charges of a file, first as a dry run. */
export const bulkCommand = (services: Services): CommandRecord => {
  /** Each has one at a time: the names in a file take half a minute. */
  const busy = new Set<string>();
  const takeFile = async (file: IncomingFile, context: Context): Promise<void> => {
    const { surface, caller } = context;
    const key = `${caller.platform}:${caller.id}`;
    if (busy.has(key)) return surface.say(busyCard);
    busy.add(key);
    try {
      const bytes = await file.read();
      if (!bytes.ok) return await surface.say(problemCard(bytes.problem));
      await dryRun(services, { name: file.name, bytes: bytes.value }, context);
    } finally {
      busy.delete(key);
    }
  };
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
      'bulk-zero': { run: pressOn(requestersDraft(services), answerZero(services)) },
      'bulk-pause': changePress(services, 'paused', 'bulk-pause'),
      'bulk-resume': changePress(services, 'running', 'bulk-resume'),
      'bulk-stop': changePress(services, 'stopped', 'bulk-stop'),
      'bulk-result': { run: (id, context) => sendResult(services, id, context) },
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
    const isAbove = await hasRowAbove(services, draft, (amount) => neededApproval(grants, amount));
    if (isAbove) return askApproval(services, draft, { ...context, grants });
    await confirmation.run(draft, 'bulk-charge', context);
  };
};

/** Asked at the press, because limits change; of rows that are gone or changed the run makes nothing. */
const hasRowAbove = async (
  { store }: Services,
  { id, terms }: BulkDraft,
  isAbove: (amount: BulkDraft['terms']['total']) => boolean,
): Promise<boolean> => {
  for (const page of terms.pages.keys()) {
    const rows = (await readPage(store, { draftId: id, terms }, page)) ?? [];
    if (rows.some((row) => isAbove(row.terms.amount))) return true;
  }
  return false;
};

const answerZero =
  (services: Services): OnDraft =>
  async (draft, context) => {
    const { surface, caller } = context;
    if (draft.kind !== 'bulk') return surface.refusePress(goneCard);
    if (draft.zeroAsked === undefined) return surface.replace(dryRunCard(draft));
    const press = { button: 'bulk-zero', where: caller.conversation };
    const answered = await services.drafts.answerZero(draft, caller, press);
    await (answered === undefined
      ? surface.refusePress(await overtakenCard(draft.id, services))
      : surface.replace(dryRunCard(answered)));
  };

/** The card of the run tells the change to everyone; the presser hears only why there was none. */
const changePress = (services: Services, to: BulkRun['status'], button: string): Press => ({
  run: async (id, { caller, surface }) => {
    const where = caller.conversation;
    const result = await services.bulkRuns.change(id, to, caller, { button, where });
    if (result === undefined) return surface.refusePress(goneCard);
    if (!result.changed) await surface.refusePress(runCard(result.run));
    else await surface.refusePress(changedCards[to]);
  },
});

const changedCards: Readonly<Record<BulkRun['status'], ReturnType<typeof plainCard>>> = {
  paused: plainCard('Paused', 'Customers who were asked already can still pay.'),
  running: plainCard('Going on'),
  stopped: plainCard('Stopped', 'Customers who were asked already can still pay.'),
};

const sendResult = async (services: Services, id: string, context: Context): Promise<void> => {
  const { surface, caller, grants } = context;
  const run = await services.bulkRuns.get(id);
  if (run === undefined) return surface.refusePress(goneCard);
  const isWhole = isOwn(run, caller) || grants.reveal;
  const delivery = await surface.sendFile(await resultFile(services, run, isWhole));
  if (!delivery.ok)
    return surface.refusePress(plainCard('I could not send the file', delivery.remedy));
  await surface.refusePress(
    delivery.savedAs === undefined
      ? plainCard('The file is in our direct chat')
      : plainCard('The file is saved', delivery.savedAs),
  );
};

const busyCard = plainCard('Your last file is not ready yet', 'I show it in a moment.');

const howToCard = cardOf('Send me the file', [
  part.text('Drop a CSV file into our direct chat. Nothing is charged before you press.'),
  part.text('Its first row names the columns:'),
  part.example('number,amount,reference,network,name'),
]);
