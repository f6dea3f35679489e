/**
 * A Slack workspace for tests: people who type, press and fill in, against the real HTTP and WebSocket
 * edges of a bot. Behind it stands the Web API of the package `emulate`; in front of that our own server
 * keeps a ledger of every call, is as strict as Slack where the emulator is not, and makes things go wrong.
 *
 *     const slack = await startSlackWorkspace({
 *       transport: 'socket',                       // or 'http'
 *       people: ['ama', 'kofi'],
 *       channels: [{ name: 'sales' }, { name: 'board', private: true, bot: false }],
 *       groups: [{ handle: 'finance', members: ['kofi'] }],
 *     });
 *     // Give the bot slack.apiUrl, slack.botToken, and slack.appToken or slack.signingSecret.
 *     // With HTTP, say where it listens: slack.eventsUrl = 'http://127.0.0.1:3000/slack/events'.
 *
 *     const ama = slack.person('ama');
 *     await ama.slash('sales', '/charge', '0244123456 50');    // the acknowledgement, with its time
 *     const confirmation = await ama.ephemeral(/Charge/);       // waits for it
 *     await ama.press(confirmation, 'Charge GHS 50.00');
 *     const card = await slack.message('sales', /pending/);
 *     expect(await slack.transcript('sales')).toContain('completed');
 *
 *     await ama.slash('sales', '/charge');
 *     await ama.submit(await ama.modal(), { 'Customer number': '0244123456' });   // closed, or errors
 *
 *     slack.fail('chat.postMessage', { kind: 'rateLimited', retryAfterSeconds: 1 }, 2);
 *     slack.calls('chat.postMessage');                          // the ledger
 *     await slack.stop();                                       // fails if Slack had a complaint
 *
 * Only the scopes and slash commands of manifest.yml exist. A call with too long or empty texts, unknown
 * fields or live tokens is answered `invalid_blocks` and is a complaint; `stop` fails with all complaints
 * that were not expected through `slack.takeComplaints()`.
 */

import { Announcements } from './announcements.ts';
import { indent } from './blocks-to-text.ts';
import { type Delivered, HttpTransport } from './delivery.ts';
import { type ChannelSetup, Directory, type GroupSetup, groupId } from './directory.ts';
import {
  APP_TOKEN,
  BOT_NAME,
  BOT_TOKEN,
  CONFIG_TOKEN,
  EmulatedSlack,
  tokenOf,
} from './emulator.ts';
import { Ephemerals } from './ephemerals.ts';
import { type Fault, Faults } from './faults.ts';
import { type SharedFile, SharedFiles } from './files.ts';
import { Person } from './person.ts';
import { type Call, FrontServer } from './server.ts';
import { messageText, type ShownMessage } from './shown-message.ts';
import { SocketServer } from './socket-server.ts';
import { Stage } from './stage.ts';
import { waitFor } from './wait-for.ts';
import { WebApi } from './web-api.ts';

const SIGNING_SECRET = 'test-signing-secret';

export type WorkspaceSetup = {
  readonly transport: 'socket' | 'http';
  readonly people: readonly string[];
  readonly channels: readonly ChannelSetup[];
  readonly groups?: readonly GroupSetup[];
};

export const startSlackWorkspace = async (setup: WorkspaceSetup): Promise<SlackWorkspace> => {
  const slack = await EmulatedSlack.start(setup.people);
  const directory = await Directory.create(slack, setup.people, setup.channels, setup.groups ?? []);
  const workspace = new SlackWorkspace(slack, directory, setup.transport);
  await workspace.listen();
  return workspace;
};

