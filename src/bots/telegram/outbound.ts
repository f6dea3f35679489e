import type { Api } from 'grammy';
import type { Card } from '../../commands/cards/card.ts';
import type { Weight } from '../../core/cluster/pace-book.ts';
import type { Pace } from '../../core/cluster/rate-limiter.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Conversation, Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { OutgoingMessage } from '../bot.ts';
import { cardToHtml, type RenderedCard } from './card-to-html.ts';
import { type Failure, failureOf } from './failure.ts';
import { chatKey, paceOf, paceOfAside } from './limits.ts';
import { safeError } from './safe-error.ts';

/** Where a message goes: into a chat, perhaps a topic of it, perhaps as a reply. */
export type Target = { readonly conversation: Conversation; readonly replyTo?: string };

/** How a message is sent; each try leaves out what Telegram refused. */
type SendMode = { readonly html: boolean; readonly inTopic: boolean; readonly asReply: boolean };

/** The Bot API cannot look for a message, so one that is sent again says so. */
const REPEAT_NOTE = 'Sent again, because no answer came the first time.';

/** Cards out to Telegram, and what became of each. Nothing here rejects. */
export class Outbound {
  readonly #api: Api;
  readonly #pacer: Pace;
  readonly #log: Log;

  constructor(options: { api: Api; pacer: Pace; log: Log }) {
    this.#api = options.api;
    this.#pacer = options.pacer;
    this.#log = options.log;
  }

  /** A message that is owed; `rateLimited` when its turn has not come. */
  async post(message: OutgoingMessage): Promise<Delivery> {
    const { weight = 'outcome', key } = message;
    const limits = paceOf(message.conversation.channel, weight);
    const waitMs = await this.#pacer.take(limits, { id: key, weight });
    if (waitMs > 0) return { kind: 'rateLimited', retryAfterMs: waitMs };
    const { card } = message;
    const parts = [...card.parts, { kind: 'note', text: REPEAT_NOTE } as const];
    return this.send(targetOf(message), message.mayStand ? { ...card, parts } : card);
  }

  async edit(ref: MessageRef, card: Card, weight: Weight = 'card'): Promise<Delivery> {
    const { channel } = ref.conversation;
    const turn = { id: `${channel}/${ref.message}`, weight };
    const waitMs = await this.#pacer.take(paceOf(channel, weight), turn);
    return waitMs > 0 ? { kind: 'rateLimited', retryAfterMs: waitMs } : this.put(ref, card);
  }

  /** 0 when it is the answer's turn, or how long until it may ask again. */
  async answerWaitMs(channel: string, id: string): Promise<number> {
    return this.#pacer.take(paceOf(channel, 'answer'), { id, weight: 'answer' });
  }

  /** As `answerWaitMs`, for a person without any grant: all their answers share one turn. */
  async asideWaitMs(channel: string, personId: string): Promise<number> {
    const turn = { id: `aside ${channel}/${personId}`, weight: 'aside' } as const;
    return this.#pacer.take(paceOfAside(channel, personId), turn);
  }

