import type { Message, User } from 'grammy/types';

/** The author of a message, as far as ids identify one. */
export type Writer =
  | { readonly kind: 'person'; readonly user: User }
  /** A person, who is told why nothing is done. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** No person. Two machines that answer each other would never end. */
  | { readonly kind: 'machine'; readonly reason: string };

/** Telegram's own accounts: https://core.telegram.org/bots/api#message, under `from` and `sender_chat`. */
const GROUP_ANONYMOUS_BOT = 1_087_968_824;
const CHANNEL_BOT = 136_817_688;
/** Brings a channel's posts into the group that discusses them. */
const TELEGRAM = 777_000;

/** Telegram puts these in the place of a person who hides their id. */
const STAND_INS: ReadonlySet<number> = new Set([GROUP_ANONYMOUS_BOT, CHANNEL_BOT]);

/** Grants are by id, so a message needs its author's own id, and the author must have typed it now. */
export const writerOf = (message: Message): Writer => {
  const { from, sender_chat } = message;
  if (message.is_automatic_forward === true || from?.id === TELEGRAM)
    return { kind: 'machine', reason: 'a channel post' };
  const isStandIn = from !== undefined && STAND_INS.has(from.id);
  if (from?.is_bot === true && !isStandIn) return { kind: 'machine', reason: 'another bot' };
  if (isStandIn || sender_chat !== undefined) return { kind: 'rejected', reason: ANONYMOUS };
  if (from === undefined) return { kind: 'machine', reason: 'nobody wrote it' };
  const reason = whyNotTyped(message);
  return reason === undefined ? { kind: 'person', user: from } : { kind: 'rejected', reason };
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
