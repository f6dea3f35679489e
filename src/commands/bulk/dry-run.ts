import { createHash } from 'node:crypto';
import { pagesOf } from '../../core/bulk/bulk-pages.ts';
import { type BulkRow, bulkRunId } from '../../core/records/bulk.ts';
import type { FileContent } from '../../core/records/draft.ts';
import type { ChargeTerms } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { personOf } from '../../core/values/conversation.ts';
import { newTransactionId, shortIdFrom } from '../../core/values/transaction-id.ts';
import { grantsOfFiles } from '../access/access.ts';
import { plainCard, problemCard } from '../cards/card.ts';
import { audienceAround } from '../cards/visibility.ts';
import { notChargedCard, roomToday } from '../charge/charge-limits.ts';
import type { Context, Services } from '../command.ts';
import { frozenCard } from '../draft-buttons.ts';
import { chargingAt } from '../merchants.ts';
import { zeroQuestion } from './answer-zero.ts';
import { dryRunCard } from './dry-run-card.ts';
import { notesOf, warningsOf } from './dry-run-words.ts';
import { linesOf } from './file-facts.ts';
import { lookUpNames } from './look-up-names.ts';
import { type PlannedCharge, planBulk } from './plan-bulk.ts';
import type { ChargeFile } from './read-charge-rows.ts';
import type { FileRows } from './read-rows.ts';
import { lookForRepeats } from './repeated-rows.ts';
import { badRowsFile, noGoodRowCard } from './result-files.ts';
import { newestRun, runCard } from './run-card.ts';
import type { SentFile } from './take-file.ts';

/** Reads a file and shows what it would do. Nothing is charged before a press. */
export const dryRun = async (
  services: Services,
  { name, bytes }: SentFile,
  context: Context,
): Promise<void> => {
  const { surface, caller, eventId } = context;
  const { settings, freeze, drafts } = services;
  // Delivered twice: its dry run is shown, or about to be.
  if ((await drafts.get(shortIdFrom(eventId))) !== undefined) return;
  const frozen = await freeze.standing();
  if (frozen !== undefined) return surface.say(frozenCard(frozen, settings.timeZone));
  const charging = chargingAt(settings, caller);
  if (!charging.ok) return surface.say(charging.why);
  const { readChargeFile } = await import('./read-charge-rows.ts');
  const read = await readChargeFile(bytes, settings);
  if (!read.ok) return surface.say(problemCard(read.problem));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const before = await newestRun(services, bulkRunId({ sha256 }));
  if (before !== undefined) return surface.say(runCard(before, 'same file'));
  const file = read.value;
  await sendBadRows(file, name, context);
  const merchant = charging.merchant?.name;
  const content = await contentOf(services, file, { name, sha256, merchant }, context);
  if (content !== undefined) await propose(services, content, context);
};

/** The rows that were left out go back to the person. */
export const sendBadRows = async (
  file: Pick<FileRows<unknown>, 'header' | 'bad'>,
  name: string,
  { surface }: Context,
): Promise<void> => {
  if (file.bad.length === 0) return;
  const delivery = await surface.sendFile(badRowsFile(file, name));
  if (!delivery.ok) await surface.say(plainCard('I could not send the rows back', delivery.remedy));
  else if (delivery.savedAs !== undefined)
    await surface.say(plainCard('The rows that I left out', delivery.savedAs));
};

/** What is asked of a person, and the rows that it would charge. */
export type Proposal = {
  readonly content: ContentOf<FileContent>;
  readonly rows: readonly BulkRow[];
};

/** Of each kind of file: the pages follow from the rows. */
type ContentOf<C extends FileContent> = C extends FileContent
  ? Omit<C, 'terms'> & { readonly terms: Omit<C['terms'], 'pages'> }
  : never;

/** Undefined: there is nothing to ask, and the person was told why. */
const contentOf = async (
  services: Services,
  file: ChargeFile,
  of: { readonly name: string; readonly sha256: string; readonly merchant: string | undefined },
  context: Context,
): Promise<Proposal | undefined> => {
  const { surface, caller } = context;
  const { clock, random, filePace } = services;
  const grants = grantsOfFiles(context.grants);
  const { rowsPerSecond } = filePace;
  const { total } = planBulk(file, new Map(), { grants, rowsPerSecond });
  if (total === undefined) {
    await surface.say(noGoodRowCard(file, 'charged'));
    return undefined;
  }
  const room = await roomToday(services, grants, caller, total);
  if (!room.fits) {
    await surface.say(notChargedCard(room.why));
    return undefined;
  }
  const answers = await lookUpNames(services, file.good, of.merchant, surface);
  const plan = planBulk(file, answers, { grants, rowsPerSecond });
  const nowMs = clock.now();
  const charges = plan.charges.map((charge) => {
    const id = newTransactionId(nowMs, random);
    return { row: charge.row, id, terms: termsOf(charge, id, of.merchant) };
  });
  const { rows, repeated } = await lookForRepeats(services, charges, {});
  return {
    content: {
      kind: 'bulk',
      terms: {
        ...{ sha256: of.sha256, fileName: of.name, rows: plan.charges.length, total },
        ...{ lastsMs: plan.lastsMs, ...defined({ merchant: of.merchant }) },
      },
      warnings: warningsOf(file, plan, grants),
      notes: audienceAround(caller, services.platforms) === 'one person' ? notesOf(file, plan) : [],
      lines: linesOf(file),
      ...zeroQuestion(file),
      ...defined({ repeated }),
    },
    rows,
  };
};

const termsOf = (
  { row: _, reference, ...terms }: PlannedCharge,
  id: string,
  merchant: string | undefined,
): ChargeTerms => ({ ...terms, reference: reference ?? id, ...defined({ merchant }) });

/** Stores the dry run with its rows, and shows it. */
export const propose = async (
  services: Services,
  { content, rows }: Proposal,
  { surface, caller, eventId }: Context,
): Promise<void> => {
  const { store, drafts, clock } = services;
  const of = shortIdFrom(eventId);
  const run = bulkRunId(content.terms);
  const { puts, digests } = await pagesOf(store, rows, { of, run, nowMs: clock.now() });
  const draft = await drafts.create(
    eventId,
    // Kind and terms still belong together, which the compiler cannot follow.
    { ...content, terms: { ...content.terms, pages: digests } } as FileContent,
    personOf(caller),
    caller.conversation,
    puts,
  );
  // Made before: the press was delivered twice, perhaps because the process ended before the question was shown.
  const asked = draft ?? (await drafts.get(of));
  if (asked?.kind === content.kind && asked.status === 'open') await surface.say(dryRunCard(asked));
};
