import type { Conversation, Person } from '../../core/values/conversation.ts';

/**
 * A message in platform-neutral form. Every text in it is plain text from wherever it came;
 * each platform's one renderer escapes it.
 */
export type Card = {
  readonly title: string;
  readonly tone?: 'good' | 'bad' | 'waiting' | 'warning';
  /** Who is called upon; rendered as a real mention. */
  readonly mention?: Person;
  /** Who else is called upon, in this order; rendered as real mentions. */
  readonly calls?: readonly Called[];
  readonly parts: readonly CardPart[];
  /** In rows of the platform's choosing, in this order. */
  readonly buttons?: readonly Button[];
};

/** A person, or a user group of a platform. Its id comes from the access file or a verified payload, never from typed text. */
export type Called = Person | { readonly platform: string; readonly group: string };

/** Words of a text that name a conversation; a platform with such links replaces them by one. */
export type NamedPlace = { readonly words: string; readonly conversation: Conversation };

export type CardPart =
  | { readonly kind: 'text'; readonly text: string; readonly place?: NamedPlace }
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
      /** With numbers in front, for buttons that name one of them. */
      readonly numbered?: true;
    };

/** One line; `code` follows it in monospace, so that a tap copies it. */
export type ListItem = string | { readonly text: string; readonly code: string };

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

/** The plain words of a line. */
export const itemText = (item: ListItem): string =>
  typeof item === 'string' ? item : `${item.text} ${item.code}`;

/** An id, to be copied. */
export const idFact = (label: string, value: string): Fact => ({ label, value, code: true });

/** A fact about a person. */
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
