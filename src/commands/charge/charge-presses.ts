import { type ApprovableDraft, approvalPlaces, isApprovable } from '../../core/records/draft.ts';
import { logRefusal, mayNotApprove } from '../access/denial.ts';
import { confirmingBulk } from '../bulk/confirm-bulk.ts';
import { type Card, plainCard } from '../cards/card.ts';
import type { Context, Press, Services } from '../command.ts';
import { confirmer, confirmPress } from '../confirm-draft.ts';
import {
  elsewhere,
  goneCard,
  isFrom,
  nothingDone,
  overtakenCard,
  type PressRefusal,
  pressOn,
  requestersDraft,
  whyNotOpen,
} from '../draft-buttons.ts';
import { confirmingGivenBack } from '../payments/given-back.ts';
import { approvalEndCard } from './approval-cards.ts';
import { approverNames } from './approvers.ts';
import { confirmingCharge } from './confirm-charge.ts';

/** What the buttons of a charge do: the requester's own, and an approver's. */
export const chargePresses = (services: Services): Readonly<Record<string, Press>> => {
  const { drafts } = services;
  const confirm = confirmer(services);
  const charge = confirmingCharge(services);
  const file = confirmingBulk(services);
  const back = confirmingGivenBack(services);
  const mine = requestersDraft(services);
  const toDecide = (id: string, context: Context) => draftToDecide(services, id, context);

  const cancel = pressOn(mine, async (draft, { caller, surface }) => {
    const press = { button: 'cancel', where: caller.conversation };
    await ((await drafts.cancel(draft, caller, press))
      ? surface.replace(plainCard('Cancelled', nothingDone(draft)))
      : surface.answerPress(await overtakenCard(draft.id, services)));
  });

  const approve = pressOn(toDecide, async (draft, context, revision) => {
    if (revision !== (draft.revision ?? 0))
      return context.surface.replace(await services.approvalQuestion(draft));
    // An approver lifts the limit for one payment; the requester's own rights and day still count.
    const pressed = { button: 'approve', context };
    if (draft.kind === 'bulk') return confirm(file, draft, pressed);
    if (draft.kind === 'given back') return confirm(back, draft, pressed);
    return confirm(charge, draft, pressed);
  });

  const disapprove = pressOn(toDecide, async (draft, { caller, surface }) => {
    const press = { button: 'refuse', where: caller.conversation };
    const refused = await drafts.refuse(draft, caller, press);
    if (refused === undefined) return surface.answerPress(await overtakenCard(draft.id, services));
    await surface.replace(approvalEndCard(refused, services.settings.timeZone));
  });

  return {
    charge: confirmPress(services, charge, confirm),
    cancel: { checksAccessItself: true, run: cancel },
    approve: { checksAccessItself: true, run: approve },
    refuse: { checksAccessItself: true, run: disapprove },
  };
};

/** The draft behind an approver's button; or why the press does nothing. */
const draftToDecide = async (
  services: Services,
  id: string,
  context: Context,
): Promise<ApprovableDraft | PressRefusal> => {
  const { caller, grants } = context;
  const draft = await services.drafts.get(id);
  // People are told apart within one platform only: elsewhere the requester has another id.
  if (draft === undefined || !isApprovable(draft)) return { why: goneCard };
  if (draft.requester.platform !== caller.platform) return { why: goneCard };
  if (caller.id === draft.requester.id) {
    logRefusal(services.log, context, 'approve');
    return { why: ownChargeCard(draft) };
  }
  if (!grants.approve) return { why: mayNotApprove(services, context) };
  const refusal = await whyNotOpen(draft, services);
  if (refusal !== undefined) return refusal;
  if (draft.status !== 'awaiting approval') return { why: goneCard };
  // App Home shows an approver what waits in other places.
  const places = [...approvalPlaces(draft), { ...caller.conversation, channel: caller.id }];
  const isAsked = places.some((place) => isFrom(place, context, services));
  return isAsked ? draft : elsewhere(context, services);
};

const ownChargeCard = (draft: ApprovableDraft): Card =>
  plainCard('You asked for this', `Only ${approverNames(draft, 'disjunction')} can approve this.`);
