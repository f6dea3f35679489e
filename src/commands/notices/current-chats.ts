import type { Weight } from '../../core/cluster/pace-book.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Store } from '../../core/store/store.ts';
import type { Conversation, Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { Card } from '../cards/card.ts';
import type { Mark } from '../cards/sandbox-label.ts';
import type { Chat, OutgoingMessage } from './chat.ts';

/** Hands messages to the right chat, at the address that their conversation has now. */
export class CurrentChats {
  readonly #store: Store;
  readonly #log: Log;
  readonly #chats: ReadonlyMap<string, Chat>;
  readonly #mark: Mark;

  constructor(options: {
    store: Store;
    log: Log;
    /** By platform. */
    chats: ReadonlyMap<string, Chat>;
    mark: Mark;
  }) {
    this.#store = options.store;
    this.#log = options.log;
    this.#chats = options.chats;
    this.#mark = options.mark;
  }

  async post(message: OutgoingMessage): Promise<Delivery> {
    const chat = this.#chats.get(message.conversation.platform);
    if (chat === undefined) return notConnected(message.conversation.platform);
    const conversation = await this.#current(message.conversation);
    // Message ids of the old group mean nothing in the new one.
    const { under: _, ...alone } = message;
    const moved = conversation !== message.conversation;
    const card = this.#mark.card(message.card);
    return this.#watchMoves(
      conversation,
      await chat.post({ ...(moved ? alone : message), conversation, card }),
    );
  }

  async edit(
    ref: MessageRef,
    card: Card,
    weight: Weight,
  ): Promise<Delivery | { readonly kind: 'nothing' }> {
    const chat = this.#chats.get(ref.conversation.platform);
    if (chat === undefined) return notConnected(ref.conversation.platform);
    const conversation = await this.#current(ref.conversation);
    if (conversation !== ref.conversation) return { kind: 'nothing' };
    return this.#watchMoves(conversation, await chat.edit(ref, this.#mark.card(card), weight));
  }

  /** Undefined where the platform has no addresses of messages. */
  async linkTo(message: MessageRef): Promise<string | undefined> {
    return this.#chats.get(message.conversation.platform)?.linkTo?.(message);
  }

  /** A group that got a new id keeps its history; what is owed to the old id goes to the new one. */
  async rememberMove(platform: string, from: string, to: string): Promise<void> {
    const id = moveId(platform, from);
    const known = await this.#store.get('setting', id);
    if (known?.value === to) return;
    await this.#store.commit({
      put: [{ kind: 'setting', record: { id, version: (known?.version ?? 0) + 1, value: to } }],
    });
    this.#log.info({ platform, from, to }, 'a group has a new id');
  }

  async #current(conversation: Conversation): Promise<Conversation> {
    const move = await this.#store.get(
      'setting',
      moveId(conversation.platform, conversation.channel),
    );
    if (move === undefined) return conversation;
    const { replyTo: _, ...rest } = conversation;
    return { ...rest, channel: move.value };
  }

  async #watchMoves(from: Conversation, delivery: Delivery): Promise<Delivery> {
    if (delivery.kind === 'moved')
      await this.rememberMove(from.platform, from.channel, delivery.conversation.channel);
    return delivery;
  }
}

const moveId = (platform: string, channel: string): string => `moved:${platform}:${channel}`;

/** The bot may be switched on again later; what is owed waits for it. */
const notConnected = (platform: string): Delivery => ({
  kind: 'notDelivered',
  reason: `${platform} is not configured`,
});
