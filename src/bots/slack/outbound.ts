import type { ChatPostMessageResponse, MessageMetadata, WebClient } from '@slack/web-api';
import type { Card } from '../../commands/cards/card.ts';
import type { PaceLimit, Weight } from '../../core/cluster/pace-book.ts';
import type { PinAnswer } from '../../core/notices/chats.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Conversation, Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { OutgoingMessage } from '../bot.ts';
import { cardToMessage, isPerson, type SlackMessage } from './card-to-blocks.ts';
import { failureOf, isAbout, refusalCode, undelivered, whyFailed } from './failure.ts';
import { withPaymentLinks } from './payment-links.ts';
import { channelPace } from './rate-limit.ts';
import { isAddress, isSlacks, postToResponseUrl } from './response-url.ts';
import type { SlackParts } from './sdk.ts';
import { shareFile } from './send-file.ts';

/** Metadata of the bot's messages, by which one that got no clear answer is found again. */
const EVENT_TYPE = 'paythread_message';
const PAGE = 200;
const MOST_PAGES = 5;

/** Some hundreds of messages a minute in all. */
const POST_PACE: PaceLimit = { key: 'slack posts', burst: 20, perMs: 250 };
/** `chat.update` is of Slack's tier 3: 50 a minute for the whole workspace, with bursts. */
const EDIT_PACE: PaceLimit = { key: 'slack edits', burst: 40, perMs: 1_200 };
/** Reserved for outcomes: with half a minute's refill, enough for 40 payments that end together. */
const LEFT_FOR_ENDS = 20;
export const editPace = (weight: Weight): PaceLimit =>
  weight === 'pending' ? { ...EDIT_PACE, leave: LEFT_FOR_ENDS } : EDIT_PACE;

export type Place = { readonly channel: string; readonly thread?: string | undefined };
type Undelivered = Exclude<Delivery, { kind: 'delivered' }>;

/** Messages owed to conversations: tries each once and returns its delivery. */
export class Outbound {
  readonly #with: SlackParts;

  constructor(parts: SlackParts) {
    this.#with = parts;
  }

