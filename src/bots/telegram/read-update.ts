import type { CallbackQuery, Message, Update, User } from 'grammy/types';
import type { Caller } from '../../commands/inbound.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import { isCardTyped, neverTypeCards } from '../../core/values/card-number.ts';
import type { Conversation, MessageRef } from '../../core/values/conversation.ts';
import { readButtonValue } from '../button-value.ts';
import { writerOf } from './writer.ts';

/** What an update means. */
export type TelegramEvent =
  | {
      readonly kind: 'command';
      readonly caller: Caller;
      readonly name: string;
      readonly words: string;
    }
  | { readonly kind: 'text'; readonly caller: Caller; readonly text: string }
  | {
      readonly kind: 'press';
      readonly caller: Caller;
      readonly pressed: MessageRef;
      /** By which the press can be answered. */
      readonly queryId: string;
      readonly verb: string;
      readonly id: string;
    }
  /** Nothing is done, but a person expects an answer. */
  | { readonly kind: 'rejected'; readonly conversation: Conversation; readonly reason: string }
  /** A group became a supergroup and has a new id. */
  | { readonly kind: 'moved'; readonly from: string; readonly to: string }
  | { readonly kind: 'ignored'; readonly reason: string };

/** The bot's own account. */
export type Me = { readonly id: number; readonly username: string };

/** The kinds of update Telegram is asked for. Edited messages and channel posts are left out: they are no commands. */
export const ALLOWED_UPDATES = ['message', 'callback_query'] as const;

/** Telegram marks `/charge@PaythreadBot` as one entity; what follows it are the words. */
const COMMAND = /^\/(?<name>\w+)(?:@(?<bot>\w+))?$/;

const TEXT_ONLY = 'I can only read typed text. Send /help to see the commands.';

export const readUpdate = (update: Update, me: Me): TelegramEvent => {
  if (update.callback_query !== undefined) return readPress(update.callback_query);
  if (update.message !== undefined) return readMessage(update.message, me);
  return ignored('not a kind of update we act on');
};

const readPress = ({ id: queryId, from, message, data }: CallbackQuery): TelegramEvent => {
  if (message === undefined || data === undefined) return ignored('no button of a message of ours');
  if (from.is_bot) return ignored('no human pressed it');
  const replyTo = 'reply_to_message' in message ? message.reply_to_message?.message_id : undefined;
  const conversation = placeOf(message, replyTo ?? message.message_id);
  const pressed = { conversation, message: String(message.message_id) };
  return {
    kind: 'press',
    caller: callerOf(from, conversation),
    pressed,
    queryId,
    ...readButtonValue(data),
  };
};

const readMessage = (message: Message, me: Me): TelegramEvent => {
  const chatId = String(message.chat.id);
  if (message.migrate_to_chat_id !== undefined)
    return { kind: 'moved', from: chatId, to: String(message.migrate_to_chat_id) };
  if (message.migrate_from_chat_id !== undefined)
    return { kind: 'moved', from: String(message.migrate_from_chat_id), to: chatId };
  const meant = meaningOf(message, me);
  if (meant.kind === 'ignored') return meant;
  const conversation = placeOf(message, message.message_id);
  const writer = writerOf(message);
  switch (writer.kind) {
    case 'machine':
      return ignored(writer.reason);
    case 'rejected':
      return { kind: 'rejected', conversation, reason: writer.reason };
    case 'person':
      return meant.kind === 'unreadable'
        ? { kind: 'rejected', conversation, reason: meant.why }
        : { ...meant, caller: callerOf(writer.user, conversation) };
    default:
      return assertNever(writer);
  }
};

type Meaning =
  | { readonly kind: 'command'; readonly name: string; readonly words: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly why: string }
  | { readonly kind: 'ignored'; readonly reason: string };

/** Whether a message is for us, and what it says. */
const meaningOf = (message: Message, me: Me): Meaning => {
  const { text, chat, caption = '' } = message;
  const isPrivate = chat.type === 'private';
  const isForUs = isPrivate || message.reply_to_message?.from?.id === me.id;
  if (text === undefined) {
    if (isForUs && isCardTyped(caption))
      return { kind: 'unreadable', why: neverTypeCards().problem.message };
    return isPrivate && MEDIA.some((kind) => kind in message)
      ? { kind: 'unreadable', why: TEXT_ONLY }
      : ignored('no text');
  }
  const head = commandLength(message, text);
  if (head !== undefined) return commandOf(text, head, me);
  if (isForUs) return { kind: 'text', text };
  // A bot that is an administrator receives all messages of a group.
  return ignored('talk in a group');
};

/** How long the command at the beginning is; Telegram marks it, other servers of the Bot API may not. */
const commandLength = ({ entities }: Message, text: string): number | undefined => {
  const marked = entities?.find(({ type, offset }) => type === 'bot_command' && offset === 0);
  return marked?.length ?? (entities === undefined ? UNMARKED.exec(text)?.[0].length : undefined);
};

const UNMARKED = /^\/\w+(?:@\w+)?(?=\s|$)/;

const MEDIA = ['photo', 'voice', 'audio', 'video', 'video_note', 'document', 'sticker', 'contact'];

const commandOf = (text: string, length: number, me: Me): Meaning => {
  const { name, bot } = COMMAND.exec(text.slice(0, length))?.groups ?? {};
  if (name === undefined) return ignored('no command');
  if (bot !== undefined && bot.toLowerCase() !== me.username.toLowerCase())
    return ignored('for another bot');
  const words = text.slice(length).trim();
  // Telegram's own button for a new chat sends /start, perhaps with a word from a link.
  if (name.toLowerCase() === 'start') return { kind: 'command', name: 'help', words: '' };
  return { kind: 'command', name: name.toLowerCase(), words };
};

/** Only a forum's topics are threads of their own; `message_thread_id` marks plain reply chains as well. */
const placeOf = (message: CallbackQuery['message'] & {}, replyTo: number): Conversation => {
  const inTopic = 'is_topic_message' in message && message.is_topic_message === true;
  const thread = inTopic ? message.message_thread_id : undefined;
  return {
    platform: 'telegram',
    channel: String(message.chat.id),
    ...(thread === undefined ? {} : { thread: String(thread) }),
    replyTo: String(replyTo),
  };
};

const callerOf = (user: User, conversation: Conversation): Caller => ({
  platform: 'telegram',
  id: String(user.id),
  name: [user.first_name, user.last_name].filter(Boolean).join(' ') || `user ${user.id}`,
  conversation,
});

const ignored = (reason: string): { readonly kind: 'ignored'; readonly reason: string } => ({
  kind: 'ignored',
  reason,
});
