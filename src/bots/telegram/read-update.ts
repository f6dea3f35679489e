import type {
  CallbackQuery,
  ChatMember,
  ChatMemberUpdated,
  Message,
  Contact as TelegramContact,
  Update,
  User,
} from 'grammy/types';
import type { Card } from '../../commands/cards/card.ts';
import { START } from '../../commands/help.ts';
import type { Caller, RepliedMessage } from '../../commands/inbound.ts';
import { defined } from '../../core/runtime/defined.ts';
import { isCardTyped, neverTypeCards } from '../../core/values/card-number.ts';
import {
  type Conversation,
  type MessageRef,
  type Person,
  personOf,
} from '../../core/values/conversation.ts';
import { NOT_THERE, readButtonValue } from '../button-value.ts';
import { authorOf, IGNORED, type Ignored, type Rejected, rejected } from './message-author.ts';

type Command = { readonly kind: 'command'; readonly name: string; readonly words: string };
type Text = { readonly kind: 'text'; readonly text: string };
/** An entry of an address book, with each number as the phone has it. */
type Contact = { readonly kind: 'contact'; readonly numbers: readonly string[] };
/** A document with its caption. It is downloaded by its id. */
export type Document = {
  readonly kind: 'file';
  readonly id: string;
  readonly name: string;
  readonly size: number | undefined;
  readonly words: string;
};
export type TelegramEvent =
  | ((Command | Text | Contact | Document) & {
      readonly repliedTo?: RepliedMessage;
      readonly repliedAuthor?: Person;
      readonly caller: Caller;
    })
  | {
      readonly kind: 'press';
      readonly caller: Caller;
      readonly pressed: MessageRef;
      /** By which the press can be answered. */
      readonly queryId: string;
      readonly verb: string;
      readonly id: string;
    }
  /** A press that does not count, and what the person is told in its answer. */
  | { readonly kind: 'void press'; readonly why: Card }
  | (Rejected & { readonly conversation: Conversation })
  /** A group became a supergroup and has a new id. */
  | { readonly kind: 'moved'; readonly from: string; readonly to: string }
  | { readonly kind: 'added'; readonly conversation: Conversation }
  | Ignored;

export type Me = { readonly id: number; readonly username: string };

/** The kinds of update Telegram is asked for. Edited messages and channel posts are left out: they are no commands. */
export const ALLOWED_UPDATES = ['message', 'callback_query', 'my_chat_member'] as const;

/** Telegram marks `/charge@PaythreadBot` as one entity; what follows it are the words. */
const COMMAND = /^\/(?<name>\w+)(?:@(?<bot>\w+))?$/;
const UNMARKED = /^\/\w+(?:@\w+)?(?=\s|$)/;
/** `charge_0244123456_50`, `charge_0244123456_50-25` or without an amount: a payload has A-Z, a-z, 0-9, _ and - only. */
const CHARGE_LINK = /^charge_(?<number>\d{9,15})(?:_(?<whole>\d{1,7})(?:-(?<hundredths>\d{2}))?)?$/;
const CHARGE_LINK_HEAD = /^charge(?![A-Za-z])/i;
/** What people send that is no text. A GIF comes as a document as well, a place with a name as a location. */
const MEDIA = [
  'photo voice audio video video_note animation document sticker poll',
  'location rich_message checklist dice game story paid_media',
].flatMap((words) => words.split(' '));
/** `TEL;TYPE=CELL:024 412 3456`, `item1.TEL;VALUE=uri:tel:+233244123456`. */
const TEL_OF_VCARD = /^(?:\w+\.)?TEL(?:;[^:\r\n]*)?:(?:tel:)?([^\r\n]*)/gim;

const TEXT_ONLY = rejected('I can only read typed text. Send /help to see the commands.');
const BAD_LINK = rejected(
  'I did not understand this link. Nothing was charged. Try: /charge 0244123456 50',
);
export const readUpdate = (
  { callback_query, message, my_chat_member }: Update,
  me: Me,
): TelegramEvent => {
  if (callback_query !== undefined) return readPress(callback_query);
  if (my_chat_member !== undefined) return readMembership(my_chat_member);
  return message === undefined ? IGNORED : readMessage(message, me);
};

