import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { connectFailure } from '../../core/runtime/connect-failure.ts';
import { defined } from '../../core/runtime/defined.ts';
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

const SHORTEST_RATE_LIMIT_MS = 1_000;
const LONGEST_RATE_LIMIT_MS = 300_000;

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
  /** The press that a form was to open is used up; the form is offered in a message. */
  | 'trigger'
  /** The workspace lets no such file in. */
  | 'file'
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

/**
 * Every code that Slack documents for the methods that we call, as test/bots/slack/documented-errors.ts has them. Each
 * has one remedy; to a person who waits for a file or a form, send-file.ts and reply-surface.ts say what to do.
 */
const CODES: readonly (readonly [Remedy, string])[] = [
  ['unclear', `fatal_error internal_error request_timeout service_unavailable update_failed`],
  ['rate', 'ratelimited rate_limited message_limit_exceeded'],
  [
    'token',
    `invalid_auth not_authed account_inactive token_revoked token_expired not_allowed_token_type
    missing_scope`,
  ],
  [
    'content',
    `invalid_blocks invalid_blocks_format block_mismatch msg_blocks_too_long msg_too_long`,
  ],
  [
    'metadata',
    `metadata_must_be_sent_from_app invalid_metadata_format invalid_metadata_schema
    metadata_too_large`,
  ],
  ['thread', 'thread_not_found cannot_reply_to_message'],
  ['trigger', 'expired_trigger_id exchanged_trigger_id invalid_trigger_id'],
  [
    'file',
    `file_uploads_disabled file_uploads_except_images_disabled file_upload_size_restricted
    file_type_not_allowed storage_limit_reached`,
  ],
  [
    'later',
    `team_added_to_org org_login_required accesslimited external_channel_migrating
    streaming_state_conflict two_factor_setup_required access_denied team_not_found
    app_access_restricted enterprise_is_restricted fetch_members_failed
    list_record_comment_fetch_failed file_update_failed failed_export`,
  ],
  [
    'ours',
    `as_user_not_supported attachment_payload_limit_exceeded cant_broadcast_message
    no_dual_broadcast_content_update deprecated_endpoint method_deprecated unknown_method
    duplicate_channel_not_found duplicate_message_not_found invalid_arg_name invalid_arguments
    invalid_array_arg invalid_attachments too_many_attachments markdown_text_conflict
    invalid_charset invalid_form_data invalid_post_type missing_post_type missing_file_data no_text
    is_bot slack_connect_canvas_sharing_blocked slack_connect_lists_sharing_blocked
    slack_connect_file_link_sharing_blocked forbidden_team insecure_request missing_args
    missing_argument app_not_eligible app_not_found app_not_owned_by_manager_app invalid_app_id
    bot_not_found bots_not_found draft_already_deleted draft_already_sent draft_has_conflict
    draft_not_found send_on_behalf_not_allowed too_many_contact_cards blocked_file_type file_deleted
    file_is_deleted file_not_found file_share_limit_reached max_file_sharing_exceeded
    slack_connect_blocked_file_type slack_connect_clip_sharing_blocked
    slack_connect_file_upload_sharing_blocked unable_to_share_files invalid_cursor invalid_limit
    invalid_metadata_filter_keys invalid_ts_latest invalid_ts_oldest
    method_not_supported_for_channel_type not_enough_users too_many_users users_list_not_supplied
    no_such_subteam plan_upgrade_required channels_limit_exceeded alt_txt_too_large
    snippet_too_large unknown_snippet_type unknown_subtype view_too_large duplicate_external_id
    hash_conflict missing_profile_id not_enabled not_implemented already_pinned no_pin bad_timestamp
    file_not_shared no_item_specified not_pinnable`,
  ],
  [INVITE, 'not_in_channel channel_not_found invalid_channel'],
  [
    OTHER_CHANNEL,
    `is_archived is_inactive restricted_action_thread_locked channel_is_limited_access`,
  ],
  [
    ASK_ADMIN,
    `restricted_action restricted_action_read_only_channel restricted_action_thread_only_channel
    restricted_action_non_threadable_channel messages_tab_disabled ekm_access_denied
    team_access_not_granted no_permission posting_to_channel_denied permission_denied`,
  ],
  [
    NOTHING,
    `cannot_dm_bot user_not_found user_disabled user_not_visible user_not_in_channel
    message_not_found cant_update_message edit_window_closed invalid_user_combination
    cant_delete_message compliance_exports_prevent_deletion`,
  ],
];

/** By code; none for one that Slack does not document. */
export const REMEDIES: ReadonlyMap<string, Remedy> = new Map(
  CODES.flatMap(([remedy, codes]) => codes.split(/\s+/).map((code) => [code, remedy] as const)),
);

/** The words in it come from Slack's codes and from errno alone, so they may be logged and shown. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof WebAPIRateLimitedError) return rateLimited(error.retryAfter * 1_000);
  if (error instanceof WebAPIPlatformError) return saidNo(error.data.error);
  if (error instanceof WebAPIHTTPError)
    return { kind: 'unclear', reason: `Slack answered HTTP ${error.statusCode}` };
  const cause = error instanceof WebAPIRequestError ? error.original : error;
  const failure = connectFailure(cause);
  return failure === undefined
    ? { kind: 'unclear', reason: `no answer (${errorCode(cause)})` }
    : { kind: 'not sent', reason: `no connection (${failure.code})` };
};

const rateLimited = (waitMs: number): Failure => ({
  kind: 'rateLimited',
  retryAfterMs: Math.min(Math.max(waitMs, SHORTEST_RATE_LIMIT_MS), LONGEST_RATE_LIMIT_MS),
});

const saidNo = (code: string): Failure => {
  // The SDK puts a body that is not JSON here, a proxy's error page for example: no answer of Slack's.
  if (!/^[a-z0-9_-]{1,80}$/.test(code))
    return { kind: 'unclear', reason: 'an answer that is not Slack’s' };
  const remedy = REMEDIES.get(code);
  if (remedy === 'rate') return rateLimited(SHORTEST_RATE_LIMIT_MS);
  if (remedy === 'unclear') return { kind: 'unclear', reason: `Slack says ${code}` };
  return { kind: 'said no', code };
};

/** The first code in an error or its causes, of which the SDK and `fetch` each add one; else the error's name. */
const errorCode = (error: unknown): string => {
  let cause = error;
  for (; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return error instanceof Error ? error.name : 'unknown';
};

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
export const tokenRefusal = (error: unknown): string | undefined =>
  isAbout(error, 'token') ? refusalCode(error) : undefined;

/** Whether Slack answered no with a code of this remedy. */
export const isAbout = (error: unknown, what: Extract<Remedy, string>): boolean =>
  REMEDIES.get(refusalCode(error) ?? '') === what;

/** What a failed call means for the message it was to deliver. */
export const undelivered = (failure: Failure): Exclude<Delivery, { kind: 'delivered' }> => {
  if (failure.kind !== 'said no') return failure;
  const reason = `Slack says ${failure.code}`;
  const remedy = REMEDIES.get(failure.code);
  if (typeof remedy !== 'object') return { kind: 'not sent', reason, isRefused: true };
  const isDeleted = failure.code === 'message_not_found' || undefined;
  return { kind: 'gone', reason, ...defined({ remedy: remedy.do, isDeleted }) };
};
