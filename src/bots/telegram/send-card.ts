import type { Api } from 'grammy';
import type { Card } from '../../commands/cards/card.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Conversation, Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { BotParts } from '../platform.ts';
import { cardToHtml, type RenderedCard } from './card-to-html.ts';
import { failureOf, type RefusalKind, refusalOf, safeError } from './failure.ts';
import { chatKey, paceOf } from './limits.ts';

/** Where a card goes: into a chat, optionally into a topic of it or as a reply; or in the place of `message`. */
export type Target = {
  readonly conversation: Conversation;
  readonly replyTo?: string | undefined;
  readonly message?: string;
};

/** What a message is sent with; each try leaves out what Telegram refused. */
type Mode = { readonly html: boolean; readonly inTopic: boolean; readonly asReply: boolean };

const PARTS: Readonly<Partial<Record<RefusalKind, keyof Mode>>> = {
  badMarkup: 'html',
  topicGone: 'inTopic',
  replyGone: 'asReply',
};

/** Posts or edits a message, whose turn has come, and tries again without what Telegram refused. Never rejects. */
export const sendCard = async (
  { api, pacer, log }: Pick<BotParts, 'pacer' | 'log'> & { readonly api: Api },
  target: Target,
  card: Card,
): Promise<Delivery> => {
  const rendered = renderedOrLogged(card, log);
  if (rendered === undefined) return { kind: 'gone', reason: 'the card cannot be shown' };
  const { conversation, replyTo, message } = target;
  const { channel, thread } = conversation;
  const isNew = message === undefined;
  let mode: Mode = {
    html: true,
    inTopic: isNew && thread !== undefined,
    asReply: isNew && replyTo !== undefined,
  };
  for (;;) {
    try {
      return { kind: 'delivered', ref: await send(api, target, rendered, mode) };
    } catch (error) {
      const refusal = refusalOf(error);
      const failure = failureOf(error);
      const isExpected = refusal === 'notModified' || failure.kind === 'rateLimited';
      const facts = { chat: channel, failure: refusal ?? failure.kind, ...safeError(error) };
      log[isExpected ? 'debug' : 'warn'](facts, 'Telegram did not take a message');
      if (refusal === 'notModified' && !isNew)
        return { kind: 'delivered', ref: { conversation, message } };
      if (failure.kind === 'rateLimited') pacer.block(chatKey(channel), failure.retryAfterMs);
      const part = refusal && PARTS[refusal];
      if (part === undefined || !mode[part]) return failure;
      mode = { ...mode, [part]: false };
      pacer.spend(paceOf(channel, 'answer'));
    }
  }
};

const renderedOrLogged = (card: Card, log: Log): RenderedCard | undefined => {
  try {
    return cardToHtml(card);
  } catch (error) {
    // A mistake in the program; another try would fail the same way.
    log.error({ error: safeError(error) }, 'a card cannot be shown in Telegram');
    return undefined;
  }
};

const send = async (
  api: Api,
  { conversation, replyTo, message }: Target,
  { html, plain, keyboard }: RenderedCard,
  mode: Mode,
): Promise<MessageRef> => {
  // Ids are numbers to Telegram (of 52 bits at most, so exact); a text would be looked up as a user name.
  const chatId = Number(conversation.channel);
  const text = mode.html ? html : plain;
  const format = {
    ...(mode.html ? { parse_mode: 'HTML' as const } : {}),
    // A link in a customer's reference must not bring a picture into the chat.
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: keyboard },
  };
  if (message !== undefined) {
    await api.editMessageText(chatId, Number(message), text, format);
    return { conversation, message };
  }
  const reply = { message_id: Number(replyTo), allow_sending_without_reply: true };
  const sent = await api.sendMessage(chatId, text, {
    ...format,
    ...(mode.inTopic ? { message_thread_id: Number(conversation.thread) } : {}),
    ...(mode.asReply ? { reply_parameters: reply } : {}),
  });
  const { thread: _, ...chat } = conversation;
  return { conversation: mode.inTopic ? conversation : chat, message: String(sent.message_id) };
};
