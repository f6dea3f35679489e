import { randomUUID } from 'node:crypto';
import { createInterface, type Interface } from 'node:readline';
import { type Card, signedTitle } from '../../commands/cards/card.ts';
import { firstWord, type Inbound } from '../../commands/inbound.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Conversation, Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { Bot, OutgoingMessage } from '../bot.ts';
import type { BotParts } from '../platform.ts';
import { answersOf, asidesOf, cardToText, type PressButton } from './card-to-text.ts';
import { fileAt } from './read-file.ts';
import { removeHalfFiles, saveFile } from './save-file.ts';

const PLATFORM = 'terminal';
const CONVERSATION: Conversation = { platform: PLATFORM, channel: 'local' };
const THREAD_INDENT = '    ';
const YES = /^(y|yes)$/i;
const NO = /^(n|no)$/i;
/** Typed, it ends the chat as the end of the input does, also while a prompt is open. */
const LEAVE = /^\/?(exit|quit)$/i;

/** A chat in this terminal: lines in, cards out, threads by indentation. Lines are carried out one after the other, typed or piped. */
export class TerminalBot implements Bot {
  readonly platform = PLATFORM;
  readonly #parts: BotParts;
  /** The buttons of the last prompt that still waits for an answer. */
  #open: PressButton[] = [];
  /** The buttons of payment cards, by the key of the message, oldest first. They leave an open prompt open. */
  readonly #cards = new Map<string, { readonly number: number; readonly buttons: PressButton[] }>();
  #lines: Interface | undefined;
  #stopped = false;
  /** Resolves when the input has ended, or `exit` was typed, and every line before that was carried out. */
  inputEnded: Promise<void> = Promise.resolve();

