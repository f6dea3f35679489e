import { limitGuard } from '../../core/guards/limit-guards.ts';
import type { SmsDraft } from '../../core/records/draft.ts';
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

/** The button under the preview of an SMS. */
export const sendSms = (services: Services): Press => {
  const confirmations = new GuardedConfirmations();
  return {
    run: pressOn(requestersDraft(services), async (draft, context) => {
      if (draft.kind !== 'sms') return context.surface.refusePress(goneCard);
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
  if ((await smsSender.confirm(draft, caller, [guard, day.with(parts)])) !== undefined)
    return () => surface.replace(confirmedCard);
  if ((await drafts.get(draft.id))?.version === draft.version) return 'again';
  return async () => surface.refusePress(await overtakenCard(draft.id, services));
};

export const otherMerchantCard = notSentCard(
  'This conversation belongs to another merchant now. Type the command again.',
);
export const mayNotCard = notSentCard('You may no longer send SMS.');
const confirmedCard = plainCard('The SMS is being sent', 'I report here when it is done.');