  async post(message: OutgoingMessage): Promise<Delivery> {
    const place = await this.#placeOf(message);
    if ('kind' in place) return place;
    const pace = channelPace(place.channel);
    const { weight = 'outcome', key } = message;
    const retryAfterMs = await this.#with.pacer.take([pace, POST_PACE], { id: key, weight });
    if (retryAfterMs > 0) return { kind: 'rateLimited', retryAfterMs };
    if (message.mayStand || message.lookFirst === true) {
      const looked = await this.#look(place, key, pace);
      if (typeof looked === 'string') return delivered(message.conversation, place, looked);
      if (looked !== undefined) return looked;
    }
    const { picture } = message.card;
    if (picture === undefined) return this.#send(place, message, pace);
    try {
      await shareFile(this.#with, place.channel, picture);
      // Slack tells the id of the file: the message that it makes is not known, and not edited.
      return delivered(message.conversation, place, key);
    } catch (error) {
      return this.#failed(error, pace);
    }
  }

  async edit(ref: MessageRef, card: Card, weight: Weight = 'card'): Promise<Delivery> {
    if (isAddress(ref.message)) return this.#editPrivate(ref, card);
    const { channel } = ref.conversation;
    const turn = { id: `${channel}/${ref.message}`, weight };
    const retryAfterMs = await this.#with.pacer.take([editPace(weight)], turn);
    if (retryAfterMs > 0) return { kind: 'rateLimited', retryAfterMs };
    try {
      await withPlainFallback(cardToMessage(card, this.#with.names), (shown) =>
        this.#with.clients.posts.chat.update({ channel, ts: ref.message, ...shown }),
      );
      return { kind: 'delivered', ref };
    } catch (error) {
      return this.#failed(error, EDIT_PACE);
    }
  }

  async pin({ conversation, message }: MessageRef, isPinned: boolean): Promise<PinAnswer> {
    const { pins } = this.#with.clients.posts;
    const what = { channel: conversation.channel, timestamp: message };
    try {
      await (isPinned ? pins.add(what) : pins.remove(what));
      return 'done';
    } catch (error) {
      const code = refusalCode(error);
      if (code === 'already_pinned' || code === 'no_pin') return 'done';
      this.#with.log.warn({ failure: whyFailed(error) }, 'a message could not be pinned');
      return code === undefined ? 'no answer' : 'refused';
    }
  }

  /** An ephemeral message has no `ts`: it is replaced through the `response_url` of a press on it, which is checked here because it comes from a request by way of the store. */
  async #editPrivate(ref: MessageRef, card: Card): Promise<Delivery> {
    if (!isSlacks(ref.message, this.#with.apiUrl))
      return { kind: 'gone', reason: 'the address of a private message is not of Slack' };
    const replacing = { replace_original: true, ...cardToMessage(card, this.#with.names) };
    const answer = await postToResponseUrl(ref.message, replacing);
    if (answer === 'taken') return { kind: 'delivered', ref };
    return answer === 'refused'
      ? { kind: 'gone', reason: 'Slack no longer lets a private message be replaced' }
      : { kind: 'unclear', reason: 'no answer at the address of a private message' };
  }

  async #placeOf({ conversation, under }: OutgoingMessage): Promise<Place | Undelivered> {
    const { channel } = conversation;
    // A message that goes elsewhere cannot be in a thread of the old channel.
    const parent = under?.conversation.channel === channel ? under : undefined;
    const thread = conversation.thread ?? parent?.conversation.thread ?? parent?.message;
    if (!isPerson(channel)) return { channel, thread };
    try {
      return { channel: await this.#with.clients.directChannelOf(channel), thread };
    } catch (error) {
      const failure = failureOf(error);
      // Whether the channel was opened or not, nothing was posted.
      return failure.kind === 'unclear' ? { ...failure, kind: 'not sent' } : undelivered(failure);
    }
  }

  /** The message's `ts`; undefined when it is not there or the app may not read the channel. */
  async #look(place: Place, key: string, pace: PaceLimit): Promise<string | Delivery | undefined> {
    try {
      return await this.#find(place, key);
    } catch (error) {
      const delivery = this.#failed(error, pace);
      if (delivery.kind === 'gone' || delivery.kind === 'rateLimited') return delivery;
      // Still unknown unless Slack said no: the message may be there.
      if (refusalCode(error) === undefined) return { kind: 'unclear', reason: whyFailed(error) };
      this.#with.log.warn({ failure: whyFailed(error) }, 'could not look for a message of ours');
      return undefined;
    }
  }

  async #find({ channel, thread }: Place, key: string): Promise<string | undefined> {
    const { conversations } = this.#with.clients.posts;
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const position = { channel, limit: PAGE, include_all_metadata: true, ...defined({ cursor }) };
      const answer =
        thread === undefined
          ? await conversations.history(position)
          : await conversations.replies({ ...position, ts: thread });
      const messages: PostedMessage[] = answer.messages ?? [];
      const ours = messages.find((each) => this.#isOurs(each, key));
      if (ours?.ts !== undefined) return ours.ts;
      cursor = answer.response_metadata?.next_cursor;
      if (cursor === undefined || cursor === '') return undefined;
    }
    return undefined;
  }

  /** Compares the author too: any app of the workspace may read a key and post it. */
  #isOurs({ user, metadata }: PostedMessage, key: string): boolean {
    const payload: { key?: unknown } = metadata?.event_payload ?? {};
    const isOurApp = user === this.#with.self()?.botUserId;
    return metadata?.event_type === EVENT_TYPE && payload.key === key && isOurApp;
  }

  /** @param metadata finds the message again; Slack may refuse it, and takes the message without */
  async #send(
    place: Place,
    message: OutgoingMessage,
    pace: PaceLimit,
    metadata: { metadata?: MessageMetadata } = metadataOf(message),
  ): Promise<Delivery> {
    try {
      const { ts } = await withPlainFallback(await this.#linked(message), (shown) =>
        postMessage(this.#with.clients.posts, place, { ...shown, ...metadata }),
      );
      if (ts === undefined) throw new Error('chat.postMessage named no ts');
      return delivered(message.conversation, place, ts);
    } catch (error) {
      if (isAbout(error, 'metadata') && metadata.metadata !== undefined) {
        this.#with.log.warn({ failure: whyFailed(error) }, 'a message goes without its metadata');
        return this.#send(place, message, pace, {});
      }
      if (place.thread === undefined || !isAbout(error, 'thread')) return this.#failed(error, pace);
      this.#with.log.warn({ failure: whyFailed(error) }, 'a thread is lost, posting beside it');
      return this.#send({ channel: place.channel }, message, pace, metadata);
    }
  }

  /** A message under a payment's own card names no other place: only what is told elsewhere waits for links. */
  async #linked({ card, conversation, under }: OutgoingMessage): Promise<SlackMessage> {
    const { text, blocks } = cardToMessage(card, this.#with.names);
    if (under?.conversation.channel === conversation.channel) return { text, blocks };
    return { text, blocks: await withPaymentLinks(blocks, this.#with.linkToPayment) };
  }

  #failed(error: unknown, pace: PaceLimit): Undelivered {
    const failure = failureOf(error);
    if (failure.kind === 'rateLimited') this.#with.pacer.block(pace.key, failure.retryAfterMs);
    return undelivered(failure);
  }
}

const metadataOf = ({ key }: OutgoingMessage) => ({
  metadata: { event_type: EVENT_TYPE, event_payload: { key } },
});

type PostedMessage = {
  ts?: string;
  user?: string;
  metadata?: { event_type?: string; event_payload?: object };
};

const delivered = (
  { platform, workspace }: Conversation,
  { channel, thread }: Place,
  message: string,
): Delivery => {
  const conversation = defined({ platform, workspace, channel, thread });
  return { kind: 'delivered', ref: { conversation, message } };
};

/** Posts without previews: Slack would fetch the addresses in a text to show what is behind them. */
export const postMessage = (
  client: WebClient,
  { channel, thread }: Place,
  message: SlackMessage & { metadata?: MessageMetadata },
): Promise<ChatPostMessageResponse> =>
  client.chat.postMessage({
    channel,
    ...inThread(thread),
    ...message,
    unfurl_links: false,
    unfurl_media: false,
  });

export const inThread = (thread: string | undefined) => defined({ thread_ts: thread });

/** Sends the text alone when Slack refuses the blocks. */
export const withPlainFallback = async <T>(
  message: SlackMessage,
  send: (message: SlackMessage) => Promise<T>,
): Promise<T> => {
  try {
    return await send(message);
  } catch (error) {
    if (!isAbout(error, 'content')) throw error;
    return send({ text: message.text, blocks: [] });
  }
};
