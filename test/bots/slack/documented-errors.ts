/**
 * Every error that Slack documents for the methods that deliver messages, as its pages of these methods had them
 * (docs.slack.dev/reference/methods/…, read on 26 November 2026 from copies of them).
 */
const codes = (text: string): readonly string[] => text.trim().split(/\s+/);

const OF_ALL = codes(`
    access_denied accesslimited account_inactive deprecated_endpoint ekm_access_denied
    enterprise_is_restricted fatal_error internal_error invalid_arg_name invalid_arguments
    invalid_array_arg invalid_auth invalid_charset invalid_form_data invalid_post_type method_deprecated
    missing_post_type missing_scope no_permission not_allowed_token_type not_authed org_login_required
    ratelimited request_timeout service_unavailable team_access_not_granted team_added_to_org
    token_expired token_revoked two_factor_setup_required
`);

export const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  'chat.postMessage': [
    ...OF_ALL,
    ...codes(`
    app_access_restricted as_user_not_supported attachment_payload_limit_exceeded
    cannot_reply_to_message channel_not_found duplicate_channel_not_found duplicate_message_not_found
    invalid_blocks invalid_blocks_format invalid_metadata_format invalid_metadata_schema is_archived
    is_inactive markdown_text_conflict message_limit_exceeded messages_tab_disabled
    metadata_must_be_sent_from_app metadata_too_large missing_file_data msg_blocks_too_long msg_too_long
    no_text not_in_channel rate_limited restricted_action restricted_action_non_threadable_channel
    restricted_action_read_only_channel restricted_action_thread_locked
    restricted_action_thread_only_channel slack_connect_canvas_sharing_blocked
    slack_connect_file_link_sharing_blocked slack_connect_lists_sharing_blocked team_not_found
    too_many_attachments
    `),
  ],
  'chat.update': [
    ...OF_ALL,
    ...codes(`
    as_user_not_supported block_mismatch cant_broadcast_message cant_update_message channel_not_found
    edit_window_closed external_channel_migrating invalid_attachments invalid_blocks
    invalid_blocks_format invalid_metadata_format invalid_metadata_schema is_inactive
    markdown_text_conflict message_not_found metadata_must_be_sent_from_app metadata_too_large
    msg_too_long no_dual_broadcast_content_update no_text slack_connect_file_link_sharing_blocked
    streaming_state_conflict team_not_found too_many_attachments update_failed
    `),
  ],
  'chat.postEphemeral': [
    ...OF_ALL,
    ...codes(`
    cannot_reply_to_message channel_not_found invalid_attachments invalid_blocks invalid_blocks_format
    is_archived is_bot markdown_text_conflict message_limit_exceeded messages_tab_disabled msg_too_long
    no_text not_in_channel restricted_action too_many_attachments unknown_method user_not_in_channel
    `),
  ],
};
