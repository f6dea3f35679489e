import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Card } from '../../commands/cards/card.ts';
import type { Answers, Form } from '../../commands/forms/form.ts';
import type { Inbound, InboundHandler, Surface } from '../../commands/inbound.ts';
import { firstWord } from '../../commands/inbound.ts';
import type { Conversation, Delivery, MessageRef, Person } from '../../core/values/conversation.ts';
import type { Bot, OutgoingMessage } from '../bot.ts';
import { answersOf, cardToText, isAside, type PressButton } from './card-to-text.ts';

const PLATFORM = 'terminal';
const CONVERSATION: Conversation = { platform: PLATFORM, channel: 'local' };
const THREAD_INDENT = '    ';
const YES = /^(y|yes)$/i;
const NO = /^(n|no)$/i;
/** The same as the end of the input, whatever is open. */
const LEAVE = /^\/?(exit|quit)$/i;

/** A chat in this terminal: lines in, cards out, threads by indentation. Lines are carried out one after the other, typed or piped. */
export class TerminalBot implements Bot {
  readonly platform = PLATFORM;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #inbound: InboundHandler;
  readonly #askStepByStep: (inbound: Inbound, form: Form, answers: Answers) => Promise<void>;
  readonly #person: Person;
  readonly #newEventId: () => string;
  readonly #greeting: string;
  readonly #echo: boolean;
  readonly #commandNames: ReadonlySet<string>;
  /** The buttons of the last prompt that still waits for an answer. */
  #open: PressButton[] = [];
  #lines: ReturnType<typeof createInterface> | undefined;
  #done: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: {
    input: Readable & { isTTY?: boolean };
    output: Writable;
    inbound: InboundHandler;
    askStepByStep: (inbound: Inbound, form: Form, answers: Answers) => Promise<void>;
    /** Shown as the requester. */
    name: string;
    /** The first line shown. */
    greeting: string;
    newEventId: () => string;
    /** Understood without a slash as well. */
    commandNames: readonly string[];
  }) {
    this.#input = options.input;
    this.#output = options.output;
    this.#inbound = options.inbound;
    this.#askStepByStep = options.askStepByStep;
    this.#person = { platform: PLATFORM, id: 'local', name: options.name };
    this.#newEventId = options.newEventId;
    this.#greeting = options.greeting;
    this.#commandNames = new Set(options.commandNames);
    // What is piped in is shown, so that the output reads like the conversation it was.
    this.#echo = options.input.isTTY !== true;
  }

  async start(): Promise<void> {
    this.#write(`${this.#greeting}\n`);
    this.#lines = createInterface({ input: this.#input, crlfDelay: Number.POSITIVE_INFINITY });
    this.#done = this.#readAll(this.#lines);
  }

  /** Resolves when the input has ended, or `exit` was typed, and every line before that was carried out. */
  get inputEnded(): Promise<void> {
    return this.#done;
  }

  notReady(): undefined {
    return undefined;
  }

  async probe(): Promise<void> {}

  async post({ card, key, under }: OutgoingMessage): Promise<Delivery> {
    this.#print(card, under === undefined ? '' : THREAD_INDENT);
    if (under === undefined) this.#offer(card);
    return { kind: 'delivered', ref: { conversation: CONVERSATION, message: key } };
  }

  /** What was printed stays printed: the new state is a line in the card's thread. */
  async edit(ref: MessageRef, card: Card): Promise<Delivery> {
    const { title, parts, buttons } = card;
    const news = parts.filter(({ kind }) => kind === 'text' || kind === 'warning');
    const links = buttons?.filter(({ kind }) => kind === 'link') ?? [];
    this.#print({ title: `(${title})`, parts: news, buttons: links }, THREAD_INDENT);
    return { kind: 'delivered', ref };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#lines?.close();
    await this.#done;
  }

  async #readAll(lines: AsyncIterable<string>): Promise<void> {
    for await (const line of lines) {
      if (this.#stopped) return;
      if (LEAVE.test(line.trim())) return this.#echoLine(line.trim());
      await this.#take(line.trim());
    }
  }

  async #take(line: string): Promise<void> {
    if (line === '') return;
    this.#echoLine(line);
    const inbound = this.#inboundEvent();
    const pressed = this.#answered(line);
    if (pressed !== undefined) {
      this.#open = [];
      return this.#inbound.press(inbound, pressed.verb, pressed.id);
    }
    const isSlashed = line.startsWith('/');
    if (!isSlashed && (await this.#inbound.text(inbound, line))) return;
    const { word, rest } = firstWord(isSlashed ? line.slice(1) : line);
    const name = word.toLowerCase();
    // Words that are no command leave the open prompt to be answered.
    if (isSlashed || this.#commandNames.has(name)) this.#open = [];
    await this.#inbound.command(inbound, name, rest);
  }

  #echoLine(line: string): void {
    if (this.#echo) this.#write(`> ${line}\n`);
  }

  /** A number, the first word of a button, yes or no. */
  #answered(line: string): PressButton | undefined {
    const answers = this.#open.filter((button) => !isAside(button));
    if (/^\d{1,2}$/.test(line) && answers.length > 0) return answers[Number(line) - 1];
    if (answers.length > 0 && YES.test(line)) return answers[0];
    if (answers.length > 1 && NO.test(line)) return answers.at(-1);
    const word = line.toLowerCase();
    return this.#open.find(({ label }) =>
      [label, label.split(' ', 1)[0]].some((each) => each?.toLowerCase() === word),
    );
  }

  #inboundEvent(): Inbound {
    const show = async (card: Card): Promise<void> => {
      this.#print(card, '');
      this.#offer(card);
    };
    const surface: Surface = {
      say: show,
      whisper: show,
      replace: show,
      refusePress: show,
      ask: (form, answers) => this.#askStepByStep(inbound, form, answers),
    };
    const inbound: Inbound = {
      caller: { ...this.#person, conversation: CONVERSATION },
      eventId: `${PLATFORM}:${this.#newEventId()}`,
      surface,
    };
    return inbound;
  }

  #offer(card: Card): void {
    const buttons = [
      ...answersOf(card),
      ...(card.buttons ?? []).filter((button) => button.kind === 'press').filter(isAside),
    ];
    if (buttons.length > 0) this.#open = buttons;
  }

  #print(card: Card, indent: string): void {
    const text = cardToText(card)
      .split('\n')
      .map((line) => `${indent}${line}\n`)
      .join('');
    this.#write(text);
  }

  #write(text: string): void {
    this.#output.write(text);
  }
}
