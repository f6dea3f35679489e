import { limitGuard } from '../../core/guards/limit-guards.ts';
import type { SmsDraft } from '../../core/records/draft.ts';
import { noteText } from '../../core/sms/sent-texts.ts';
import { readSmsDay } from '../../core/sms/sms-day.ts';
import { partsOf } from '../../core/sms/sms-parts.ts';
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
import { notSentCard, whyNoRoom } from './daily-sms.ts';
import { repeatedTexts } from './repeated-sms.ts';
import { previewCard } from './sms-cards.ts';

/** The button under the preview of an SMS. */
export const sendSms = (services: Services): Press => {
  const confirmations = new GuardedConfirmations();
  return {
    run: pressOn(requestersDraft(services), async (draft, context, revision) => {
      const { surface } = context;
      if (draft.kind !== 'sms') return surface.refusePress(goneCard);
      if (revision !== (draft.revision ?? 0))
        return surface.replace(previewCard(draft, undefined, []));
      const of = `${context.caller.platform}:${context.caller.id}`;
      await confirmations.run(of, draft.id, () => confirm(services, draft, of, context));
    }),
  };
};

/** Turns a pressed draft into a confirmed SMS batch, if the person's daily limit has room for it. */
const confirm = async (
  services: Services,
  draft: SmsDraft,
  of: string,
  context: Context,
): Promise<'again' | (() => Promise<void>)> => {
  const { store, clock, access, drafts, smsSender, log } = services;
  const { caller, surface } = context;
  const day = await readSmsDay({ store, clock }, of);
  const guard = await limitGuard({ store, clock }, of, draft.id);
  const grants = await access.grantsOf(caller);
  if (!grants.may('sms')) {
    logRefusal(log, context, 'sms');
    return () => surface.refusePress(mayNotCard);
  }
  const charging = chargingAt(services.settings, { ...caller, conversation: draft.conversation });
  if (!charging.ok || charging.merchant?.name !== draft.terms.merchant)
    return () => surface.refusePress(otherMerchantCard);
  const { text, recipients } = draft.terms;
  const parts = partsOf(text) * recipients.length;
  const why = await whyNoRoom(services, grants, { day, of, parts });
  if (why !== undefined) return () => surface.replace(notSentCard(why));
  const texts = recipients.map((recipient) => ({ recipient, text }));
  // Read before the look: an SMS to one of them that is confirmed after it changes its note.
  const notes = await Promise.all(texts.map((each) => noteText(services, each)));
  const { length: repeats } = await repeatedTexts(services, texts);
  if (repeats > (draft.repeats ?? 0)) return () => showRepeats(services, draft, repeats, context);
  const stored = (id: string) => [guard, day.with(parts), ...notes.map((note) => note(id))];
  if ((await smsSender.confirm(draft, caller, stored)) !== undefined)
    return () => surface.replace(confirmedCard);
  if ((await drafts.get(draft.id))?.version === draft.version) return 'again';
  return async () => surface.refusePress(await overtakenCard(draft.id, services));
};

/** For what went out since the preview was shown. */
const showRepeats = async (
  services: Services,
  draft: SmsDraft,
  repeats: number,
  { caller, surface }: Context,
): Promise<void> => {
  const press = { button: 'send', where: caller.conversation };
  const again = await services.drafts.showAgain({ ...draft, repeats }, caller, press);
  await (again === undefined
    ? surface.refusePress(await overtakenCard(draft.id, services))
    : surface.replace(previewCard(again, undefined, [])));
};

export const otherMerchantCard = notSentCard(
  'This conversation belongs to another merchant now. Type the command again.',
);
export const mayNotCard = notSentCard('You may no longer send SMS.');
const confirmedCard = plainCard('The SMS is being sent', 'I report here when it is done.');
