import { pagesOf } from '../../core/bulk/bulk-pages.ts';
import type { LookupOutcome } from '../../core/gateway/gateway.ts';
import {
  type BulkCharge,
  type BulkRow,
  type BulkTerms,
  bulkRunId,
  type FileKey,
} from '../../core/records/bulk.ts';
import type { FileContent } from '../../core/records/draft.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Parsed } from '../../core/runtime/errors.ts';
import { nextTurn } from '../../core/runtime/turn-budget.ts';
import { personOf } from '../../core/values/conversation.ts';
import { newTransactionId, shortIdFrom } from '../../core/values/transaction-id.ts';
import { grantsOfFiles } from '../access/grants.ts';
import { type Card, plainCard, problemCard } from '../cards/card.ts';
import { isAlone } from '../cards/visibility.ts';
import { roomToday } from '../charge/charge-limits.ts';
import type { Context, Services } from '../command.ts';
import { frozenCard } from '../draft-buttons.ts';
import type { Surface } from '../inbound.ts';
import { chargingAt } from '../merchants.ts';
import { zeroQuestion } from './answer-zero.ts';
import { dryRunCard } from './dry-run-card.ts';
import { approvalNotes, notesOf, warningsOf } from './dry-run-words.ts';
import { linesOf } from './file-facts.ts';
import { planBulk, totalOf } from './plan-bulk.ts';
import type { ChargeRow } from './read-charge-rows.ts';
import type { FileRows } from './read-rows.ts';
import { lookForRepeats } from './repeated-rows.ts';
import { badRowsFile, noGoodRowCard } from './result-files.ts';
import { runCard } from './run-card.ts';
import type { SentFile } from './take-file.ts';

/** Reads a file and shows what it would do. Nothing is charged before a press. */
export const dryRun = async (
  services: Services,
  sent: SentFile,
  context: Context,
): Promise<void> => {
  const { surface, caller } = context;
  const { settings, freeze, clock, random, platforms } = services;
  const frozen = await freeze.standing();
  if (frozen !== undefined) return surface.say(frozenCard(frozen, settings.timeZone));
  const charging = chargingAt(settings, caller);
  if (!charging.ok) return surface.say(charging.why);
  const merchant = charging.merchant?.name;
  const { readChargeFile } = await import('./read-charge-rows.ts');
  const read = await readChargeFile(sent.bytes, settings);
  const { sha256, name: fileName } = sent;
  const of = { sha256, ...defined({ merchant }) };
  const file = await usableFile(services, sent, { read, of }, context);
  if ('title' in file) return surface.say(file);
  const grants = grantsOfFiles(context.grants);
  const total = totalOf(file.good);
  const room = await roomToday(services, grants, caller, total);
  if (!room.fits) return surface.say(room.why);
  const answers = await lookUpNames(services, file.good, merchant, surface);
  const plan = planBulk(file, answers, grants);
  const nowMs = clock.now();
  // Of many rows the plan takes long, and so do their ids.
  await nextTurn();
  const charges = plan.charges.map(({ row, ...charge }): BulkCharge => {
    const id = newTransactionId(nowMs, random);
    return { row, id, terms: { reference: id, ...charge, ...defined({ merchant }) } };
  });
  const { rows, repeated } = await lookForRepeats(services, charges, {});
  const contentOf: Proposal['contentOf'] = (paged) => ({
    kind: 'bulk',
    terms: { ...of, fileName, total, ...paged },
    warnings: warningsOf(file, plan, grants),
    notes: [
      ...approvalNotes(plan.aboveLimit),
      ...(isAlone(caller, platforms) ? notesOf(file, plan) : []),
    ],
    lines: linesOf(file),
    ...zeroQuestion(file),
    ...defined({ repeated }),
  });
  await propose(services, { of, rows, contentOf }, context);
};

/** A file as it was read, unless it has a mistake or no good row, or was sent before; what was left out of it goes back to the person. */
export const usableFile = async <R>(
  services: Pick<Services, 'bulkRuns' | 'settings' | 'clock'>,
  { name }: SentFile,
  { read, of }: { readonly read: Parsed<FileRows<R>>; readonly of: FileKey },
  { surface }: Context,
): Promise<FileRows<R> | Card> => {
  if (!read.ok) return problemCard(read.problem);
  const before = await services.bulkRuns.ofSame(of);
  if (before !== undefined) return runCard(before, services, 'same file');
  const { value: file } = read;
  if (file.bad.length === 0) return file;
  const delivery = await surface.sendFile(badRowsFile(file, name));
  if (!delivery.ok) await surface.say(plainCard('I could not send the rows back', delivery.remedy));
  else if (delivery.savedAs !== undefined)
    await surface.say(plainCard('The rows that I left out', delivery.savedAs));
  return file.good.length > 0 ? file : noGoodRowCard(file, 'template' in of ? 'sent' : 'charged');
};

export type Proposal = {
  readonly of: FileKey;
  readonly rows: readonly BulkRow[];
  readonly contentOf: (paged: Pick<BulkTerms, 'rows' | 'pages' | 'lastsMs'>) => FileContent;
};

export const propose = async (
  services: Services,
  { of, rows, contentOf }: Proposal,
  { surface, caller, eventId }: Context,
): Promise<void> => {
  const { store, drafts, clock, filePace } = services;
  const id = shortIdFrom(eventId);
  const paged = { of: id, run: bulkRunId(of), nowMs: clock.now() };
  const { puts, digests: pages } = await pagesOf(store, rows, paged);
  const lastsMs = Math.ceil(rows.length / filePace.rowsPerSecond) * 1_000;
  const content = contentOf({ rows: rows.length, pages, lastsMs });
  const draft = await drafts.create(eventId, content, personOf(caller), caller.conversation, puts);
  // Made before: the press was delivered twice, perhaps because the process ended before the question was shown.
  const asked = draft ?? (await drafts.get(id));
  if (asked?.kind === content.kind && asked.status === 'open') await surface.say(dryRunCard(asked));
};

/** More would keep the person waiting; the names of the others are not compared. */
const MOST_LOOKUPS = 150;
const PATIENCE_MS = 30_000;
const AT_ONCE = 4;
const TOLD_EVERY = 40;

/** The answers by row, of rows with a name first. They are asked as background questions: people's own go in turns with them. */
const lookUpNames = async (
  { gateway, clock }: Pick<Services, 'gateway' | 'clock'>,
  rows: readonly ChargeRow[],
  merchant: string | undefined,
  surface: Pick<Surface, 'sayProgress'>,
): Promise<ReadonlyMap<number, LookupOutcome>> => {
  const answers = new Map<number, LookupOutcome>();
  const untilMs = clock.now() + PATIENCE_MS;
  const named = rows.filter(({ name }) => name !== undefined);
  const others = rows.filter(({ name }) => name === undefined);
  const asked = [...named, ...others].slice(0, MOST_LOOKUPS);
  const waiting = asked.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const { row, customerNumber: number, network } of waiting) {
        if (clock.now() > untilMs) return;
        const query = { number, network, merchant, urgency: 'background' } as const;
        answers.set(row, await gateway.lookUpAccount(query));
        if (answers.size % TOLD_EVERY === 0)
          await surface.sayProgress(plainCard(`${answers.size} of ${asked.length} names checked`));
      }
    }),
  );
  return answers;
};
