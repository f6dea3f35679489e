import type { Parsed } from '../core/runtime/errors.ts';
import type {
  Conversation,
  MessageRef,
  Person,
  PressedMessage,
} from '../core/values/conversation.ts';
import type { Card } from './cards/card.ts';
import type { OutgoingFile } from './cards/outgoing-file.ts';
import type { Annotations, Answers, Form } from './forms/form.ts';

/** Who typed or pressed, and where: taken from the platform's verified payload. */
export type Caller = Person & {
  readonly conversation: Conversation;
  /** The conversation is open to the public, such as a channel of Telegram: being in it gives no right. */
  readonly isAmongReaders?: true;
};

/** `savedAs`: the path of the file, on a platform that has no other way. `remedy`: sentences on what the person can do. */
export type FileDelivery =
  | { readonly ok: true; readonly savedAs?: string }
  | { readonly ok: false; readonly remedy: string };

/** A form to show, with the answers that are known. */
export type AskedForm = [form: Form, answers: Answers, annotations?: Annotations];

/** Where answers to one inbound event go; made by the bot for each event. Its members never reject. */
export interface Surface {
  /** A new message; seen by the caller alone where the platform can do that. */
  say(card: Card): Promise<void>;
  /** Seen by the caller alone, in a direct message if need be; dropped where that is impossible. */
  whisper(card: Card): Promise<void>;
  /** A new message for all in the conversation; said to the caller where the platform does not let us. */
  publish(card: Card): Promise<void>;
  /**
   * Takes the place of the message whose button was pressed, or of one with a button of this id where the platform
   * still knows it, with an answer to what was typed; elsewhere the same as `say`.
   */
  replace(card: Card, buttonId?: string): Promise<void>;
  /** Takes the message whose button was pressed away; false: it is still there. Absent where none can be. */
  withdraw?(): Promise<boolean>;
  /** How far long work is, in the caller's direct chat: one message, edited by each later call where messages can be. */
  sayProgress(card: Card): Promise<void>;
  /** Sends a file to the caller's direct chat, wherever the caller typed; resolves once it is there or cannot be. */
  sendFile(file: OutgoingFile): Promise<FileDelivery>;
  /**
   * Answers a press that changes nothing by itself, to the presser alone: why, or what was found. In Telegram in the answer to the press, without the
   * card's buttons. `over`: nothing can be pressed on that message any more, so it may be replaced as well. `followed`:
   * a message says the rest, so nothing is shown where an answer would be a message of its own.
   */
  answerPress(why: Card, state?: 'over' | 'followed'): Promise<void>;
  /**
   * Whispers a card as the words of a picture, with its buttons, in one message. Undefined: the card is too long for that, and
   * nothing was sent. Absent where files have no such words.
   */
  whisperPicture?(card: Card, picture: OutgoingFile): Promise<FileDelivery | undefined>;
  /**
   * The same for people without any grant, where answers take places that others need: in a Telegram group one a
   * minute to each of them, and none in the place of what matters more. Absent in Slack, where they are private.
   */
  readonly sparing?: Surface;
  /**
   * Shows a form, filled in as far as `answers` go. An answer without a field is kept and comes back at submit.
   * Where questions are asked one by one, a form with nothing left to answer asks which answer is to change.
   */
  ask(...asked: AskedForm): Promise<void>;
  /** Plain words reach the bot only as a reply to its messages, as in a Telegram group, so a question says that. */
  readonly answersAreReplies?: boolean;
  /** Present where questions are asked one by one, in messages that can be changed. */
  readonly questions?: Questions;
}

/** The messages in which a form is asked. Its members never reject. */
export interface Questions {
  /** As `say`; returns the message, undefined when it was not posted. */
  post(card: Card): Promise<MessageRef | undefined>;
  /** Leaves one line of a question, and no buttons. */
  close(question: MessageRef, line: Card): Promise<void>;
  /**
   * For what follows the answer to a question, of which `line` is left. In a group, where the platform takes few
   * new messages, what is said first takes the place of the question.
   */
  after(question: MessageRef, line: Card): Surface;
}

/** A file that a person sent. It is read once the person may use it. */
export type IncomingFile = {
  /** As the person's machine calls it. */
  readonly name: string;
  /** Its bytes, or why they cannot be had. No more than `MOST_FILE_BYTES` are read. Never rejects. */
  read(): Promise<Parsed<Uint8Array>>;
};

/** 5 MB, as the contract has it. */
export const MOST_FILE_BYTES = 5_000_000;

export type Inbound = {
  readonly caller: Caller;
  /** The platform's id of the event: the same event delivered twice has the same id. */
  readonly eventId: string;
  readonly surface: Surface;
  /** Absent for typed commands and on platforms that edit nothing. */
  readonly pressed?: PressedMessage;
  /** The file at a path, where people type on the machine that Paythread runs on. */
  readonly fileAt?: (path: string) => IncomingFile;
  /** The message of ours that the words are a reply to, where the platform tells. */
  readonly repliedTo?: RepliedMessage;
  /** The person whose message this is a reply to, where the platform says. */
  readonly repliedAuthor?: Person;
};

export type RepliedMessage = {
  readonly ref: MessageRef;
  /** What it shows in monospace and what its buttons carry, such as ids. */
  readonly codes: readonly string[];
};

/** What a button comes back as. */
export type ButtonPress = { readonly verb: string; readonly id: string };

/** Keeps a form that does not fit into a button. The press that opens it; undefined: what was typed must not be stored. */
export type KeepForm = (...asked: AskedForm) => Promise<ButtonPress | undefined>;

/** What bots hand their events to. None of these rejects; every event is answered. */
export interface InboundHandler {
  /** A command with its words, `name` without slash. */
  command(inbound: Inbound, name: string, words: string): Promise<void>;
  press(inbound: Inbound, verb: string, id: string): Promise<void>;
  /** What a person started from the menu of a message; `text` is the message's, as it was typed. */
  messageShortcut(inbound: Inbound, name: string, text: string): Promise<void>;
  /** A form filled in; the answers have passed `checkAnswers`. */
  submit(inbound: Inbound, command: string, answers: Answers): Promise<void>;
  /** A file with what was written beside it: for `sms` if that is its first word, else the charges of a file. */
  file(inbound: Inbound, file: IncomingFile, words: string): Promise<void>;
  /** Plain words that are no command: an answer to a step-by-step form, if one is open. `false`: no form is open. */
  text(inbound: Inbound, text: string): Promise<boolean>;
  /** A shared contact with each of its numbers: answers the open question, else begins a charge. */
  contact(inbound: Inbound, numbers: readonly string[]): Promise<void>;
  /** The form of a command, for bots that check a modal's answers themselves. */
  formOf(command: string): Form | undefined;
  /** For the person of this event. */
  keepForm(event: Pick<Inbound, 'caller' | 'eventId'>): KeepForm;
  /** What a bot says once, for all to see, in a conversation to which it was invited. */
  greeting(): Card;
}

/** The first word and the rest, as they were typed. */
export const firstWord = (text: string): { word: string; rest: string } => {
  const [, word = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  return { word, rest: rest.trimEnd() };
};

/** An event for a command, without anything that a person typed. */
export type CommandEvent = {
  /** A command's name; `form` for an answer to a question, `unknown` for what is no command. */
  readonly command: string;
  readonly by: 'typed' | 'pressed' | 'submitted' | 'answered';
  readonly platform: string;
};

/** Called around each event; must call `work` once. `work` resolves with false when no form waited for the event. */
export type AroundCommand = (event: CommandEvent, work: () => Promise<boolean>) => Promise<boolean>;
