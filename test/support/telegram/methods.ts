import { ApiError, badRequest, forbidden } from './api-error.ts';
import { detectEntities } from './detect-entities.ts';
import type { FloodControl } from './flood-control.ts';
import { HtmlError, parseHtml } from './html.ts';
import {
  type ChatRecord,
  type Content,
  chatJson,
  messageJson,
  type SimMessage,
} from './message.ts';
import { inlineKeyboardOf } from './reply-markup.ts';
import type { World } from './world.ts';

export type Params = Readonly<Record<string, unknown>>;

const LONGEST_RAW_BYTES = 32_768;
const LONGEST_TEXT = 4096;
const LARGEST_DOWNLOAD_BYTES = 20 * 1024 ** 2;
const LONGEST_CAPTION = 1024;
const LARGEST_FILE_BYTES = 50_000_000;
const LARGEST_PHOTO_BYTES = 10 * 1024 ** 2;
/** The first four bytes. */
const PNG = 0x89504e47;
const GENERAL_TOPIC = 1;
const ACTIONS = new Set(['typing', 'upload_photo', 'upload_document']);

/** The methods that put messages into chats, with the checks and sentences of the Bot API. */
export class MessageMethods {
  readonly #world: World;
  readonly #flood: FloodControl | undefined;

  constructor(world: World, flood: FloodControl | undefined) {
    this.#world = world;
    this.#flood = flood;
  }

  sendMessage(params: Params): unknown {
    const content = contentOf(params);
    const chat = this.#chatToSendTo(params.chat_id);
    checkWritable(chat);
    const replyTo = repliedTo(chat, params);
    const topicId = topicOf(chat, params.message_thread_id, replyTo);
    this.#flood?.count(chat);
    const message = this.#world.post(chat, content, {
      from: this.#world.bot,
      ...(topicId === undefined ? {} : { topicId }),
      ...(replyTo === undefined ? {} : { replyTo }),
    });
    return messageJson(message);
  }

  /** Files of 20 MB can be had at most. */
  getFile({ file_id: id }: Params): unknown {
    const path = `documents/${String(id)}`;
    const bytes = this.#world.files.get(path);
    if (bytes === undefined) throw badRequest('invalid file_id');
    if (bytes.length > LARGEST_DOWNLOAD_BYTES) throw badRequest('file is too big');
    return { file_id: id, file_unique_id: id, file_size: bytes.length, file_path: path };
  }

  fileAt(path: string): Buffer | undefined {
    return this.#world.files.get(path);
  }

  async sendFile(params: Params, kind: 'document' | 'photo'): Promise<unknown> {
    const file = params[kind];
    if (!(file instanceof File)) throw badRequest(`there is no ${kind} in the request`);
    if (file.size === 0) throw badRequest('file must be non-empty');
    if (file.size > LARGEST_FILE_BYTES) throw new ApiError(413, 'Request Entity Too Large');
    const { text, entities } = trimmed(markedUp(String(params.caption ?? ''), params.parse_mode));
    if (text.length > LONGEST_CAPTION) throw badRequest('message caption is too long');
    if (kind === 'photo') await checkPhoto(file);
    const chat = this.#chatToSendTo(params.chat_id);
    checkWritable(chat, `${kind}s`);
    this.#flood?.count(chat);
    const buttons = inlineKeyboardOf(params.reply_markup);
    const content = { text, entities: detectEntities(text, entities), buttons, file };
    return messageJson(this.#world.post(chat, content, { from: this.#world.bot }));
  }

  editMessageText(params: Params): unknown {
    const content = contentOf(params);
    const chat = this.chatOf(params.chat_id);
    checkWritable(chat);
    const message = this.#ownMessage(chat, params.message_id);
    if (JSON.stringify(message.content) === JSON.stringify(content))
      throw badRequest(
        'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      );
    this.#flood?.count(chat);
    message.versions.push(content);
    this.#world.changed();
    return messageJson(message);
  }

  /** In a group a right of administrators. */
  pinChatMessage(params: Params, isPinned = true): unknown {
    const chat = this.chatOf(params.chat_id);
    checkWritable(chat);
    if (chat.kind !== 'private' && !chat.isBotAdmin)
      throw badRequest('not enough rights to manage pinned messages in the chat');
    this.#ownMessage(chat, params.message_id).isPinned = isPinned;
    this.#world.changed();
    return true;
  }

  /** Shown for five seconds or until the next message of the bot; it counts in no limit of messages. */
  sendChatAction(params: Params): unknown {
    const chat = this.chatOf(params.chat_id);
    if (chat.botState === 'muted') throw badRequest('have no write access to the chat');
    checkWritable(chat);
    if (!ACTIONS.has(String(params.action))) throw badRequest('wrong parameter action in request');
    topicOf(chat, params.message_thread_id, undefined);
    return true;
  }

  setMessageReaction(params: Params): unknown {
    const chat = this.chatOf(params.chat_id);
    checkWritable(chat);
    const message = chat.messages.find(({ id }) => id === Number(params.message_id));
    if (message === undefined) throw badRequest('message to react not found');
    const [emoji, more] = params.reaction as { type: string; emoji: string }[];
    if (more !== undefined || emoji?.type !== 'emoji') throw badRequest('REACTION_INVALID');
    message.reaction = emoji.emoji;
    return true;
  }

  getChat(params: Params): unknown {
    return chatJson(this.chatOf(params.chat_id));
  }

  getChatMember(params: Params): unknown {
    const chat = this.chatOf(params.chat_id);
    const user = chat.members.find(({ id }) => id === Number(params.user_id));
    if (user === undefined) throw badRequest('member not found');
    return { status: 'member', user };
  }

  /** A chat the bot has met; ids come as numbers or as text. */
  chatOf(id: unknown): ChatRecord {
    if (id === undefined || id === '') throw badRequest('chat_id is empty');
    const chat = this.#world.chats.get(Number(id));
    if (chat === undefined || chat.botState === 'never') throw badRequest('chat not found');
    return chat;
  }

  /** Sending to a person who never wrote to the bot is refused in words of its own: only a wrong id is not found. */
  #chatToSendTo(id: unknown): ChatRecord {
    const chat = this.#world.chats.get(Number(id));
    if (chat?.botState === 'never' && chat.kind === 'private')
      throw forbidden("bot can't initiate conversation with a user");
    return this.chatOf(id);
  }

  #ownMessage(chat: ChatRecord, id: unknown): SimMessage {
    const message = chat.messages.find((each) => each.id === Number(id));
    if (message === undefined) throw badRequest('message to edit not found');
    if (message.from?.id !== this.#world.bot.id) throw badRequest("message can't be edited");
    return message;
  }
}

