import { randomUUID } from 'node:crypto';
import { type Button, type Card, withoutButtons } from '../../commands/cards/card.ts';
import type { OutgoingFile } from '../../commands/cards/outgoing-file.ts';
import {
  type Annotations,
  type Answers,
  checkAnswers,
  type Form,
} from '../../commands/forms/form.ts';
import { firstWord, type Inbound, type Surface } from '../../commands/inbound.ts';
import type { Conversation, Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { Bot, OutgoingMessage } from '../bot.ts';
import { buttonValue } from '../button-value.ts';
import type { BotParts } from '../platform.ts';
import { PLAIN_NAMES } from '../slack/command-names.ts';
import { contradictions, modalState, withoutField } from '../slack/form-to-modal.ts';
import type { PagePerson } from './page-state.ts';
import { personNamed } from './people.ts';
import type { Revision } from './revision.ts';
import { type Look, type RoomMessage, VisitRoom } from './room.ts';

const PLATFORM = 'web';

type WebBotParts = Pick<BotParts, 'inbound' | 'askStepByStep'>;

export type OpenForm = {
  readonly id: string;
  readonly form: Form;
  readonly answers: Answers;
  readonly annotations: Annotations;
  /** What is wrong with what was sent, by block of the modal. */
  readonly problems: Readonly<Record<string, string>>;
};

/** The practice page's chats: one with the manners of Slack, one with those of Telegram. */
export class WebBot implements Bot {
  readonly platform = PLATFORM;
  readonly room: VisitRoom;
  readonly #revision: Revision;
  readonly #parts: WebBotParts;
  /** By person. */
  readonly #forms = new Map<string, OpenForm>();
  #isStopped = false;

  constructor(revision: Revision, parts: WebBotParts) {
    this.#revision = revision;
    this.room = new VisitRoom(revision);
    this.#parts = parts;
  }

  async start(): Promise<void> {}

  notReady(): undefined {
    return undefined;
  }

  async post({ conversation, card, key, under }: OutgoingMessage): Promise<Delivery> {
    const look = lookOf(conversation);
    if (look === undefined) return { kind: 'gone', reason: 'there is no such chat' };
    const reply = under === undefined ? {} : { under: under.message };
    const message = this.room.post({ look, said: card, ...reply }, key);
    return { kind: 'delivered', ref: { conversation, message } };
  }

  async edit(ref: MessageRef, card: Card): Promise<Delivery> {
    return this.room.edit(ref.message, card)
      ? { kind: 'delivered', ref }
      : { kind: 'gone', reason: 'the message is no longer on the page', isDeleted: true };
  }

  async readerIn(_: Conversation, personId: string): Promise<string | undefined> {
    return personNamed(personId)?.name;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#revision.bump();
  }

  formBefore(person: PagePerson): OpenForm | undefined {
    return this.#forms.get(person.id);
  }

  async type(person: PagePerson, look: Look, typed: string): Promise<void> {
    const text = typed.trim();
    if (text === '' || this.#isStopped) return;
    const isSlashed = text.startsWith('/');
    // Slack shows a slash command to no one.
    if (!isSlashed || look === 'telegram')
      this.room.post({ look, said: { by: person.name, text } });
    const { inbound } = this.#parts;
    const event = this.#eventOf(person, look);
    const words = text.replace(/^(?:\/|@paythread\b)\s*/i, '');
    if (words === text && (await inbound.text(event, text))) return;
    const { word, rest } = firstWord(words);
    const name = look === 'slack' ? PLAIN_NAMES.nameOf(word) : word.toLowerCase();
    await inbound.command(event, name, look === 'slack' ? PLAIN_NAMES.wordsOf(name, rest) : rest);
  }

  /** False: the person sees no such button. */
  async press(person: PagePerson, look: Look, messageId: string, value: string) {
    const message = this.room.seenBy(person.id, look).find(({ id }) => id === messageId);
    const button = message && buttonsOf(message).find((each) => buttonValue(each) === value);
    if (message === undefined || button === undefined || this.#isStopped) return false;
    await this.#parts.inbound.press(this.#eventOf(person, look, message), button.verb, button.id);
    return true;
  }

  /** False: no such form is open. What is wrong with the answers is then shown in it. */
  async submit(person: PagePerson, look: Look, formId: string, given: Answers) {
    const open = this.#forms.get(person.id);
    if (open?.id !== formId || this.#isStopped) return false;
    const { form } = open;
    const answers = { ...withoutField(form, open.answers), ...answersIn(given) };
    const problems = { ...checkAnswers(form, answers), ...contradictions(answers) };
    if (Object.keys(problems).length > 0) {
      this.#setForm(person, { ...open, answers, problems });
      return true;
    }
    this.#setForm(person);
    await this.#parts.inbound.submit(this.#eventOf(person, look), form.command, answers);
    return true;
  }

  closeForm(person: PagePerson): void {
    this.#setForm(person);
  }

  #setForm({ id }: { readonly id: string }, open?: OpenForm): void {
    if (open === undefined) this.#forms.delete(id);
    else this.#forms.set(id, open);
    this.#revision.bump();
  }

  #eventOf({ id, name }: PagePerson, look: Look, pressed?: RoomMessage): Inbound {
    const conversation = conversationOf(look);
    const isPrivate = pressed?.onlyFor !== undefined;
    const inbound: Inbound = {
      caller: { platform: PLATFORM, id, name, conversation },
      eventId: `${PLATFORM}:${randomUUID()}`,
      surface: this.#surfaceFor(id, look, pressed, async (form, answers, annotations = {}) =>
        look === 'slack'
          ? this.#setForm({ id }, { id: randomUUID(), form, answers, annotations, problems: {} })
          : this.#parts.askStepByStep(inbound, form, answers, annotations),
      ),
      ...(pressed === undefined
        ? {}
        : { pressed: { ref: { conversation, message: pressed.id }, canBecomeCard: !isPrivate } }),
    };
    return inbound;
  }

  #surfaceFor(
    person: string,
    look: Look,
    pressed: RoomMessage | undefined,
    ask: Surface['ask'],
  ): Surface {
    const publish = async (said: Card) => void this.room.post({ look, said });
    const whisper = async (said: Card) => void this.room.post({ look, said, onlyFor: person });
    const say = look === 'slack' ? whisper : publish;
    const replace = async (card: Card) => {
      if (pressed === undefined || !this.room.edit(pressed.id, card)) await say(card);
    };
    let progress: string | undefined;
    return {
      say,
      whisper,
      publish,
      replace,
      sayProgress: async (said) => {
        if (progress === undefined || !this.room.edit(progress, said))
          progress = this.room.post({ look, said, onlyFor: person });
      },
      sendFile: async (file) => {
        const said = { title: file.title, parts: [] };
        this.room.post({ look, said, file: await fileIn(file), onlyFor: person });
        return { ok: true };
      },
      ...(pressed?.onlyFor === undefined
        ? {}
        : { withdraw: async () => this.room.remove(pressed.id) }),
      answerPress: async (card, state) => {
        if (state === 'followed' && look === 'slack') return;
        const why = look === 'slack' ? card : withoutButtons(card);
        await (state === 'over' ? replace(why) : whisper(why));
      },
      ask,
    };
  }
}

const conversationOf = (look: Look): Conversation => ({
  platform: PLATFORM,
  channel: `${look}-look`,
});

const lookOf = ({ channel }: Conversation): Look | undefined =>
  (['slack', 'telegram'] as const).find((look) => conversationOf(look).channel === channel);

/** A visit has few payments, so its files are small enough to be part of the page. */
const fileIn = async ({ name, content, title, altText = title }: OutgoingFile) => {
  const bytes = Buffer.from(await new Response(content.stream()).bytes()).toString('base64');
  const href = `data:${content.type.split(';', 1)[0]};base64,${bytes}`;
  return { name, href, altText };
};

export const buttonsOf = ({ said }: RoomMessage): Extract<Button, { kind: 'press' }>[] =>
  'by' in said ? [] : (said.buttons ?? []).filter((button) => button.kind === 'press');

const answersIn = (given: Answers): Answers => {
  const blocks = Object.entries(given).map(([block, value]) => [block, { answer: { value } }]);
  return modalState.parse(Object.fromEntries(blocks));
};
