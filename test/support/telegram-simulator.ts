import { AccountMethods, type BotCommand, type SimPress } from './telegram/account-methods.ts';
import { ApiServer, type Fault, type LedgerEntry } from './telegram/api-server.ts';
import { Chat } from './telegram/chat.ts';
import { DEFAULT_FLOOD_LIMITS, FloodControl, type FloodLimits } from './telegram/flood-control.ts';
import { MessageMethods } from './telegram/methods.ts';
import { Person } from './telegram/person.ts';
import { UpdateQueue, type WebhookDelivery } from './telegram/update-queue.ts';
import { World } from './telegram/world.ts';

export type SimulatorOptions = {
  readonly token?: string;
  /** Default `PaythreadBot`. */
  readonly botUsername?: string;
  /** `false`: Telegram bears everything. */
  readonly flood?: Partial<FloodLimits> | false;
  /** How long a press can be answered. Default 15 s. */
  readonly pressLifeMs?: number;
  /** Between two tries to reach the webhook. Default 50 ms. */
  readonly redeliverMs?: number;
  /** The time for flood limits and presses; give the test's own clock. Default `Date.now`. */
  readonly now?: () => number;
  readonly port?: number;
  /** How much people and the bot did before: ids go on from there, so that a stored program takes nothing for a repetition. @default 0 */
  readonly earlier?: number;
};

/**
 * Telegram, strictly: the Bot API over real HTTP with its documented limits and its own sentences of
 * refusal, the people and chats behind it, and a ledger of all it received.
 *
 * ```ts
 * const telegram = await TelegramSimulator.start();
 * // the bot under test: token telegram.token, apiRoot telegram.apiRoot
 * const ama = telegram.person('Ama Mensah');
 * const group = telegram.group('Sales', [ama]);       // privacy mode is on
 * ama.type(group, '/charge 0244123456 50');
 * const question = await group.waitFor(/GHS 50\.00/);  // the newest message of the bot that fits
 * ama.press(question, 'Charge GHS 50.00');
 * await group.waitFor(/completed/);
 * expect(group.transcript()).toContain('…');           // as a person sees it
 * await telegram.stop();
 * ```
 *
 * Private chats: `telegram.privateChat(ama)`. Forums: `telegram.forum('Shop', [ama])`, `forum.topic('Monday')`,
 * `ama.type(forum, text, { topic })`. What goes wrong: `telegram.failNext('sendMessage', …)`, `group.kickBot()`,
 * `group.migrate()`, `forum.deleteTopic(topic)`, `ama.block(chat)`, `telegram.revokeToken()`,
 * `telegram.redeliver(updateId)`. Who else writes: `group.typeAnonymously`, `group.typeAsChannel`, `ama.forward`,
 * `ama.typeVia`, `ama.askInline`, `telegram.channel(…).channelPost`, `group.bringPost`, `group.write(ROBOT, …)`,
 * `ama.edit`, `ama.shareContact`, `group.addBot`. What the bot did: `telegram.calls('sendMessage')`,
 * `telegram.menu`, `telegram.menuOf(ama, group)`, `message.mentions`, `message.marked('bold')`, `press.answer`.
 *
 * Left out: media, answers in inline mode, everything about administrators.
 */
export class TelegramSimulator {
  readonly token: string;
  readonly apiRoot: string;
  readonly #world: World;
  readonly #queue: UpdateQueue;
  readonly #account: AccountMethods;
  readonly #server: ApiServer;

  private constructor(parts: {
    world: World;
    queue: UpdateQueue;
    account: AccountMethods;
    server: ApiServer;
    port: number;
  }) {
    this.#world = parts.world;
    this.#queue = parts.queue;
    this.#account = parts.account;
    this.#server = parts.server;
    this.token = parts.server.token;
    this.apiRoot = `http://127.0.0.1:${parts.port}`;
  }

  static async start(options: SimulatorOptions = {}): Promise<TelegramSimulator> {
    const { now = Date.now, earlier = 0 } = options;
    const username = options.botUsername ?? 'PaythreadBot';
    const bot = { id: 700_000_001, is_bot: true, first_name: 'Paythread', username };
    const world = new World({ bot, now, earlier });
    const queue = new UpdateQueue({ redeliverMs: options.redeliverMs ?? 50, earlier });
    const account = new AccountMethods(world, queue, options.pressLifeMs ?? 15_000);
    const limits =
      options.flood === false ? undefined : { ...DEFAULT_FLOOD_LIMITS, ...options.flood };
    const messages = new MessageMethods(world, limits && new FloodControl(limits, now));
    const token = options.token ?? `${bot.id}:AAE-simulated-token-0123456789abcdef`;
    const server = new ApiServer({ token, messages, account });
    const port = await server.listen(options.port);
    return new TelegramSimulator({ world, queue, account, server, port });
  }

