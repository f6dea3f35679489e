import type { AccountMethods, SimPress } from './account-methods.ts';
import type { Chat, Typing } from './chat.ts';
import { detectEntities } from './detect-entities.ts';
import {
  type Account,
  chatJson,
  type InlineButton,
  messageJson,
  type SimMessage,
} from './message.ts';
import { nameOf } from './transcript.ts';
import type { UpdateQueue } from './update-queue.ts';
import type { World } from './world.ts';

export type SimContact = {
  readonly phone_number: string;
  readonly first_name: string;
  readonly user_id?: number;
  readonly vcard?: string;
};

/** One human with a Telegram account. */
export class Person {
  readonly account: Account;
  readonly #world: World;
  readonly #queue: UpdateQueue;
  readonly #methods: AccountMethods;

  constructor(account: Account, world: World, queue: UpdateQueue, methods: AccountMethods) {
    this.account = account;
    this.#world = world;
    this.#queue = queue;
    this.#methods = methods;
  }

  /** As access files write it, without the platform. */
  get id(): string {
    return String(this.account.id);
  }

  get name(): string {
    return nameOf(this.account);
  }

  /** Types into a chat; commands are marked as Telegram marks them. */
  type(chat: Chat, text: string, typing: Typing = {}): SimMessage {
    if (chat.record.botState === 'never') chat.record.botState = 'member';
    return chat.write(this.account, text, typing);
  }

  /** Types a line, and waits for the message of the bot that answers it. */
  ask(chat: Chat, line: string, answer: RegExp): Promise<SimMessage> {
    this.type(chat, line);
    return chat.waitFor(answer);
  }

  /** Forwards words of somebody else into a chat. */
  forward(chat: Chat, text: string): SimMessage {
    const origin = { type: 'hidden_user', sender_user_name: 'Somebody', date: 1 };
    return this.type(chat, text, { extra: { forward_origin: origin } });
  }

  /** Shares somebody from the address book. Telegram sends the number as the phone has it, often without a plus. */
  shareContact(chat: Chat, contact: SimContact, typing: Typing = {}): SimMessage {
    if (chat.record.botState === 'never') chat.record.botState = 'member';
    return chat.write(this.account, '', { ...typing, extra: { ...typing.extra, contact } });
  }

  /** Sends a document with a caption, whose commands are marked. */
  sendDocument(chat: Chat, name: string, bytes: Buffer | string, caption = ''): SimMessage {
    if (chat.record.botState === 'never') chat.record.botState = 'member';
    const document = this.#world.keepFile(name, Buffer.from(bytes));
    const marked = detectEntities(caption);
    return chat.write(this.account, '', {
      extra: { document, ...(caption === '' ? {} : { caption, caption_entities: marked }) },
    });
  }

  /** Sends words that another bot made, in inline mode. */
  typeVia(chat: Chat, text: string, otherBot: string): SimMessage {
    const bot = { id: 99, is_bot: true, first_name: otherBot, username: otherBot };
    return this.type(chat, text, { extra: { via_bot: bot } });
  }

  /** Types `@PaythreadBot …` anywhere and takes a result; undefined: the bot is told of neither. */
  askInline(text: string): readonly (number | undefined)[] {
    const from = this.account;
    return [
      this.#queue.push('inline_query', { id: '7', from, query: text, offset: '' }, from.id),
      this.#queue.push('chosen_inline_result', { result_id: '7', from, query: text }, from.id),
    ];
  }

  /** Presses a button under a message sent inline, which belongs to no chat of the bot. */
  pressInline(data: string): number | undefined {
    const press = {
      id: '8',
      from: this.account,
      inline_message_id: 'AAA',
      chat_instance: '1',
      data,
    };
    return this.#queue.push('callback_query', press, this.account.id);
  }

  /** Changes what was typed. */
  edit(chat: Chat, message: SimMessage, text: string): void {
    chat.edit(message, text);
  }

  /** Nothing the bot writes reaches this person any more. */
  block(chat: Chat): void {
    chat.record.botState = 'blocked';
  }

  /**
   * Presses a button by its label. `version` presses a button as it stood then (0: as first sent), the way a
   * phone does that has not seen the edit yet; `inaccessible` leaves out what the message says, as Telegram
   * does with old ones.
   */
  press(
    message: SimMessage,
    label: string,
    options: { version?: number; inaccessible?: boolean } = {},
  ): SimPress {
    const shown = message.versions[options.version ?? message.versions.length - 1];
    const buttons = shown?.buttons.flat() ?? [];
    const button = buttons.find(({ text }) => text === label);
    if (button === undefined)
      throw new Error(`there is no button "${label}" on #${message.id}, only ${labels(buttons)}`);
    if (button.callback_data === undefined)
      throw new Error(`"${label}" is a link to ${String(button.url)}`);
    return this.pressData(message, button.callback_data, options);
  }

  /** Presses a button, and waits for the message of the bot that answers it. */
  choose(chat: Chat, message: SimMessage, label: string, answer: RegExp): Promise<SimMessage> {
    this.press(message, label);
    return chat.waitFor(answer);
  }

  /** Sends data as if a button had carried it: changed clients can. */
  pressData(message: SimMessage, data: string, options: { inaccessible?: boolean } = {}): SimPress {
    const press: SimPress = {
      id: String(4_000_000_000_000_000 + this.#world.earlier + this.#methods.presses.size),
      atMs: this.#world.now(),
      updateId: undefined,
      answer: undefined,
      isAlert: false,
    };
    this.#methods.presses.set(press.id, press);
    const whole = options.inaccessible !== true;
    const shown = whole
      ? messageJson(message)
      : { chat: chatJson(message.chat), message_id: message.id, date: 0 };
    press.updateId = this.#queue.push(
      'callback_query',
      { id: press.id, from: this.account, message: shown, chat_instance: '1', data },
      message.chat.id,
    );
    return press;
  }
}

const labels = (buttons: readonly InlineButton[]): string =>
  buttons.map(({ text }) => `"${text}"`).join(', ') || 'none';
