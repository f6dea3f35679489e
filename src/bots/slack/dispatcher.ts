import type { types } from '@slack/bolt';
import type { z } from 'zod';
import { logRefusal } from '../../commands/access/denial.ts';
import { type Card, plainCard } from '../../commands/cards/card.ts';
import { type Answers, checkAnswers } from '../../commands/forms/form.ts';
import {
  firstWord,
  type Inbound,
  type InboundHandler,
  type IncomingFile,
} from '../../commands/inbound.ts';
import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Log } from '../../core/runtime/log.ts';
import { OTHER_RIGHTS } from '../bot.ts';
import { NOT_THERE, readButtonValue } from '../button-value.ts';
import { cut } from '../sanitise.ts';
import type { CommandNames } from './command-names.ts';
import * as modal from './form-to-modal.ts';
import type { HomeTab } from './home-tab.ts';
import { limits } from './limits.ts';
import { afterMention, textAsTyped } from './markup.ts';
import { OPEN_FORM, readOpenForm } from './open-form.ts';
import { goOnThere, type Picked, PLACE } from './picked-place.ts';
import * as read from './read-event.ts';
import { pressedMessage, type ReplySurfaces } from './reply-surface.ts';
import type { Identity } from './sdk.ts';
import type { SlackDirectory } from './slack-directory.ts';

/** Answers a submitted form: with what is wrong by field, with words in its place, or closes it. */
type SubmissionAck = (
  answer?:
    | { response_action: 'errors'; errors: Record<string, string> }
    | { response_action: 'update'; view: types.ModalView },
) => Promise<void>;

type Options = {
  readonly identity: Identity;
  readonly inbound: InboundHandler;
  readonly surfaces: Pick<ReplySurfaces, 'surfaceFor'>;
  readonly directory: Pick<SlackDirectory, 'groupChanged' | 'nameOf'>;
  readonly greet: (joined: read.MemberJoined) => Promise<void>;
  readonly homes: Pick<HomeTab, 'changed' | 'opened'>;
  readonly fileOf: (file: read.FileSaid) => IncomingFile;
  /** Why a command of this person must not count in a channel that they picked. */
  readonly placeProblem: (picked: Picked) => Promise<string | undefined>;
  readonly names: CommandNames;
  readonly log: Log;
};

const FAULT = 'Something went wrong here, and it was logged. Please send it again.';
const OUTDATED = 'This form is out of date. Close it and type the command again.';

const refusal = (title: string, text: string): Card =>
  plainCard(title, `Nothing was done. ${text}`, 'warning');
const ONE_FILE = refusal('One file at a time', 'Send each file in a message of its own.');
const OTHER_WORKSPACE = refusal(
  'Not from another workspace',
  'I work only for members of this workspace.',
);
const SHARED_CHANNEL = refusal(
  'Not in a channel shared with another company',
  'The other company would read my answers. Use a channel of your own, or a direct message.',
);

/** Slack's own account. It posts what a person scheduled earlier, so that person's rights cannot be asked now. */
const SLACKBOT = 'USLACKBOT';

/** Slack sends both events of one post within moments. */
const MOST_POSTS = 1_000;
const MOST_REFUSALS = 1_000;

/** Hands what Slack sent to the commands: one method for each kind of event. */
export class Dispatcher {
  readonly #with: Options;
  /** The event by which each post came first. */
  readonly #firstEvents = new BoundedMap<string, string>(MOST_POSTS);
  readonly #refused = new BoundedMap<string, true>(MOST_REFUSALS);

  constructor(options: Options) {
    this.#with = options;
  }

  async command(body: unknown): Promise<void> {
    const typed = this.#read('command', read.slashCommand, body);
    const inbound = await this.#admitted(typed?.event);
    if (typed === undefined || inbound === undefined) return;
    await this.#run(inbound, typed.command, typed.words);
  }

  async press(body: unknown): Promise<void> {
    const pressed = this.#read('press', read.blockActions, body);
    if (pressed === undefined || pressed.isLink) return;
    if (pressed.event === undefined)
      this.#with.log.warn('a button outside of messages was pressed');
    const inbound = await this.#admitted(pressed.event);
    if (inbound === undefined) return;
    if (!pressed.isThere) return inbound.surface.say(NOT_THERE);
    const { verb, id } = readButtonValue(pressed.value);
    const commands = this.#with.inbound;
    const asked =
      verb === OPEN_FORM ? readOpenForm(id, (command) => commands.formOf(command)) : undefined;
    await (asked === undefined ? commands.press(inbound, verb, id) : inbound.surface.ask(...asked));
  }