  /** Posts an answer whose turn has come. */
  async send({ conversation, replyTo }: Target, card: Card): Promise<Delivery> {
    const first: SendMode = {
      html: true,
      inTopic: conversation.thread !== undefined,
      asReply: replyTo !== undefined,
    };
    const outcome = await this.#sendWithFallbacks(
      conversation,
      card,
      first,
      async (rendered, mode) => {
        const sent = await this.#api.sendMessage(chatIdOf(conversation), textOf(rendered, mode), {
          ...formatOf(rendered, mode),
          ...(mode.inTopic ? { message_thread_id: Number(conversation.thread) } : {}),
          ...(mode.asReply
            ? {
                reply_parameters: {
                  message_id: Number(replyTo),
                  allow_sending_without_reply: true,
                },
              }
            : {}),
        });
        return { conversation: placeOf(conversation, mode), message: String(sent.message_id) };
      },
    );
    return outcome.kind === 'done'
      ? { kind: 'delivered', ref: outcome.ref }
      : this.#deliveryOf(outcome, conversation);
  }

  /** Edits a message whose turn has come. */
  async put(ref: MessageRef, card: Card): Promise<Delivery> {
    const { conversation, message } = ref;
    const first: SendMode = { html: true, inTopic: false, asReply: false };
    const outcome = await this.#sendWithFallbacks(
      conversation,
      card,
      first,
      async (rendered, mode) => {
        const text = textOf(rendered, mode);
        const format = formatOf(rendered, mode);
        await this.#api.editMessageText(chatIdOf(conversation), Number(message), text, format);
        return ref;
      },
    );
    return outcome.kind === 'done' || outcome.kind === 'notModified'
      ? { kind: 'delivered', ref }
      : this.#deliveryOf(outcome, conversation);
  }

  /** Tries once, and again without what Telegram refused; each refusal is met once. */
  async #sendWithFallbacks(
    { channel }: Conversation,
    card: Card,
    first: SendMode,
    attempt: (rendered: RenderedCard, mode: SendMode) => Promise<MessageRef>,
  ): Promise<{ readonly kind: 'done'; readonly ref: MessageRef } | Failure> {
    const rendered = this.#rendered(card);
    if (rendered === undefined) return { kind: 'gone', reason: 'the card cannot be shown' };
    for (let mode = first; ; this.#pacer.spend(paceOf(channel, 'answer'))) {
      try {
        return { kind: 'done', ref: await attempt(rendered, mode) };
      } catch (error) {
        const failure = failureOf(error);
        const expected = failure.kind === 'notModified' || failure.kind === 'rateLimited';
        const facts = { chat: channel, failure: failure.kind, ...safeError(error) };
        this.#log[expected ? 'debug' : 'warn'](facts, 'Telegram did not take a message');
        const simpler = simplerMode(mode, failure);
        if (simpler === undefined) return failure;
        mode = simpler;
      }
    }
  }

  #rendered(card: Card): RenderedCard | undefined {
    try {
      return cardToHtml(card);
    } catch (error) {
      // The program made a card that cannot be rendered; another try would fail the same way.
      this.#log.error({ error: safeError(error) }, 'a card cannot be shown in Telegram');
      return undefined;
    }
  }

  #deliveryOf(failure: Failure, conversation: Conversation): Delivery {
    switch (failure.kind) {
      case 'rateLimited':
        this.#pacer.block(chatKey(conversation.channel), failure.retryAfterMs);
        return failure;
      case 'moved':
        // Message ids and topics of the old group are not valid in the new one.
        return {
          kind: 'moved',
          conversation: { platform: conversation.platform, channel: failure.chatId },
        };
      case 'notModified':
      case 'badMarkup':
      case 'topicGone':
      case 'replyGone':
        return { kind: 'gone', reason: `Telegram refuses the message: ${failure.kind}` };
      case 'gone':
      case 'not sent':
      case 'unclear':
        return failure;
      default:
        return assertNever(failure);
    }
  }
}

/** A reply to the bot's own message, else to the command. Message ids of another chat mean nothing here. */
const targetOf = ({ conversation, under }: OutgoingMessage): Target => {
  const replyTo =
    under?.conversation.channel === conversation.channel ? under.message : conversation.replyTo;
  return replyTo === undefined ? { conversation } : { conversation, replyTo };
};

const textOf = ({ html, plain }: RenderedCard, mode: SendMode): string =>
  mode.html ? html : plain;

const formatOf = ({ keyboard }: RenderedCard, mode: SendMode) => ({
  ...(mode.html ? { parse_mode: 'HTML' as const } : {}),
  // A link in a customer's reference must not bring a picture into the chat.
  link_preview_options: { is_disabled: true },
  reply_markup: { inline_keyboard: keyboard },
});

const placeOf = (conversation: Conversation, mode: SendMode): Conversation => {
  if (mode.inTopic) return conversation;
  const { thread: _, ...elsewhere } = conversation;
  return elsewhere;
};

const simplerMode = (mode: SendMode, failure: Failure): SendMode | undefined => {
  if (failure.kind === 'badMarkup' && mode.html) return { ...mode, html: false };
  if (failure.kind === 'topicGone' && mode.inTopic) return { ...mode, inTopic: false };
  if (failure.kind === 'replyGone' && mode.asReply) return { ...mode, asReply: false };
  return undefined;
};

/** Ids are numbers to Telegram (of 52 bits at most, so exact); a text would be looked up as a user name. */
const chatIdOf = ({ channel }: Conversation): number => Number(channel);
