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

/** What can be done about a code with which Slack answers no. */
type Remedy =
  /** It may have happened all the same. */
  | 'unclear'
  | 'rate'
  /** The token is refused, until an administrator installs the app again or gives it the permission. */
  | 'token'
  /** The message itself is refused: as plain text it may still be taken. */
  | 'content'
  | 'metadata'
  /** The thread is lost, the channel is not. */
  | 'thread'
  /** Slack or its administrators are at something that passes. */
  | 'later'
  /** A mistake of ours, or an old client: only a person can mend it. */
  | 'ours'
  /** No further attempt can succeed. `do`: what a person can do about it. */
  | { readonly do: string | undefined };

const INVITE: Remedy = { do: 'Invite the bot with /invite @Paythread and type the command again.' };
const ASK_ADMIN: Remedy = { do: 'Ask a workspace administrator to let Paythread post here.' };
const OTHER_CHANNEL: Remedy = { do: 'Use another channel.' };
const NOTHING: Remedy = { do: undefined };

/** Every code that Slack documents for the methods that deliver messages; test/bots/slack/documented-errors.ts names its pages. */
const REMEDIES: Readonly<Record<string, Remedy>> = {
  ...{ fatal_error: 'unclear', internal_error: 'unclear', request_timeout: 'unclear' },
  ...{ service_unavailable: 'unclear', update_failed: 'unclear' },
  ...{ ratelimited: 'rate', rate_limited: 'rate', message_limit_exceeded: 'rate' },
  ...{ invalid_auth: 'token', not_authed: 'token', account_inactive: 'token' },
  ...{ token_revoked: 'token', token_expired: 'token', not_allowed_token_type: 'token' },
  missing_scope: 'token',
  ...{ invalid_blocks: 'content', invalid_blocks_format: 'content', block_mismatch: 'content' },
  ...{ msg_blocks_too_long: 'content', msg_too_long: 'content' },
  ...{ metadata_must_be_sent_from_app: 'metadata', invalid_metadata_format: 'metadata' },
  ...{ invalid_metadata_schema: 'metadata', metadata_too_large: 'metadata' },
  ...{ thread_not_found: 'thread', cannot_reply_to_message: 'thread' },
  ...{ team_added_to_org: 'later', org_login_required: 'later', accesslimited: 'later' },
  ...{ external_channel_migrating: 'later', streaming_state_conflict: 'later' },
  ...{ two_factor_setup_required: 'later', access_denied: 'later', team_not_found: 'later' },
  ...{ app_access_restricted: 'later', enterprise_is_restricted: 'later' },
  ...{ as_user_not_supported: 'ours', attachment_payload_limit_exceeded: 'ours' },
  ...{ cant_broadcast_message: 'ours', no_dual_broadcast_content_update: 'ours' },
  ...{ deprecated_endpoint: 'ours', method_deprecated: 'ours', unknown_method: 'ours' },
  ...{ duplicate_channel_not_found: 'ours', duplicate_message_not_found: 'ours' },
  ...{ invalid_arg_name: 'ours', invalid_arguments: 'ours', invalid_array_arg: 'ours' },
  ...{ invalid_attachments: 'ours', too_many_attachments: 'ours', markdown_text_conflict: 'ours' },
  ...{ invalid_charset: 'ours', invalid_form_data: 'ours', invalid_post_type: 'ours' },
  ...{ missing_post_type: 'ours', missing_file_data: 'ours', no_text: 'ours', is_bot: 'ours' },
  ...{ slack_connect_canvas_sharing_blocked: 'ours', slack_connect_lists_sharing_blocked: 'ours' },
  slack_connect_file_link_sharing_blocked: 'ours',
  ...{ not_in_channel: INVITE, channel_not_found: INVITE },
  ...{ is_archived: OTHER_CHANNEL, is_inactive: OTHER_CHANNEL },
  restricted_action_thread_locked: OTHER_CHANNEL,
  ...{ restricted_action: ASK_ADMIN, restricted_action_read_only_channel: ASK_ADMIN },
  restricted_action_thread_only_channel: ASK_ADMIN,
  restricted_action_non_threadable_channel: ASK_ADMIN,
  ...{ messages_tab_disabled: ASK_ADMIN, ekm_access_denied: ASK_ADMIN },
  ...{ team_access_not_granted: ASK_ADMIN, no_permission: ASK_ADMIN },
  ...{ cannot_dm_bot: NOTHING, user_not_found: NOTHING, user_disabled: NOTHING },
  ...{ user_not_visible: NOTHING, user_not_in_channel: NOTHING, message_not_found: NOTHING },
  ...{ cant_update_message: NOTHING, edit_window_closed: NOTHING },
};

/** What can be done about a code; undefined: Slack does not document it. */
export const remedyFor = (code: string): Remedy | undefined =>
  Object.hasOwn(REMEDIES, code) ? REMEDIES[code] : undefined;

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
  const remedy = remedyFor(code);
  if (remedy === 'rate') return rateLimited(SHORTEST_WAIT_MS);
  if (remedy === 'unclear') return { kind: 'unclear', reason: `Slack says ${code}` };
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

/** Slack's code when it refuses the token; undefined after any other failure. */
export const tokenRefusal = (error: unknown): string | undefined => {
  const code = refusalCode(error);
  return code !== undefined && remedyFor(code) === 'token' ? code : undefined;
};

/** Whether another form of the same message may still be taken. */
export const isAbout = (error: unknown, what: 'content' | 'metadata' | 'thread'): boolean =>
  remedyFor(refusalCode(error) ?? '') === what;

/** What a failed call means for the message it was to deliver. */
export const undelivered = (failure: Failure): Exclude<Delivery, { kind: 'delivered' }> => {
  if (failure.kind !== 'said no') return failure;
  const reason = `Slack says ${failure.code}`;
  const remedy = remedyFor(failure.code);
  if (typeof remedy !== 'object') return { kind: 'not sent', reason, isRefused: true };
  return remedy.do === undefined
    ? { kind: 'gone', reason }
    : { kind: 'gone', reason, remedy: remedy.do };
};