  /** Calls `ack` before all but a picked channel is awaited: only that can show problems under their fields. */
  async submission(body: unknown, ack: SubmissionAck): Promise<void> {
    const submitted = this.#read('submission', read.viewSubmission, body);
    if (submitted?.callbackId !== modal.FORM_CALLBACK) return ack();
    const { purpose, firstField, blocks, event } = submitted;
    const { names, identity } = this.#with;
    const refuse = (errors: Record<string, string>) => ack({ response_action: 'errors', errors });
    if (purpose === undefined || read.isForeign([purpose.conversation.workspace], identity))
      return refuse({ [firstField]: OUTDATED });
    const { command, conversation } = purpose;
    const { [PLACE]: picked, ...given } = submitted.answers;
    const answers = { ...purpose.typed, ...given };
    const problems = this.#problems(command, answers, firstField);
    const wrong = Object.keys(problems);
    const form = this.#with.inbound.formOf(command);
    // Slack shows no problem with a field that the modal left out: it is asked now.
    if (form !== undefined && blocks.length > 0 && wrong.some((name) => !blocks.includes(name))) {
      const listed = picked === undefined ? {} : { where: { last: picked } };
      const view = modal.formToModal(form, answers, conversation, listed, names);
      return ack({ response_action: 'update', view });
    }
    if (wrong.length > 0) return refuse(problems);
    if (picked === undefined) {
      await ack();
    } else {
      const problem = await this.#with.placeProblem({ userId: event.userId, channel: picked });
      if (problem !== undefined) return refuse({ [PLACE]: problem });
      await ack({ response_action: 'update', view: goOnThere(submitted.title, picked) });
    }
    const { channel, thread } = picked === undefined ? conversation : { channel: picked };
    const inbound = await this.#admitted({ ...event, channel, thread });
    if (inbound !== undefined) await this.#with.inbound.submit(inbound, command, answers);
  }

  /** A shortcut of the whole workspace, which is a button without a message, or one on a message. */
  async shortcut(body: unknown): Promise<void> {
    const started = this.#read('shortcut', read.shortcut, body);
    const inbound = await this.#admitted(started?.event);
    if (started === undefined || inbound === undefined) return;
    const { name, text } = started;
    const commands = this.#with.inbound;
    await (text === undefined
      ? commands.press(inbound, name, '')
      : commands.messageShortcut(inbound, name, text));
  }

  async mention(body: unknown): Promise<void> {
    const said = this.#read('mention', read.messageEvent, body);
    const inbound = await this.#writtenBy(said);
    if (said === undefined || inbound === undefined) return;
    // The author may be a member; the other company would read the customer's name and the amount.
    if (said.isShared)
      return this.#refuse(inbound, SHARED_CHANNEL, 'a mention in a shared channel');
    await this.#take(inbound, said);
  }

  async directMessage(body: unknown): Promise<void> {
    const said = this.#read('message', read.messageEvent, body);
    if (said?.isDirect !== true) return;
    const inbound = await this.#writtenBy(said);
    if (inbound !== undefined) await this.#take(inbound, said);
  }

  groupChanged(body: unknown): void {
    const id = this.#read('change of a user group', read.groupChange, body);
    if (id === undefined) return;
    this.#with.directory.groupChanged(id);
    this.#with.homes.changed(OTHER_RIGHTS);
  }

