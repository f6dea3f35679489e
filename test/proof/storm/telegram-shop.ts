import type { Chat } from '../../support/telegram/chat.ts';
import type { SimMessage } from '../../support/telegram/message.ts';
import type { Person } from '../../support/telegram/person.ts';
import { TelegramSimulator } from '../../support/telegram-simulator.ts';
import type { Dice } from './dice.ts';
import type { Keyboard } from './seller.ts';
import type { Said, Shop } from './shop.ts';

const PEOPLE = 20;
const FIRST_ID = 1001;
/** Telegram bears 15 messages a second; a charge takes six. */
const REST_MS = 9_500;

/** People on Telegram, each in a chat of their own, reached by webhook. */
export const openTelegramShop = async (publicUrl: string, dice: Dice): Promise<Shop> => {
  const telegram = await TelegramSimulator.start({ flood: false, redeliverMs: 300 });
  const keyboards = Array.from({ length: PEOPLE }, (_, at) => {
    const person = telegram.person(`Seller ${at + 1}`, FIRST_ID + at);
    return new TelegramKeyboard(telegram, person, dice.fork());
  });
  return {
    settings: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.apiRoot,
      TELEGRAM_WEBHOOK_SECRET: 'secret_of-the-storm',
      PUBLIC_URL: publicUrl,
    },
    members: keyboards.map(({ place }) => `telegram:${place}`),
    keyboards,
    restMs: REST_MS,
    said: async () => keyboards.flatMap((keyboard) => keyboard.said()),
    stop: () => telegram.stop(),
  };
};

class TelegramKeyboard implements Keyboard {
  readonly platform = 'telegram';
  readonly #telegram: TelegramSimulator;
  readonly #person: Person;
  readonly #chat: Chat;
  readonly #dice: Dice;
  readonly #updateIds: number[] = [];

  constructor(telegram: TelegramSimulator, person: Person, dice: Dice) {
    this.#telegram = telegram;
    this.#person = person;
    this.#chat = telegram.privateChat(person);
    this.#dice = dice;
  }

  get place(): string {
    return this.#chat.id;
  }

  async type(words: string): Promise<void> {
    this.#remember(this.#person.type(this.#chat, words).updateId);
  }

  question(amount: string): string | undefined {
    return this.#asked(amount)
      ?.versions.map(({ text }) => text)
      .join('\n');
  }

  async press(amount: string): Promise<void> {
    this.#pressed(amount, `Charge GHS ${amount}`);
  }

  /** Telegram brings what happens in one chat one after the other, but may bring the same at the same time. */
  async pressTwice(amount: string): Promise<void> {
    const updateId = this.#pressed(amount, `Charge GHS ${amount}`);
    if (updateId !== undefined) this.#telegram.redeliver(updateId);
  }

  async pressBoth(amount: string): Promise<void> {
    const updateId = this.#pressed(amount, 'Cancel');
    this.#pressed(amount, `Charge GHS ${amount}`);
    if (updateId !== undefined) this.#telegram.redeliver(updateId);
  }

  redeliverSomething(): void {
    const [first, ...others] = this.#updateIds;
    if (first !== undefined) this.#telegram.redeliver(this.#dice.pick([first, ...others]));
  }

  said(): Said[] {
    const { platform, place } = this;
    return this.#chat.fromBot.map(({ id, replyTo, text, dateMs }) => ({
      platform,
      place,
      id: String(id),
      ...(replyTo === undefined ? {} : { under: String(replyTo.id) }),
      text,
      atMs: dateMs,
    }));
  }

  #asked(amount: string): SimMessage | undefined {
    const question = `Charge GHS ${amount}?`;
    return this.#chat.fromBot.findLast(({ versions }) => versions[0]?.text.includes(question));
  }

  /** On a phone that has not seen yet what became of the question. */
  #pressed(amount: string, label: string): number | undefined {
    const question = this.#asked(amount);
    if (question === undefined) return undefined;
    const { updateId } = this.#person.press(question, label, { version: 0 });
    this.#remember(updateId);
    return updateId;
  }

  #remember(updateId: number | undefined): void {
    if (updateId !== undefined) this.#updateIds.push(updateId);
  }
}
