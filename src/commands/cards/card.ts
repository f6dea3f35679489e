import { defined } from '../../core/runtime/defined.ts';
import type { Problem } from '../../core/runtime/errors.ts';
import type { Conversation, Person } from '../../core/values/conversation.ts';
import type { OutgoingFile } from './outgoing-file.ts';

/** A message in platform-neutral form. All text in it is plain; each platform's one renderer escapes it. */
export type Card = {
  readonly title: string;
  /** The title is a line of text and no heading, which would not fit one line of a phone. */
  readonly compact?: true;
  readonly tone?: Tone;
  /** Who is called upon; rendered as a real mention in front of the title, in its line. */
  readonly mention?: Person;
  /** Who else is called upon, in this order; rendered as real mentions in a line of their own. */
  readonly calls?: readonly Called[];
  readonly parts: readonly CardPart[];
  /** In rows of the platform's choosing, in this order. */
  readonly buttons?: readonly Button[];
  /** A message of the outbox in Slack or Telegram is this picture instead, without parts and buttons. */
  readonly picture?: OutgoingFile;
};

/** `unclear`: the end is not known yet. */
export type Tone = 'good' | 'bad' | 'waiting' | 'unclear' | 'warning';

/** What every platform shows in front of the words. */
export const SIGNS: Readonly<Record<Tone, string>> = {
  good: '✅',
  bad: '❌',
  waiting: '⏳',
  unclear: '❓',
  warning: '⚠️',
};

export const signedTitle = ({ title, tone }: Pick<Card, 'title' | 'tone'>): string =>
  tone === undefined ? title : `${SIGNS[tone]} ${title}`;

/** A person, or a user group of a platform. Its id comes from the access file or a verified payload, never from typed text. */
export type Called = Person | { readonly platform: string; readonly group: string };

/** Words of a text that name a conversation; a platform with such links replaces them by one. */
export type NamedPlace = { readonly words: string; readonly conversation: Conversation };

export type CardPart =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly place?: NamedPlace;
      /** What it says where the card's buttons cannot be shown. */
      readonly alone?: string;
    }
  /** Facts in one line, such as `024 *** 3456 · MTN MoMo`. */
  | { readonly kind: 'line'; readonly item: ListItem }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'warning'; readonly text: string }
  /** Small print. */
  | { readonly kind: 'note'; readonly text: string }
  /** Something to copy. */
  | { readonly kind: 'example'; readonly text: string }
  /** Words of another author, such as the text of an SMS. */
  | { readonly kind: 'quote'; readonly text: string }
  | {
      readonly kind: 'list';
      readonly items: readonly ListItem[];
      /** With numbers in front, from this one on, for buttons that name one of them. */
      readonly numbered?: number;
    };

/** One line. `code` follows it in monospace, so that a tap copies it; a `loud` one is in bold. */
export type ListItem =
  | string
  | { readonly text: string; readonly code: string }
  | { readonly text: string; readonly loud: true };

export type Fact = {
  readonly label: string;
  readonly value: string;
  /** The value is something to copy, such as an id: shown in monospace. */
  readonly code?: true;
  /** The person whose name the value is. Names can be copied, so the platform's mention by id is shown as well. */
  readonly person?: Person;
  /** The value is ours and names commands, which a platform may spell in its own way. */
  readonly namesCommands?: true;
};

/** What is in front of a line of a list: its number, else `bullet`. */
export const lineSign = (
  { numbered }: { readonly numbered?: number },
  at: number,
  bullet: string,
): string => (numbered === undefined ? bullet : `${numbered + at}.`);

export const itemText = (item: ListItem): string => {
  if (typeof item === 'string') return item;
  return 'code' in item ? `${item.text} ${item.code}` : item.text;
};

export const idFact = (label: string, value: string): Fact => ({ label, value, code: true });

export const personFact = (label: string, person: Person): Fact => ({
  label,
  value: person.name,
  person,
});

export type Button =
  /** `verb` and `id` come back when it is pressed; together with a colon they fit in 64 bytes. */
  | {
      readonly kind: 'press';
      readonly label: string;
      readonly verb: string;
      readonly id: string;
      readonly style?: 'primary' | 'danger';
      /** No answer to the question, such as Cancel: where answers are numbered, it gets no number. */
      readonly aside?: true;
    }
  | { readonly kind: 'link'; readonly label: string; readonly url: string };

