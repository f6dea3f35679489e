import type { Weight } from '../cluster/pace-book.ts';
import { keptDayOf } from '../records/kept-day.ts';
import { placeKey } from '../records/notify-rules.ts';
import type { Change } from '../records/records.ts';
import { movedChannelOf } from '../records/stored-values.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';
import type { Conversation, Delivery, MessageRef } from '../values/conversation.ts';

export type OutgoingMessage<Card> = {
  readonly conversation: Conversation;
  /** Post it in the thread of this message, or as a reply to it, whichever the platform has. */
  readonly under?: MessageRef;
  readonly card: Card;
  /** The same for all attempts to post this one message. */
  readonly key: string;
  /** Its priority where the platform limits the rate. @default 'outcome' */
  readonly weight?: Weight;
  /** An earlier attempt got no answer: search for the message before posting it again, if the platform can be searched. */
  readonly mayStand: boolean;
  /** A process that died may have posted it: search for it, if the platform can be searched. No attempt is known. */
  readonly lookFirst?: boolean;
};

/** `refused`: until a person gives us that right; `no answer`: it may be tried again. */
export type PinAnswer = 'done' | 'refused' | 'no answer';

/** The way out to one platform; every bot is one. */
export interface Chat<Card> {
  /** Never rejects. */
  post(message: OutgoingMessage<Card>): Promise<Delivery>;
  /** Never rejects; an edit that changes nothing counts as delivered. `weight`: as of a message. @default 'card' */
  edit(ref: MessageRef, card: Card, weight?: Weight): Promise<Delivery>;
  /** Pins a message of ours for all, without a notification, or no longer. Never rejects. @default the platform has no pins */
  pin?(ref: MessageRef, isPinned: boolean): Promise<PinAnswer>;
  /** The address of a message, on platforms where messages have one. Never rejects. */
  linkTo?(ref: MessageRef): Promise<string | undefined>;
  /**
   * The name of a person who reads what is posted in a conversation, empty where the platform does not tell;
   * undefined: they do not read it. Never rejects. @default the platform does not tell
   */
  readerIn?(place: Conversation, personId: string): Promise<string | undefined>;
}

type ChatsOptions<Card> = {
  readonly store: Store;
  readonly log: Log;
  readonly byPlatform: ReadonlyMap<string, Chat<Card>>;
};

/** Sends each message by the chat of its platform, to the id that its conversation has now. */
export class Chats<Card> {
  readonly #options: ChatsOptions<Card>;

  constructor(options: ChatsOptions<Card>) {
    this.#options = options;
  }

  async post(message: OutgoingMessage<Card>): Promise<Delivery> {
    return this.#send(message.conversation, (chat, conversation) => {
      if (conversation === message.conversation) return chat.post(message);
      // Message ids of the old group mean nothing in the new one.
      const { under: _, ...alone } = message;
      return chat.post({ ...alone, conversation });
    });
  }

  /** `nothing`: the conversation has moved, and the message cannot be edited from its new id. */
  async edit(ref: MessageRef, card: Card, weight: Weight): Promise<Delivery | Nothing> {
    return this.#send<Delivery | Nothing>(ref.conversation, async (chat, conversation) =>
      conversation === ref.conversation ? chat.edit(ref, card, weight) : { kind: 'nothing' },
    );
  }

  /** `done` where the platform has no pins. */
  async pin(message: MessageRef, isPinned: boolean): Promise<PinAnswer> {
    const chat = this.#options.byPlatform.get(message.conversation.platform);
    return (await chat?.pin?.(message, isPinned)) ?? 'done';
  }

  /** Undefined where the platform has no addresses of messages. */
  async linkTo(message: MessageRef): Promise<string | undefined> {
    return this.#options.byPlatform.get(message.conversation.platform)?.linkTo?.(message);
  }

  async readerIn(place: Conversation, personId: string): Promise<string | undefined> {
    const chat = this.#options.byPlatform.get(place.platform);
    return chat?.readerIn === undefined ? '' : chat.readerIn(place, personId);
  }

  /** A group that got a new id keeps its history; what is owed to the old id goes to the new one. */
  async rememberMove(platform: string, from: string, to: string): Promise<void> {
    const { store, log } = this.#options;
    const moved = movedChannelOf({ platform, channel: from });
    const isNew = await untilStored(moved.id, async () => {
      const known = await store.get('setting', moved.id);
      if (moved.read(known) === to) return false;
      const { put = [], ...rest } = await this.#movedDay({ platform, channel: from }, to);
      return (await store.commit({ put: [moved.put(to, known), ...put], ...rest })) || STALE;
    });
    if (isNew) log.info({ platform, from, to }, 'a group has a new id');
  }

  /** A day that is kept goes on under the new id, from where the messages before cannot be edited. */
  async #movedDay(from: Conversation, channel: string): Promise<Change> {
    const { store } = this.#options;
    const [old, next] = [keptDayOf(placeKey(from)), keptDayOf(placeKey({ ...from, channel }))];
    const earlier = await store.get('setting', old.id);
    const kept = old.read(earlier);
    if (earlier === undefined || kept === undefined) return {};
    const moved = { conversation: { ...kept.conversation, channel }, shown: kept.shown };
    return {
      put: [next.put(moved, await store.get('setting', next.id), earlier.due)],
      remove: [{ kind: 'setting', id: old.id, version: earlier.version }],
    };
  }

  async #current(conversation: Conversation): Promise<Conversation> {
    const channel = await movedChannelOf(conversation).in(this.#options.store);
    if (channel === undefined) return conversation;
    const { replyTo: _, ...rest } = conversation;
    return { ...rest, channel };
  }

  /** Sends to the id that the conversation has now, and remembers the one that the platform tells. */
  async #send<Sent extends Delivery | Nothing>(
    to: Conversation,
    send: (chat: Chat<Card>, conversation: Conversation) => Promise<Sent>,
  ): Promise<Sent | Extract<Delivery, { kind: 'not sent' }>> {
    const { platform } = to;
    const chat = this.#options.byPlatform.get(platform);
    // The bot may be switched on again later; its notices wait for that.
    if (chat === undefined) return { kind: 'not sent', reason: `${platform} is not configured` };
    const conversation = await this.#current(to);
    const delivery = await send(chat, conversation);
    if (delivery.kind === 'moved')
      await this.rememberMove(platform, conversation.channel, delivery.conversation.channel);
    return delivery;
  }
}

type Nothing = { readonly kind: 'nothing' };
