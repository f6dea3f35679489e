import type { Message, User } from 'grammy/types';

/** Who wrote a message, as far as ids can tell. */
export type Writer =
  | { readonly kind: 'person'; readonly user: User }
  /** A person who would wonder about silence. */
  | { readonly kind: 'turned away'; readonly reason: string }
  /** No person at all. An answer could be answered, without end. */
  | { readonly kind: 'machine'; readonly reason: string };

/** Telegram's own accounts: https://core.telegram.org/bots/api#message, under `from` and `sender_chat`. */
const GROUP_ANONYMOUS_BOT = 1_087_968_824;
const CHANNEL_BOT = 136_817_688;
/** Brings a channel's posts into the group that discusses them. */
const TELEGRAM = 777_000;

/** Stand where the id of a person should be who does not show it. */
const STAND_INS: ReadonlySet<number> = new Set([GROUP_ANONYMOUS_BOT, CHANNEL_BOT]);

/** Ids decide what is granted, so there must be one, it must be the writer's, and the writer must have typed it now. */
export const writerOf = (message: Message): Writer => {
  const { from, sender_chat } = message;
  if (message.is_automatic_forward === true || from?.id === TELEGRAM)
    return { kind: 'machine', reason: 'a channel post' };
  const isStandIn = from !== undefined && STAND_INS.has(from.id);
  if (from?.is_bot === true && !isStandIn) return { kind: 'machine', reason: 'another bot' };
  if (isStandIn || sender_chat !== undefined) return { kind: 'turned away', reason: ANONYMOUS };
  if (from === undefined) return { kind: 'machine', reason: 'nobody wrote it' };
  const reason = whyNotTyped(message);
  return reason === undefined ? { kind: 'person', user: from } : { kind: 'turned away', reason };
};

const ANONYMOUS =
  'I cannot see who you are. Write as yourself, not anonymously or as a channel. Then send it again.';

const whyNotTyped = (message: Message): string | undefined => {
  // Servers of the Bot API before version 7 have a date instead of an origin.
  if (message.forward_origin !== undefined || 'forward_date' in message)
    return 'I do not act on forwarded messages. Please type it yourself.';
  if (message.via_bot !== undefined)
    return 'I do not act on messages from another bot. Please type it yourself.';
  if (message.is_from_offline === true)
    return 'I do not act on scheduled messages. Please type it yourself.';
  return undefined;
};
