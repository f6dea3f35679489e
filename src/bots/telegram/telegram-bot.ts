import { Api, type ApiClientOptions } from 'grammy';
import type { BotCommand } from 'grammy/types';
import type { Card } from '../../commands/cards/card.ts';
import type { InboundHandler } from '../../commands/inbound.ts';
import type { Weight } from '../../core/cluster/pace-book.ts';
import { type Pace, RateLimiter } from '../../core/cluster/rate-limiter.ts';
import { backoffMs } from '../../core/runtime/backoff.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { StartError } from '../../core/runtime/errors.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { Bot, HandleRequest, OutgoingMessage } from '../bot.ts';
import type { BotParts } from '../platform.ts';
import { quickFetch } from '../quick-fetch.ts';
import { AnswerQueues } from './answer-queues.ts';
import { badTokenError, badWebhookError, Connection, isBadToken } from './connection.ts';
import { LIMITS } from './limits.ts';
import { Outbound } from './outbound.ts';
import { type Lead, POLL_SECONDS, Polling, signalFor } from './polling.ts';
import { ALLOWED_UPDATES } from './read-update.ts';
import { safeError } from './safe-error.ts';
import type { AskStepByStep, OnMoved } from './surface.ts';
import { UpdateQueue } from './update-queue.ts';
import { webhookHandler } from './webhook.ts';

/** Patience with one call to the Bot API. */
const CALL_SECONDS = 15;
const RECONNECT = { firstMs: 1_000, longestMs: 60_000 };

export type TelegramOptions = {
  readonly token: string;
  /** Without a slash at the end. */
  readonly apiRoot: string;
  /** Updates are delivered to `url`, which must lead to `handle`. Absent: long polling. */
  readonly webhook?: { readonly url: string; readonly secret: string };
  readonly inbound: InboundHandler;
  readonly askStepByStep: AskStepByStep;
  /** Called each time Telegram reports a chat's new id; possibly twice for the same move. */
  readonly onMoved: OnMoved;
  /** The menu. */
  readonly commands: BotParts['commands'];
  readonly clock: Clock;
  readonly log: Log;
  /** Default: one of its own. */
  readonly pacer?: Pace;
  /** Runs the polling while this instance leads; absent: it always does. */
  readonly lead?: Lead;
};

/** Who the bot is on Telegram. */
export type TelegramIdentity = {
  readonly id: number;
  readonly username: string;
  readonly name: string;
};

/** The Telegram bot. `start` rejects with a StartError when the configuration is certainly wrong. */
export class TelegramBot implements Bot {
  readonly platform = 'telegram';
  /** For `POST /telegram/webhook`; undefined with long polling. */
  readonly handle: HandleRequest | undefined;
  readonly #options: TelegramOptions;
  readonly #api: Api;
  readonly #outbound: Outbound;
  readonly #updates: UpdateQueue;
  readonly #polling: Polling;
  readonly #connection = new Connection();
  readonly #stopping = new AbortController();
  #me: TelegramIdentity | undefined;
  #connecting: Promise<void> = Promise.resolve();

