import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { firstWord } from '../../commands/forms/first-word.ts';
import { type Answers, checkAnswers } from '../../commands/forms/form.ts';
import type { Inbound, InboundHandler } from '../../commands/inbound.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import { readButtonValue } from '../button-value.ts';
import { cut } from '../sanitise.ts';
import { commandNameOf, isCommandWord, spelledText, wordsOf } from './command-names.ts';
import { DuplicateMentions } from './duplicate-mentions.ts';
import { Refusals, SLACKBOT } from './external-users.ts';
import { FORM_CALLBACK, type ModalPurpose, modalAnswers, readPurpose } from './form-to-modal.ts';
import { limits } from './limits.ts';
import { OPEN_FORM, readOpenForm } from './open-form-button.ts';
import * as payloads from './payloads.ts';
import type { PersonNames } from './person-names.ts';
import type { ReplySurfaces, ReplyTargets } from './reply-surface.ts';
import type { SlackDirectory } from './slack-directory.ts';
import { afterMention, textAsTyped } from './text-as-typed.ts';

/** Who the bot is, as `auth.test` says. */
export type Identity = {
  readonly teamId: string;
  readonly botId: string;
  readonly botUserId: string;
};

/** What to answer a submitted form with, at once; `carryOut` comes after the answer. */
export type Submission =
  | { readonly kind: 'problems'; readonly problems: Record<string, string> }
  | { readonly kind: 'fine'; carryOut(): Promise<void> };

/** Who did something, where, and the id of the event. */
type SlackEvent = ReplyTargets & {
  /** What the event itself calls the person: a handle, most often. */
  readonly handle?: string | undefined;
  readonly eventId: string;
};

const FAULT = 'Something went wrong here, and it was logged. Please send it again.';
const OUTDATED = 'This form is out of date. Close it and type the command again.';

/** Translates what Slack sends into what commands understand. */
export class Dispatcher {
  readonly #identity: Identity;
  readonly #inbound: InboundHandler;
  readonly #surfaces: ReplySurfaces;
  readonly #directory: Pick<SlackDirectory, 'groupChanged'>;
  readonly #names: Pick<PersonNames, 'of'>;
  readonly #log: Log;
  readonly #duplicates = new DuplicateMentions();
  readonly #refusals: Refusals;

  constructor(options: {
    identity: Identity;
    inbound: InboundHandler;
    surfaces: ReplySurfaces;
    /** Told of changes in user groups. */
    directory: Pick<SlackDirectory, 'groupChanged'>;
    names: Pick<PersonNames, 'of'>;
    log: Log;
  }) {
    this.#identity = options.identity;
    this.#inbound = options.inbound;
    this.#surfaces = options.surfaces;
    this.#directory = options.directory;
    this.#names = options.names;
    this.#log = options.log;
    this.#refusals = new Refusals(options.log);
  }