const contentOf = (params: Params): Content => {
  const { text, parse_mode: mode } = params;
  if (typeof text !== 'string' || text === '') throw badRequest('message text is empty');
  if (Buffer.byteLength(text) > LONGEST_RAW_BYTES) throw badRequest('text is too long');
  const { text: shown, entities } = trimmed(markedUp(text, mode));
  if (shown === '') throw badRequest('text must be non-empty');
  if (shown.length > LONGEST_TEXT) throw badRequest('message is too long');
  return {
    text: shown,
    entities: detectEntities(shown, entities),
    buttons: inlineKeyboardOf(params.reply_markup),
  };
};

const markedUp = (text: string, mode: unknown): Pick<Content, 'text' | 'entities'> => {
  if (mode === undefined || mode === '') return { text, entities: [] };
  if (String(mode).toLowerCase() !== 'html') throw badRequest('unsupported parse_mode');
  try {
    return parseHtml(text);
  } catch (error) {
    if (error instanceof HtmlError) throw badRequest(`can't parse entities: ${error.message}`);
    throw error;
  }
};

/** White space around a text is dropped, and the entities keep to what is left. */
const trimmed = ({ text, entities }: Pick<Content, 'text' | 'entities'>) => {
  const cut = text.length - text.trimStart().length;
  const shown = text.trim();
  const moved = entities.map((entity) => {
    const start = Math.max(0, entity.offset - cut);
    const end = Math.min(shown.length, entity.offset - cut + entity.length);
    return { ...entity, offset: start, length: end - start };
  });
  return { text: shown, entities: moved.filter(({ length }) => length > 0) };
};

/** A picture that Telegram takes: https://core.telegram.org/bots/api#sendphoto. Sizes are read of PNG alone. */
const checkPhoto = async (file: File): Promise<void> => {
  if (file.size > LARGEST_PHOTO_BYTES)
    throw badRequest(
      `file of size ${file.size} bytes is too big for a photo; the maximum size is ${LARGEST_PHOTO_BYTES} bytes`,
    );
  const head = new DataView(await file.slice(0, 24).arrayBuffer());
  if (head.byteLength < 24 || head.getUint32(0) !== PNG) return;
  const [width, height] = [head.getUint32(16), head.getUint32(20)];
  if (width + height > 10_000 || Math.max(width / height, height / width) > 20)
    throw badRequest('PHOTO_INVALID_DIMENSIONS');
};

const checkWritable = (chat: ChatRecord, what = 'text messages'): void => {
  if (chat.migratedTo !== undefined)
    throw badRequest('group chat was upgraded to a supergroup chat', {
      migrate_to_chat_id: chat.migratedTo,
    });
  const kind = chat.kind === 'group' ? 'group' : 'supergroup';
  switch (chat.botState) {
    case 'blocked':
      throw forbidden('bot was blocked by the user');
    case 'deactivated':
      throw forbidden('user is deactivated');
    case 'kicked':
      throw forbidden(`bot was kicked from the ${kind} chat`);
    case 'left':
      throw forbidden(`bot is not a member of the ${kind} chat`);
    case 'muted':
      throw badRequest(`not enough rights to send ${what} to the chat`);
    default:
      return;
  }
};

const repliedTo = (chat: ChatRecord, params: Params): SimMessage | undefined => {
  const given = params.reply_parameters;
  const reply: unknown = typeof given === 'string' ? JSON.parse(given) : given;
  if (typeof reply !== 'object' || reply === null || !('message_id' in reply)) return undefined;
  const message = chat.messages.find(({ id }) => id === Number(reply.message_id));
  const mayMiss =
    'allow_sending_without_reply' in reply && reply.allow_sending_without_reply === true;
  if (message === undefined && !mayMiss) throw badRequest('message to be replied not found');
  return message;
};

/** Outside forums a thread id is ignored; in one it must be a topic other than General. */
const topicOf = (
  chat: ChatRecord,
  threadId: unknown,
  replyTo: SimMessage | undefined,
): number | undefined => {
  if (threadId === undefined || (!chat.isForum && chat.kind !== 'private')) return replyTo?.topicId;
  const topic = chat.topics.get(Number(threadId));
  if (topic === undefined || Number(threadId) === GENERAL_TOPIC)
    throw badRequest('message thread not found');
  if (topic.closed) throw new ApiError(400, 'Bad Request: TOPIC_CLOSED');
  return Number(threadId);
};
