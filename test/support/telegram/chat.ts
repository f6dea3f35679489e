import { isDeepStrictEqual } from 'node:util';
import { PATIENCE_MS } from '../patience.ts';
import { detectEntities } from './detect-entities.ts';
import {
  type Account,
  type ChatRecord,
  type Content,
  chatJson,
  messageJson,
  type SimMessage,
} from './message.ts';
import { ANONYMOUS, AS_CHANNEL, SERVICE } from './stand-ins.ts';
import { transcriptOf } from './transcript.ts';
import type { UpdateQueue } from './update-queue.ts';
import type { World } from './world.ts';

/** Where and how something is typed. */
export type Typing = {
  /** A topic of a forum. */
  readonly topic?: number;
  readonly replyTo?: SimMessage;
  /** Fields of the message that a test wants to be there, such as `forward_origin`. */
  readonly extra?: Readonly<Record<string, unknown>>;
};

/** One chat with the bot in it, as a test sees it. */
export class Chat {
  readonly record: ChatRecord;
  readonly #world: World;
  readonly #queue: UpdateQueue;

  constructor(record: ChatRecord, world: World, queue: UpdateQueue) {
    this.record = record;
    this.#world = world;
    this.#queue = queue;
  }

  /** As the Bot API and access files write it. */
  get id(): string {
    return String(this.record.id);
  }

  get messages(): readonly SimMessage[] {
    return this.record.messages;
  }

