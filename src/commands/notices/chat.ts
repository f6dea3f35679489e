import type { Weight } from '../../core/cluster/pace-book.ts';
import type { Conversation, Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { Card } from '../cards/card.ts';

/** A message to post. */
export type OutgoingMessage = {
  readonly conversation: Conversation;
  /** Post it in the thread of this message (Slack), or as a reply to it (Telegram). */
  readonly under?: MessageRef;
  readonly card: Card;
  /** Stays the same over all attempts to post this one message. */
  readonly key: string;
  /** What it waits behind where the platform does not bear everything at once. @default 'outcome' */
  readonly weight?: Weight;
  /** An earlier attempt got no answer: look whether it stands there before posting again, if the platform lets us look. */
  readonly mayStand: boolean;
  /** A process that died may have posted it: look, where that is possible, but nobody knows of an attempt. */
  readonly lookFirst?: boolean;
};

/** What is known of earlier attempts to post a payment card. */
export type CardAttempt = Pick<OutgoingMessage, 'mayStand' | 'lookFirst'>;

/** The way out to one platform; every bot is one. */
export interface Chat {
  /** Never rejects. */
  post(message: OutgoingMessage): Promise<Delivery>;
  /** Never rejects; an edit that changes nothing counts as delivered. `weight`: as of a message. @default 'card' */
  edit(ref: MessageRef, card: Card, weight?: Weight): Promise<Delivery>;
  /** The address of a message, on platforms where messages have one. Never rejects. */
  linkTo?(ref: MessageRef): Promise<string | undefined>;
}
