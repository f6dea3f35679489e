import type { Delivered, Done, Payload } from './delivery.ts';
import {
  APP_ID,
  BOT_USER_ID,
  ESCAPED_COMMANDS,
  SLASH_COMMANDS,
  shortcutNamed,
  tokenOf,
} from './emulator.ts';
import { errorsOf, type Submitted, updateIn } from './modal-answer.ts';
import { stateOf } from './modal-state.ts';
import { buttonOf, messageText, type ShownMessage } from './shown-message.ts';
import type { OpenModal, Stage } from './stage.ts';
import { waitFor } from './wait-for.ts';

/** Somebody who types, presses and fills in. */
export class Person {
  readonly name: string;
  readonly id: string;
  readonly #stage: Stage;
  readonly #teamId: string;

  constructor(stage: Stage, name: string, teamId = stage.directory.teamId) {
    this.#stage = stage;
    this.name = name;
    this.id = stage.directory.userId(name);
    this.#teamId = teamId;
  }

  /** The same person as a stranger from another company's workspace. */
  fromTeam(teamId: string): Person {
    return new Person(this.#stage, this.name, teamId);
  }

  /** Types a slash command. Slack knows only those of the manifest, unless told otherwise. */
  async slash(
    channel: string,
    command: string,
    text = '',
    options: { unknownToo?: boolean; responseUrl?: string } = {},
  ): Promise<Done> {
    if (!SLASH_COMMANDS.includes(command) && options.unknownToo !== true)
      throw new Error(`Slack does not know ${command}: it is not in the manifest`);
    const channelId = await this.#stage.channelId(channel);
    return this.#deliver('slash_commands', {
      token: 'unused',
      team_id: this.#teamId,
      team_domain: 'acme',
      channel_id: channelId,
      channel_name: channel.startsWith('@') ? 'directmessage' : channel,
      user_id: this.id,
      user_name: this.name,
      command,
      text: ESCAPED_COMMANDS.includes(command) ? this.#mentioned(text) : escaped(text),
      api_app_id: APP_ID,
      is_enterprise_install: 'false',
      response_url: options.responseUrl ?? this.#stage.responseUrl({ userId: this.id, channelId }),
      trigger_id: await this.#stage.trigger(this.id),
    });
  }

  /** Names of people as Slack picks them from its list: with their ids. */
  #mentioned(text: string): string {
    const { directory } = this.#stage;
    return escaped(text).replace(/@(\w+)/g, (typed, name: string) =>
      directory.people.includes(name) ? `<@${directory.userId(name)}|${name}>` : typed,
    );
  }

  /** Writes something that is not for the bot; gives the message's `ts`, to start a thread from. */
  async write(channel: string, text: string, options: { thread?: string } = {}): Promise<string> {
    const event = await this.#post(channel, escaped(text), options.thread);
    return String(event.ts);
  }

  /** Mentions the bot in a channel or thread where it is a member. `raw`: the text is Slack's markup already. */
  async mention(
    channel: string,
    text: string,
    options: {
      thread?: string;
      raw?: boolean;
      twin?: boolean;
      event?: Payload;
      envelope?: Payload;
    } = {},
  ): Promise<Done> {
    if (!this.#stage.directory.channel(channel).bot)
      throw new Error(`the bot hears nothing in #${channel}: it is no member`);
    const markup = `<@${BOT_USER_ID}> ${options.raw === true ? text : escaped(text)}`;
    const event = await this.#post(channel, markup, options.thread);
    const mention = { ...event, type: 'app_mention', ...options.event };
    const done = await this.#event(mention, options.envelope);
    // Slack sends both when an app listens to a channel's messages as well.
    if (options.twin === true) await this.#event({ ...event, type: 'message', channel_type: 'im' });
    return done;
  }

  /** Writes to the bot alone. */
  async directMessage(
    text: string,
    options: { thread?: string; raw?: boolean; event?: Payload } = {},
  ): Promise<Done> {
    const markup = options.raw === true ? text : escaped(text);
    const event = await this.#post(`@${this.name}`, markup, options.thread);
    return this.#event({ ...event, type: 'message', channel_type: 'im', ...options.event });
  }

  /** Drops a file into a channel with the bot mentioned beside it, or into the direct chat with the bot. */
  async sendFile(channel: string, name: string, bytes: Buffer | string, text = ''): Promise<Done> {
    const event = { files: [this.#stage.fileOf(name, Buffer.from(bytes))] };
    return channel === `@${this.name}`
      ? this.directMessage(name, { event: { ...event, subtype: 'file_share', text } })
      : this.mention(channel, text, { event });
  }

  /** Presses a button, named by its label or the beginning of it. Old copies of a message may be pressed too. */
  async press(message: ShownMessage, label: string): Promise<Done> {
    return this.#pressIn(message, buttonOf(message, label));
  }

  /** Presses one button of a message with what another says: changed clients can. */
  async forge(message: ShownMessage, label: string, value: string): Promise<Done> {
    const { button, blockId } = buttonOf(message, label);
    return this.#pressIn(message, { button: { ...button, value }, blockId });
  }

  async #pressIn(
    message: ShownMessage,
    { button, blockId }: ReturnType<typeof buttonOf>,
  ): Promise<Done> {
    const { ts, channelId, thread } = message;
    const ephemeral = message.seenBy !== undefined;
    const threadTs = thread ?? (message.hasReplies === true ? ts : undefined);
    const inThread = threadTs === undefined ? {} : { thread_ts: threadTs };
    const origin = ephemeral ? { ephemeral: message } : { messageTs: ts };
    const responseUrl = this.#stage.responseUrl({
      userId: this.id,
      channelId,
      ...origin,
      ...(thread === undefined ? {} : { thread }),
    });
    return this.#deliver('interactive', {
      ...(await this.#interaction('block_actions')),
      container: {
        type: 'message',
        message_ts: ts,
        channel_id: channelId,
        is_ephemeral: ephemeral,
        ...inThread,
      },
      channel: { id: channelId, name: 'named' },
      ...(ephemeral
        ? {}
        : {
            message: {
              type: 'message',
              ts,
              text: message.text,
              blocks: message.blocks,
              ...inThread,
            },
          }),
      state: { values: {} },
      response_url: responseUrl,
      actions: [{ ...button, block_id: blockId, action_ts: `${performance.now()}` }],
    });
  }

  /** The modal in front of this person; waits for one to open. */
  modal(): Promise<OpenModal> {
    return waitFor(`a modal in front of ${this.name}`, () => this.#stage.modalsOf(this.id).at(-1));
  }

  /** Fills in a modal, fields by label or block id, the others as they are, and submits it. */
  async submit(
    modal: OpenModal,
    values: Readonly<Record<string, string>> = {},
  ): Promise<Submitted> {
    const done = await this.#deliver('interactive', {
      ...(await this.#interaction('view_submission')),
      view: {
        ...modal.view,
        id: modal.viewId,
        hash: modal.hash,
        team_id: this.#teamId,
        app_id: APP_ID,
        state: { values: stateOf(modal.view, values) },
      },
      response_urls: [],
    });
    if (!done.ok) return { done, kind: 'trouble' };
    if (done.answer === undefined) {
      this.#stage.closeModal(this.id, modal.viewId);
      return { done, kind: 'closed' };
    }
    const view = updateIn(done.answer);
    if (view === undefined) return { done, kind: 'errors', errors: errorsOf(done.answer, modal) };
    this.#stage.closeModal(this.id, modal.viewId);
    return { done, kind: 'updated', view };
  }

  /** Opens the app's Home tab, or its tab of messages. */
  openHome(options: { tab?: string; envelope?: Payload } = {}): Promise<Done> {
    const { tab = 'home', envelope } = options;
    return this.#event(
      { type: 'app_home_opened', user: this.id, channel: 'D0HOME', tab },
      envelope,
    );
  }

  /** What the Home tab has shown this person, oldest first, as it reads. */
  homes(): string[] {
    const nameOf = (id: string) => this.#stage.directory.nameOf(id);
    return this.#stage.homesOf(this.id).map((home) => messageText(home, nameOf));
  }

  /** Waits until the newest Home tab reads like this. */
  home(pattern: RegExp): Promise<ShownMessage> {
    return waitFor(
      `${String(pattern)} on the home of ${this.name}`,
      () =>
        pattern.test(this.homes().at(-1) ?? '') ? this.#stage.homesOf(this.id).at(-1) : undefined,
      () => this.homes().at(-1) ?? 'nothing',
    );
  }

  /** Presses a button on the Home tab, which may be an old copy. */
  async pressHome(home: ShownMessage, label: string): Promise<Done> {
    const { button, blockId } = buttonOf(home, label);
    return this.#deliver('interactive', {
      ...(await this.#interaction('block_actions')),
      container: { type: 'view', view_id: 'V0HOME' },
      view: {
        id: 'V0HOME',
        type: 'home',
        team_id: this.#teamId,
        private_metadata: '',
        blocks: home.blocks,
      },
      actions: [{ ...button, block_id: blockId, action_ts: `${performance.now()}` }],
    });
  }

  /** Starts a shortcut of the whole workspace, by its name in the menu. */
  async shortcut(name: string): Promise<Done> {
    return this.#deliver('interactive', {
      ...(await this.#interaction('shortcut')),
      callback_id: shortcutNamed(name, 'global'),
      action_ts: `${performance.now()}`,
    });
  }

  /** Starts a shortcut on a message, by its name in the menu. */
  async messageShortcut(
    name: string,
    message: { channel: string; ts: string; text: string; thread?: string },
  ): Promise<Done> {
    const channelId = await this.#stage.channelId(message.channel);
    const { ts, text, thread } = message;
    return this.#deliver('interactive', {
      ...(await this.#interaction('message_action')),
      callback_id: shortcutNamed(name, 'message'),
      action_ts: `${performance.now()}`,
      channel: { id: channelId, name: 'named' },
      message_ts: ts,
      message: {
        type: 'message',
        ts,
        text,
        user: this.id,
        ...(thread === undefined ? {} : { thread_ts: thread }),
      },
      response_url: this.#stage.responseUrl({ userId: this.id, channelId }),
    });
  }

  /** Closes a modal without submitting it. */
  close({ viewId }: OpenModal): void {
    this.#stage.closeModal(this.id, viewId);
  }

  /** What only this person sees, oldest first, as it reads. @default all of it */
  ephemerals(isMeant: (message: ShownMessage) => boolean = () => true): string[] {
    const nameOf = (id: string) => this.#stage.directory.nameOf(id);
    return this.#stage.ephemerals
      .of(this.id)
      .filter(isMeant)
      .map((message) => messageText(message, nameOf));
  }

  /** Types a slash command with its words, and waits for the private message that answers it. */
  async ask(channel: string, line: string, answer: RegExp): Promise<ShownMessage> {
    await this.#typeLine(channel, line);
    return this.ephemeral(answer);
  }

  /** The same, and waits for the modal that it opens. */
  async form(channel: string, line: string): Promise<OpenModal> {
    await this.#typeLine(channel, line);
    return this.modal();
  }

  /** Presses a button, and waits for the private message that answers it. */
  async choose(message: ShownMessage, label: string, answer: RegExp): Promise<ShownMessage> {
    await this.press(message, label);
    return this.ephemeral(answer);
  }

  #typeLine(channel: string, line: string): Promise<Done> {
    const [command = '', ...words] = line.split(' ');
    return this.slash(channel, command, words.join(' '));
  }

  /** Waits for a private message that reads like this; the newest if there are several. */
  ephemeral(pattern: RegExp): Promise<ShownMessage> {
    return this.#shown(pattern, () => this.#stage.ephemerals.of(this.id));
  }

  /** The same, or else a message in the direct chat with the bot. */
  direct(pattern: RegExp): Promise<ShownMessage> {
    return this.#shown(pattern, async () => [
      ...(await this.#stage.messages(`@${this.name}`)),
      ...this.#stage.ephemerals.of(this.id),
    ]);
  }

  /** Opens Slack anew: ephemeral messages are gone. */
  reload(): void {
    this.#stage.ephemerals.forget(this.id);
  }

  async #shown(
    pattern: RegExp,
    messages: () => readonly ShownMessage[] | Promise<readonly ShownMessage[]>,
  ): Promise<ShownMessage> {
    const textOf = (message: ShownMessage) =>
      messageText(message, (id) => this.#stage.directory.nameOf(id));
    return waitFor(
      `${this.name} to see ${String(pattern)}`,
      async () => (await messages()).findLast((message) => pattern.test(textOf(message))),
      async () => (await messages()).map(textOf).join('\n---\n'),
    );
  }

  async #post(channel: string, text: string, thread: string | undefined): Promise<Payload> {
    const channelId = await this.#stage.channelId(channel);
    const place = thread === undefined ? {} : { thread_ts: thread };
    const posted = await this.#stage.slack.must(
      'chat.postMessage',
      { channel: channelId, text, ...place },
      tokenOf(this.name),
    );
    const { ts } = posted as { ts?: string };
    return {
      user: this.id,
      text,
      ts,
      channel: channelId,
      event_ts: ts,
      team: this.#teamId,
      ...place,
    };
  }

  #event(event: Payload, envelope: Payload = {}): Promise<Done> {
    return this.#deliver('events_api', {
      ...this.#stage.envelope(event),
      is_ext_shared_channel: this.#teamId !== this.#stage.directory.teamId,
      ...envelope,
    });
  }

  async #interaction(type: string): Promise<Payload> {
    return {
      type,
      trigger_id: await this.#stage.trigger(this.id),
      user: { id: this.id, username: this.name, name: this.name, team_id: this.#teamId },
      api_app_id: APP_ID,
      token: 'unused',
      team: { id: this.#stage.directory.teamId, domain: 'acme' },
      enterprise: null,
      is_enterprise_install: false,
    };
  }

  async #deliver(kind: Delivered['kind'], payload: Payload, retry?: number): Promise<Done> {
    const delivered = await this.#stage.deliver(kind, payload, retry);
    return { ...delivered, again: () => this.#deliver(kind, payload, (retry ?? 0) + 1) };
  }
}

/** Slack's own escaping of what people type. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
