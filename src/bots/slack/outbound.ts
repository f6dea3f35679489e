import type { WebClient } from '@slack/web-api';
import type { Card } from '../../commands/cards/card.ts';
import type { PaceLimit, Weight } from '../../core/cluster/pace-book.ts';
import type { Pace } from '../../core/cluster/rate-limiter.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Conversation, Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { OutgoingMessage } from '../bot.ts';
import { cardToMessage, type SlackMessage } from './card-to-blocks.ts';
import { isAboutContent, isAboutThread, undelivered } from './deliveries.ts';
import { type DirectChannels, namesPerson } from './direct-channels.ts';
import { type Failure, failureOf, failureText } from './failure.ts';
import { isAddress, isSlacks, postToResponseUrl } from './response-url.ts';

/** Metadata of the bot's messages, by which one that got no clear answer is found again. */
const EVENT_TYPE = 'paythread_message';
const PAGE = 200;
const MOST_PAGES = 5;

/** Slack's limits: about one message a second in a channel, some hundreds a minute in all. */
export const channelPace = (channel: string): PaceLimit => ({
  key: `slack ${channel}`,
  burst: 3,
  perMs: 1_000,
});
const POST_PACE: PaceLimit = { key: 'slack posts', burst: 20, perMs: 250 };
/** `chat.update` is of Slack's tier 3: 50 a minute for the whole workspace, with bursts. */
const EDIT_PACE: PaceLimit = { key: 'slack edits', burst: 40, perMs: 1_200 };
/** Reserved for outcomes: with half a minute's refill, enough for 40 payments that end together. */
const LEFT_FOR_ENDS = 20;
export const editPace = (weight: Weight): PaceLimit =>
  weight === 'pending' ? { ...EDIT_PACE, leave: LEFT_FOR_ENDS } : EDIT_PACE;

type Place = { readonly channel: string; readonly thread?: string };

/** Messages owed to conversations: tries each once and returns its delivery. */
export class Outbound {
  readonly #client: WebClient;
  readonly #direct: DirectChannels;
  readonly #pacer: Pace;
  readonly #log: Log;
  readonly #apiUrl: string;
  readonly #botUserId: () => string | undefined;

  constructor(options: {
    client: WebClient;
    /** Web API root. */
    apiUrl: string;
    direct: DirectChannels;
    pacer: Pace;
    log: Log;
    /** Known once connected. */
    botUserId: () => string | undefined;
  }) {
    this.#client = options.client;
    this.#apiUrl = options.apiUrl;
    this.#direct = options.direct;
    this.#pacer = options.pacer;
    this.#log = options.log;
    this.#botUserId = options.botUserId;
  }

  async post(message: OutgoingMessage): Promise<Delivery> {
    const place = await this.#placeOf(message);
    if ('kind' in place) return place;
    const pace = channelPace(place.channel);
    const { weight = 'outcome', key } = message;
    const retryAfterMs = await this.#pacer.take([pace, POST_PACE], { id: key, weight });
    if (retryAfterMs > 0) return { kind: 'rateLimited', retryAfterMs };
    const looked =
      message.mayStand || message.lookFirst === true
        ? await this.#look(place, key, pace)
        : undefined;
    if (looked !== undefined && typeof looked !== 'string') return looked;
    if (looked !== undefined) return delivered(message.conversation, place, looked);
    return this.#send(place, message, pace);
  }

  async edit(ref: MessageRef, card: Card, weight: Weight = 'card'): Promise<Delivery> {
    if (isAddress(ref.message)) return this.#editPrivate(ref, card);
    const turn = { id: `${ref.conversation.channel}/${ref.message}`, weight };
    const retryAfterMs = await this.#pacer.take([editPace(weight)], turn);
    if (retryAfterMs > 0) return { kind: 'rateLimited', retryAfterMs };
    const { channel } = ref.conversation;
    try {
      await withPlainFallback(cardToMessage(card), (shown) =>
        this.#client.chat.update({ channel, ts: ref.message, ...shown }),
      );
      return { kind: 'delivered', ref };
    } catch (error) {
      return this.#failed(failureOf(error), EDIT_PACE);
    }
  }