  async command(body: unknown): Promise<void> {
    const typed = this.#read('command', payloads.slashCommand, body);
    if (typed === undefined) return;
    const inbound = await this.#inboundOf({
      conversation: this.#conversation(typed.channel_id),
      userId: typed.user_id,
      handle: typed.user_name,
      // The trigger is a command's event id; without one each delivery is a new event.
      eventId: `slack:${typed.trigger_id ?? randomUUID()}`,
      ...(typed.trigger_id === undefined ? {} : { triggerId: typed.trigger_id }),
      ...(typed.response_url === undefined ? {} : { responseUrl: typed.response_url }),
    });
    if (this.#isForeign(typed.team_id)) return this.#refusals.otherWorkspace(inbound);
    await this.#command(inbound, typed.command, textAsTyped(typed.text).trim());
  }

  async press(body: unknown): Promise<void> {
    const pressed = this.#read('press', payloads.blockActions, body);
    const [action] = pressed?.actions ?? [];
    // Slack reports presses of link buttons as well.
    if (pressed === undefined || action === undefined || action.url !== undefined) return;
    const event = this.#eventOfPress(pressed, action);
    if (event === undefined) return;
    const inbound = await this.#inboundOf(event);
    if (this.#isForeign(pressed.team?.id, pressed.user.team_id))
      return this.#refusals.otherWorkspace(inbound);
    const { verb, id } = readButtonValue(action.value ?? action.action_id);
    const wanted =
      verb === OPEN_FORM ? readOpenForm(id, (command) => this.#inbound.formOf(command)) : undefined;
    if (wanted !== undefined) return inbound.surface.ask(wanted.form, wanted.answers);
    await this.#inbound.press(inbound, verb, id);
  }

  /** Synchronous, because problems can be shown under their fields only in the acknowledgement. */
  submission(body: unknown): Submission {
    const submitted = this.#read('submission', payloads.viewSubmission, body);
    const view = submitted?.view;
    if (submitted === undefined || view?.callback_id !== FORM_CALLBACK) return nothingToDo;
    const purpose = readPurpose(view.private_metadata);
    const firstField = view.blocks[0]?.block_id ?? '';
    if (purpose === undefined || purpose.conversation.workspace !== this.#identity.teamId)
      return { kind: 'problems', problems: { [firstField]: OUTDATED } };
    const answers = { ...purpose.typed, ...modalAnswers(view.state.values) };
    const problems = this.#problems(purpose.command, answers, firstField);
    if (Object.keys(problems).length > 0) return { kind: 'problems', problems };
    return { kind: 'fine', carryOut: () => this.#submit(submitted, purpose, answers) };
  }

  async mention(body: unknown): Promise<void> {
    const said = this.#read('mention', payloads.messageEvent, body);
    const inbound = await this.#inboundOfMessage(said);
    if (said === undefined || inbound === undefined) return;
    if (this.#isForeignMessage(said)) return this.#refusals.otherWorkspace(inbound);
    if (said.is_ext_shared_channel === true) return this.#refusals.sharedChannel(inbound);
    const { word, rest } = firstWord(this.#wordsOf(said));
    await this.#command(inbound, word, rest);
  }

  async directMessage(body: unknown): Promise<void> {
    const said = this.#read('message', payloads.messageEvent, body);
    if (said?.event.channel_type !== 'im') return;
    const inbound = await this.#inboundOfMessage(said);
    if (inbound === undefined) return;
    if (this.#isForeignMessage(said)) return this.#refusals.otherWorkspace(inbound);
    const text = this.#wordsOf(said);
    const { word, rest } = firstWord(text);
    const isAnswer = word !== '' && !isCommandWord(word);
    if (isAnswer && (await this.#inbound.text(inbound, text))) return;
    await this.#command(inbound, word, rest);
  }

  #command(inbound: Inbound, typed: string, words: string): Promise<void> {
    const name = commandNameOf(typed);
    return this.#inbound.command(inbound, name, wordsOf(name, words));
  }

  /** A person came into a user group or left it. */
  groupChanged(body: unknown): void {
    const event = this.#read('change of a user group', payloads.groupChange, body)?.event;
    const id = event?.subteam_id ?? event?.subteam?.id;
    if (id !== undefined) this.#directory.groupChanged(id);
  }

  async #submit(
    { user, team, view }: payloads.ViewSubmission,
    { command, conversation }: ModalPurpose,
    answers: Answers,
  ): Promise<void> {
    const inbound = await this.#inboundOf({
      conversation,
      userId: user.id,
      handle: user.username ?? user.name,
      eventId: `slack:${view.id}`,
    });
    if (this.#isForeign(team?.id, user.team_id)) return this.#refusals.otherWorkspace(inbound);
    await this.#inbound.submit(inbound, command, answers);
  }

  #problems(command: string, answers: Answers, firstField: string): Record<string, string> {
    try {
      const form = this.#inbound.formOf(command);
      // The router answers a command without a form.
      const problems = form === undefined ? [] : Object.entries(checkAnswers(form, answers));
      return Object.fromEntries(
        problems.map(([name, problem]) => [name, cut(spelledText(problem), limits.inputProblem)]),
      );
    } catch (error) {
      // Without an acknowledgement Slack shows an error; as a problem the form keeps what was typed.
      this.#log.error({ err: error, command }, 'a form could not be checked');
      return { [firstField]: FAULT };
    }
  }

  #eventOfPress(
    { user, channel, container, message, ...pressed }: payloads.BlockActions,
    { action_id, action_ts }: payloads.BlockActions['actions'][number],
  ): SlackEvent | undefined {
    const channelId = channel?.id ?? container.channel_id;
    const ts = container.message_ts ?? message?.ts;
    if (channelId === undefined) {
      this.#log.warn('a button outside of messages was pressed');
      return undefined;
    }
    const thread = container.thread_ts ?? message?.thread_ts;
    return {
      conversation: this.#conversation(channelId, thread === ts ? undefined : thread),
      userId: user.id,
      handle: user.username ?? user.name,
      eventId: `slack:${user.id}:${ts}:${action_id}:${action_ts}`,
      ...(ts === undefined ? {} : { pressed: { ts, ephemeral: container.is_ephemeral === true } }),
      ...(pressed.trigger_id === undefined ? {} : { triggerId: pressed.trigger_id }),
      ...(pressed.response_url === undefined ? {} : { responseUrl: pressed.response_url }),
    };
  }

  /** Undefined for what no person just typed: messages of bots, edits, joins. */
  async #inboundOfMessage(said: payloads.MessageEvent | undefined): Promise<Inbound | undefined> {
    if (said === undefined) return undefined;
    const { event, event_id } = said;
    const { user, ts, channel } = event;
    const byBot =
      event.bot_id !== undefined || [this.#identity.botUserId, SLACKBOT].includes(user ?? '');
    const notNew = event.subtype !== undefined || event.edited !== undefined || event.hidden;
    if (user === undefined || byBot || notNew) return undefined;
    if (this.#duplicates.isDuplicate(`${channel}:${ts}`, event_id)) return undefined;
    const { display_name, real_name } = event.user_profile ?? {};
    return this.#inboundOf({
      // The parent of a thread names itself as its thread.
      conversation: this.#conversation(
        channel,
        event.thread_ts === ts ? undefined : event.thread_ts,
      ),
      userId: user,
      handle: display_name || real_name,
      eventId: `slack:${event_id}`,
    });
  }

  async #inboundOf({ handle, eventId, ...targets }: SlackEvent): Promise<Inbound> {
    const name = await this.#names.of(targets.userId, handle);
    return {
      caller: { platform: 'slack', id: targets.userId, name, conversation: targets.conversation },
      eventId,
      surface: this.#surfaces.surfaceFor(targets),
      ...pressedMessage(targets),
    };
  }

  #wordsOf({ event }: payloads.MessageEvent): string {
    return textAsTyped(afterMention(event.text, this.#identity.botUserId)).trim();
  }

  #conversation(channel: string, thread?: string): Conversation {
    const place = { platform: 'slack', workspace: this.#identity.teamId, channel };
    return thread === undefined ? place : { ...place, thread };
  }

  /** People of other workspaces reach the bot in channels shared with them. */
  #isForeign(...teams: (string | undefined)[]): boolean {
    return teams.some((team) => team !== undefined && team !== this.#identity.teamId);
  }

  #isForeignMessage({ team_id, event }: payloads.MessageEvent): boolean {
    return this.#isForeign(team_id, event.team, event.user_team, event.source_team);
  }

  #read<T>(what: string, schema: z.ZodType<T>, body: unknown): T | undefined {
    const result = schema.safeParse(body);
    if (result.success) return result.data;
    const where = result.error.issues.map(({ path }) => path.join('.'));
    this.#log.error({ what, where }, 'Slack sent something in a form that is not known');
    return undefined;
  }
}

/** The pressed question never becomes the card here: it may be private, the card is not. */
const pressedMessage = ({
  pressed,
  responseUrl,
  conversation,
}: ReplyTargets): Pick<Inbound, 'pressed'> => {
  const message = pressed?.ephemeral === true ? responseUrl : pressed?.ts;
  return message === undefined
    ? {}
    : { pressed: { ref: { conversation, message }, canBecomeCard: false } };
};

const nothingToDo: Submission = { kind: 'fine', carryOut: async () => {} };