const readPress = ({ id: queryId, from, message, data }: CallbackQuery): TelegramEvent => {
  // No button of a message of ours, or no human who pressed it.
  if (message === undefined || data === undefined || from.is_bot) return IGNORED;
  // A changed client sends any data with any message of ours.
  if (!dataIn(message).includes(data)) return { kind: 'void press', why: NOT_THERE };
  const replyTo = 'reply_to_message' in message ? message.reply_to_message?.message_id : undefined;
  const conversation = placeOf(message, replyTo ?? message.message_id);
  const pressed = { conversation, message: String(message.message_id) };
  const isBroadcast = message.chat.type === 'channel';
  const caller: Caller = {
    ...callerOf(from, conversation),
    ...(isBroadcast && { isAmongReaders: true }),
  };
  return { kind: 'press', caller, pressed, queryId, ...readButtonValue(data) };
};

/** What the buttons of a message carry, as Telegram itself says. */
const dataIn = (message: CallbackQuery['message'] & {}): string[] => {
  const keyboard = 'reply_markup' in message ? message.reply_markup?.inline_keyboard : undefined;
  const buttons = keyboard?.flat() ?? [];
  return buttons.flatMap((button) => ('callback_data' in button ? [button.callback_data] : []));
};

const readMessage = (message: Message, me: Me): TelegramEvent => {
  const chatId = String(message.chat.id);
  if (message.migrate_to_chat_id !== undefined)
    return { kind: 'moved', from: chatId, to: String(message.migrate_to_chat_id) };
  if (message.migrate_from_chat_id !== undefined)
    return { kind: 'moved', from: String(message.migrate_from_chat_id), to: chatId };
  const meant = meaningOf(message, me);
  if (meant.kind === 'ignored') return IGNORED;
  const author = authorOf(message, meant);
  if (author.kind === 'ignored') return IGNORED;
  const conversation = placeOf(message, message.message_id);
  if (author.kind === 'rejected') return { ...author, conversation };
  if (meant.kind === 'rejected') return { ...meant, conversation };
  const repliedTo = repliedMessage(message.reply_to_message, me, conversation);
  const repliedAuthor = repliedAuthorOf(message.reply_to_message, conversation);
  const caller = callerOf(author.user, conversation);
  return { ...meant, ...defined({ repliedTo, repliedAuthor }), caller };
};

/** In a topic of a forum every message answers the one that opened it, which is no reply. */
const repliedAuthorOf = (
  message: Message['reply_to_message'],
  conversation: Conversation,
): Person | undefined =>
  message?.from === undefined || message.from.is_bot || message.forum_topic_created !== undefined
    ? undefined
    : personOf(callerOf(message.from, conversation));

const repliedMessage = (
  message: Message['reply_to_message'],
  me: Me,
  conversation: Conversation,
): RepliedMessage | undefined => {
  if (message === undefined || message.from?.id !== me.id) return undefined;
  const { message_id, text = '', entities = [] } = message;
  const shown = entities
    .filter(({ type }) => type === 'code')
    .map(({ offset, length }) => text.slice(offset, offset + length));
  const carried = dataIn(message).map((data) => readButtonValue(data).id);
  return { ref: { conversation, message: String(message_id) }, codes: [...shown, ...carried] };
};

/** Telegram tells of every change to the bot's own standing; only coming into a group is answered. */
const readMembership = ({
  chat,
  old_chat_member: before,
  new_chat_member: now,
}: ChatMemberUpdated): TelegramEvent => {
  const isGroup = chat.type === 'group' || chat.type === 'supergroup';
  return isGroup && !isIn(before) && isIn(now)
    ? { kind: 'added', conversation: { platform: 'telegram', channel: String(chat.id) } }
    : IGNORED;
};

