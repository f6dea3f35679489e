import { GrammyError, HttpError } from 'grammy';
import { connectFailure } from '../../core/runtime/connect-failure.ts';

/** What a failed call to the Bot API means for the message that was to go out. */
export type Failure =
  | { readonly kind: 'rateLimited'; readonly retryAfterMs: number }
  /** An edit that changes nothing: the message says what it should. */
  | { readonly kind: 'notModified' }
  | { readonly kind: 'badMarkup' }
  | { readonly kind: 'topicGone' }
  | { readonly kind: 'replyGone' }
  | { readonly kind: 'moved'; readonly chatId: string }
  | { readonly kind: 'gone'; readonly reason: string; readonly remedy?: string }
  | { readonly kind: 'not sent'; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string };

/** Telegram always says how long; this is for a server in between that does not. */
const UNSAID_RETRY_AFTER_MS = 3_000;

/** Telegram has no codes for these, only the sentence. */
const SAYS = {
  notModified: /message is not modified/i,
  badMarkup: /can't parse entities/i,
  topicGone: /message thread not found|topic_(deleted|closed)/i,
  replyGone: /message to be replied not found|replied message not found/i,
} as const;

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/blocked by the user/i, 'Unblock me in Telegram.'],
  [/chat not found/i, 'Press Start in my private chat, or add me to the group.'],
  [/kicked|not a member/i, 'Add me to the group again.'],
  [/not enough rights|CHAT_WRITE_FORBIDDEN|have no rights/i, 'Allow me to write in this chat.'],
];

export const failureOf = (error: unknown): Failure => {
  if (error instanceof GrammyError) return refusalOf(error);
  if (error instanceof HttpError) return silenceOf(error);
  // Not a network's doing: it happened around the call, nobody knows how far that got.
  return { kind: 'unclear', reason: error instanceof Error ? error.name : 'unknown error' };
};

/** The network's code for an HttpError, such as `ECONNRESET`. Its message would show the token. */
export const networkCode = ({ error }: HttpError): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

const refusalOf = ({ error_code: code, description, parameters }: GrammyError): Failure => {
  const reason = `Telegram: ${code} ${description}`;
  if (code === 429)
    return { kind: 'rateLimited', retryAfterMs: retryAfterMs(parameters.retry_after) };
  if (code >= 500) return { kind: 'unclear', reason };
  // The token is refused or revoked; with a new one the same message goes out.
  if (code === 401 || code === 404) return { kind: 'not sent', reason };
  if (parameters.migrate_to_chat_id !== undefined)
    return { kind: 'moved', chatId: String(parameters.migrate_to_chat_id) };
  if (SAYS.notModified.test(description)) return { kind: 'notModified' };
  if (SAYS.badMarkup.test(description)) return { kind: 'badMarkup' };
  if (SAYS.topicGone.test(description)) return { kind: 'topicGone' };
  if (SAYS.replyGone.test(description)) return { kind: 'replyGone' };
  const remedy = REMEDIES.find(([sentence]) => sentence.test(description))?.[1];
  return { kind: 'gone', reason, ...(remedy === undefined ? {} : { remedy }) };
};

const retryAfterMs = (seconds: number | undefined): number =>
  seconds === undefined || !(seconds > 0) ? UNSAID_RETRY_AFTER_MS : seconds * 1000;

const silenceOf = (error: HttpError): Failure => {
  const code = networkCode(error);
  const reason = `Telegram did not answer${code === undefined ? '' : ` (${code})`}`;
  return { kind: connectFailure(error.error) === undefined ? 'unclear' : 'not sent', reason };
};
