const MESSAGE =
  'business_connection_id chat_id text parse_mode entities link_preview_options reply_markup';

/** The parameters each method has, as documented. */
const KNOWN: Readonly<Record<string, string>> = {
  getme: '',
  getupdates: 'offset limit timeout allowed_updates',
  setwebhook:
    'url certificate ip_address max_connections allowed_updates drop_pending_updates secret_token',
  deletewebhook: 'drop_pending_updates',
  getwebhookinfo: '',
  setmycommands: 'commands scope language_code',
  deletemycommands: 'scope language_code',
  getmycommands: 'scope language_code',
  answercallbackquery: 'callback_query_id text show_alert url cache_time',
  sendmessage: `${MESSAGE} message_thread_id disable_notification protect_content allow_paid_broadcast message_effect_id reply_parameters direct_messages_topic_id suggested_post_parameters`,
  editmessagetext: `${MESSAGE} message_id inline_message_id`,
  senddocument: `${MESSAGE} document thumbnail caption disable_content_type_detection message_thread_id disable_notification protect_content reply_parameters`,
  sendphoto: `${MESSAGE} photo caption show_caption_above_media has_spoiler message_thread_id disable_notification protect_content reply_parameters`,
  sendchataction: 'business_connection_id chat_id message_thread_id action',
  setmessagereaction: 'chat_id message_id reaction is_big',
  pinchatmessage: 'business_connection_id chat_id message_id disable_notification',
  unpinchatmessage: 'business_connection_id chat_id message_id',
  getfile: 'file_id',
  getchat: 'chat_id',
  getchatmember: 'chat_id user_id',
};

export const knownParams = (method: string): ReadonlySet<string> =>
  new Set((KNOWN[method.toLowerCase()] ?? '').split(' '));