  /** What the bot wrote here, oldest first. */
  get fromBot(): readonly SimMessage[] {
    return this.messages.filter(({ from }) => from?.id === this.#world.bot.id);
  }

  transcript(): string {
    return transcriptOf(this.record);
  }

  /** The newest message of the bot that says this, now or within `withinMs`; rejects with the transcript. */
  async waitFor(
    wanted: RegExp | ((message: SimMessage) => boolean),
    options: { after?: SimMessage; withinMs?: number } = {},
  ): Promise<SimMessage> {
    const fits = (message: SimMessage) =>
      message.id > (options.after?.id ?? 0) &&
      (wanted instanceof RegExp ? wanted.test(message.text) : wanted(message));
    const find = () => this.fromBot.findLast(fits);
    await this.#until(() => find() !== undefined, options.withinMs ?? PATIENCE_MS);
    const found = find();
    if (found !== undefined) return found;
    throw new Error(`the bot wrote nothing like ${String(wanted)}:\n${this.transcript()}`);
  }

  /** Opens a topic; its number goes into `type`. */
  topic(name: string): number {
    const opening = { forum_topic_created: { name, icon_color: 7322096 } };
    const creator = this.record.members[0];
    const message = this.#world.post(this.record, NOTHING, {
      ...(creator === undefined ? {} : { from: creator }),
      extra: opening,
    });
    this.record.topics.set(message.id, { name, closed: false });
    this.#tell(message);
    return message.id;
  }

  /** Deletes a topic with everything in it. */
  deleteTopic(topic: number): void {
    this.record.topics.delete(topic);
    const kept = this.messages.filter(({ id, topicId }) => id !== topic && topicId !== topic);
    this.record.messages.splice(0, Number.POSITIVE_INFINITY, ...kept);
  }

  closeTopic(topic: number): void {
    const found = this.record.topics.get(topic);
    if (found !== undefined) found.closed = true;
  }

  deleteMessage(message: SimMessage): void {
    this.record.messages.splice(this.record.messages.indexOf(message), 1);
  }

  kickBot(): void {
    this.record.botState = 'kicked';
  }

  /** The bot may no longer write here. */
  muteBot(): void {
    this.record.botState = 'muted';
  }

  /** Somebody adds the bot, which was no member before. */
  addBot(by: Account, standing = 'member'): number | undefined {
    this.record.botState = 'member';
    return this.#tellStanding(by, 'left', standing);
  }

  /** Somebody makes the bot an administrator, which was a member before. */
  promoteBot(by: Account): number | undefined {
    this.record.isBotAdmin = true;
    return this.#tellStanding(by, 'member', 'administrator');
  }

  /** This group becomes a supergroup with another id, which both chats announce. */
  migrate(): Chat {
    const { title, members, privacy } = this.record;
    const record = this.#world.addChat({ kind: 'supergroup', title, members, privacy });
    const moved = new Chat(record, this.#world, this.#queue);
    this.record.migratedTo = record.id;
    this.#announce(this.record, { migrate_to_chat_id: record.id });
    this.#announce(record, { migrate_from_chat_id: this.record.id });
    return moved;
  }

  /** An administrator writes with "Remain anonymous" on. */
  typeAnonymously(text: string, typing: Typing = {}): SimMessage {
    return this.write(ANONYMOUS, text, {
      ...typing,
      extra: { ...typing.extra, sender_chat: chatJson(this.record) },
    });
  }

  /** Somebody writes here in the name of a channel. */
  typeAsChannel(channel: Chat, text: string, typing: Typing = {}): SimMessage {
    return this.write(AS_CHANNEL, text, {
      ...typing,
      extra: { ...typing.extra, sender_chat: chatJson(channel.record) },
    });
  }

  /** A post of the channel that this group discusses: Telegram forwards it here by itself. */
  bringPost(channel: Chat, text: string): SimMessage {
    const post = channel.channelPost(text);
    const chat = chatJson(channel.record);
    return this.write(SERVICE, text, {
      extra: {
        sender_chat: chat,
        is_automatic_forward: true,
        forward_origin: { type: 'channel', chat, message_id: post.id, date: 1 },
      },
    });
  }

  /** A post in this channel. */
  channelPost(text: string): SimMessage {
    const message = this.#world.post(this.record, contentOf(text), {
      extra: { sender_chat: chatJson(this.record) },
    });
    message.updateId = this.#queue.push('channel_post', messageJson(message), this.record.id);
    return message;
  }

  /** What `Person.type` does, for any account. */
  write(from: Account, text: string, typing: Typing): SimMessage {
    const { topic, replyTo, extra } = typing;
    const message = this.#world.post(this.record, contentOf(text), {
      from,
      ...(topic === undefined ? {} : { topicId: topic }),
      ...(replyTo === undefined ? {} : { replyTo }),
      ...(extra === undefined ? {} : { extra }),
    });
    this.#tell(message);
    return message;
  }

  /** Changes a message of a person. */
  edit(message: SimMessage, text: string): void {
    if (isDeepStrictEqual(message.content, contentOf(text))) return;
    message.versions.push(contentOf(text));
    message.updateId = this.#queue.push('edited_message', messageJson(message), this.record.id);
    this.#world.changed();
  }

  /** Shows the message to the bot, if it may see it. */
  #tell(message: SimMessage): void {
    if (this.#botSees(message))
      message.updateId = this.#queue.push('message', messageJson(message), this.record.id);
  }

  /** Privacy mode: commands for it or for any bot, replies to it, and service messages. */
  #botSees(message: SimMessage): boolean {
    const { botState, kind, privacy } = this.record;
    if (botState !== 'member' && botState !== 'muted') return false;
    const isService =
      message.text === '' && !('contact' in message.extra) && !('document' in message.extra);
    if (kind === 'private' || !privacy || isService) return true;
    if (message.replyTo?.from?.id === this.#world.bot.id) return true;
    const mine = `@${this.#world.bot.username}`.toLowerCase();
    const { caption = '', caption_entities: ofCaption = [] } = message.extra as Captioned;
    const inCaption = ofCaption
      .filter(({ type }) => type === 'bot_command')
      .map(({ offset, length }) => caption.slice(offset, offset + length));
    return [...message.marked('bot_command'), ...inCaption].some(
      (command) => !command.includes('@') || command.toLowerCase().endsWith(mine),
    );
  }

  #tellStanding(from: Account, before: string, now: string): number | undefined {
    const user = this.#world.bot;
    const change = {
      chat: chatJson(this.record),
      from,
      date: Math.floor(this.#world.now() / 1000),
      old_chat_member: { status: before, user },
      new_chat_member: { status: now, user, ...(now === 'restricted' ? { is_member: true } : {}) },
    };
    return this.#queue.push('my_chat_member', change, this.record.id);
  }

  #announce(record: ChatRecord, extra: Record<string, unknown>): void {
    const message = this.#world.post(record, NOTHING, {
      from: record.members[0] ?? this.#world.bot,
      extra,
    });
    message.updateId = this.#queue.push('message', messageJson(message), record.id);
  }

  async #until(condition: () => boolean, withinMs: number): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        unwatch();
        resolve();
      };
      const timer = setTimeout(end, withinMs);
      const unwatch = this.#world.watch(() => {
        if (condition()) end();
      });
    });
  }
}

type Captioned = { readonly caption?: string; readonly caption_entities?: Content['entities'] };

const NOTHING: Content = { text: '', entities: [], buttons: [] };

const contentOf = (text: string): Content => ({
  text,
  entities: detectEntities(text),
  buttons: [],
});
