import type { Receiver, ViewSubmitAction } from '@slack/bolt';
import type { AuthTestResponse } from '@slack/web-api';
import { answer, NOT_READY } from '../../core/http/answer.ts';
import { backoffMs } from '../../core/runtime/backoff.ts';
import { StartError } from '../../core/runtime/errors.ts';
import { InFlight } from '../../core/runtime/in-flight.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import type { Bot, HandleRequest, HomeChange } from '../bot.ts';
import type { BotParts } from '../platform.ts';
import { App } from './bolt.ts';
import { CommandNames } from './command-names.ts';
import { Dispatcher } from './dispatcher.ts';
import { tokenRefusal, whyFailed } from './failure.ts';
import { greeter } from './greeter.ts';
import { HomeTab } from './home-tab.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import { Outbound } from './outbound.ts';
import { permalinks } from './permalinks.ts';
import { placeProblem } from './picked-place.ts';
import { receivedFile } from './receive-file.ts';
import { ReplySurfaces } from './reply-surface.ts';
import { createWebClients, type Identity, type SlackParts, sdkLog } from './sdk.ts';
import type { SLACK_EVENTS_PATH, SlackSettings } from './settings.ts';
import { SlackDirectory } from './slack-directory.ts';
import { SocketConnection } from './socket.ts';

export type SlackOptions = SlackSettings &
  Pick<BotParts, 'inbound' | 'homeOf' | 'linkToPayment' | 'clock' | 'log' | 'pacer'>;

const SIGN_IN_BACKOFF = { firstMs: 1_000, longestMs: 60_000 };

/** The Slack bot. `start` rejects with a StartError when a token is certainly wrong. */
export class SlackBot implements Bot {
  readonly platform = 'slack';
  /** HTTP mode only: takes requests to {@link SLACK_EVENTS_PATH}. */
  readonly handle?: HandleRequest;
  readonly post: Bot['post'];
  readonly edit: Bot['edit'];
  readonly pin: NonNullable<Bot['pin']>;
  readonly linkTo: NonNullable<Bot['linkTo']>;
  readonly #with: SlackOptions & SlackParts;
  readonly #directory: SlackDirectory;
  readonly #homes: HomeTab;
  readonly #receiver: Receiver;
  /** Undefined: requests come by HTTP and need no connection. */
  readonly #socket: SocketConnection | undefined;
  readonly #inFlight = new InFlight();
  readonly #stopping = new AbortController();
  #identity: Identity | undefined;
  /** Why events are not handed over yet; undefined once they are. */
  #problem: string | undefined = 'not started';
  /** Slack's code since it refuses the token. */
  #refusal: string | undefined;

  constructor(options: SlackOptions) {
    const clients = createWebClients(options);
    const names = new CommandNames(options.commandPrefix);
    this.#with = { ...options, clients, names, self: () => this.#identity };
    const outbound = new Outbound(this.#with);
    this.post = (message) => outbound.post(message);
    this.edit = (...edit) => outbound.edit(...edit);
    this.pin = (...pin) => outbound.pin(...pin);
    const teamId = async () => this.#identity?.teamId;
    this.#directory = new SlackDirectory({ ...options, client: clients.answers, teamId });
    this.linkTo = permalinks(this.#with);
    this.#homes = new HomeTab({
      ...this.#with,
      directory: this.#directory,
      inFlight: this.#inFlight,
      stopping: this.#stopping.signal,
    });
    const { transport } = options;
    if (transport.kind === 'socket') {
      this.#socket = new SocketConnection({ ...options, ...transport });
      this.#receiver = this.#socket.receiver;
    } else {
      const endpoint = new HttpEndpoint({ ...options, ...transport });
      this.#receiver = endpoint.receiver;
      // After a 503 Slack delivers events again, and shows an error to the person who typed a command.
      this.handle = (request, response) =>
        this.#problem === undefined && !this.#stopping.signal.aborted
          ? endpoint.handle(request, response)
          : answer(response, NOT_READY);
    }
  }

  async start(): Promise<void> {
    const identity = await this.#signIn();
    if (identity === undefined) void this.#inFlight.add(this.#keepTrying());
    else await this.#listen(identity);
  }

