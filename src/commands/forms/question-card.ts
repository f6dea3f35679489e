import type { FormAnswers } from '../../core/records/records.ts';
import { type Card, type CardPart, cardOf, part, plainCard, pressButton } from '../cards/card.ts';
import type { Surface } from '../inbound.ts';
import { type Answers, type Choice, choicesOf, type Field, type Form, hintOf } from './form.ts';

export const CANCEL = 'form.cancel';
export const BACK = 'form.back';
export const SKIP = 'form.skip';
export const PICK = 'form.pick';
export const CHANGE = 'form.change';
export const OTHER = 'form.other';
export const MORE = 'form.more';

/** An open form of a person; `field`: the open question, undefined once all are answered. */
export type Open = { readonly form: Form; readonly record: FormAnswers; readonly field?: Field };

/** The open question. `warning`: what was wrong with the last answer. */
export const questionCard = (
  { form, record, field }: Required<Open>,
  { answersAreReplies, questions }: Pick<Surface, 'answersAreReplies' | 'questions'>,
  warning = record.problems?.[field.name],
): Card => {
  const { session, answers } = record;
  const id = `${session}.${field.name}`;
  const suggested = record.suggestions?.[field.name];
  const hint = record.placeholders?.[field.name] ?? hintOf(field, answers);
  return cardOf(
    form.title,
    [
      warning === undefined ? undefined : part.warning(warning),
      // Elsewhere each answered question has a message of its own.
      answersAreReplies === true ? answeredFacts(form, record) : undefined,
      part.text(`${field.label}?`),
      hint === undefined ? undefined : part.note(hint),
      field.takesContact === true && questions !== undefined && answersAreReplies !== true
        ? part.note('You can share a contact instead.')
        : undefined,
      answersAreReplies === true && field.choices === undefined
        ? part.note('Answer by replying to this message.')
        : undefined,
    ],
    {
      buttons: [
        ...pickable(field, record).map(({ label }, index) =>
          pressButton(label, PICK, `${id}.${index}`, suggested?.unnumbered && { aside: true }),
        ),
        suggested?.other === undefined ? undefined : pressButton(suggested.other, OTHER, id),
        field.offersMore === true && !('more' in answers) ? aside('More', MORE, id) : undefined,
        field.optional === true ? aside('Skip', SKIP, session) : undefined,
        questionBefore(form, record) === undefined ? undefined : aside('Back', BACK, session),
        aside('Cancel', CANCEL, session),
      ],
    },
  );
};

/** The answers given so far, where the question takes the place of those before it. */
const answeredFacts = (form: Form, { answers, done }: FormAnswers): CardPart =>
  factsOf(
    form.fields.filter(({ name }) => done.includes(name) && name in answers),
    answers,
  );

const factsOf = (fields: readonly Field[], answers: Answers): CardPart =>
  part.facts(
    ...fields.map((field) => ({ label: field.label, value: shown(field, answers) ?? '–' })),
  );

/** The one line that is left of an answered question. */
export const answeredCard = (field: Field, answers: Answers): Card =>
  plainCard(`${field.label}: ${shown(field, answers) ?? 'none'}`);

/** What is left of a question that was left open or asked again. */
const unansweredCard = ({ label }: Field): Card => plainCard(`${label}: not answered`);

const LONGEST_SHOWN = 60;

const shown = (field: Field, { [field.name]: answer }: Answers): string | undefined => {
  if (answer === undefined) return undefined;
  const label = field.choices?.find(({ value }) => value === answer)?.label;
  return shortLine(label ?? field.show?.(answer) ?? answer);
};

export const shortLine = (text: string): string => {
  const line = [...text.replace(/\s+/g, ' ').trim()];
  return line.length <= LONGEST_SHOWN
    ? line.join('')
    : `${line.slice(0, LONGEST_SHOWN - 1).join('')}…`;
};

export const pickable = (field: Field, { suggestions, answers }: FormAnswers): readonly Choice[] =>
  suggestions?.[field.name]?.choices ?? choicesOf(field, answers);

/** Every question has its answer: which of them is to change? */
export const changeCard = ({ form, record: { session, answers } }: Open): Card => {
  const fields = form.fields.filter((field) => isAsked(field, answers));
  return cardOf(form.title, [part.text('What should change?'), factsOf(fields, answers)], {
    buttons: [
      ...fields.map(({ name, label }) => pressButton(label, CHANGE, `${session}.${name}`)),
      aside('Cancel', CANCEL, session),
    ],
  });
};

const aside = (label: string, verb: string, session: string) =>
  pressButton(label, verb, session, { aside: true });

const isAsked = ({ name, when }: Field, answers: Answers): boolean =>
  name in answers || (when?.(answers) ?? true);

/** The question to ask now; undefined: all are answered. One with a problem, or picked by the person, is always asked. */
export const nextField = (
  form: Form,
  { answers, done, problems = {}, picked }: FormAnswers,
): Field | undefined =>
  form.fields.find(({ name }) => name === picked) ??
  form.fields.find(
    ({ name, when }) => !done.includes(name) && (name in problems || (when?.(answers) ?? true)),
  );

/** Whether nothing was answered between two versions of a form. */
export const isAsFar = (one: FormAnswers, other: FormAnswers): boolean => {
  const [now, then] = [one, other].map(({ session, answers, done, picked = '' }) =>
    JSON.stringify([session, answers, done, picked]),
  );
  return now === then;
};

/** The answers without the last one that was given ahead of the open question and can be asked for again. */
export const questionBefore = (form: Form, record: FormAnswers): FormAnswers | undefined => {
  const open = nextField(form, record);
  const ahead = form.fields.slice(0, open === undefined ? undefined : form.fields.indexOf(open));
  for (const field of ahead.reverse()) {
    const without = reopened(record, field.name);
    if (nextField(form, without) === field) return without;
  }
  return undefined;
};

/** The form without its answer to this question. */
export const reopened = (record: FormAnswers, name: string): FormAnswers => ({
  ...record,
  answers: withoutName(record.answers, name),
  done: record.done.filter((each) => each !== name),
});

export const withoutName = <Each>(
  named: Readonly<Record<string, Each>>,
  name: string,
): Readonly<Record<string, Each>> => {
  const { [name]: _, ...others } = named;
  return others;
};

/** A choice by its number, value or label, however it is capitalised. */
export const choiceOf = (choices: readonly Choice[], text: string): string | undefined => {
  const wanted = text.toLowerCase();
  return (
    choices[Number(wanted) - 1] ??
    choices.find(({ value, label }) => [value, label].some((each) => each.toLowerCase() === wanted))
  )?.value;
};

export const cancelledCard = plainCard('Cancelled', 'Nothing was done.');
export const nothingOpenCard = plainCard('No question is open', 'Type /help to see the commands.');
export const closedQuestionCard = plainCard(
  'This question is closed',
  'It was answered, or it is for another person. Type the command again.',
);

/** Where it goes on behind a question of which `line` is left. */
export const surfaceAfter = (
  surface: Surface,
  { question }: FormAnswers,
  line: Card | undefined,
): Surface =>
  question === undefined || line === undefined
    ? surface
    : (surface.questions?.after(question, line) ?? surface);

/** The same behind a question that was not answered. */
export const afterUnanswered = (surface: Surface, open: Open | undefined): Surface =>
  open === undefined
    ? surface
    : surfaceAfter(surface, open.record, open.field && unansweredCard(open.field));

export const closeQuestion = async (surface: Surface, open: Open | undefined): Promise<void> => {
  if (open?.record.question !== undefined && open.field !== undefined)
    await surface.questions?.close(open.record.question, unansweredCard(open.field));
};
