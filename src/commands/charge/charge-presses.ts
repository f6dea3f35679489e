import type { Press as AuditedPress } from '../../core/payments/draft-audit.ts';
import { type ChargeDraft, readButtonId } from '../../core/records/draft.ts';
import { plainCard } from '../cards/reply-cards.ts';
import type { Context, Press, Services } from '../command.ts';
import {
  awaitingApprovalCard,
  draftToPress,
  goneCard,
  nothingDone,
  overtakenCard,
  refuse,
  whyNotOpen,
} from '../draft-buttons.ts';
import { logRefusal } from '../log-refusal.ts';
import { approvalEndCard, waitingCard } from './approval-end-cards.ts';
import { neededApproval } from './charge-limits.ts';
import { questionCard } from './charge-question.ts';
import { ChargeStart } from './confirm-charge.ts';
import { mayNotApprove } from './may-not-approve.ts';
import { offerToSayWhy } from './refusal-reason.ts';

/** What the buttons of a charge do: the requester's own, and an approver's. */
export const chargePresses = (services: Services): Readonly<Record<string, Press>> => {
  const { drafts } = services;
  const starting = new ChargeStart(services);

  /** What is confirmed is what was last shown. */
  const showAgain = async (draft: ChargeDraft, { surface, grants }: Context): Promise<void> =>
    surface.replace(await questionCard(services, draft, grants));

  const confirm = async (pressed: string, context: Context): Promise<void> => {
    const { id, revision } = readButtonId(pressed);
    const draft = await draftToPress(id, context, services);
    if (draft === undefined) return;
    if (draft.kind !== 'charge') return context.surface.refusePress(goneCard);
    if (draft.status === 'awaiting approval')
      return context.surface.refusePress(awaitingApprovalCard);
    if (revision !== (draft.revision ?? 0)) return showAgain(draft, context);
    if (neededApproval(context.grants, draft.terms.amount)) return awaitApproval(draft, context);
    await starting.run(draft, pressOf('charge', context), context);
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
    if (draft === undefined) return;
    const cancelled = await drafts.cancel(draft, context.caller, pressOf('cancel', context));
    if (!cancelled) return context.surface.refusePress(await overtakenCard(id, services));
    await context.surface.replace(plainCard('Cancelled', nothingDone(draft)));
  };

  /** The draft behind an approver's button, if the press counts; otherwise the person has been told why not. */
  const draftToDecide = async (id: string, context: Context): Promise<ChargeDraft | undefined> => {
    const { surface, caller, grants } = context;
    const draft = await drafts.get(id);
    // Only the people of one platform are told apart there: elsewhere the requester has another id.
    if (draft?.kind !== 'charge' || draft.requester.platform !== caller.platform)
      return void (await surface.refusePress(goneCard));
    const isTheirs = caller.id === draft.requester.id;
    if (!grants.approve) return void (await mayNotApprove(services, context));
    if (isTheirs) {
      logRefusal(services.log, context, 'approve');
      return void (await surface.refusePress(
        plainCard(
          'Another person has to approve it',
          'You asked for this charge, so you cannot approve it.',
        ),
      ));
    }
    const refusal = await whyNotOpen(draft, services);
    if (refusal !== undefined) return void (await refuse(refusal, context));
    if (draft.status !== 'awaiting approval') return void (await surface.refusePress(goneCard));
    return draft;
  };

  const approve = async (pressed: string, context: Context): Promise<void> => {
    const { id, revision } = readButtonId(pressed);
    const draft = await draftToDecide(id, context);
    if (draft === undefined) return;
    if (revision !== (draft.revision ?? 0)) return showAgain(draft, context);
    // An approver lifts the limit for one payment; the requester's own rights and day still count.
    await starting.run(draft, pressOf('approve', context), context);
  };

  const disapprove = async (pressed: string, context: Context): Promise<void> => {
    const { id } = readButtonId(pressed);
    const draft = await draftToDecide(id, context);
    if (draft === undefined) return;
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
