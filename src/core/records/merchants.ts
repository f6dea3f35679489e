import type { PersonId, PlaceId } from '../values/conversation.ts';
import { placeKey } from './notify-rules.ts';

export type Merchant = {
  readonly name: string;
  /** What the payer sees. */
  readonly nickname: string;
  /** Approved sender ids of its SMS, the default first; empty: SMS is off. */
  readonly senderIds: readonly string[];
  /** `platform:channel`; of no other merchant. */
  readonly conversations: readonly string[];
  /** `platform:id` of the people who may charge for it; undefined: all who may charge in its conversations. */
  readonly members?: readonly string[];
};

/** Whose money moves in a conversation; undefined: that of none. */
export const merchantOf = (
  merchants: readonly Merchant[],
  conversation: PlaceId,
): Merchant | undefined =>
  merchants.find(({ conversations }) => conversations.includes(placeKey(conversation)));

/** Whether what names these is of one merchant, or may be: what names none is older than the merchants. */
export const mayBeOneMerchant = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other;

export const isMember = ({ members }: Merchant, { platform, id }: PersonId): boolean =>
  members === undefined || members.includes(`${platform}:${id}`);