  homeOpened(body: unknown): void {
    const opened = this.#read('opened home', read.homeOpened, body);
    if (opened?.isHome !== true) return;
    if (read.isForeign(opened.teams, this.#with.identity))
      this.#with.log.info('a home of another workspace is not shown');
    else this.#with.homes.opened(opened.userId);
  }

  async memberJoined(body: unknown): Promise<void> {
    const joined = this.#read('join', read.memberJoined, body);
    if (joined !== undefined) await this.#with.greet(joined);
  }

  /** A file with what was written beside it, the answer to a question of ours (in a direct message alone), or a command. */
  async #take(inbound: Inbound, { text, files, isDirect }: read.MessageSaid): Promise<void> {
    const { names, inbound: commands, identity, fileOf } = this.#with;
    const typed = textAsTyped(afterMention(text, identity.botUserId)).trim();
    const [file] = files;
    if (files.length > 1) return inbound.surface.say(ONE_FILE);
    if (file !== undefined) return commands.file(inbound, fileOf(file), typed);
    const { word, rest } = firstWord(typed);
    const isAnswer = isDirect && word !== '' && !names.isCommand(word);
    if (isAnswer && (await commands.text(inbound, typed))) return;
    await this.#run(inbound, word, rest);
  }

  #run(inbound: Inbound, typed: string, words: string): Promise<void> {
    const { names, inbound: commands } = this.#with;
    const name = names.nameOf(typed);
    return commands.command(inbound, name, names.wordsOf(name, words));
  }

  #problems(command: string, answers: Answers, firstField: string): Record<string, string> {
    const { inbound, log } = this.#with;
    try {
      const form = inbound.formOf(command);
      // The router answers a command without a form.
      const problems = form === undefined ? {} : checkAnswers(form, answers);
      return Object.fromEntries(
        Object.entries({ ...problems, ...modal.contradictions(answers) }).map(([name, problem]) => [
          name,
          cut(this.#with.names.text(problem), limits.inputProblem),
        ]),
      );
    } catch (error) {
      // Without an acknowledgement Slack shows an error; as a problem the form keeps what was typed.
      log.error({ err: error, command }, 'a form could not be checked');
      return { [firstField]: FAULT };
    }
  }

  /** Undefined for what no person just typed, and for a post that came as another event already. */
  async #writtenBy(said: read.MessageSaid | undefined): Promise<Inbound | undefined> {
    if (said?.event === undefined || said.isNotice) return undefined;
    const { userId, eventId } = said.event;
    const byBot = said.byBot || [this.#with.identity.botUserId, SLACKBOT].includes(userId);
    if (byBot) return undefined;
    // The same event delivered again is no duplicate: whether it was handled is known where its effects are stored.
    const first = this.#firstEvents.get(said.post);
    if (first === undefined) this.#firstEvents.set(said.post, eventId);
    else if (first !== eventId) return undefined;
    return this.#admitted(said.event);
  }

  /** Undefined without an event, and after people of other workspaces were refused: channels shared with them bring them in. */
  async #admitted(event: read.SlackEvent | undefined): Promise<Inbound | undefined> {
    if (event === undefined) return undefined;
    const inbound = await this.#inboundOf(event);
    if (!read.isForeign(event.teams, this.#with.identity)) return inbound;
    await this.#refuse(inbound, OTHER_WORKSPACE, 'anything, from another workspace');
    return undefined;
  }

  async #inboundOf(event: read.SlackEvent): Promise<Inbound> {
    const { userId, handle, channel, thread, eventId } = event;
    const { identity, directory, surfaces, inbound } = this.#with;
    const { teamId: workspace } = identity;
    const conversation = defined({ platform: 'slack', workspace, channel, thread });
    const name = await directory.nameOf(userId, handle);
    const targets = { ...event, conversation };
    const caller = { platform: 'slack', id: userId, name, conversation };
    return {
      caller,
      eventId,
      surface: surfaces.surfaceFor(targets, inbound.keepForm({ caller, eventId })),
      ...pressedMessage(targets),
    };
  }

  /** Says why nothing is done, once for each event however often it is delivered. */
  async #refuse(inbound: Inbound, why: Card, what: string): Promise<void> {
    const { eventId, surface } = inbound;
    if (this.#refused.has(eventId)) return;
    this.#refused.set(eventId, true);
    logRefusal(this.#with.log, inbound, what);
    await surface.say(why);
  }

  #read<T>(what: string, schema: z.ZodType<T>, body: unknown): T | undefined {
    const result = schema.safeParse(body);
    if (result.success) return result.data;
    const where = result.error.issues.map(({ path }) => path.join('.'));
    this.#with.log.error({ what, where }, 'Slack sent something in a form that is not known');
    return undefined;
  }
}
