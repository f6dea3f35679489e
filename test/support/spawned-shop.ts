import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { eventually } from './eventually.ts';
import { FastClock } from './fast-clock.ts';
import { freePort } from './free-port.ts';
import { metricsOf } from './metrics-of.ts';
import { sandboxSettings } from './sandbox-settings.ts';
import { SpawnedApp } from './spawned-app.ts';
import type { Chat } from './telegram/chat.ts';
import type { Person } from './telegram/person.ts';
import { startTelegram, telegramSettings } from './telegram-shop.ts';
import type { TelegramSimulator } from './telegram-simulator.ts';
import { tempFolder } from './temp-folder.ts';

type Parts = {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly app: SpawnedApp;
  readonly sandbox: Sandbox;
  readonly telegram: TelegramSimulator;
};

/** Telegram's ids of those who sell. */
const SELLERS = Array.from({ length: 10 }, (_, at) => 1001 + at);

/** The real program in a process of its own, a payment service whose seconds are short, and a seller's chat with it. */
export class SpawnedShop {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly app: SpawnedApp;
  readonly sandbox: Sandbox;
  readonly chat: Chat;
  readonly #parts: Parts;
  readonly #seller: Person;

  private constructor(parts: Parts, seller = 0) {
    this.dir = parts.dir;
    this.env = parts.env;
    this.app = parts.app;
    this.sandbox = parts.sandbox;
    this.#parts = parts;
    this.#seller = parts.telegram.person(`Seller ${seller}`, SELLERS[seller]);
    this.chat = parts.telegram.privateChat(this.#seller);
  }

  /** The same shop from the chat of another seller, 1 to 9: after three messages a chat is sent one a second. */
  as(seller: number): SpawnedShop {
    return new SpawnedShop(this.#parts, seller);
  }

  static async open(store: Readonly<Record<string, string>> = {}): Promise<SpawnedShop> {
    const dir = await tempFolder();
    const sandbox = await startSandbox({ clock: new FastClock(8) });
    onTestFinished(() => sandbox.stop());
    const telegram = await startTelegram({ flood: false });
    const accessFile = join(dir, 'access.yml');
    await writeFile(
      accessFile,
      `roles: {sales: {commands: "*"}}\nmembers: {sales: [${SELLERS.map((id) => `telegram:${id}`)}]}\n`,
    );
    const port = await freePort();
    const env = {
      ...telegramSettings(telegram),
      ...sandboxSettings(sandbox),
      PAYMENTS_RATE: '100',
      PAYMENTS_TIMEOUT: '5s',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      STATUS_CHECK_SCHEDULE: '300ms,1s',
      DATA_DIR: join(dir, 'data'),
      ACCESS_FILE: accessFile,
      ...store,
    };
    return new SpawnedShop({ dir, env, app: new SpawnedApp(port, env), sandbox, telegram });
  }

  type(text: string): void {
    this.#seller.type(this.chat, text);
  }

  /** Asks for a charge and leaves the question open. */
  async propose(amount: number, number = '0244123456'): Promise<void> {
    this.type(`/charge ${number} ${amount}`);
    await this.question(amount);
  }

  /** Presses the button of the question about this amount. */
  async confirm(amount: number): Promise<void> {
    this.#seller.press(await this.question(amount), `Charge GHS ${amount}.00`);
  }

  /** The question's button as a chat that is not brought up to date goes on having it: the way to press it. */
  async oldButton(amount: number): Promise<() => void> {
    const question = await this.question(amount);
    return () => void this.#seller.press(question, `Charge GHS ${amount}.00`, { version: 0 });
  }

  async charge(amount: number, number?: string): Promise<void> {
    await this.propose(amount, number);
    await this.confirm(amount);
  }

  /** The question, while its button stands. */
  question(amount: number) {
    return this.chat.waitFor(new RegExp(`Charge GHS ${amount}\\.00\\?`));
  }

  async shows(text: RegExp): Promise<void> {
    await this.chat.waitFor(text);
  }

  sendFile(name: string, text: string): void {
    this.#seller.sendDocument(this.chat, name, text);
  }

  /** Presses a button of the newest message that reads like this. */
  async press(text: RegExp, label: string): Promise<void> {
    this.#seller.press(await this.chat.waitFor(text), label);
  }

  async completed(amount: number): Promise<void> {
    await this.shows(new RegExp(`GHS ${amount}\\.00 from .*: completed`));
  }

  /** The transaction id that the service has for an amount. */
  idOf(amount: number): string {
    const found = this.sandbox.payments().find((payment) => payment.amount === amount);
    if (found === undefined) throw new Error(`the service knows nothing of ${amount}`);
    return found.transactionId;
  }

  /** Every amount that the service took, each of them once. */
  expectTaken(amounts: readonly number[]): void {
    const taken = this.sandbox.payments();
    expect(taken.map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual(amounts);
    expect(taken.filter(({ times }) => times !== 1)).toEqual([]);
  }

  /** Calls back at the address that the service was given, or at one like it. */
  async callBack(amount: number, change = (url: string) => url): Promise<number> {
    const payment = this.sandbox.payments().find((each) => each.amount === amount);
    const response = await fetch(change(payment?.callbackUrl ?? ''), {
      method: 'POST',
      body: '{"status":"completed"}',
    });
    await response.text();
    return response.status;
  }

  /** What `/metrics` says. */
  async metric(
    name: string,
    labels: Readonly<Record<string, string>> = {},
  ): Promise<number | undefined> {
    return (await metricsOf(this.app.port)).value(name, labels);
  }

  /** Waits until the service has taken a payment. */
  taken(amount: number): Promise<void> {
    return eventually(() => void this.idOf(amount));
  }
}
