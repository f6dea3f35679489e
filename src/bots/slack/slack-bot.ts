import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthTestResponse } from '@slack/web-api';
import type { Card } from '../../commands/cards/card.ts';
import type { InboundHandler } from '../../commands/inbound.ts';
import type { Weight } from '../../core/cluster/pace-book.ts';
import type { Pace } from '../../core/cluster/rate-limiter.ts';
import { type Answer, answer } from '../../core/http/answer.ts';
import { backoffMs } from '../../core/runtime/backoff.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { StartError } from '../../core/runtime/errors.ts';
import { InFlight } from '../../core/runtime/in-flight.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { Bot, HandleRequest, OutgoingMessage } from '../bot.ts';
import { Dispatcher, type Identity } from './dispatcher.ts';
import { tokenRefusal, whyFailed } from './failure.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import { Outbound } from './outbound.ts';
import { ReplySurfaces } from './reply-surface.ts';
import { createWebClients, type WebClients } from './sdk.ts';
import { SLACK_EVENTS_PATH, type SlackSettings } from './settings.ts';
import { createSlackApp } from './slack-app.ts';
import { SlackDirectory } from './slack-directory.ts';
import { SocketConnection } from './socket.ts';

export type SlackOptions = SlackSettings & {
  readonly inbound: InboundHandler;
  readonly clock: Clock;
  readonly log: Log;
  readonly pacer: Pace;
};

const RETRY = { firstMs: 1_000, longestMs: 60_000 };

const NOT_READY: Answer = { status: 503, text: 'not ready, please send it again' };

/** The Slack bot. `start` rejects with a StartError when a token is certainly wrong. */
export class SlackBot implements Bot {
  readonly platform = 'slack';
  /** HTTP mode only: takes requests to {@link SLACK_EVENTS_PATH}. */
  readonly handle?: HandleRequest;
  readonly #directory: SlackDirectory;
  readonly #options: SlackOptions;
  readonly #clients: WebClients;
  readonly #outbound: Outbound;
  readonly #surfaces: ReplySurfaces;
  readonly #inFlight = new InFlight();
  readonly #stopping = new AbortController();
  readonly #socket: SocketConnection | undefined;
  readonly #endpoint: HttpEndpoint | undefined;
  #identity: Identity | undefined;
  #listening = false;
  #problem = 'not started';
  #refusal: string | undefined;
  #background: Promise<void> = Promise.resolve();

