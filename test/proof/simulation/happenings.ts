import type { Card } from '../../../src/commands/cards/card.ts';
import type { Answers } from '../../../src/commands/forms/form.ts';
import type { Caller } from '../../../src/commands/inbound.ts';
import { LEVELS, type Level } from '../../../src/core/records/notify-rules.ts';
import type { Conversation } from '../../../src/core/values/conversation.ts';

/** What a chat brings to Paythread. */
export type Happening = {
  readonly eventId: string;
  readonly caller: Caller;
  readonly what:
    | { readonly kind: 'command'; readonly name: string; readonly words: string }
    | { readonly kind: 'press'; readonly verb: string; readonly id: string }
    | { readonly kind: 'form'; readonly name: string; readonly answers: Answers }
    | { readonly kind: 'file'; readonly words: string; readonly text: string };
};

/** A row of a file that somebody sent. `reference` is in no other. */
export type FiledRow = {
  readonly kind: 'charge' | 'sms';
  readonly seller: Caller;
  readonly number: string;
  readonly amountMinor: number;
  readonly reference: string;
};

/** A charge that somebody wants. */
export type Order = {
  readonly seller: Caller;
  readonly number: string;
  readonly amountMinor: number;
  readonly typedAtMs: number;
  /** Asks for the same as an earlier one. */
  readonly isRepeat: boolean;
};

/** A card that only the one who acted was shown. */
export type Shown = { readonly atMs: number; readonly happening: Happening; readonly card: Card };

/** A press as it reached an instance. */
export type Press = {
  readonly atMs: number;
  readonly eventId: string;
  readonly caller: Caller;
  readonly verb: string;
  readonly id: string;
  readonly maySell: boolean;
};

/** A question with buttons, as somebody saw it, and the transaction it is about. */
export type Question = {
  readonly atMs: number;
  readonly card: Card;
  /** Undefined: the process died in the commit of its draft, and whether it was stored shows later. */
  readonly transactionId: string | undefined;
  readonly buttonId: string;
  readonly channel: string;
  /** Who was shown it, and alone may press its first button. */
  readonly viewer: Caller;
};

/** A level that an administrator sets in a chat of the sellers, as it reached an instance. */
export type LevelSet = Pick<Conversation, 'platform' | 'channel'> & {
  readonly atMs: number;
  readonly eventId: string;
  readonly level: Level;
};

export const wordsOf = (what: Happening['what']): string => {
  if (what.kind === 'file') return `a file ${what.words} ${what.text}`;
  if (what.kind === 'form') return `${what.name} ${JSON.stringify(what.answers)}`;
  return what.kind === 'command' ? `/${what.name} ${what.words}` : `${what.verb}:${what.id}`;
};

/** The level that it sets. */
export const levelIn = (what: Happening['what']): Level | undefined => {
  if (what.kind === 'file' || what.kind === 'form') return undefined;
  const isOfNotify = what.kind === 'press' ? what.verb === 'notify' : what.name === 'notify';
  const word = what.kind === 'press' ? what.id : what.words;
  return isOfNotify ? LEVELS.find((level) => level === word) : undefined;
};

/** What a button is of: a question that is shown again has another button. */
export const draftIn = (buttonId: string): string => buttonId.split('.')[0] ?? '';

export const pressesOf = ({ buttons = [] }: Card) =>
  buttons.flatMap((each) => (each.kind === 'press' ? [each] : []));

export const PRESSED_ON_CARDS: ReadonlySet<string> = new Set(['retry', 'receipt', 'remind']);

/** How often a button is pressed that somebody sees on the card of a run. */
export const PRESSED_ON_RUNS: Readonly<Record<string, number>> = {
  pause: 0.05,
  stop: 0.02,
  resume: 0.7,
  result: 0.05,
};

export const FILE_VERBS: ReadonlySet<string> = new Set(['bulk-charge', 'sms-file']);

export const isRun = (card: Card): boolean =>
  pressesOf(card).some(({ verb }) => /^(bulk|sms)-(pause|resume|stop|result|again)$/.test(verb));