  constructor(parts: BotParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { input, output, isSandbox, practiceUrl, filesFolder } = this.#parts;
    await removeHalfFiles(filesFolder);
    output.write(
      isSandbox
        ? 'Paythread with a simulated payment service: no money moves. Try /charge 0244123456 50 GHS, or /help.\n'
        : 'Paythread. /help lists the commands.\n',
    );
    if (practiceUrl !== undefined)
      output.write(
        `Or practise in the browser, with the customer's phone beside it: ${practiceUrl}\n`,
      );
    // Given the output, readline shows a prompt and what is typed, and keeps both below what arrives meanwhile.
    const isTyped = 'isTTY' in input && input.isTTY === true;
    const shown = isTyped ? { output, terminal: true, prompt: '> ' } : {};
    const crlfDelay = Number.POSITIVE_INFINITY;
    this.#lines = createInterface({ input, crlfDelay, ...shown });
    this.#lines.once('close', () => {
      this.#lines = undefined;
    });
    this.#prompt();
    this.inputEnded = this.#readAll(this.#lines);
  }

  notReady(): undefined {
    return undefined;
  }

  async post({ card, key, under }: OutgoingMessage): Promise<Delivery> {
    const isAsking = answersOf(card).length > 0;
    const shown = under === undefined && !isAsking ? this.#numbered(key, card) : card;
    this.#print(shown, under === undefined ? '' : THREAD_INDENT);
    if (isAsking) this.#offer(card);
    return { kind: 'delivered', ref: { conversation: CONVERSATION, message: key } };
  }

  /**
   * What was printed stays printed: the new state is a line in the card's thread. Its buttons have no numbers, which
   * belong to what was asked last: an amount that is typed at this moment presses nothing.
   */
  async edit(ref: MessageRef, { parts, buttons = [], ...card }: Card): Promise<Delivery> {
    const news = parts.filter(({ kind }) => kind !== 'line' && kind !== 'facts');
    const line: Card = {
      title: `(${signedTitle(card)})`,
      parts: news,
      buttons: buttons.map((button) =>
        button.kind === 'press' ? { ...button, aside: true } : button,
      ),
    };
    this.#print(this.#numbered(ref.message, line), THREAD_INDENT);
    return { kind: 'delivered', ref };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#lines?.close();
    await this.inputEnded;
  }

  async #readAll(lines: AsyncIterable<string>): Promise<void> {
    for await (const line of lines) {
      if (this.#stopped) return;
      if (LEAVE.test(line.trim())) return this.#echoLine(line.trim());
      await this.#take(line.trim());
      this.#prompt();
    }
  }

  async #take(line: string): Promise<void> {
    if (line === '') return;
    this.#echoLine(line);
    const { inbound, commands } = this.#parts;
    const event = this.#inboundEvent();
    const pressed = this.#answered(line);
    if (pressed !== undefined) {
      this.#open = [];
      return inbound.press(event, pressed.verb, pressed.id);
    }
    const isSlashed = line.startsWith('/');
    if (!isSlashed && (await inbound.text(event, line))) return;
    const { word, rest } = firstWord(isSlashed ? line.slice(1) : line);
    const name = word.toLowerCase();
    // Words that are no command leave the open prompt to be answered.
    if (isSlashed || commands.some((command) => command.name === name)) this.#open = [];
    await inbound.command(event, word, rest);
  }

  /** What is piped in is shown, so that the output reads like the conversation it was. */
  #echoLine(line: string): void {
    if (this.#lines?.terminal !== true) this.#parts.output.write(`> ${line}\n`);
  }

  #prompt(): void {
    if (this.#lines?.terminal === true) this.#lines.prompt(true);
  }

  /** A number, the first word of a button, yes or no. */
  #answered(line: string): PressButton | undefined {
    const answers = this.#open.filter(({ aside }) => aside !== true);
    if (/^\d{1,2}$/.test(line) && answers.length > 0) return answers[Number(line) - 1];
    if (answers.length > 0 && YES.test(line)) return answers[0];
    if (answers.length > 1 && NO.test(line)) return answers.at(-1);
    const word = line.toLowerCase();
    const called = this.#open.filter((button) => isCalled(button, word));
    const begun = this.#open.filter((button) => isCalled(button, word) || beginsWith(button, word));
    // A word that begins several, such as a currency, names none.
    const [named] = begun.length > 1 && begun.every(({ aside }) => aside) ? called : begun;
    return named ?? this.#answeredOnCard(word);
  }

  /** Of the card with the number behind the words; without one, of the newest that has such a button. */
  #answeredOnCard(line: string): PressButton | undefined {
    // A reference may be `Receipt 17`.
    if (this.#open.some(({ verb }) => verb.startsWith('form.'))) return undefined;
    const [, words = line, number] = /^(.+) (\d+)$/.exec(line) ?? [];
    // The first word of a card's button may be a command's name.
    const isCommand = this.#parts.commands.some(({ name }) => name === words);
    const cards = [...this.#cards.values()].reverse();
    // A label may have a number of its own: `Remind 2`.
    const whole = cards.flatMap(({ buttons }) => buttons).find((button) => isCalled(button, line));
    if (whole !== undefined) return whole;
    const meant = cards.filter((card) => number === undefined || String(card.number) === number);
    return meant
      .flatMap(({ buttons }) => buttons)
      .find((button) => isCalled(button, words) || (!isCommand && beginsWith(button, words)));
  }

  /** A payment card as it is shown: its words have its number behind them. */
  #numbered(key: string, card: Card): Card {
    const asides = asidesOf(card);
    const known = this.#cards.get(key);
    if (known === undefined && asides.length === 0) return card;
    const number = known?.number ?? this.#cards.size + 1;
    this.#cards.set(key, { number, buttons: asides });
    const buttons = card.buttons?.map((button) =>
      button.kind === 'link' ? button : { ...button, label: `${button.label} ${number}` },
    );
    return { ...card, ...defined({ buttons }) };
  }

  #inboundEvent(): Inbound {
    const { askStepByStep, userName } = this.#parts;
    const show = async (card: Card): Promise<void> => {
      this.#print(card, '');
      this.#offer(card);
    };
    const inbound: Inbound = {
      caller: { platform: PLATFORM, id: 'local', name: userName, conversation: CONVERSATION },
      eventId: `${PLATFORM}:${randomUUID()}`,
      fileAt,
      surface: {
        say: show,
        whisper: show,
        publish: show,
        replace: show,
        sayProgress: async (card) => this.#print(card, ''),
        sendFile: (file) => saveFile(this.#parts.filesFolder, file),
        answerPress: async (why, state) => {
          if (state !== 'followed') await show(why);
        },
        ask: (form, ...filled) => askStepByStep(inbound, form, ...filled),
      },
    };
    return inbound;
  }

  #offer(card: Card): void {
    const [answers, asides] = [answersOf(card), asidesOf(card)];
    // A card without a question of its own leaves the one that is open.
    const open = answers.length > 0 ? answers : this.#open.filter(({ aside }) => aside !== true);
    if (answers.length + asides.length > 0) this.#open = [...open, ...asides];
  }

  #print(card: Card, indent: string): void {
    const lines = cardToText(card).split('\n');
    const text = lines.map((line) => `${indent}${line}\n`).join('');
    // Over the prompt, which goes below, with what is being typed.
    this.#parts.output.write(this.#lines?.terminal === true ? `\r\u001b[J${text}` : text);
    this.#prompt();
  }
}

/** Words in small letters that are the label of a button. */
const isCalled = ({ label }: PressButton, words: string): boolean => label.toLowerCase() === words;

const beginsWith = ({ label }: PressButton, word: string): boolean =>
  label.toLowerCase().split(' ', 1)[0] === word;