  /** Stops everything; fails when a request was not as Telegram documents it. */
  async stop(): Promise<void> {
    await this.#queue.stop();
    await this.#server.stop();
    const complaints = this.takeComplaints();
    if (complaints.length > 0)
      throw new Error(`Telegram does not document this:\n${complaints.join('\n')}`);
  }

  /** What was wrong with requests so far; expected ones are taken away by asking. */
  takeComplaints(): readonly string[] {
    return this.#server.complaints.splice(0);
  }

  get botId(): number {
    return this.#world.bot.id;
  }

  get botUsername(): string {
    return this.#world.bot.username;
  }

  /** A human; the id is made up unless given. */
  person(name: string, id?: number): Person {
    return new Person(this.#world.addPerson(name, id), this.#world, this.#queue, this.#account);
  }

  /** A person's chat with the bot, in which Start was pressed unless `started` is false. */
  privateChat(person: Person, options: { started?: boolean } = {}): Chat {
    const known = this.#world.chats.get(person.account.id);
    const botState = options.started === false ? 'never' : 'member';
    return this.#chat(
      known ??
        this.#world.addChat({
          id: person.account.id,
          kind: 'private',
          title: person.name,
          peer: person.account,
          botState,
        }),
    );
  }

  /** A plain group with the bot in it. `privacy: false`: the bot is an administrator and sees all that is said. */
  group(title: string, people: readonly Person[], options: { privacy?: boolean } = {}): Chat {
    const members = people.map(({ account }) => account);
    return this.#chat(this.#world.addChat({ kind: 'group', title, members, ...options }));
  }

  supergroup(title: string, people: readonly Person[], options: { privacy?: boolean } = {}): Chat {
    const members = people.map(({ account }) => account);
    return this.#chat(this.#world.addChat({ kind: 'supergroup', title, members, ...options }));
  }

  /** A supergroup with topics. */
  forum(title: string, people: readonly Person[], options: { privacy?: boolean } = {}): Chat {
    const members = people.map(({ account }) => account);
    return this.#chat(
      this.#world.addChat({ kind: 'supergroup', title, members, isForum: true, ...options }),
    );
  }

  channel(title: string): Chat {
    return this.#chat(this.#world.addChat({ kind: 'channel', title }));
  }

  /** All that was asked of the Bot API, in order. */
  get ledger(): readonly LedgerEntry[] {
    return this.#server.ledger;
  }

  /** Calls of one method. */
  calls(method: string): LedgerEntry[] {
    return this.ledger.filter((entry) => entry.method.toLowerCase() === method.toLowerCase());
  }

  /** What becomes of the next call of a method (`*`: any); several come in turn. */
  failNext(method: string, fault: Fault): void {
    this.#server.failNext(method, fault);
  }

  revokeToken(): void {
    this.useToken(`${this.botId}:AAE-another-token-0123456789abcdefgh`);
  }

  useToken(token: string): void {
    this.#server.token = token;
  }

  restoreToken(): void {
    this.useToken(this.token);
  }

  /** Delivers an update again that was delivered before. */
  redeliver(updateId: number | undefined): void {
    if (updateId === undefined) throw new Error('the bot never got to see that');
    this.#queue.redeliver(updateId);
  }

  /** Updates that nothing has confirmed yet. */
  get pendingUpdates(): number {
    return this.#queue.pending.length;
  }

  /** Every update with a lower id was confirmed by a poller. */
  get confirmedBelow(): number {
    return this.#queue.confirmedBelow;
  }

  get webhookUrl(): string | undefined {
    return this.#queue.webhook?.url;
  }

  /** As somebody else would, with another deployment of the same bot. */
  setWebhook(url: string, secret?: string): void {
    this.#queue.setWebhook({ url, secret }, false);
  }

  get webhookDeliveries(): readonly WebhookDelivery[] {
    return this.#queue.deliveries;
  }

  /** What `setMyCommands` left for everyone. */
  get menu(): readonly BotCommand[] {
    return this.#account.menus.get('default') ?? [];
  }

  /** Names of the commands that a person sees behind the `/` button of a chat. */
  menuOf(person: Person, chat: Chat): string[] {
    return this.#account.menuFor(chat.record, person.account.id).map(({ command }) => command);
  }

  get presses(): readonly SimPress[] {
    return [...this.#account.presses.values()];
  }

  #chat(record: ConstructorParameters<typeof Chat>[0]): Chat {
    return new Chat(record, this.#world, this.#queue);
  }
}
