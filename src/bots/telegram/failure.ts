import { GrammyError, HttpError } from 'grammy';
import { LONGEST_BLOCK_MS } from '../../core/cluster/pace-book.ts';
import { connectFailure } from '../../core/runtime/connect-failure.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Delivery } from '../../core/values/conversation.ts';

/** Telegram always says how long; this is for a server in between that does not. */
const UNSAID_RETRY_AFTER_MS = 3_000;

/** What Telegram refuses although the message or its place is good. It has no codes for these, only the sentence. */
const REFUSALS = {
  /** An edit that changes nothing: the message says what it should. */
  notModified: /message is not modified/i,
  badMarkup: /can't parse entities/i,
  topicGone: /message thread not found|topic_(deleted|closed)/i,
  noPhoto: /PHOTO_INVALID_DIMENSIONS|IMAGE_PROCESS_FAILED/,
  replyGone: /message to be replied not found|replied message not found/i,
} as const;
export type RefusalKind = keyof typeof REFUSALS;

/** To people who never wrote to the bot. */
export const START_FIRST = 'Open a private chat with me and press Start.';

/** The sentences as Telegram says them. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/can't initiate conversation/i, START_FIRST],
  [/blocked by the user/i, 'Unblock me in Telegram.'],
  [/group chat was deleted/i, 'Use another chat.'],
  [/need administrator rights/i, 'Make me an administrator of this chat.'],
  [/file is too big|request entity too large/i, 'Ask for fewer days.'],
  [/chat not found/i, 'Press Start in my private chat, or add me to the group.'],
  [/kicked|not a member/i, 'Add me to the group again.'],
  [
    /not enough rights|CHAT_(WRITE_FORBIDDEN|RESTRICTED)|have no (rights|write access)/i,
    'Allow me to write in this chat.',
  ],
];

const DELETED = /message to edit not found|MESSAGE_ID_INVALID/i;

/** Which part of a message Telegram refused; undefined for any other failure. */
export const refusalOf = (error: unknown): RefusalKind | undefined => {
  if (!(error instanceof GrammyError)) return undefined;
  const refusals = Object.keys(REFUSALS) as RefusalKind[];
  return refusals.find((refusal) => REFUSALS[refusal].test(error.description));
};

/** What a failed call to the Bot API means for the message that was to go out. */
export const failureOf = (error: unknown): Exclude<Delivery, { kind: 'delivered' }> => {
  if (error instanceof HttpError) {
    const code = networkCode(error);
    const reason = `Telegram did not answer${code === undefined ? '' : ` (${code})`}`;
    return { kind: connectFailure(error.error) === undefined ? 'unclear' : 'not sent', reason };
  }
  // Thrown around the call: whether the request was sent is unknown.
  if (!(error instanceof GrammyError))
    return { kind: 'unclear', reason: error instanceof Error ? error.name : 'unknown error' };
  const { error_code: code, description, parameters } = error;
  const reason = `Telegram: ${code} ${description}`;
  if (code === 429) {
    const { retry_after: seconds = 0 } = parameters;
    return {
      kind: 'rateLimited',
      retryAfterMs:
        seconds > 0 ? Math.min(seconds * 1000, LONGEST_BLOCK_MS) : UNSAID_RETRY_AFTER_MS,
    };
  }
  if (code >= 500) return { kind: 'unclear', reason };
  // The token is refused or revoked; with a new one the same message goes out.
  if (code === 401 || code === 404) return { kind: 'not sent', reason };
  // Message ids and topics of the old group are not valid in the new one.
  if (parameters.migrate_to_chat_id !== undefined)
    return {
      kind: 'moved',
      conversation: { platform: 'telegram', channel: String(parameters.migrate_to_chat_id) },
    };
  const refusal = refusalOf(error);
  if (refusal !== undefined)
    return { kind: 'gone', reason: `Telegram refuses the message: ${refusal}` };
  const remedy = REMEDIES.find(([sentence]) => sentence.test(description))?.[1];
  const isDeleted = DELETED.test(description) || undefined;
  return { kind: 'gone', reason, ...defined({ remedy, isDeleted }) };
};

/** The network's code, such as `ECONNRESET`. The message of the inner error would show the token. */
const networkCode = ({ error }: HttpError): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/**
 * An error as it may be logged. grammY 1.46's errors carry the whole payload (numbers, names) and, inside an
 * HttpError, the address with the bot's token; of those only method and code are kept.
 */
export const safeError = (error: unknown): Record<string, unknown> => {
  if (error instanceof GrammyError)
    return { method: error.method, code: error.error_code, said: error.description };
  if (error instanceof HttpError) return { message: error.message, code: networkCode(error) };
  if (!(error instanceof Error)) return { message: withoutToken(String(error)) };
  const { name, message, stack } = error;
  return { name, message: withoutToken(message), stack: withoutToken(stack) };
};

/** Bot tokens look like `123456:AA…`, in addresses `/bot123456:AA…`. */
const withoutToken = (text: string | undefined): string | undefined =>
  text?.replace(/\d+:[\w-]{20,}/g, '[token]').replace(/\/bot[^/\s]+/g, '/bot[token]');
