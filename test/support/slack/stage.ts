import { asBlocks, asHomeBlocks, asModal, type Modal } from './block-kit.ts';
import type { Delivered, Kind, Payload, Transport } from './delivery.ts';
import { type Directory, openDirect } from './directory.ts';
import { APP_ID, BOT_TOKEN, BOT_USER_ID, type EmulatedSlack, tokenOf } from './emulator.ts';
import type { Ephemerals } from './ephemerals.ts';
import type { SharedFiles } from './files.ts';
import type { ShownMessage } from './shown-message.ts';

/** A modal in front of a person. */
export type OpenModal = { readonly viewId: string; readonly hash: string; readonly view: Modal };

type StoredMessage = {
  ts: string;
  user: string;
  text: string;
  subtype?: string;
  thread_ts?: string;
  reply_count?: number;
  blocks?: unknown;
  metadata?: NonNullable<ShownMessage['metadata']>;
};

/** What persons act upon: everything of the workspace that is not a person. */
export class Stage {
  readonly slack: EmulatedSlack;
  readonly directory: Directory;
  readonly files: SharedFiles;
  readonly ephemerals: Ephemerals;
  readonly acks: Delivered[] = [];
  readonly #transport: Transport;
  readonly #baseUrl: () => string;
  readonly #triggers = new Map<string, string>();
  readonly #homes = new Map<string, ShownMessage[]>();
  readonly #modals = new Map<string, OpenModal[]>();
  readonly #directs = new Map<string, Promise<string>>();
  readonly #looks = new Map<string, { changes: number; messages: Promise<ShownMessage[]> }>();
  #events = 0;

  constructor(options: {
    slack: EmulatedSlack;
    directory: Directory;
    ephemerals: Ephemerals;
    transport: Transport;
    baseUrl: () => string;
    files: SharedFiles;
  }) {
    this.files = options.files;
    this.slack = options.slack;
    this.directory = options.directory;
    this.ephemerals = options.ephemerals;
    this.#transport = options.transport;
    this.#baseUrl = options.baseUrl;
  }

  async deliver(kind: Kind, payload: Payload, retry?: number): Promise<Delivered> {
    const delivered = await this.#transport.deliver(kind, payload, retry);
    this.acks.push(delivered);
    return delivered;
  }

  /** Tells the app of something that no person typed. */
  event(event: Payload, envelope: Payload = {}): Promise<Delivered> {
    return this.deliver('events_api', { ...this.envelope(event), ...envelope });
  }

  /** What is around every event, with an id that no other one has. */
  envelope(event: Payload): Payload {
    this.#events += 1;
    return {
      token: 'unused',
      team_id: this.directory.teamId,
      api_app_id: APP_ID,
      event,
      type: 'event_callback',
      event_id: `Ev${String(this.#events).padStart(8, '0')}`,
      event_time: Math.floor(Date.now() / 1_000),
      authorizations: [
        {
          enterprise_id: null,
          team_id: this.directory.teamId,
          user_id: BOT_USER_ID,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
    };
  }

  /** A file as the event of a message has it. */
  fileOf(name: string, bytes: Buffer): Payload {
    return this.files.kept(name, bytes, this.#baseUrl());
  }

  responseUrl(address: Parameters<Ephemerals['address']>[0]): string {
    return `${this.#baseUrl()}/hooks/${this.ephemerals.address(address)}`;
  }

  /** Lets the app open one modal for a person, for 3 s. */
  async trigger(userId: string): Promise<string> {
    const made = await this.slack.must('views.generateTriggerId', { user_id: userId }, BOT_TOKEN);
    const triggerId = String(made.trigger_id);
    this.#triggers.set(triggerId, userId);
    return triggerId;
  }

  opened(triggerId: string, view: Record<string, unknown>): void {
    const userId = this.#triggers.get(triggerId);
    if (userId === undefined) return;
    const { type, title, submit, close, callback_id, private_metadata, blocks } = view;
    const modal = asModal({
      type,
      title,
      callback_id,
      private_metadata,
      blocks,
      ...(submit === null ? {} : { submit }),
      ...(close === null ? {} : { close }),
    });
    const open = { viewId: String(view.id), hash: String(view.hash), view: modal };
    this.#modals.set(userId, [...this.modalsOf(userId), open]);
  }

  published(userId: string, view: unknown): void {
    const home = { ts: '', channelId: '', text: '', blocks: asHomeBlocks(view) };
    this.#homes.set(userId, [...this.homesOf(userId), home]);
  }

  /** What a person's Home tab has shown, oldest first. */
  homesOf(userId: string): readonly ShownMessage[] {
    return this.#homes.get(userId) ?? [];
  }

  modalsOf(userId: string): readonly OpenModal[] {
    return this.#modals.get(userId) ?? [];
  }

  closeModal(userId: string, viewId: string): void {
    const others = this.modalsOf(userId).filter((open) => open.viewId !== viewId);
    this.#modals.set(userId, others);
  }

  /** A channel's id by its name, `@name` for that person's direct channel with the bot, or an id as it is. */
  async channelId(name: string): Promise<string> {
    if (/^[CDG][A-Z0-9]{5,}$/.test(name)) return name;
    if (!name.startsWith('@')) return this.directory.channel(name).id;
    const opened =
      this.#directs.get(name) ?? openDirect(this.slack, this.directory.userId(name.slice(1)));
    this.#directs.set(name, opened);
    return opened;
  }

  /**
   * Every message of a channel, each parent followed by its replies; without joins and the like. Read again only
   * after a change, because the emulator (0.12) answers 5,000 calls an hour of a token, fewer than a long wait makes.
   */
  messages(name: string): Promise<ShownMessage[]> {
    const { changes } = this.slack;
    const last = this.#looks.get(name);
    if (last?.changes === changes) return last.messages;
    const messages = this.#read(name);
    this.#looks.set(name, { changes, messages });
    return messages;
  }

  async #read(name: string): Promise<ShownMessage[]> {
    const channel = await this.channelId(name);
    const token = this.#readerOf(name);
    const history = await this.slack.must(
      'conversations.history',
      { channel, limit: 1_000 },
      token,
    );
    const parents = (history.messages as StoredMessage[]).filter(isSaid).reverse();
    const threads = await Promise.all(
      parents.map((parent) => this.#thread(channel, parent, token)),
    );
    return threads.flat();
  }

  async #thread(channel: string, parent: StoredMessage, token: string): Promise<ShownMessage[]> {
    if ((parent.reply_count ?? 0) === 0) return [shownMessage(channel, parent)];
    const answer = await this.slack.must(
      'conversations.replies',
      { channel, ts: parent.ts },
      token,
    );
    return (answer.messages as StoredMessage[])
      .filter(isSaid)
      .map((message) => shownMessage(channel, message));
  }

  /** Somebody who may read there. */
  #readerOf(name: string): string {
    if (!/^[^@]/.test(name)) return BOT_TOKEN;
    const [member] = this.directory.channel(name).members;
    return member === undefined ? BOT_TOKEN : tokenOf(member);
  }
}

const isSaid = ({ subtype }: StoredMessage): boolean => subtype === undefined;

const shownMessage = (channelId: string, message: StoredMessage): ShownMessage => ({
  ts: message.ts,
  channelId,
  text: message.text,
  blocks: asBlocks(message.blocks),
  ...(message.user === BOT_USER_ID ? {} : { author: message.user }),
  ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
  ...((message.reply_count ?? 0) > 0 ? { hasReplies: true } : {}),
  ...(message.thread_ts === undefined || message.thread_ts === message.ts
    ? {}
    : { thread: message.thread_ts }),
});