  notReady(): string | undefined {
    if (this.#problem !== undefined) return `Slack: ${this.#problem}`;
    if (this.#refusal !== undefined) return `Slack: SLACK_BOT_TOKEN is refused (${this.#refusal})`;
    return this.#socket?.connected === false ? 'Slack: not connected' : undefined;
  }

  /** A bot token that was taken back leaves the connection of the other one, and requests by HTTP, as they are. */
  async probe(): Promise<void> {
    if (this.#problem !== undefined) return;
    try {
      await this.#with.clients.answers.auth.test();
      this.#refusal = undefined;
    } catch (error) {
      this.#refusal = tokenRefusal(error) ?? this.#refusal;
    }
  }

  readerIn({ channel }: Conversation, userId: string): Promise<string | undefined> {
    return this.#directory.readerIn(channel, userId);
  }

  refreshHomes(change: HomeChange): void {
    this.#homes.changed(change);
  }

  membersOf(groupId: string): Promise<ReadonlySet<string>> {
    return this.#directory.membersOf(groupId);
  }

  isGuest(userId: string): Promise<boolean> {
    return this.#directory.isGuest(userId);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    // First, so that Slack sends nothing more here; what has been acknowledged is still carried out.
    await this.#socket?.stop();
    await this.#inFlight.ended();
  }

  /** Undefined: Slack could not be reached, try again. Rejects when trying again is of no use. */
  async #signIn(): Promise<Identity | undefined> {
    const { clients, log } = this.#with;
    let answered: AuthTestResponse;
    try {
      answered = await clients.answers.auth.test();
    } catch (error) {
      const failure = whyFailed(error);
      if (tokenRefusal(error) !== undefined)
        throw new StartError(
          `Slack does not accept SLACK_BOT_TOKEN (${failure}). Install the app and copy its Bot User OAuth Token, which begins with xoxb-.`,
        );
      this.#problem = `cannot sign in (${failure})`;
      log.warn({ failure }, 'cannot sign in to Slack yet');
      return undefined;
    }
    const { team_id: teamId, user_id: botUserId, bot_id: botId } = answered;
    if (teamId === undefined || botUserId === undefined)
      throw new StartError(
        'Slack does not say whose token SLACK_BOT_TOKEN is. Copy the Bot User OAuth Token, which begins with xoxb-.',
      );
    // Development servers give no bot id; the bot's user id takes its place.
    return { teamId, botUserId, botId: botId ?? botUserId };
  }

  async #keepTrying(): Promise<void> {
    const { clock, log } = this.#with;
    for (let failures = 1; !this.#stopping.signal.aborted; failures += 1) {
      await clock.sleep(backoffMs(failures, SIGN_IN_BACKOFF), this.#stopping.signal);
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
    const parts = { ...this.#with, identity };
    const dispatcher = new Dispatcher({
      ...parts,
      surfaces: new ReplySurfaces(parts),
      directory: this.#directory,
      homes: this.#homes,
      fileOf: (file) => receivedFile(file, parts),
      greet: greeter({ ...parts, post: this.post, stopping: this.#stopping.signal }),
      placeProblem: (picked) =>
        placeProblem({ client: parts.clients.quick, log: parts.log }, picked),
    });
    this.#serve(dispatcher, identity);
    await this.#socket?.start();
    this.#problem = undefined;
  }

  /**
   * What Slack sends, by socket or by HTTP, and the dispatcher's method for it. Each kind of request has exactly one
   * listener: Bolt (5.1) runs all that match, and leaves a request without a match unanswered. A listener acknowledges
   * before it works; what could not be acknowledged is not carried out, because Slack shows the person that it failed.
   */
  #serve(dispatcher: Dispatcher, { botId, botUserId }: Identity): void {
    const { botToken: token, apiUrl: slackApiUrl, log } = this.#with;
    const app = new App({
      receiver: this.#receiver,
      token,
      // Both, or Bolt asks Slack who it is at every single request.
      botId,
      botUserId,
      tokenVerificationEnabled: false,
      convoStore: false,
      logger: sdkLog(log),
      clientOptions: { slackApiUrl },
    });
    const held = (work: Promise<void>): Promise<void> => this.#inFlight.add(work);
    const answered = (ack: () => Promise<unknown>, work: () => Promise<void>): Promise<void> =>
      held(ack().then(work));

    app.command(/^/, ({ ack, body }) => answered(ack, () => dispatcher.command(body)));
    app.action({}, ({ ack, body }) => answered(ack, () => dispatcher.press(body)));
    app.view<ViewSubmitAction>({ type: 'view_submission' }, ({ ack, body }) =>
      held(dispatcher.submission(body, ack)),
    );
    app.shortcut({}, ({ ack, body }) => answered(ack, () => dispatcher.shortcut(body)));
    app.event('app_mention', ({ body }) => held(dispatcher.mention(body)));
    app.event('message', ({ body }) => held(dispatcher.directMessage(body)));
    app.event('app_home_opened', async ({ body }) => dispatcher.homeOpened(body));
    app.event('member_joined_channel', ({ body }) => held(dispatcher.memberJoined(body)));
    app.event('subteam_members_changed', async ({ body }) => dispatcher.groupChanged(body));
    app.event('subteam_updated', async ({ body }) => dispatcher.groupChanged(body));
    // Not used yet, but Slack shows an error for each that is not acknowledged.
    app.view({ type: 'view_closed' }, ({ ack }) => ack());
    app.options({}, ({ ack }) => ack());

    app.error(async (error) => {
      // Not the error itself: the SDK's errors carry requests and answers along.
      const { name, message, stack } = error.original ?? error;
      log.error({ err: { name, message, stack } }, 'an event of Slack failed');
    });
  }
}
