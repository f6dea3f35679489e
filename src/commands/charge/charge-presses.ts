import type { Press as AuditedPress } from '../../core/payments/drafts.ts';
import { type ChargeDraft, readButtonId } from '../../core/records/draft.ts';
import { logRefusal, mayNotApprove } from '../access/denial.ts';
import { plainCard } from '../cards/reply-cards.ts';
import type { Context, Press, Services } from '../command.ts';
import {
  awaitingApprovalCard,
  draftToPress,
  goneCard,
  nothingDone,
  overtakenCard,
  type Refusal,
  refuse,
  whyNotOpen,
} from '../draft-buttons.ts';
import { approvalEndCard, waitingCard } from './approval-end-cards.ts';
import { neededApproval } from './charge-limits.ts';
import { questionCard } from './charge-question.ts';
import { ChargeConfirmation } from './confirm-charge.ts';
import { offerToSayWhy } from './refusal-reason.ts';

/** What the buttons of a charge do: the requester's own, and an approver's. */
export const chargePresses = (services: Services): Readonly<Record<string, Press>> => {
  const { drafts } = services;
  const confirmation = new ChargeConfirmation(services);

  /** For the button of an earlier showing: only the latest one can be confirmed. */
  const showAgain = async (draft: ChargeDraft, { surface, grants }: Context): Promise<void> =>
    surface.replace(await questionCard(services, draft, grants));

  const confirm = async (pressed: string, context: Context): Promise<void> => {
    const { id, revision } = readButtonId(pressed);
    const draft = await draftToPress(id, context, services);
    if ('why' in draft) return refuse(draft, context);
    if (draft.kind !== 'charge') return context.surface.refusePress(goneCard);
    if (draft.status === 'awaiting approval')
      return context.surface.refusePress(awaitingApprovalCard);
    if (revision !== (draft.revision ?? 0)) return showAgain(draft, context);
    if (neededApproval(context.grants, draft.terms.amount)) return awaitApproval(draft, context);
    await confirmation.run(draft, pressOf('charge', context), context);
  };

  const awaitApproval = async (draft: ChargeDraft, context: Context): Promise<void> => {
    const { surface, grants, pressed } = context;
    const { approvalsIn, maxCharge } = grants;
    const isHere = approvalsIn === undefined || approvalsIn === draft.conversation.channel;
    const asking = {
      ...(pressed === undefined ? {} : { question: pressed }),
      ...(isHere ? {} : { askedIn: elsewhere(draft, approvalsIn) }),
      ...(maxCharge === undefined ? {} : { limit: maxCharge }),
    };
    const waiting = await drafts.awaitApproval(draft, asking, pressOf('charge', context));
    if (waiting === undefined) return surface.refusePress(await overtakenCard(draft.id, services));
    await surface.replace(waitingCard(waiting, services.settings.timeZone));
  };

  const cancel = async (pressed: string, context: Context): Promise<void> => {
    const { id } = readButtonId(pressed);
    const draft = await draftToPress(id, context, services);
    if ('why' in draft) return refuse(draft, context);
    const cancelled = await drafts.cancel(draft, context.caller, pressOf('cancel', context));
    if (!cancelled) return context.surface.refusePress(await overtakenCard(id, services));
    await context.surface.replace(plainCard('Cancelled', nothingDone(draft)));
  };

  /** The draft behind an approver's button; or why the press does nothing. */
  const draftToDecide = async (id: string, context: Context): Promise<ChargeDraft | Refusal> => {
    const { caller, grants } = context;
    const draft = await drafts.get(id);
    // People are told apart within one platform only: elsewhere the requester has another id.
    if (draft?.kind !== 'charge' || draft.requester.platform !== caller.platform)
      return { why: goneCard };
    if (!grants.approve) return { why: mayNotApprove(services, context) };
    if (caller.id === draft.requester.id) {
      logRefusal(services.log, context, 'approve');
      return { why: ownChargeCard };
    }
    const refusal = await whyNotOpen(draft, services);
    if (refusal !== undefined) return refusal;
    return draft.status === 'awaiting approval' ? draft : { why: goneCard };
  };

  const approve = async (pressed: string, context: Context): Promise<void> => {
    const { id, revision } = readButtonId(pressed);
    const draft = await draftToDecide(id, context);
    if ('why' in draft) return refuse(draft, context);
    if (revision !== (draft.revision ?? 0)) return showAgain(draft, context);
    // An approver lifts the limit for one payment; the requester's own rights and day still count.
    await confirmation.run(draft, pressOf('approve', context), context);
  };

  const disapprove = async (pressed: string, context: Context): Promise<void> => {
    const { id } = readButtonId(pressed);
    const draft = await draftToDecide(id, context);
    if ('why' in draft) return refuse(draft, context);
    const { caller, surface } = context;
    const refused = await drafts.refuse(draft, caller, pressOf('refuse', context));
    if (refused === undefined) return surface.refusePress(await overtakenCard(id, services));
    await surface.replace(approvalEndCard(refused, services.settings.timeZone));
    await surface.say(offerToSayWhy(refused, services));
  };

  return {
    charge: { run: confirm },
    cancel: { checksAccessItself: true, run: cancel },
    approve: { checksAccessItself: true, run: approve },
    refuse: { checksAccessItself: true, run: disapprove },
  };
};

const ownChargeCard = plainCard(
  'Another person has to approve it',
  'You asked for this charge, so you cannot approve it.',
);

/** A press for the audit trail. */
const pressOf = (button: string, { caller }: Context): AuditedPress => ({
  button,
  where: caller.conversation,
});

const elsewhere = ({ conversation: { platform, workspace } }: ChargeDraft, channel: string) => ({
  platform,
  ...(workspace === undefined ? {} : { workspace }),
  channel,
});
