import { eventually } from '../../support/eventually.ts';
import type { Chat } from '../../support/telegram/chat.ts';
import type { SimMessage } from '../../support/telegram/message.ts';
import type { Person } from '../../support/telegram/person.ts';
import { TelegramSimulator } from '../../support/telegram-simulator.ts';
import { type Told, toldBy } from '../storm/told.ts';
import type { Sale } from './sales.ts';

/** Each sale has a seller of its own: in one chat messages wait for each other. */
const MOST_SELLERS = 999;
const FIRST_ID = 1001;
const FIRST_AUDITOR_ID = 2001;
const AUDITORS = 100;
/** A person may ask 30 in ten minutes. */
const QUESTIONS_EACH = 20;
const ANSWER_WITHIN_MS = 10_000;

/** The message of the question, which becomes the card, and what it says now. */
export type Question = { readonly id: string; readonly text: string };

/** A card or an outcome as it stands in a chat, and everything it ever said. */
export type Seen = Told & { readonly versions: readonly string[] };

type Seat = { readonly person: Person; readonly chat: Chat };

/** The people of one shop on Telegram: sellers, somebody who checks the books, and those who are alarmed. */
export class Desk {
  readonly #telegram: TelegramSimulator;
  readonly #sellers = new Map<number, Seat>();
  readonly #auditors = new Map<number, Seat>();
  #questions = 0;
  readonly #operators: Chat;

  private constructor(telegram: TelegramSimulator) {
    this.#telegram = telegram;
    this.#operators = telegram.group('Operators', [this.#nextAuditor().person]);
  }

  static async open(): Promise<Desk> {
    return new Desk(await TelegramSimulator.start({ flood: false }));
  }

  /** Paythread's settings that lead here. */
  get settings(): Readonly<Record<string, string>> {
    return {
      TELEGRAM_BOT_TOKEN: this.#telegram.token,
      TELEGRAM_API_ROOT: this.#telegram.apiRoot,
      OPERATORS: `telegram:${this.#operators.id}`,
    };
  }

  /** Who may do what, as the access file has it. */
  get accessFile(): string {
    const ids = Array.from({ length: MOST_SELLERS }, (_, at) => FIRST_ID + at);
    const auditors = Array.from({ length: AUDITORS }, (_, at) => FIRST_AUDITOR_ID + at);
    const people = [...ids, ...auditors].map((id) => `telegram:${id}`);
    return `roles: {sales: {commands: "*"}}\nmembers: {sales: [${people.join(', ')}]}\n`;
  }

  type(sale: Sale): void {
    const { person, chat } = this.#seatOf(sale);
    person.type(chat, `/charge ${sale.customerNumber} ${sale.amount}`);
  }

  /** Presses the button of the question, as it was first shown; false while there is no question. */
  press(sale: Sale): boolean {
    const question = this.#questionOf(sale);
    if (question === undefined) return false;
    this.#seatOf(sale).person.press(question, `Charge GHS ${sale.amount}`, { version: 0 });
    return true;
  }

  typeSms(seller: number, text: string): void {
    const { person, chat } = this.#seatOf({ seller });
    person.type(chat, `/sms 0244123456 ${text}`);
  }

  /** False while there is no question. */
  pressSms(seller: number, text: string): boolean {
    const { person, chat } = this.#seatOf({ seller });
    const question = chat.fromBot.find(
      ({ versions }) =>
        versions[0]?.text.includes('Send this SMS') && versions[0].text.includes(text),
    );
    if (question === undefined) return false;
    person.press(question, 'Send 1 SMS', { version: 0 });
    return true;
  }

  /** The reports about an SMS, oldest first. */
  smsReports(seller: number, text: string): string[] {
    const { chat } = this.#seatOf({ seller });
    return chat.fromBot
      .filter((message) => message.text.includes(`SMS "${text.slice(0, 30)}`))
      .map((message) => message.text);
  }

  /** What stands now where the question stood; undefined: it was never asked. */
  question(sale: Sale): Question | undefined {
    const message = this.#questionOf(sale);
    return message && { id: String(message.id), text: message.text };
  }

  /** Everything that was ever told about a sale, oldest first. */
  told(sale: Sale): Seen[] {
    const { chat } = this.#seatOf(sale);
    return chat.fromBot.flatMap((message) => {
      const told = toldBy(saidOf(message));
      if (told?.amountMinor !== sale.amountMinor) return [];
      return [{ ...told, versions: message.versions.map(({ text }) => text) }];
    });
  }

  /** How many messages the bot has posted, and how often it has changed one. */
  get words(): number {
    const chats = [...[...this.#sellers.values()].map(({ chat }) => chat), this.#operators];
    return chats
      .flatMap((chat) => chat.fromBot.map(({ versions }) => versions.length))
      .reduce((sum, one) => sum + one, 0);
  }

  get alarms(): readonly string[] {
    return this.#operators.fromBot.map(({ text }) => text);
  }

  /** What `/status` says about a transaction. */
  async status(id: string): Promise<string> {
    const { person, chat } = this.#nextAuditor();
    const before = chat.fromBot.length;
    person.type(chat, `/status ${id}`);
    return eventually(() => {
      const answer = chat.fromBot[before];
      if (answer === undefined) throw new Error(`/status ${id} was not answered`);
      return answer.text;
    }, ANSWER_WITHIN_MS);
  }

  transcriptOf(sale: Sale): string {
    return this.#seatOf(sale).chat.transcript();
  }

  stop(): Promise<void> {
    return this.#telegram.stop();
  }

  #questionOf({ amount, ...sale }: Sale): SimMessage | undefined {
    const question = `Charge GHS ${amount}?`;
    const { chat } = this.#seatOf(sale);
    return chat.fromBot.find(({ versions }) => versions[0]?.text.includes(question));
  }

  #seatOf({ seller }: Pick<Sale, 'seller'>): Seat {
    const seat = this.#sellers.get(seller) ?? this.#seat(`Seller ${seller}`, FIRST_ID + seller);
    this.#sellers.set(seller, seat);
    return seat;
  }

  #nextAuditor(): Seat {
    const at = Math.floor(this.#questions++ / QUESTIONS_EACH);
    const seat = this.#auditors.get(at) ?? this.#seat(`Auditor ${at}`, FIRST_AUDITOR_ID + at);
    this.#auditors.set(at, seat);
    return seat;
  }

  #seat(name: string, id: number): Seat {
    const person = this.#telegram.person(name, id);
    return { person, chat: this.#telegram.privateChat(person) };
  }
}

const DETAILS = /^details:(\w+)$/;

const saidOf = ({ id, replyTo, text, content, dateMs, chat }: SimMessage) => ({
  platform: 'telegram',
  place: String(chat.id),
  id: String(id),
  ...(replyTo === undefined ? {} : { under: String(replyTo.id) }),
  text,
  details: content.buttons
    .flat()
    .flatMap(({ callback_data = '' }) => DETAILS.exec(callback_data)?.[1] ?? [])[0],
  atMs: dateMs,
});
