import { Api, type ApiClientOptions } from 'grammy';
import type { Update } from 'grammy/types';
import { backoffMs } from '../../core/runtime/backoff.ts';
import { StartError } from '../../core/runtime/errors.ts';
import { InFlight } from '../../core/runtime/in-flight.ts';
import type { Conversation, MessageRef } from '../../core/values/conversation.ts';
import type { Bot, HandleRequest } from '../bot.ts';
import type { BotParts } from '../platform.ts';
import { quickFetch } from '../quick-fetch.ts';
import { startErrorOf, TelegramConnection } from './connection.ts';
import { failureOf } from './failure.ts';
import { Menus } from './menus.ts';
import { Outbound } from './outbound.ts';
import { POLL_SECONDS, Polling, signalFor } from './polling.ts';
import { ALLOWED_UPDATES, fullName, type Me } from './read-update.ts';
import { receivedFile } from './receive-file.ts';
import { TELEGRAM_WEBHOOK_PATH, type TelegramSettings } from './settings.ts';
import { Typing } from './typing.ts';
import { UpdateQueue } from './update-queue.ts';
import { webhookHandler } from './webhook.ts';

const CALL_SECONDS = 15;
/** For 50 MB over a slow line. */
const FILE_SECONDS = 300;
const CONNECT_BACKOFF = { firstMs: 1_000, longestMs: 60_000 };
const TROUBLE = 'no connection to Telegram; trying on';

type TelegramOptions = TelegramSettings &
  Pick<BotParts, 'publicUrl' | 'inbound' | 'askStepByStep' | 'onMoved' | 'usableBy' | 'named'> &
  Pick<BotParts, 'store' | 'pacer' | 'lead' | 'clock' | 'log'>;

/** The Telegram bot. `start` rejects with a StartError when the configuration is certainly wrong. */
export class TelegramBot implements Bot {
  readonly platform = 'telegram';
  /** For `POST /telegram/webhook`; undefined with long polling. */
  readonly handle?: HandleRequest;
  readonly post: Bot['post'];
  readonly edit: Bot['edit'];
  readonly pin: NonNullable<Bot['pin']>;
  readonly #options: TelegramOptions;
  readonly #api: Api;
  readonly #updates: UpdateQueue;
  readonly #polling: Polling;
  readonly #connection: TelegramConnection;
  readonly #menus: Menus;
  readonly #inFlight = new InFlight();
  readonly #stopping = new AbortController();
  /** Undefined until connected for the first time. */
  #me: Me | undefined;
  #connecting: Promise<void> = Promise.resolve();

  constructor(options: TelegramOptions) {
    this.#options = options;
    const { log, webhookSecret: secret } = options;
    this.#api = apiOf(options, CALL_SECONDS);
    this.#connection = new TelegramConnection(log);
    const files = apiOf(options, FILE_SECONDS);
    const typing = new Typing({ ...options, api: this.#api, inFlight: this.#inFlight });
    const stopping = this.#stopping.signal;
    const tools = { ...options, api: this.#api, files, typing, stopping };
    const outbound = new Outbound(tools);
    this.post = (message) => outbound.post(message);
    this.edit = (...edit) => outbound.edit(...edit);
    this.pin = (...pin) => outbound.pin(...pin);
    const answering = {
      outbound,
      inFlight: this.#inFlight,
      ownLink: () => (this.#me === undefined ? '' : `https://t.me/${this.#me.username}`),
    };
    this.#menus = new Menus({ ...tools, outbound });
    this.#updates = new UpdateQueue({
      ...tools,
      ...answering,
      menus: this.#menus,
      fileOf: (document) => receivedFile(document, tools),
    });
    this.#polling = new Polling({
      ...tools,
      api: apiOf(options, POLL_SECONDS + CALL_SECONDS),
      updates: this.#updates,
      connection: this.#connection,
    });
    if (secret !== undefined)
      this.handle = webhookHandler({ secret, taker: () => this.#taker(), log });
  }

  async start(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      if (error instanceof StartError) throw error;
      this.#connection.down(error, TROUBLE);
      this.#connecting = this.#keepConnecting();
    }
  }

  notReady(): string | undefined {
    return this.#connection.missing;
  }

  /** Polling notices by itself. With a webhook no call is made while no person writes. */
  async probe(): Promise<void> {
    if (this.handle === undefined || this.#me === undefined) return;
    try {
      await this.#api.getMe(signalFor(this.#stopping.signal));
      this.#connection.up('Telegram answers again');
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#connection.down(error, TROUBLE);
    }
  }

  async linkTo({ conversation, message }: MessageRef): Promise<string | undefined> {
    const { channel, thread } = conversation;
    // Only supergroups and channels have links to their messages: https://core.telegram.org/api/links#message-links
    const group = /^-100(\d+)$/.exec(channel)?.[1];
    if (group === undefined) return undefined;
    return ['https://t.me/c', group, ...(thread === undefined ? [] : [thread]), message].join('/');
  }

  /** An action is refused where a message would be: to people who blocked the bot or never wrote to it. */
  async readerIn({ channel }: Conversation, personId: string): Promise<string | undefined> {
    try {
      if (channel !== personId) {
        const { user, status } = await this.#api.getChatMember(channel, Number(personId));
        return status === 'left' || status === 'kicked' ? undefined : fullName(user);
      }
      await this.#api.sendChatAction(channel, 'typing');
      return fullName(await this.#api.getChat(channel));
    } catch (error) {
      return failureOf(error).kind === 'gone' ? undefined : '';
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#connecting;
    await this.#polling.ended();
    await this.#inFlight.ended();
    await this.#polling.confirm();
  }

  /** Asks for the bot's identity, sets up how updates arrive, and only then takes them. */
  async #connect(): Promise<void> {
    const { publicUrl, webhookSecret } = this.#options;
    const url = `${publicUrl}${TELEGRAM_WEBHOOK_PATH}`;
    try {
      this.#me = await this.#api.getMe(signalFor(this.#stopping.signal));
      if (webhookSecret === undefined) await this.#polling.prepare();
      else {
        const kinds = { allowed_updates: [...ALLOWED_UPDATES], secret_token: webhookSecret };
        await this.#api.setWebhook(url, kinds);
      }
    } catch (error) {
      throw startErrorOf(error, url) ?? error;
    }
    if (this.#stopping.signal.aborted) return;
    this.#connection.up('connected to Telegram', { bot: this.#me.username });
    if (webhookSecret === undefined) this.#polling.begin(this.#me);
    void this.#inFlight.add(this.#menus.atStart());
  }

  async #keepConnecting(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 1; ; failures++) {
      await this.#options.clock.sleep(backoffMs(failures, CONNECT_BACKOFF), signal);
      if (signal.aborted) return;
      try {
        return await this.#connect();
      } catch (error) {
        this.#connection.down(error, TROUBLE);
      }
    }
  }

  #taker() {
    const me = this.#me;
    if (me === undefined || this.#stopping.signal.aborted) return undefined;
    return (update: Update) => this.#updates.take(update, me);
  }
}

const apiOf = ({ token, apiRoot }: TelegramOptions, timeoutSeconds: number): Api =>
  new Api(token, {
    apiRoot,
    timeoutSeconds,
    // Typed as node-fetch, of which grammY uses no more than this.
    fetch: quickFetch as unknown as NonNullable<ApiClientOptions['fetch']>,
  });
