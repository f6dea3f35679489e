import {
  type Account,
  type ChatKind,
  type ChatRecord,
  type Content,
  SimMessage,
} from './message.ts';

/** Everything there is on this Telegram: people, chats and what was said. */
export class World {
  readonly bot: Account & { readonly username: string };
  readonly now: () => number;
  /** How much there was before: ids of messages, updates and presses go on from there. */
  readonly earlier: number;
  readonly chats = new Map<number, ChatRecord>();
  readonly people = new Map<number, Account>();
  /** Documents of people, by their path. */
  readonly files = new Map<string, Buffer>();
  readonly #watchers = new Set<() => void>();
  #lastPersonId = 100_000_000;
  #lastGroupId = -4_000_000;
  #lastSupergroupId = -1_001_000_000_000;
  /** Private chats and plain groups share one row of message ids. */
  #lastMessageId: number;

  constructor(options: {
    bot: Account & { readonly username: string };
    now: () => number;
    earlier: number;
  }) {
    this.bot = options.bot;
    this.now = options.now;
    this.earlier = options.earlier;
    this.#lastMessageId = 100 + options.earlier;
  }

  addPerson(name: string, id?: number): Account {
    this.#lastPersonId += 1;
    const [first = name, ...rest] = name.split(' ');
    const last = rest.join(' ');
    const account = {
      id: id ?? this.#lastPersonId,
      is_bot: false,
      first_name: first,
      ...(last === '' ? {} : { last_name: last }),
    };
    this.people.set(account.id, account);
    return account;
  }

  /** A document, as messages have it. */
  keepFile(name: string, bytes: Buffer): { file_id: string; file_name: string; file_size: number } {
    const id = `BQAC${this.files.size}`;
    this.files.set(`documents/${id}`, bytes);
    return { file_id: id, file_name: name, file_size: bytes.length };
  }

  addChat(
    fields: Pick<ChatRecord, 'kind' | 'title'> & Partial<Omit<ChatRecord, 'kind' | 'title'>>,
  ): ChatRecord {
    const chat: ChatRecord = {
      id: fields.id ?? this.#newChatId(fields.kind),
      kind: fields.kind,
      title: fields.title,
      peer: fields.peer,
      members: [...(fields.members ?? [])],
      isForum: fields.isForum ?? false,
      privacy: fields.privacy ?? true,
      topics: new Map(),
      messages: [],
      botState: fields.botState ?? 'member',
      isBotAdmin: false,
      migratedTo: undefined,
    };
    this.chats.set(chat.id, chat);
    return chat;
  }

  /** Puts a message into a chat; whether the bot is told is decided elsewhere. */
  post(
    chat: ChatRecord,
    content: Content,
    fields: Omit<ConstructorParameters<typeof SimMessage>[0], 'id' | 'chat' | 'dateMs' | 'content'>,
  ): SimMessage {
    const message = new SimMessage({
      id: this.newMessageId(chat),
      chat,
      dateMs: this.now(),
      content,
      ...fields,
    });
    chat.messages.push(message);
    this.changed();
    return message;
  }

  newMessageId(chat: ChatRecord): number {
    if (chat.kind === 'private' || chat.kind === 'group') {
      this.#lastMessageId += 1;
      return this.#lastMessageId;
    }
    const topicIds = [...chat.topics.keys()];
    return Math.max(1, ...chat.messages.map(({ id }) => id), ...topicIds) + 1;
  }

  /** Calls `watcher` after each change, until the function returned is called. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  changed(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  #newChatId(kind: ChatKind): number {
    if (kind === 'group') {
      this.#lastGroupId -= 1;
      return this.#lastGroupId;
    }
    this.#lastSupergroupId -= 1;
    return this.#lastSupergroupId;
  }
}
