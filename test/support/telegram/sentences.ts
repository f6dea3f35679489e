/**
 * The servers that put Telegram's refusals into words, as they were on 7 May and 17 July 2026. The first one sets the
 * code's name in front and makes the first letter small, unless the text is a code such as TOPIC_CLOSED.
 */
const API =
  'https://github.com/tdlib/telegram-bot-api/blob/01a3679c0bbf9bbba03d1d3e20f621fa4becddcc/telegram-bot-api';
const TD = 'https://github.com/tdlib/td/blob/022d60202e446ad1287b9fb68e687c8a0760788b/td/telegram';
/** Names of refusals by the servers behind them, which nobody publishes. */
const CODES =
  'https://github.com/LonamiWebs/Telethon/blob/85c4a9131727663a596b8daabcc71c86a9bb4380/telethon_generator/data/errors.csv';

/** All that the simulator says when it refuses, and where Telegram says it. `*`: any text. */
export const SENTENCES: Readonly<Record<string, string>> = {
  Unauthorized: `${API}/Client.cpp#L16291`,
  // For a token that cannot be one; in front of this server is another.
  'Not Found': 'https://github.com/eternnoir/pyTelegramBotAPI/issues/817',
  'Not Found: method not found': `${API}/Client.cpp#L12664`,
  'Too Many Requests: retry after *': `${API}/Query.cpp#L111`,
  'Request Entity Too Large': 'https://github.com/telegraf/telegraf/issues/913',

  "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first": `${API}/Client.cpp#L15703`,
  'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running': `${API}/Client.cpp#L16232`,
  'Conflict: terminated by setWebhook request': `${API}/Client.cpp#L16229`,
  'Bad Request: invalid webhook URL specified': `${API}/Client.cpp#L16016`,
  'Bad Request: secret token is too long': `${API}/Client.cpp#L16020`,
  'Bad Request: secret token contains unallowed characters': `${API}/Client.cpp#L16023`,
  'Bad Request: bad webhook: An HTTPS URL must be provided for webhook': `${API}/WebhookActor.cpp#L714`,
  'Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443': `${API}/WebhookActor.cpp#L709`,

  "Forbidden: bot can't initiate conversation with a user": `${TD}/MessagesManager.cpp#L27957`,
  'Forbidden: bot was blocked by the user': `${API}/Client.cpp#L127`,
  'Forbidden: user is deactivated': `${API}/Client.cpp#L8136`,
  'Forbidden: bot was kicked from the group chat': `${API}/Client.cpp#L8162`,
  'Forbidden: bot was kicked from the supergroup chat': `${API}/Client.cpp#L8174`,
  'Forbidden: bot was kicked from the channel chat': `${API}/Client.cpp#L8176`,
  'Forbidden: bot is not a member of the group chat': `${API}/Client.cpp#L8165`,
  'Forbidden: bot is not a member of the supergroup chat': `${API}/Client.cpp#L8183`,
  'Forbidden: bot is not a member of the channel chat': `${API}/Client.cpp#L8185`,
  // Of edits it is assumed: the server looks for it before a new message alone.
  'Bad Request: group chat was upgraded to a supergroup chat': `${API}/Client.cpp#L8155`,
  'Bad Request: chat_id is empty': `${API}/Client.cpp#L8201`,
  'Bad Request: chat not found': `${API}/Client.cpp#L6571`,
  'Bad Request: not enough rights to send text messages to the chat': `${TD}/MessageContent.cpp#L6302`,
  'Bad Request: not enough rights to send documents to the chat': `${TD}/MessageContent.cpp#L6203`,
  'Bad Request: not enough rights to send photos to the chat': `${TD}/MessageContent.cpp#L6259`,
  'Bad Request: have no write access to the chat': `${TD}/DialogActionManager.cpp#L371`,
  'Bad Request: not enough rights to manage pinned messages in the chat':
    'https://github.com/teloxide/teloxide/issues/371',
  'Bad Request: member not found': `${TD}/DialogParticipantManager.cpp#L2992`,

  'Bad Request: message text is empty': `${API}/Client.cpp#L11401`,
  'Bad Request: text is too long': `${API}/Client.cpp#L11310`,
  'Bad Request: unsupported parse_mode': `${API}/Client.cpp#L11323`,
  'Bad Request: text must be non-empty': `${TD}/MessageEntity.cpp#L4519`,
  'Bad Request: message is too long': `${TD}/MessageContent.cpp#L4759`,
  'Bad Request: message caption is too long': `${TD}/MessageContent.cpp#L5242`,
  "Bad Request: can't parse entities: Unsupported start tag *": `${TD}/MessageEntity.cpp#L3356`,
  "Bad Request: can't parse entities: Can't find end tag corresponding to start tag *": `${TD}/MessageEntity.cpp#L3559`,
  "Bad Request: can't parse entities: Unexpected end tag *": `${TD}/MessageEntity.cpp#L3465`,
  "Bad Request: can't parse entities: Unmatched end tag *": `${TD}/MessageEntity.cpp#L3481`,
  // The server lets it pass; its page asks for it.
  "Bad Request: can't parse entities: Unescaped *": 'https://core.telegram.org/bots/api#html-style',
  'Bad Request: message thread not found': `${API}/Client.cpp#L8277`,
  'Bad Request: TOPIC_CLOSED':
    'https://github.com/rteixeirax/qbittorrent_telegram_notification/issues/12',
  'Bad Request: message to be replied not found': `${API}/Client.cpp#L8516`,
  'Bad Request: message to edit not found': `${API}/Client.cpp#L13597`,
  "Bad Request: message can't be edited": `${TD}/MessagesManager.cpp#L23386`,
  'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message': `${API}/Client.cpp#L110`,
  'Bad Request: message to react not found': `${API}/Client.cpp#L13493`,
  'Bad Request: REACTION_INVALID': CODES,
  'Bad Request: wrong parameter action in request': `${API}/Client.cpp#L13446`,

  'Bad Request: object expected as reply markup': `${API}/Client.cpp#L9717`,
  "Bad Request: can't parse reply keyboard markup JSON object": `${API}/Client.cpp#L9708`,
  'Bad Request: field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays': `${API}/Client.cpp#L9748`,
  // For more than 100 buttons it is assumed.
  'Bad Request: reply markup is too long': `${API}/Client.cpp#L121`,
  'Bad Request: inline keyboard button text must be non-empty': `${TD}/ReplyMarkup.cpp#L570`,
  "Bad Request: can't parse inline keyboard button: invalid button style specified": `${API}/Client.cpp#L9455`,
  "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard": `${API}/Client.cpp#L9694`,
  "Bad Request: inline keyboard button URL '*' is invalid: Wrong HTTP URL": `${TD}/LinkManager.cpp#L1926`,
  'Bad Request: BUTTON_DATA_INVALID': 'https://github.com/telegraf/telegraf/issues/79',

  'Bad Request: there is no document in the request': `${API}/Client.cpp#L12944`,
  'Bad Request: there is no photo in the request': `${API}/Client.cpp#L12958`,
  'Bad Request: file must be non-empty': `${TD}/files/FileLoaderUtils.cpp#L304`,
  'Bad Request: file of size * bytes is too big for a photo; the maximum size is * bytes': `${TD}/files/FileLoaderUtils.cpp#L339`,
  'Bad Request: PHOTO_INVALID_DIMENSIONS': 'https://github.com/tdlib/td/issues/2544',
  'Bad Request: invalid file_id': `${API}/Client.cpp#L6857`,
  'Bad Request: file is too big': `${API}/Client.cpp#L15817`,

  'Bad Request: query is too old and response timeout expired or query ID is invalid': `${API}/Client.cpp#L148`,
  'Bad Request: MESSAGE_TOO_LONG': 'https://github.com/eternnoir/pyTelegramBotAPI/issues/500',
  'Bad Request: BOT_COMMANDS_TOO_MUCH': 'https://github.com/adolfousier/opencrabs/issues/1613',
  'Bad Request: BOT_COMMAND_INVALID': CODES,
  'Bad Request: command must be non-empty': `${TD}/BotCommand.cpp#L191`,
  'Bad Request: command length must not exceed 32': `${TD}/BotCommand.cpp#L194`,
  'Bad Request: command description must be non-empty': `${TD}/BotCommand.cpp#L201`,
  'Bad Request: command description length must not exceed 256': `${TD}/BotCommand.cpp#L205`,
  "Bad Request: can't parse BotCommandScope: Unsupported type specified": `${API}/Client.cpp#L10634`,
  "Bad Request: can't use specified scope in private chats": `${TD}/BotCommandScope.cpp#L71`,
  "Bad Request: can't change commands in channel chats": `${TD}/BotCommandScope.cpp#L79`,
  // Of a person whom the bot has never seen; of one who is not in the group it is assumed.
  'Bad Request: user not found': `${TD}/UserManager.cpp#L5211`,
};

const PATTERNS = Object.keys(SENTENCES).map((sentence) => {
  const parts = sentence.split('*').map((part) => part.replace(/[.?()]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`);
});

/** Whether Telegram is known to say this. */
export const isKnown = (description: string): boolean =>
  PATTERNS.some((pattern) => pattern.test(description));