  /** An ephemeral message has no `ts`: it is replaced through the `response_url` of a press on it, which is checked here because it comes from a request by way of the store. */
  async #editPrivate(ref: MessageRef, card: Card): Promise<Delivery> {
    if (!isSlacks(ref.message, this.#apiUrl))
      return { kind: 'gone', reason: 'the address of a private message is not of Slack' };
    const replacing = { replace_original: true, ...cardToMessage(card) };
    const answer = await postToResponseUrl(ref.message, replacing);
    switch (answer) {
      case 'taken':
        return { kind: 'delivered', ref };
      case 'refused':
        return { kind: 'gone', reason: 'Slack no longer lets a private message be replaced' };
      case 'no answer':
        return { kind: 'unclear', reason: 'no answer at the address of a private message' };
      default:
        return assertNever(answer);
    }
  }

  async #placeOf({ conversation, under }: OutgoingMessage): Promise<Place | Delivery> {
    // A message that goes elsewhere cannot be in a thread of the old channel.
    const thread =
      conversation.thread ??
      (under?.conversation.channel === conversation.channel
        ? (under.conversation.thread ?? under.message)
        : undefined);
    try {
      const channel = namesPerson(conversation.channel)
        ? await this.#direct.channelOf(conversation.channel)
        : conversation.channel;
      return thread === undefined ? { channel } : { channel, thread };
    } catch (error) {
      const failure = failureOf(error);
      // Whether the channel was opened or not, nothing was posted.
      return failure.kind === 'unclear'
        ? { kind: 'not sent', reason: failure.reason }
        : undelivered(failure);
    }
  }

  /** The message's `ts`; undefined when it is not there or the app may not read the channel. */
  async #look(place: Place, key: string, pace: PaceLimit): Promise<string | Delivery | undefined> {
    try {
      return await this.#find(place, key);
    } catch (error) {
      const failure = failureOf(error);
      const delivery = this.#failed(failure, pace);
      if (delivery.kind === 'gone' || delivery.kind === 'rateLimited') return delivery;
      if (failure.kind === 'said no') {
        this.#log.warn({ failure: failureText(failure) }, 'could not look for a message of ours');
        return undefined;
      }
      // Still unknown: the message may be there.
      return { kind: 'unclear', reason: failureText(failure) };
    }
  }

  async #find({ channel, thread }: Place, key: string): Promise<string | undefined> {
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const common = { channel, limit: PAGE, include_all_metadata: true };
      const position = cursor === undefined ? common : { ...common, cursor };
      const answer =
        thread === undefined
          ? await this.#client.conversations.history(position)
          : await this.#client.conversations.replies({ ...position, ts: thread });
      const messages: StandingMessage[] = answer.messages ?? [];
      const ours = messages.find((each) => this.#isOurs(each, key));
      if (ours?.ts !== undefined) return ours.ts;
      cursor = answer.response_metadata?.next_cursor;
      if (cursor === undefined || cursor === '') return undefined;
    }
    return undefined;
  }

  /** Compares the author too: any app of the workspace may read a key and post it. */
  #isOurs({ user, metadata }: StandingMessage, key: string): boolean {
    const payload: { key?: unknown } = metadata?.event_payload ?? {};
    return metadata?.event_type === EVENT_TYPE && payload.key === key && user === this.#botUserId();
  }

  async #send(place: Place, message: OutgoingMessage, pace: PaceLimit): Promise<Delivery> {
    try {
      const ts = await withPlainFallback(cardToMessage(message.card), (shown) =>
        this.#postTo(place, message.key, shown),
      );
      return delivered(message.conversation, place, ts);
    } catch (error) {
      const failure = failureOf(error);
      if (place.thread !== undefined && isAboutThread(failure)) {
        this.#log.warn({ failure: failureText(failure) }, 'a thread is lost, posting beside it');
        return this.#send({ channel: place.channel }, message, pace);
      }
      return this.#failed(failure, pace);
    }
  }

  async #postTo(place: Place, key: string, shown: SlackMessage): Promise<string> {
    const answer = await this.#client.chat.postMessage({
      channel: place.channel,
      ...(place.thread === undefined ? {} : { thread_ts: place.thread }),
      ...shown,
      unfurl_links: false,
      unfurl_media: false,
      metadata: { event_type: EVENT_TYPE, event_payload: { key } },
    });
    if (answer.ts === undefined) throw new Error('chat.postMessage named no ts');
    return answer.ts;
  }

  #failed(failure: Failure, pace: PaceLimit): Exclude<Delivery, { kind: 'delivered' }> {
    if (failure.kind === 'rateLimited') this.#pacer.block(pace.key, failure.retryAfterMs);
    return undelivered(failure);
  }
}

/** The part of a message of Slack's that is compared. */
type StandingMessage = {
  ts?: string;
  user?: string;
  metadata?: { event_type?: string; event_payload?: object };
};

const delivered = (
  { platform, workspace }: Conversation,
  { channel, thread }: Place,
  ts: string,
): Delivery => ({
  kind: 'delivered',
  ref: {
    conversation: {
      platform,
      ...(workspace === undefined ? {} : { workspace }),
      channel,
      ...(thread === undefined ? {} : { thread }),
    },
    message: ts,
  },
});

/** Sends the text alone when Slack refuses the blocks. */
export const withPlainFallback = async <T>(
  message: SlackMessage,
  send: (message: SlackMessage) => Promise<T>,
): Promise<T> => {
  try {
    return await send(message);
  } catch (error) {
    if (!isAboutContent(failureOf(error))) throw error;
    return await send({ text: message.text, blocks: [] });
  }
};
