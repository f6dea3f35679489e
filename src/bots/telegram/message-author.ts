import type { Message, User } from 'grammy/types';

/** Nothing is done, but a person expects an answer. */
export type Rejected = { readonly kind: 'rejected'; readonly reason: string };
export type Ignored = { readonly kind: 'ignored' };

export const IGNORED: Ignored = { kind: 'ignored' };
export const rejected = (reason: string): Rejected => ({ kind: 'rejected', reason });
/** Telegram's own accounts: https://core.telegram.org/bots/api#message, under `from` and `sender_chat`. */
const GROUP_ANONYMOUS_BOT = 1_087_968_824;
const CHANNEL_BOT = 136_817_688;
/** Brings a channel's posts into the group that discusses them. */
const TELEGRAM = 777_000;
/** Telegram puts these in the place of a person who hides their id. */
const STAND_INS: ReadonlySet<number> = new Set([GROUP_ANONYMOUS_BOT, CHANNEL_BOT]);

const ANONYMOUS = rejected(
  'I cannot see who you are. Write as yourself, not anonymously or as a channel. Then send it again.',
);

type Author = { readonly kind: 'person'; readonly user: User } | Rejected | Ignored;

/** Grants are by id, so a message needs its author's own id, and the author must have typed it now. */
export const authorOf = (message: Message, { kind }: { readonly kind: string }): Author => {
  const { from, sender_chat } = message;
  // A channel's post in the group that discusses it.
  if (message.is_automatic_forward === true || from?.id === TELEGRAM) return IGNORED;
  const isStandIn = from !== undefined && STAND_INS.has(from.id);
  // Two machines that answer each other would never end.
  if (from?.is_bot === true && !isStandIn) return IGNORED;
  if (isStandIn || sender_chat !== undefined) return ANONYMOUS;
  if (from === undefined) return IGNORED;
  // A forwarded contact only fills a number in, for the person who sends it here.
  const reason = whyNotTyped(message, kind === 'contact');
  return reason === undefined ? { kind: 'person', user: from } : rejected(reason);
};

const whyNotTyped = (message: Message, mayBeForwarded: boolean): string | undefined => {
  // Servers of the Bot API before version 7 have a date instead of an origin.
  const isForwarded = message.forward_origin !== undefined || 'forward_date' in message;
  if (isForwarded && !mayBeForwarded)
    return 'I do not act on forwarded messages. Please type it yourself.';
  if (message.via_bot !== undefined)
    return 'I do not act on messages from another bot. Please type it yourself.';
  if (message.is_from_offline === true)
    return 'I do not act on scheduled messages. Please type it yourself.';
  return undefined;
};
