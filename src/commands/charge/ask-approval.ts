import type { ApprovableDraft } from '../../core/records/draft.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Context, Services } from '../command.ts';
import { overtakenCard } from '../draft-buttons.ts';
import { waitingCard } from './approval-cards.ts';

/** The requester's press on a charge above their limit. */
export const askApproval = async (
  services: Services,
  draft: ApprovableDraft,
  context: Context,
): Promise<void> => {
  const { surface, grants, pressed } = context;
  const { approvalsIn, maxCharge } = grants;
  const { platform, workspace, channel } = draft.conversation;
  const isHere = approvalsIn === undefined || approvalsIn === channel;
  const asking = defined({
    question: pressed,
    askedIn: isHere ? undefined : { platform, ...defined({ workspace }), channel: approvalsIn },
    limit: maxCharge,
  });
  const waiting = await services.drafts.awaitApproval(draft, asking, {
    button: 'charge',
    where: context.caller.conversation,
  });
  await (waiting === undefined
    ? surface.refusePress(await overtakenCard(draft.id, services))
    : surface.replace(waitingCard(waiting, services.settings.timeZone)));
};
