import type { SuggestedAnswers } from '../../core/records/records.ts';
import { type Parsed, wrong } from '../../core/runtime/errors.ts';
import { isCardTyped, neverTypeCards } from '../../core/values/card-number.ts';
import type { Person } from '../../core/values/conversation.ts';
import { LONGEST_TYPED } from '../../core/values/normalise-input.ts';

export type Field = {
  readonly name: string;
  /** A short label, such as `Customer number`. */
  readonly label: string;
  /** What to type, such as `For example 0244123456`. */
  readonly hint?: string;
  readonly optional?: boolean;
  /** Text over several lines. */
  readonly long?: boolean;
  /** Present: one of these is picked; the answer is its `value`. */
  readonly choices?: readonly Choice[];
  /** What a modal picks beforehand, if it passes `check`. */
  readonly preset?: string;
  /** Asked only when this holds for the answers before it. A modal looks at `isKnown` alone. */
  readonly when?: (answers: Answers) => boolean;
  /** Whether the answers that a modal opens with tell this one too: it is then left out there. */
  readonly isKnown?: (answers: Answers) => boolean;
  /** Where questions are asked one by one: answers to pick instead of typing one, for this person. */
  readonly suggest?: (person: Person) => Promise<SuggestedAnswers>;
  /** Asked one by one, the question has a button `More`, which adds the answer `more`; `when` of others may look at it. */
  readonly offersMore?: true;
  /** A shared contact answers the question with its number. */
  readonly takesContact?: true;
  /** An answer as it is shown once it is given. @default as it was typed, on one line */
  readonly show?: (answer: string) => string;
  /** Why the question has to be asked, in the place of the hint; undefined: nothing special. */
  readonly reason?: (answers: Answers) => string | undefined;
  /** Instant and pure, beside all other answers. The value kept is the text as typed, trimmed. */
  check(answer: string, answers: Answers): Parsed<unknown>;
};

export type Choice = { readonly value: string; readonly label: string };

/** Field name to text. A field left out has no entry; an entry without a field was typed and is kept. */
export type Answers = Readonly<Record<string, string>>;

/** A command as far as it is understood: answers to its form, and by field why the words in it are not. */
export type Understood = { readonly answers: Answers; readonly problems: Answers };

/** What a form says beside its fields when it is shown, by field name. */
export type Annotations = {
  /**
   * Why an answer will not do. A modal shows the sentence beside the field, with the answer still in it; elsewhere
   * the question is asked again, and optional questions without a problem are left out.
   */
  readonly problems?: Answers;
  /** Greyed text in an empty field, such as the amount of the last time; never an answer. */
  readonly placeholders?: Answers;
  /** Answers to pick instead of typing one. */
  readonly suggestions?: Readonly<Record<string, SuggestedAnswers>>;
  /** Where questions are asked one by one: the first takes the place of the message whose button was pressed. */
  readonly instead?: true;
  /**
   * Present: the person also picks the conversation in which the command counts, where a platform can show a list;
   * elsewhere it counts where it is answered. `last`: the channel that is picked beforehand.
   */
  readonly where?: { readonly last?: string };
};

/** Questions in platform-neutral form: a modal in Slack, one by one elsewhere. */
export type Form = {
  /** Its name, which no other form has: that of the command it completes, else a word such as `note`. */
  readonly command: string;
  /** 24 characters at most (Slack's modal title). */
  readonly title: string;
  /** 24 characters at most. */
  readonly submitLabel: string;
  readonly fields: readonly Field[];
};

/** What is wrong, by field name; empty when every answer will do. Pure and instant. */
export const checkAnswers = (form: Form, answers: Answers): Record<string, string> => {
  const problems: Record<string, string> = {};
  for (const field of form.fields) {
    const answer = answers[field.name]?.trim() ?? '';
    if (answer === '') {
      if (!field.optional && (field.when?.(answers) ?? true))
        problems[field.name] = 'Please fill this in.';
      continue;
    }
    const result = checkAnswer(field, answer, answers);
    if (!result.ok) problems[field.name] = result.problem.message;
  }
  return problems;
};

/** A card number is refused here too, so that a modal can show it beside the field. */
const checkAnswer = (field: Field, answer: string, answers: Answers): Parsed<unknown> => {
  if (answer.length > LONGEST_TYPED) return wrong('That is too long.');
  return isCardTyped(answer) ? neverTypeCards() : field.check(answer, answers);
};

/** What a modal asks beside these answers. A problem with one of the fields that are known shows all of them. */
export const fieldsOfModal = (
  { fields }: Form,
  answers: Answers,
  problems: Answers = {},
): readonly Field[] => {
  const known = fields.filter(({ isKnown }) => isKnown?.(answers) === true);
  return known.some(({ name }) => name in problems)
    ? fields
    : fields.filter((field) => !known.includes(field));
};

export const hintOf = ({ reason, hint }: Field, answers: Answers): string | undefined =>
  reason?.(answers) ?? hint;

export const choicesOf = (field: Field, answers: Answers): readonly Choice[] =>
  (field.choices ?? []).filter(({ value }) => field.check(value, answers).ok);

/** The answers to pick that this person is offered, for the questions that are not answered yet. */
export const suggestionsFor = async (
  { fields }: Form,
  answers: Answers,
  person: Person,
): Promise<Record<string, SuggestedAnswers>> => {
  const lists = fields.map(async ({ name, suggest }) => {
    const list = name in answers ? undefined : await suggest?.(person);
    return list === undefined ? [] : [[name, list] as const];
  });
  return Object.fromEntries((await Promise.all(lists)).flat());
};
