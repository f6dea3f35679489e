import { isEdit, type Notice } from '../records/notice.ts';
import type { Conversation } from '../values/conversation.ts';

/** Where a notice goes when it cannot be delivered where it is; undefined: nowhere, as with every edit. */
export const placeAfter = (
  { about, to, conversation, message }: Notice,
  operators: readonly Conversation[],
): Conversation | undefined => {
  // What is told somewhere as well is told in its own conversation anyway, and sums only where the settings say.
  if (about.kind === 'mirror' || about.kind === 'digest') return undefined;
  if (about.kind === 'approval reminder') return undefined;
  if (isEdit(about) || message !== undefined) return undefined;
  // A conversation with one person alone: on every platform a person's id names it.
  const direct = to === undefined ? [] : [{ platform: to.platform, channel: to.id }];
  // Approvers are people of the requester's platform.
  const isAsked = about.kind === 'approval';
  const places = [
    ...direct,
    ...operators.filter(({ platform }) => !isAsked || platform === conversation.platform),
  ];
  const at = places.findIndex(
    ({ platform, channel }) =>
      platform === conversation.platform && channel === conversation.channel,
  );
  // Not among them: it is still in the conversation where the payment was asked for.
  return places[at + 1];
};
