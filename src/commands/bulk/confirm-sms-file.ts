import { readRows } from '../../core/bulk/bulk-pages.ts';
import { limitGuard } from '../../core/guards/limit-guards.ts';
import { bulkRunId, isCharge } from '../../core/records/bulk.ts';
import type { SmsFileDraft } from '../../core/records/draft.ts';
import { readSmsDay } from '../../core/sms/sms-day.ts';
import { logRefusal } from '../access/denial.ts';
import { plainCard } from '../cards/card.ts';
import type { Context, Press, Services } from '../command.ts';
import {
  GuardedConfirmations,
  goneCard,
  overtakenCard,
  pressOn,
  requestersDraft,
} from '../draft-buttons.ts';
import { chargingAt } from '../merchants.ts';
import { notSentCard, whyNoRoom } from '../sms/daily-sms.ts';
import { mayNotCard, otherMerchantCard } from '../sms/send-sms.ts';
import { dryRunCard } from './dry-run-card.ts';
import { newestRun, runCard } from './run-card.ts';
import { repeatedRows } from './sms-file.ts';

type Tell = () => Promise<void>;

/** The button under the dry run of a file of SMS. */
export const confirmSmsFile = (services: Services): Press => {
  const confirmations = new GuardedConfirmations();
  return {
    run: pressOn(requestersDraft(services), async (draft, context, revision) => {
      if (draft.kind !== 'sms file') return context.surface.refusePress(goneCard);
      if (revision !== (draft.revision ?? 0) || draft.zeroAsked !== undefined)
        return context.surface.replace(dryRunCard(draft));
      const of = `${context.caller.platform}:${context.caller.id}`;
      await confirmations.run(of, draft.id, () => confirm(services, draft, of, context));
    }),
  };
};

/** Turns a pressed dry run into its run, if the person's daily limit has room for all of it. */
const confirm = async (
  services: Services,
  draft: SmsFileDraft,
  of: string,
  context: Context,
): Promise<'again' | Tell> => {
  const { store, clock, access, drafts, bulkRuns, log } = services;
  const { caller, surface, pressed } = context;
  const { terms, conversation } = draft;
  // Read before the checks below: a change after this line changes one of them, and the store refuses the commit.
  const day = await readSmsDay({ store, clock }, of);
  const guard = await limitGuard({ store, clock }, of, draft.id);
  const grants = await access.grantsOf(caller);
  if (!grants.may('sms')) {
    logRefusal(log, context, 'a file of SMS');
    return () => surface.refusePress(mayNotCard);
  }
  const charging = chargingAt(services.settings, { ...caller, conversation });
  if (!charging.ok || charging.merchant?.name !== terms.merchant)
    return () => surface.refusePress(otherMerchantCard);
  const why = await whyNoRoom(services, grants, { day, of, parts: terms.parts });
  if (why !== undefined) return () => surface.replace(notSentCard(why));
  const id = bulkRunId(terms);
  const other = await newestRun(services, id);
  if (other !== undefined) return () => surface.refusePress(runCard(other, 'same file'));
  const placed = await readRows(store, { draftId: draft.id, terms });
  const rows = placed.flatMap(({ row }) => (isCharge(row) ? [] : row));
  const repeated = await repeatedRows(services, rows);
  if (repeated !== undefined && repeated.rows > (draft.repeated?.rows ?? 0))
    return () => showAgain(services, { ...draft, repeated }, context);
  const run = await bulkRuns.confirm(draft, caller, {
    button: 'sms-file',
    where: caller.conversation,
    // Its rows count as they are sent: until then the run holds them.
    guards: [guard, day.with(0)],
    ...(pressed?.canBecomeCard === true ? { card: pressed.ref } : {}),
  });
  if (run !== undefined)
    return () => (run.card === undefined ? surface.replace(confirmedCard(run.terms.rows)) : DONE);
  if ((await drafts.get(draft.id))?.version === draft.version) return 'again';
  return async () => surface.refusePress(await overtakenCard(draft.id, services));
};

/** For what went out since the dry run was shown. */
const showAgain = async (
  services: Services,
  draft: SmsFileDraft,
  { caller, surface }: Context,
): Promise<void> => {
  const press = { button: 'sms-file', where: caller.conversation };
  const again = await services.drafts.showAgain(draft, caller, press);
  await (again === undefined
    ? surface.refusePress(await overtakenCard(draft.id, services))
    : surface.replace(dryRunCard(again)));
};

/** The card of the run takes the place of the question. */
const DONE = Promise.resolve();

const confirmedCard = (rows: number) => plainCard(`Confirmed: ${rows.toLocaleString('en')} SMS`);