  constructor(options: TelegramOptions) {
    const { token, apiRoot, clock, log, webhook, inbound, askStepByStep, onMoved } = options;
    this.#options = options;
    const apiWith = (timeoutSeconds: number): Api =>
      // Typed as node-fetch, of which grammY uses no more than this.
      new Api(token, {
        apiRoot,
        timeoutSeconds,
        fetch: quickFetch as unknown as NonNullable<ApiClientOptions['fetch']>,
      });
    this.#api = apiWith(CALL_SECONDS);
    const pacer = options.pacer ?? new RateLimiter(clock);
    this.#outbound = new Outbound({ api: this.#api, pacer, log });
    const outbound = this.#outbound;
    const answers = new AnswerQueues({ outbound, clock, stopping: this.#stopping.signal });
    const tools = { answers, clock, log, askStepByStep, onMoved };
    this.#updates = new UpdateQueue({ api: this.#api, inbound, tools });
    this.#polling = new Polling({
      api: apiWith(POLL_SECONDS + CALL_SECONDS),
      updates: this.#updates,
      connection: this.#connection,
      ...(options.lead === undefined ? {} : { lead: options.lead }),
      clock,
      log,
    });
    this.handle =
      webhook && webhookHandler({ secret: webhook.secret, taker: () => this.#taker(), log });
  }

  async start(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      if (error instanceof StartError) throw error;
      this.#reportTrouble(error);
      this.#connecting = this.#keepConnecting();
    }
  }

  notReady(): string | undefined {
    return this.#connection.missing;
  }

  /** Polling notices by itself. With a webhook no call is made while no person writes. */
  async probe(): Promise<void> {
    if (this.#options.webhook === undefined || this.#me === undefined) return;
    try {
      await this.#api.getMe(signalFor(this.#stopping.signal));
      if (this.#connection.up()) this.#options.log.info('Telegram answers again');
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#reportTrouble(error);
    }
  }

  /** Undefined until connected for the first time. */
  identity(): TelegramIdentity | undefined {
    return this.#me;
  }

  post(message: OutgoingMessage): Promise<Delivery> {
    return this.#outbound.post(message);
  }

  edit(ref: MessageRef, card: Card, weight?: Weight): Promise<Delivery> {
    return this.#outbound.edit(ref, card, weight);
  }

  async linkTo({
    conversation: { channel, thread },
    message,
  }: MessageRef): Promise<string | undefined> {
    // Only supergroups and channels have links to their messages: https://core.telegram.org/api/links#message-links
    const group = /^-100(\d+)$/.exec(channel)?.[1];
    if (group === undefined) return undefined;
    return ['https://t.me/c', group, ...(thread === undefined ? [] : [thread]), message].join('/');
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#connecting;
    await this.#polling.stop();
    await this.#updates.drain();
    await this.#polling.confirm();
  }

  /** Asks for the bot's identity, sets up how updates arrive, and only then takes them. */
  async #connect(): Promise<void> {
    this.#me = await this.#whoAmI();
    await this.#prepareUpdates();
    if (this.#stopping.signal.aborted) return;
    this.#connection.up();
    this.#options.log.info({ bot: this.#me.username }, 'connected to Telegram');
    if (this.#options.webhook === undefined) this.#polling.begin(this.#me);
    await this.#showMenu();
  }

  async #whoAmI(): Promise<TelegramIdentity> {
    try {
      const {
        id,
        username,
        first_name: name,
      } = await this.#api.getMe(signalFor(this.#stopping.signal));
      return { id, username, name };
    } catch (error) {
      throw isBadToken(error) ? badTokenError() : error;
    }
  }

  async #prepareUpdates(): Promise<void> {
    const { webhook } = this.#options;
    if (webhook === undefined) return this.#polling.prepare();
    try {
      const kinds = { allowed_updates: [...ALLOWED_UPDATES], secret_token: webhook.secret };
      await this.#api.setWebhook(webhook.url, kinds);
    } catch (error) {
      throw badWebhookError(webhook.url, error) ?? error;
    }
  }

  /** A convenience: typed commands work without a menu. */
  async #showMenu(): Promise<void> {
    try {
      await this.#api.setMyCommands(menuOf(this.#options.commands));
    } catch (error) {
      this.#options.log.warn({ error: safeError(error) }, 'the menu could not be set');
    }
  }

  async #keepConnecting(): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 1; ; failures++) {
      await this.#options.clock.sleep(backoffMs(failures, RECONNECT), signal);
      if (signal.aborted) return;
      try {
        return await this.#connect();
      } catch (error) {
        this.#reportTrouble(error);
      }
    }
  }

  #reportTrouble(error: unknown): void {
    if (this.#connection.down(error))
      this.#options.log.error({ error: safeError(error) }, 'no connection to Telegram; trying on');
  }

  #taker() {
    const me = this.#me;
    if (me === undefined || this.#stopping.signal.aborted) return undefined;
    return (update: Parameters<UpdateQueue['take']>[0]) => this.#updates.take(update, me);
  }
}

/** The menu behind Telegram's `/` button; commands whose names it cannot show still work when typed. */
const menuOf = (commands: TelegramOptions['commands']): BotCommand[] =>
  commands
    .filter(({ name, summary }) => LIMITS.commandName.test(name) && summary.trim() !== '')
    .slice(0, LIMITS.commands)
    .map(({ name, summary }) => ({
      command: name,
      description: summary.trim().slice(0, LIMITS.commandDescriptionLength),
    }));