/** A part, a fact or a button of which the condition does not hold: a card leaves it out. */
type Absent = undefined | false;

const isPresent = <T>(each: T | Absent): each is T => each !== undefined && each !== false;

export const part = {
  text: (text: string, place?: NamedPlace): CardPart => ({
    kind: 'text',
    ...defined({ text, place }),
  }),
  /** A text about the card's buttons. `alone`: the next step without them. */
  byButtons: (text: string, alone: string): CardPart => ({ kind: 'text', text, alone }),
  line: (text: string, code?: string): CardPart => ({
    kind: 'line',
    item: code === undefined ? text : { text, code },
  }),
  facts: (...facts: readonly (Fact | Absent)[]): CardPart => ({
    kind: 'facts',
    facts: facts.filter(isPresent),
  }),
  warning: (text: string): CardPart => ({ kind: 'warning', text }),
  note: (text: string): CardPart => ({ kind: 'note', text }),
  example: (text: string): CardPart => ({ kind: 'example', text }),
  quote: (text: string): CardPart => ({ kind: 'quote', text }),
  list: (items: readonly ListItem[]): CardPart => ({ kind: 'list', items }),
  numbered: (items: readonly ListItem[], numbered = 1): CardPart => ({
    kind: 'list',
    items,
    numbered,
  }),
};

/** What a card may have beside title and parts; `undefined` counts as absent. */
type More = {
  readonly [K in 'compact' | 'tone' | 'mention' | 'calls']?: Card[K] | undefined;
} & { readonly buttons?: readonly (Button | Absent)[] };

/** A card of the parts that say something and the buttons that there are. */
export const cardOf = (
  title: string,
  parts: readonly (CardPart | Absent)[],
  { buttons = [], ...more }: More = {},
): Card => {
  const pressable = buttons.filter(isPresent);
  return {
    title,
    ...defined(more),
    parts: parts.filter(isPresent).filter((each) => !isEmpty(each)),
    ...(pressable.length === 0 ? {} : { buttons: pressable }),
  };
};

const isEmpty = (each: CardPart): boolean =>
  (each.kind === 'list' && each.items.length === 0) ||
  (each.kind === 'facts' && each.facts.length === 0);

export const plainCard = (title: string, text?: string, tone?: Tone): Card =>
  cardOf(title, text === undefined ? [] : [part.text(text)], { tone });

/** Whether a person is asked: to decide, where one of the buttons does what the card is about, or for an answer to a form. */
export const isAsking = ({ buttons = [] }: Card): boolean =>
  buttons.some(
    (button) =>
      button.kind === 'press' && (button.style === 'primary' || button.verb.startsWith('form.')),
  );

export const problemCard = ({ message, example }: Problem): Card => {
  const toCopy = example === undefined ? undefined : part.example(example);
  return cardOf('Please check', [part.text(message), toCopy], { tone: 'warning' });
};

/** A card as it is said where its buttons cannot be shown. */
export const withoutButtons = ({ buttons: _, ...card }: Card): Card => ({
  ...card,
  parts: card.parts.map((each) =>
    each.kind === 'text' && each.alone !== undefined ? part.text(each.alone) : each,
  ),
});

export const pressButton = (
  label: string,
  verb: string,
  id: string,
  more: { readonly style?: 'primary' | 'danger'; readonly aside?: true } = {},
): Button => ({ kind: 'press', label, verb, id, ...more });

/** From `from` on, what one card has room for, and the button of `verb` that leads to the next ones. */
export const pageOf = <T>(all: readonly T[], from: number, length: number, verb: string) => ({
  shown: all.slice(from, from + length),
  older: from + length < all.length ? pressButton('Older', verb, String(from + length)) : undefined,
});

export const pageStart = (id: string): number => Number.parseInt(id, 10) || 0;

export const confirmOrCancel = (label: string, verb: string, id: string): Button[] => [
  pressButton(label, verb, id, { style: 'primary' }),
  pressButton('Cancel', 'cancel', id),
];

export const detailsButton = (id: string | undefined): Button | undefined =>
  id === undefined ? undefined : pressButton('Details', 'details', id, { aside: true });

export const linkButton = (label: string, url: string | undefined): Button | undefined =>
  url === undefined ? undefined : { kind: 'link', label, url };

/** With its first letter in upper case. */
export const sentenceCase = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export const joined = (...sentences: readonly (string | undefined)[]): string =>
  sentences.filter((sentence) => sentence !== undefined).join(' ');
