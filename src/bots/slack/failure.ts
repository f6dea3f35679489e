import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { connectFailure } from '../../core/runtime/connect-failure.ts';
import type { Delivery } from '../../core/values/conversation.ts';

/** Why a call to Slack failed, by what can be done about it. */
export type Failure =
  | { readonly kind: 'rateLimited'; readonly retryAfterMs: number }
  /** Slack answered no; `code` is its word, such as `not_in_channel`. */
  | { readonly kind: 'said no'; readonly code: string }
  /** The request certainly never left. */
  | { readonly kind: 'not sent'; readonly reason: string }
  /** Slack may have done it or not. */
  | { readonly kind: 'unclear'; readonly reason: string };

const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;
/** Codes after which it may have happened all the same. */
const UNCLEAR_CODES = new Set([
  'fatal_error',
  'internal_error',
  'request_timeout',
  'service_unavailable',
]);
const RATE_CODES = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded']);

/** The words in it come from Slack's codes and from errno alone, so they may be logged and shown. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof WebAPIRateLimitedError) return rateLimited(error.retryAfter * 1_000);
  if (error instanceof WebAPIPlatformError) return saidNo(error.data.error);
  if (error instanceof WebAPIHTTPError)
    return { kind: 'unclear', reason: `Slack answered HTTP ${error.statusCode}` };
  return networkFailure(error instanceof WebAPIRequestError ? error.original : error);
};

const rateLimited = (waitMs: number): Failure => ({
  kind: 'rateLimited',
  retryAfterMs: Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS),
});

const saidNo = (code: string): Failure => {
  // The SDK puts a body that is not JSON here, a proxy's error page for example: no answer of Slack's.
  if (!/^[a-z0-9_-]{1,80}$/.test(code))
    return { kind: 'unclear', reason: 'an answer that is not Slack’s' };
  if (RATE_CODES.has(code)) return rateLimited(SHORTEST_WAIT_MS);
  if (UNCLEAR_CODES.has(code)) return { kind: 'unclear', reason: `Slack says ${code}` };
  return { kind: 'said no', code };
};

const networkFailure = (error: unknown): Failure => {
  const failure = connectFailure(error);
  return failure === undefined
    ? { kind: 'unclear', reason: `no answer (${errorCode(error)})` }
    : { kind: 'not sent', reason: `no connection (${failure.code})` };
};

/** The first code in an error or its causes, of which the SDK and `fetch` each add one; else the error's name. */
const errorCode = (error: unknown): string => {
  let cause = error;
  for (; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return error instanceof Error ? error.name : 'unknown';
};

/** In a few words, for the log. */
export const failureText = (failure: Failure): string => {
  switch (failure.kind) {
    case 'rateLimited':
      return `rate limited for ${failure.retryAfterMs} ms`;
    case 'said no':
      return failure.code;
    default:
      return failure.reason;
  }
};

export const whyFailed = (error: unknown): string => failureText(failureOf(error));

/** Slack's code when it answered no; undefined after any other failure. */
export const refusalCode = (error: unknown): string | undefined => {
  const failure = failureOf(error);
  return failure.kind === 'said no' ? failure.code : undefined;
};

/** Codes for a token with which no further attempt can work. */
const TOKEN_CODES = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
  'missing_scope',
]);

/** Slack's code when it refuses the token; undefined after any other failure. */
export const tokenRefusal = (error: unknown): string | undefined => {
  const code = refusalCode(error);
  return code !== undefined && TOKEN_CODES.has(code) ? code : undefined;
};

/** Codes about the message itself: as plain text it may still be taken. */
const CONTENT_CODES = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
]);
export const isAboutContent = (error: unknown): boolean =>
  CONTENT_CODES.has(refusalCode(error) ?? '');

/** The thread is lost, the channel is not. */
export const isAboutThread = (error: unknown): boolean =>
  ['thread_not_found', 'cannot_reply_to_message'].includes(refusalCode(error) ?? '');

const INVITE = 'Invite the bot with /invite @Paythread and type the command again.';
const ASK_ADMIN = 'Ask a workspace administrator to let Paythread post here.';
const OTHER_CHANNEL = 'Use another channel.';

/** Codes after which no further attempt can succeed, and what a person can do about it. */
const GONE: ReadonlyMap<string, string | undefined> = new Map([
  ['not_in_channel', INVITE],
  ['channel_not_found', INVITE],
  ['is_archived', OTHER_CHANNEL],
  ['restricted_action', ASK_ADMIN],
  ['restricted_action_read_only_channel', ASK_ADMIN],
  ['restricted_action_thread_only_channel', ASK_ADMIN],
  ['restricted_action_non_threadable_channel', ASK_ADMIN],
  ['restricted_action_thread_locked', OTHER_CHANNEL],
  ['messages_tab_disabled', ASK_ADMIN],
  ['ekm_access_denied', ASK_ADMIN],
  ['team_access_not_granted', ASK_ADMIN],
  ['no_permission', ASK_ADMIN],
  ['cannot_dm_bot', undefined],
  ['user_not_found', undefined],
  ['user_disabled', undefined],
  ['user_not_visible', undefined],
  ['message_not_found', undefined],
  ['cant_update_message', undefined],
  ['edit_window_closed', undefined],
]);

/** What a failed call means for the message it was to deliver. */
export const undelivered = (failure: Failure): Exclude<Delivery, { kind: 'delivered' }> => {
  if (failure.kind !== 'said no') return failure;
  const reason = `Slack says ${failure.code}`;
  // The operator can correct anything else, such as a revoked token or a missing scope, so it is tried again.
  if (!GONE.has(failure.code)) return { kind: 'not sent', reason };
  const remedy = GONE.get(failure.code);
  return remedy === undefined ? { kind: 'gone', reason } : { kind: 'gone', reason, remedy };
};
