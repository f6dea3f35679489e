/** Where a person typed: the place every answer and outcome goes back to. Ids are the platform's own, as text. */
export type Conversation = {
  /** `slack`, `telegram`, `terminal`: the name of the bot that serves it. */
  readonly platform: string;
  /** Slack team id; absent where the platform has none. */
  readonly workspace?: string;
  /** Slack channel id, Telegram chat id. */
  readonly channel: string;
  /** Slack parent `ts`, Telegram forum topic: only when the person typed inside one. */
  readonly thread?: string;
  /** The message that was typed, where answers are replies to it (Telegram). */
  readonly replyTo?: string;
};

/** A conversation without what is inside it. */
export type PlaceId = Pick<Conversation, 'platform' | 'channel'>;

/** A human on a platform. `id` decides everything; `name` is only shown. */
export type Person = {
  readonly platform: string;
  readonly id: string;
  readonly name: string;
};

/** What decides who it is: names can be copied. */
export type PersonId = Pick<Person, 'platform' | 'id'>;

/** Who did it, for a record: what else a caller carries stays behind. */
export const personOf = ({ platform, id, name }: Person): Person => ({ platform, id, name });

/** A message that was posted to a conversation and can be edited or answered. */
export type MessageRef = {
  readonly conversation: Conversation;
  /** Slack `ts`, Telegram message id. */
  readonly message: string;
};

/** The message whose button was pressed; a later edit of it takes effect as long as the platform permits. */
export type PressedMessage = {
  readonly ref: MessageRef;
  /** Whether it can become the payment card: everyone in the conversation sees it, and it can always be edited. */
  readonly canBecomeCard: boolean;
};

/** What became of one attempt to post or edit a message. */
export type Delivery =
  | { readonly kind: 'delivered'; readonly ref: MessageRef }
  /** Nothing was posted; the platform asks for patience. */
  | { readonly kind: 'rateLimited'; readonly retryAfterMs: number }
  /** Certainly not posted, may work later. `isRefused`: the platform was reached, and says no until a person changes something. */
  | { readonly kind: 'not sent'; readonly reason: string; readonly isRefused?: true }
  /** No answer came: it may have been posted or not. */
  | { readonly kind: 'unclear'; readonly reason: string }
  /** It can never be posted there. `remedy` tells the person what to do, if anything helps; `isDeleted`: a person deleted it. */
  | {
      readonly kind: 'gone';
      readonly reason: string;
      readonly remedy?: string;
      readonly isDeleted?: true;
    }
  /** The conversation has a new id (a Telegram group became a supergroup); try again there. */
  | { readonly kind: 'moved'; readonly conversation: Conversation };

/** One text per conversation and person, for keys in the store. */
export const seatKey = (
  { platform, workspace, channel, thread }: Conversation,
  { id }: Person,
): string => [platform, workspace, channel, thread, id].join('|');
