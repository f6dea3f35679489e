export type Account = {
  readonly id: number;
  readonly is_bot: boolean;
  readonly first_name: string;
  readonly last_name?: string;
  readonly username?: string;
};

export type Entity = {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly user?: { readonly id: number };
};

export type InlineButton = {
  readonly text: string;
  readonly callback_data?: string;
  readonly url?: string;
  readonly style?: string;
};

/** What a message says; editing puts a new one in its place. */
export type Content = {
  readonly text: string;
  readonly entities: readonly Entity[];
  readonly buttons: readonly (readonly InlineButton[])[];
  /** Its text is then the caption. */
  readonly file?: File;
};

export type ChatKind = 'private' | 'group' | 'supergroup' | 'channel';

/** How the bot stands in a chat. `never`: a private chat in which nobody has pressed Start. */
export type BotState = 'member' | 'never' | 'blocked' | 'deactivated' | 'kicked' | 'left' | 'muted';

export type ChatRecord = {
  readonly id: number;
  readonly kind: ChatKind;
  readonly title: string;
  /** The person at the other end of a private chat. */
  readonly peer: Account | undefined;
  readonly members: Account[];
  readonly isForum: boolean;
  /** Privacy mode: the bot sees commands, replies to it and service messages only. */
  readonly privacy: boolean;
  readonly topics: Map<number, { readonly name: string; closed: boolean }>;
  readonly messages: SimMessage[];
  botState: BotState;
  isBotAdmin: boolean;
  /** The supergroup this group became. */
  migratedTo: number | undefined;
};

/** One message as it stands in a chat. */
export class SimMessage {
  readonly id: number;
  readonly chat: ChatRecord;
  readonly from: Account | undefined;
  readonly dateMs: number;
  /** What it said, oldest first; the last one is what it says now. */
  readonly versions: Content[];
  /** Forum topic. */
  readonly topicId: number | undefined;
  readonly replyTo: SimMessage | undefined;
  /** Further fields of the Bot API's message, such as `sender_chat`, as they are sent. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** The update that told the bot; undefined when the bot does not get to see this message. */
  updateId: number | undefined;
  /** The emoji that the bot has put under it. */
  reaction: string | undefined;
  isPinned = false;

  constructor(fields: {
    id: number;
    chat: ChatRecord;
    from?: Account;
    dateMs: number;
    content: Content;
    topicId?: number;
    replyTo?: SimMessage;
    extra?: Readonly<Record<string, unknown>>;
  }) {
    this.id = fields.id;
    this.chat = fields.chat;
    this.from = fields.from;
    this.dateMs = fields.dateMs;
    this.versions = [fields.content];
    this.topicId = fields.topicId;
    this.replyTo = fields.replyTo;
    this.extra = fields.extra ?? {};
  }

  get content(): Content {
    return this.versions.at(-1) ?? { text: '', entities: [], buttons: [] };
  }

  get text(): string {
    return this.content.text;
  }

  get edited(): boolean {
    return this.versions.length > 1;
  }

  /** Labels, row by row. */
  get buttons(): string[][] {
    return this.content.buttons.map((row) => row.map(({ text }) => text));
  }

  /** Ids of the people a mention in it calls. */
  get mentions(): number[] {
    return this.content.entities.flatMap(({ user }) => (user === undefined ? [] : [user.id]));
  }

  /** The stretches of text that are marked or active in one way, such as `bold`, `mention` or `url`. */
  marked(type: string): string[] {
    return this.content.entities
      .filter((entity) => entity.type === type)
      .map(({ offset, length }) => this.text.slice(offset, offset + length));
  }
}

/** A message as the Bot API sends it. A message replied to comes without the one it replies to itself. */
export const messageJson = (message: SimMessage, depth = 0): Record<string, unknown> => {
  const { chat, topicId, content, from, replyTo } = message;
  const isService = content.text === '';
  return {
    message_id: message.id,
    date: Math.floor(message.dateMs / 1000),
    chat: chatJson(chat),
    ...(from === undefined ? {} : { from }),
    ...(topicId === undefined ? {} : { message_thread_id: topicId, is_topic_message: true }),
    ...(isService ? {} : { [content.file === undefined ? 'text' : 'caption']: content.text }),
    ...(content.entities.length === 0 ? {} : { entities: content.entities }),
    ...(content.buttons.length === 0 ? {} : { reply_markup: { inline_keyboard: content.buttons } }),
    ...(message.edited ? { edit_date: Math.floor(message.dateMs / 1000) } : {}),
    ...(depth === 0 ? replyJson(message, replyTo) : {}),
    ...message.extra,
  };
};

/** In a topic, what answers nothing else answers the service message that opened the topic. */
const replyJson = ({ chat, topicId }: SimMessage, replyTo: SimMessage | undefined) => {
  if (replyTo !== undefined) return { reply_to_message: messageJson(replyTo, 1) };
  const opening = chat.messages.find(({ id }) => id === topicId);
  return opening === undefined ? {} : { reply_to_message: messageJson(opening, 1) };
};

export const chatJson = (chat: ChatRecord): Record<string, unknown> =>
  chat.peer === undefined
    ? {
        id: chat.id,
        type: chat.kind,
        title: chat.title,
        ...(chat.isForum ? { is_forum: true } : {}),
      }
    : { id: chat.id, type: 'private', first_name: chat.peer.first_name };
