import type { Suspensions } from '../../core/guards/suspensions.ts';
import { approvalPlace, type ChargeDraft } from '../../core/records/draft.ts';
import type { Conversation, MessageRef } from '../../core/values/conversation.ts';
import type { Access } from '../access/access.ts';
import type { Called, Card } from '../cards/card.ts';
import { approvalCard, isElsewhere } from './approval-card.ts';

/** More mentions than this would bury the question. */
const MOST_CALLED = 10;

/** The question to approvers, as it has to be asked now. */
export const approvalQuestion = async (
  draft: ChargeDraft,
  {
    timeZone,
    access,
    suspensions,
    linkTo,
  }: {
    timeZone: string;
    access: Partial<Pick<Access, 'approvers'>>;
    suspensions: Pick<Suspensions, 'all'>;
    linkTo: (message: MessageRef) => Promise<string | undefined>;
  },
): Promise<Card> => {
  const place = isElsewhere(draft) ? placeOf(draft) : undefined;
  return approvalCard(draft, {
    timeZone,
    approvers: await approversOf(access, suspensions, draft),
    link: place && (await linkTo(place)),
  });
};

/** The message by which the requester's question can be found: not a private one, which has no address. */
const placeOf = ({ question, conversation }: ChargeDraft): MessageRef | undefined => {
  if (question?.canBecomeCard === true) return question.ref;
  const message = conversation.replyTo ?? conversation.thread;
  return message === undefined ? undefined : { conversation: placeAlone(conversation), message };
};

const placeAlone = ({ replyTo: _, ...place }: Conversation): Conversation => place;

/**
 * The people and user groups to mention in an approval: those that the access file names, without the
 * requester and suspended people. A channel or group that grants is left out: its members read the question anyway.
 */
const approversOf = async (
  access: Partial<Pick<Access, 'approvers'>>,
  suspensions: Pick<Suspensions, 'all'>,
  draft: ChargeDraft,
): Promise<readonly Called[]> => {
  const { platform } = approvalPlace(draft);
  const stopped = new Set((await suspensions.all()).map(({ of }) => of));
  const may = (id: string) => id !== draft.requester.id && !stopped.has(`${platform}:${id}`);
  return (access.approvers?.(platform) ?? [])
    .filter(({ kind, id }) => kind === 'group' || may(id))
    .slice(0, MOST_CALLED)
    .map(({ kind, id }) =>
      kind === 'group' ? { platform, group: id } : { platform, id, name: 'approver' },
    );
};
