/** Every method that we call. */
export const METHODS = {
  slack: [
    ...[
      'chat.postMessage',
      'chat.update',
      'chat.delete',
      'chat.postEphemeral',
      'chat.getPermalink',
    ],
    ...['views.open', 'views.publish', 'response_url'],
    ...['users.info', 'usergroups.users.list', 'auth.test', 'bots.info'],
    ...['files.getUploadURLExternal', 'files.completeUploadExternal'],
    ...['apps.connections.open', 'apps.manifest.export'],
    ...['conversations.info', 'conversations.members', 'conversations.open'],
    ...['conversations.history', 'conversations.replies', 'pins.add', 'pins.remove'],
  ],
  telegram: [
    ...['getMe', 'getUpdates', 'setWebhook', 'deleteWebhook', 'getWebhookInfo'],
    ...['setMyCommands', 'deleteMyCommands', 'getMyCommands', 'answerCallbackQuery'],
    ...['sendMessage', 'editMessageText', 'sendDocument', 'sendPhoto', 'sendChatAction'],
    ...['setMessageReaction', 'getFile', 'getChat', 'getChatMember'],
    ...['pinChatMessage', 'unpinChatMessage'],
  ],
} as const;
