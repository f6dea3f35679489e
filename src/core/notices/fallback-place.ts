import type { Notice } from '../records/notice.ts';
import type { Conversation } from '../values/conversation.ts';
import { kindOf } from './notice-kinds.ts';

/** Where a notice goes when it cannot be delivered where it is; undefined: nowhere, as with every edit. */
export const placeAfter = (
  { about, to, conversation, message }: Notice,
  operators: readonly Conversation[],
): Conversation | undefined => {
  const { does, goes } = kindOf({ about });
  if (goes === 'nowhere' || does === 'edit' || message !== undefined) return undefined;
  // A conversation with one person alone: on every platform a person's id names it.
  const direct = to === undefined ? [] : [{ platform: to.platform, channel: to.id }];
  const places = [
    ...direct,
    ...operators.filter(({ platform }) => goes === undefined || platform === conversation.platform),
  ];
  const at = places.findIndex(
    ({ platform, channel }) =>
      platform === conversation.platform && channel === conversation.channel,
  );
  // Not among them: it is still in the conversation where the payment was asked for.
  return places[at + 1];
};