export class SlackWorkspace {
  readonly botToken = BOT_TOKEN;
  readonly appToken = APP_TOKEN;
  readonly configToken = CONFIG_TOKEN;
  readonly signingSecret = SIGNING_SECRET;
  /** Where HTTP requests of Slack go; set it to the bot's own address. */
  eventsUrl = '';
  /** Where Slack wants files; undefined: at this server. */
  uploadsTo: string | undefined;
  /** Slack's side of Socket Mode: `refresh`, `cut`, `silent`. */
  readonly socket = new SocketServer();
  readonly #slack: EmulatedSlack;
  readonly #directory: Directory;
  readonly #faults = new Faults();
  readonly #files: SharedFiles;
  readonly #server: FrontServer;
  readonly #webApi: WebApi;
  readonly #stage: Stage;
  /** What Slack tells the app by itself. */
  readonly tells: Announcements;
  readonly #complaints: string[] = [];

  constructor(slack: EmulatedSlack, directory: Directory, transport: 'socket' | 'http') {
    this.#slack = slack;
    this.#directory = directory;
    const complain = (method: string, complaints: readonly string[]) => {
      this.#complaints.push(...complaints.map((each) => `${method}: ${each}`));
    };
    this.#files = new SharedFiles(complain);
    const baseUrl = () => `http://127.0.0.1:${this.#server.port}`;
    const post = (channel: string, body: object) =>
      slack.call('chat.postMessage', { ...body, channel }, BOT_TOKEN);
    const ephemerals = new Ephemerals({
      complain: (complaints) => complain('response_url', complaints),
      postMessage: post,
      updateMessage: (channel, ts, body) =>
        slack.call('chat.update', { ...body, channel, ts }, BOT_TOKEN),
    });
    this.#webApi = new WebApi(slack, directory, {
      complain,
      opened: (triggerId, view) => this.#stage.opened(triggerId, view),
      published: (userId, view) => this.#stage.published(userId, view),
      ephemeral: (message) => ephemerals.add(message),
      promised: (args, answer) => this.#files.promised(args, answer, this.uploadsTo ?? baseUrl()),
      completed: (args) => this.#files.completed(args),
      socketUrl: () => `ws://127.0.0.1:${this.#server.port}/link`,
    });
    this.#server = new FrontServer({
      faults: this.#faults,
      upgrade: (server) => this.socket.attach(server),
      handlers: {
        api: (method, args, token) => this.#webApi.call(method, args, token),
        responseUrl: (id, body) => ephemerals.receive(id, body),
        upload: (id, { headers }, bytes) => {
          const { 'content-type': type = '', authorization } = headers;
          this.#files.uploaded(id, type, bytes, authorization);
          return slack.upload(id, bytes);
        },
        download: (id, authorization) => this.#files.download(id, authorization),
      },
    });
    this.#stage = new Stage({
      slack,
      files: this.#files,
      directory,
      ephemerals,
      transport:
        transport === 'socket'
          ? this.socket
          : new HttpTransport({ secret: SIGNING_SECRET, urlOf: () => this.eventsUrl }),
      baseUrl,
    });
    this.tells = new Announcements(this.#stage, directory);
  }

  listen(): Promise<void> {
    return this.#server.listen();
  }

  /** `SLACK_API_URL` of this workspace. */
  get apiUrl(): string {
    return `http://127.0.0.1:${this.#server.port}/api/`;
  }

  get teamId(): string {
    return this.#directory.teamId;
  }

  person(name: string): Person {
    return new Person(this.#stage, name);
  }

  channelId(name: string): Promise<string> {
    return this.#stage.channelId(name);
  }

  /** What stands after `slack:` in an access file for a user group. */
  groupId(handle: string): string {
    return groupId(handle);
  }

  /** Puts other people into a user group. */
  changeGroup(handle: string, members: readonly string[]): void {
    this.#directory.changeGroup(handle, members);
  }

  /** What `users.info` says of somebody from now on, such as `{ is_restricted: true }` of a guest. */
  changeAccount(person: string, account: Readonly<Record<string, unknown>>): void {
    this.#directory.accounts.set(this.#directory.userId(person), account);
  }

  /** As if the app had been installed with other scopes; only told, the calls still work. */
  tellScopes(scopes: readonly string[]): void {
    this.#server.scopes = scopes;
  }

  /** As if the app had been made from another manifest; only told. */
  tellManifest(manifest: object): void {
    this.#webApi.manifest = manifest;
  }

  /** Every call of a method in order, or of all methods; `response_url` for answers to interactions. */
  calls(method?: string): readonly Call[] {
    const { calls } = this.#server;
    return method === undefined ? calls : calls.filter((call) => call.method === method);
  }

  /** How every request to the bot was acknowledged, in order. */
  get acks(): readonly Delivered[] {
    return this.#stage.acks;
  }

  /** From now on this goes wrong, `times` times or until `heal`. `*` stands for every method. */
  fail(method: string, fault: Fault, times?: number): void {
    this.#faults.plan(method, fault, times);
  }

  heal(): void {
    this.#faults.heal();
  }

  /** Slack cannot be reached at all: connections are cut, new ones refused. */
  async goOffline(): Promise<void> {
    await this.socket.close();
    await this.#server.close();
  }

  async comeBack(): Promise<void> {
    await this.#server.listen();
  }

  /** A channel's messages; `@ama` is that person's direct channel with the bot. */
  /** The channel and the `ts` of each pinned message, as `C1/1.2`. */
  get pins(): readonly string[] {
    return [...this.#webApi.pins];
  }

  messages(channel: string): Promise<ShownMessage[]> {
    return this.#stage.messages(channel);
  }

  /** Waits for a message that reads like this; the newest if there are several. */
  message(channel: string, pattern: RegExp): Promise<ShownMessage> {
    return waitFor(
      `${String(pattern)} in ${channel}`,
      async () =>
        (await this.messages(channel)).findLast((message) => pattern.test(this.#text(message))),
      () => this.transcript(channel),
    );
  }

  /** Waits for a file in a channel; the newest of that name. */
  async file(channel: string, name: RegExp): Promise<SharedFile> {
    return this.#files.in(await this.channelId(channel), name);
  }

  /** A channel as somebody reads it: `name: text`, further lines and replies indented. */
  async transcript(channel: string): Promise<string> {
    const lines = (await this.messages(channel)).map((message) => {
      const author =
        message.author === undefined ? BOT_NAME : this.#directory.nameOf(message.author);
      const text = indent(`${author}: ${this.#text(message)}`, '  ').slice(2);
      return message.thread === undefined ? text : indent(text, '    ');
    });
    return lines.join('\n');
  }

  /** Posts as a person, with any arguments of `chat.postMessage`; gives the message's `ts`. */
  async postAs(person: string, channel: string, args: Record<string, unknown>): Promise<string> {
    const place = { channel: await this.channelId(channel) };
    const posted = await this.#slack.must(
      'chat.postMessage',
      { ...place, ...args },
      tokenOf(person),
    );
    return String(posted.ts);
  }

  /** Removes a message, as somebody may do with a thread's parent. */
  async deleteMessage(message: ShownMessage): Promise<void> {
    const { channelId: channel, ts } = message;
    await this.#slack.must('chat.delete', { channel, ts }, BOT_TOKEN);
  }

  async archive(channel: string): Promise<void> {
    const { id, members } = this.#directory.channel(channel);
    await this.#slack.must('conversations.archive', { channel: id }, tokenOf(members[0] ?? ''));
  }

  /** What Slack would not have taken, so far; expected ones are taken away by asking. */
  takeComplaints(): readonly string[] {
    return this.#complaints.splice(0);
  }

  /** Stops everything; fails when there were complaints. */
  async stop(): Promise<void> {
    await this.goOffline();
    await this.#slack.stop();
    const complaints = this.takeComplaints();
    if (complaints.length > 0)
      throw new Error(`Slack would not have taken this:\n${complaints.join('\n')}`);
  }

  #text(message: ShownMessage): string {
    return messageText(message, (id) => this.#directory.nameOf(id));
  }
}
