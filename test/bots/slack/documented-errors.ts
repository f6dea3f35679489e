/**
 * Every error that Slack documents for the methods that we call, as its pages of these methods had them
 * (docs.slack.dev/reference/methods/…, read on 26 November 2026 from copies of them, the newest of August 2026).
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
    draft_already_deleted draft_already_sent draft_has_conflict draft_not_found
    send_on_behalf_not_allowed too_many_contact_cards
    `),
  ],
  'chat.delete': [
    ...OF_ALL,
    ...codes(`
    as_user_not_supported cant_delete_message channel_not_found compliance_exports_prevent_deletion
    message_not_found
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
    blocked_file_type file_deleted file_is_deleted file_not_found file_share_limit_reached
    max_file_sharing_exceeded message_limit_exceeded posting_to_channel_denied
    slack_connect_blocked_file_type slack_connect_canvas_sharing_blocked
    slack_connect_clip_sharing_blocked slack_connect_file_upload_sharing_blocked
    unable_to_share_files
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
  'apps.connections.open': [
    ...OF_ALL,
    ...codes(`
    forbidden_team insecure_request missing_args
    `),
  ],
  'apps.manifest.export': [
    ...OF_ALL,
    ...codes(`
    app_not_eligible app_not_found app_not_owned_by_manager_app failed_export invalid_app_id
    unknown_method
    `),
  ],
  'auth.test': OF_ALL,
  'bots.info': [
    ...OF_ALL,
    ...codes(`
    bot_not_found bots_not_found missing_argument team_not_found
    `),
  ],
  'chat.getPermalink': [
    ...OF_ALL,
    ...codes(`
    channel_not_found message_not_found
    `),
  ],
  'conversations.history': [
    ...OF_ALL,
    ...codes(`
    channel_is_limited_access channel_not_found invalid_cursor invalid_metadata_filter_keys
    invalid_ts_latest invalid_ts_oldest not_in_channel
    `),
  ],
  'conversations.info': [
    ...OF_ALL,
    ...codes(`
    channel_is_limited_access channel_not_found
    `),
  ],
  'conversations.members': [
    ...OF_ALL,
    ...codes(`
    channel_not_found fetch_members_failed invalid_cursor invalid_limit
    method_not_supported_for_channel_type
    `),
  ],
  'conversations.open': [
    ...OF_ALL,
    ...codes(`
    channel_not_found invalid_user_combination method_not_supported_for_channel_type
    not_enough_users too_many_users user_disabled user_not_found user_not_visible
    users_list_not_supplied
    `),
  ],
  'pins.add': [
    ...OF_ALL,
    ...codes(`
    already_pinned bad_timestamp channel_not_found external_channel_migrating file_not_found
    file_not_shared message_not_found no_item_specified not_pinnable permission_denied
    `),
  ],
  'pins.remove': [
    ...OF_ALL,
    ...codes(`
    bad_timestamp channel_not_found external_channel_migrating file_not_found message_not_found
    no_item_specified no_pin permission_denied
    `),
  ],
  'conversations.replies': [
    ...OF_ALL,
    ...codes(`
    channel_not_found invalid_cursor invalid_metadata_filter_keys invalid_ts_latest
    invalid_ts_oldest list_record_comment_fetch_failed method_not_supported_for_channel_type
    thread_not_found
    `),
  ],
  'files.completeUploadExternal': [
    ...OF_ALL,
    ...codes(`
    channel_not_found channels_limit_exceeded file_not_found file_type_not_allowed
    file_update_failed file_uploads_except_images_disabled invalid_blocks invalid_channel
    not_in_channel posting_to_channel_denied
    `),
  ],
  'files.getUploadURLExternal': [
    ...OF_ALL,
    ...codes(`
    alt_txt_too_large file_type_not_allowed file_upload_size_restricted
    file_uploads_disabled file_uploads_except_images_disabled missing_argument
    snippet_too_large storage_limit_reached unknown_snippet_type unknown_subtype
    `),
  ],
  'usergroups.users.list': [
    ...OF_ALL,
    ...codes(`
    invalid_cursor no_such_subteam plan_upgrade_required
    `),
  ],
  'users.info': [
    ...OF_ALL,
    ...codes(`
    too_many_users user_not_found user_not_visible
    `),
  ],
  'views.open': [
    ...OF_ALL,
    ...codes(`
    duplicate_external_id exchanged_trigger_id expired_trigger_id invalid_trigger_id
    view_too_large
    `),
  ],
  'views.publish': [
    ...OF_ALL,
    ...codes(`
    duplicate_external_id hash_conflict missing_profile_id not_enabled not_implemented
    view_too_large
    `),
  ],
};