const isIn = (member: ChatMember): boolean =>
  member.status === 'restricted' ? member.is_member : !['left', 'kicked'].includes(member.status);

const meaningOf = (
  message: Message,
  me: Me,
): Command | Text | Contact | Document | Rejected | Ignored => {
  const { text, chat, caption = '' } = message;
  const isPrivate = chat.type === 'private';
  const isForUs = isPrivate || message.reply_to_message?.from?.id === me.id;
  if (text === undefined) {
    if (isForUs && isCardTyped(caption)) return rejected(neverTypeCards().problem.message);
    const document = documentOf(message, caption, { isForUs, me });
    if (document !== undefined) return document;
    if (isPrivate && message.contact !== undefined)
      return { kind: 'contact', numbers: numbersOf(message.contact) };
    return isPrivate && MEDIA.some((kind) => kind in message) ? TEXT_ONLY : IGNORED;
  }
  const head = commandLength(message, text);
  if (head !== undefined) return commandOf(text, head, me);
  // A bot that is an administrator receives all messages of a group.
  return isForUs ? { kind: 'text', text } : IGNORED;
};

/** A document for us: in a private chat, or with a command of ours as its caption. */
const documentOf = (
  { document, animation }: Message,
  caption: string,
  { isForUs, me }: { readonly isForUs: boolean; readonly me: Me },
): Document | undefined => {
  if (document === undefined || animation !== undefined) return undefined;
  const { file_id: id, file_name: name = 'file', file_size: size } = document;
  const head = UNMARKED.exec(caption)?.[0].length;
  if (head === undefined)
    return isForUs ? { kind: 'file', id, name, size, words: caption } : undefined;
  const command = commandOf(caption, head, me);
  return command.kind === 'command'
    ? { kind: 'file', id, name, size, words: `${command.name} ${command.words}` }
    : undefined;
};

/** Telegram gives the number of an account without its `+`, and one of a phone's address book as it was typed there. */
const numbersOf = ({ phone_number, vcard = '' }: TelegramContact): string[] => {
  const others = [...vcard.matchAll(TEL_OF_VCARD)].map(([, number = '']) => number.trim());
  return [phone_number, ...others].map((number) => (/^[1-9]/.test(number) ? `+${number}` : number));
};

/** How long the command at the beginning is; Telegram marks it, other servers of the Bot API may not. */
const commandLength = ({ entities }: Message, text: string): number | undefined => {
  const marked = entities?.find(({ type, offset }) => type === 'bot_command' && offset === 0);
  return marked?.length ?? (entities === undefined ? UNMARKED.exec(text)?.[0].length : undefined);
};

const commandOf = (text: string, length: number, me: Me): Command | Rejected | Ignored => {
  const { name, bot = me.username } = COMMAND.exec(text.slice(0, length))?.groups ?? {};
  if (name === undefined || bot.toLowerCase() !== me.username.toLowerCase()) return IGNORED;
  const words = text.slice(length).trim();
  return name.toLowerCase() === 'start'
    ? startOf(words)
    : { kind: 'command', name: name.toLowerCase(), words };
};

/**
 * `/start` of a new chat, with the payload of the link that opened it. A charge link types the command and no more:
 * anyone can make such a link, so rights, limits and the question before the charge are those of typed words.
 */
const startOf = (payload: string): Command | Rejected => {
  if (!CHARGE_LINK_HEAD.test(payload))
    return { kind: 'command', name: 'help', words: payload === '' ? START : '' };
  const { number, whole, hundredths } = CHARGE_LINK.exec(payload)?.groups ?? {};
  if (number === undefined) return BAD_LINK;
  const amount = [whole, hundredths].filter((digits) => digits !== undefined).join('.');
  return { kind: 'command', name: 'charge', words: `${number} ${amount}`.trim() };
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
  name: fullName(user) || `user ${user.id}`,
  conversation,
});

/** Empty without a name. */
export const fullName = (of: { [K in 'first_name' | 'last_name']?: string | undefined }): string =>
  [of.first_name, of.last_name].filter(Boolean).join(' ');