  constructor(options: SlackOptions) {
    this.#options = options;
    const { transport, apiUrl, clock, log, pacer } = options;
    const clients = createWebClients(options);
    this.#clients = clients;
    const botUserId = () => this.#identity?.botUserId;
    this.#outbound = new Outbound({ clients, apiUrl, pacer, log, botUserId });
    this.#surfaces = new ReplySurfaces({ clients, apiUrl, pacer, clock, log });
    this.#directory = new SlackDirectory({
      client: clients.answers,
      clock,
      log,
      teamId: async () => this.#identity?.teamId,
    });
    if (transport.kind === 'socket')
      this.#socket = new SocketConnection({ appToken: transport.appToken, apiUrl, clock, log });
    else {
      const { signingSecret } = transport;
      this.#endpoint = new HttpEndpoint({ signingSecret, path: SLACK_EVENTS_PATH, log });
      this.handle = (request, response) => this.#handle(request, response);
    }
  }

  async start(): Promise<void> {
    const identity = await this.#signIn();
    if (identity === undefined) this.#background = this.#keepTrying();
    else await this.#listen(identity);
  }

  notReady(): string | undefined {
    if (!this.#listening) return `Slack: ${this.#problem}`;
    if (this.#refusal !== undefined) return `Slack: SLACK_BOT_TOKEN is refused (${this.#refusal})`;
    return this.#socket?.connected === false ? 'Slack: not connected' : undefined;
  }

  /** A bot token that was taken back leaves the connection of the other one, and requests by HTTP, as they are. */
  async probe(): Promise<void> {
    if (!this.#listening) return;
    try {
      await this.#clients.answers.auth.test();
      this.#refusal = undefined;
    } catch (error) {
      this.#refusal = tokenRefusal(error) ?? this.#refusal;
    }
  }

  post(message: OutgoingMessage): Promise<Delivery> {
    return this.#outbound.post(message);
  }

  edit(ref: MessageRef, card: Card, weight?: Weight): Promise<Delivery> {
    return this.#outbound.edit(ref, card, weight);
  }

  async linkTo({ conversation, message }: MessageRef): Promise<string | undefined> {
    try {
      const { channel } = conversation;
      const answer = await this.#clients.answers.chat.getPermalink({
        channel,
        message_ts: message,
      });
      return answer.permalink;
    } catch (error) {
      // The message is useful without the link: its text names the transaction.
      this.#options.log.warn({ failure: whyFailed(error) }, 'no link to a message');
      return undefined;
    }
  }

  membersOf(groupId: string): Promise<ReadonlySet<string>> {
    return this.#directory.membersOf(groupId);
  }

  isGuest(userId: string): Promise<boolean> {
    return this.#directory.isGuest(userId);
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    if (this.#listening && !this.#stopping.signal.aborted) {
      this.#endpoint?.handle(request, response);
      return;
    }
    // Slack delivers events again after this, and shows an error to the person who typed a command.
    answer(response, NOT_READY);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    // First, so that Slack sends nothing more here; what has been acknowledged is still carried out.
    await this.#socket?.stop();
    await this.#background;
    await this.#inFlight.ended();
  }

  /** Undefined: Slack could not be reached, try again. Rejects when trying again is of no use. */
  async #signIn(): Promise<Identity | undefined> {
    try {
      return identityOf(await this.#clients.answers.auth.test());
    } catch (error) {
      if (error instanceof StartError) throw error;
      const why = whyFailed(error);
      if (tokenRefusal(error) !== undefined)
        throw new StartError(
          `Slack does not accept SLACK_BOT_TOKEN (${why}). Install the app and copy its Bot User OAuth Token, which begins with xoxb-.`,
        );
      this.#problem = `cannot sign in (${why})`;
      this.#options.log.warn({ failure: why }, 'cannot sign in to Slack yet');
      return undefined;
    }
  }

  async #keepTrying(): Promise<void> {
    const { clock, log } = this.#options;
    for (let failures = 1; !this.#stopping.signal.aborted; failures += 1) {
      await clock.sleep(backoffMs(failures, RETRY), this.#stopping.signal);
      if (this.#stopping.signal.aborted) return;
      try {
        const identity = await this.#signIn();
        if (identity !== undefined) return await this.#listen(identity);
      } catch (error) {
        // Too late to refuse the start: other platforms may be at work already.
        this.#problem = error instanceof Error ? error.message : 'unknown';
        log.error({ err: error }, 'Slack is not connected');
      }
    }
  }

  async #listen(identity: Identity): Promise<void> {
    this.#identity = identity;
    const receiver = this.#socket?.receiver ?? this.#endpoint?.receiver;
    if (receiver === undefined) throw new Error('no transport');
    const { botToken, apiUrl, inbound, log } = this.#options;
    const dispatcher = new Dispatcher({
      identity,
      inbound,
      surfaces: this.#surfaces,
      directory: this.#directory,
      log,
    });
    const inFlight = this.#inFlight;
    createSlackApp({ receiver, botToken, apiUrl, identity, dispatcher, inFlight, log });
    await this.#socket?.start();
    this.#listening = true;
  }
}

const identityOf = (answer: AuthTestResponse): Identity => {
  const { team_id: teamId, user_id: userId, bot_id: botId } = answer;
  if (teamId === undefined || userId === undefined)
    throw new StartError(
      'Slack does not say whose token SLACK_BOT_TOKEN is. Copy the Bot User OAuth Token, which begins with xoxb-.',
    );
  // A workspace without bot ids, as development servers are, has one all the same: the bot's user id.
  return { teamId, botUserId: userId, botId: botId ?? userId };
};
