import type { FormAnswers } from '../../core/records/records.ts';
import { defined } from '../../core/runtime/defined.ts';
import { personOf, seatKey } from '../../core/values/conversation.ts';
import type { Caller } from '../inbound.ts';
import { type Annotations, type Answers, type Field, type Form, suggestionsFor } from './form.ts';

/**
 * The record of a form that begins with these answers: they are not asked again, those with a problem are. `isComplete`:
 * every question has its answer, so the form is there to be changed.
 */
export const beginForm = async (
  caller: Caller,
  form: Form,
  answers: Answers,
  { problems = {}, placeholders, suggestions }: Annotations,
): Promise<{
  readonly isComplete: boolean;
  readonly begun: Omit<FormAnswers, 'version' | 'session'>;
}> => {
  const accepted = Object.entries(answers).filter(([name]) => !(name in problems));
  const given = Object.fromEntries(accepted);
  const isCorrection = Object.keys(problems).length > 0;
  const isComplete = !isCorrection && form.fields.every((field) => isFilledIn(field, given));
  const isDone = ({ name, optional }: Field): boolean =>
    name in given || isComplete || (optional === true && isCorrection && !(name in problems));
  const hasMore = form.fields.some(({ offersMore }) => offersMore);
  const person = personOf(caller);
  const begun = {
    id: seatKey(caller.conversation, caller),
    command: form.command,
    // What can be changed includes what is rarely asked.
    answers: isComplete && hasMore ? { ...given, more: 'yes' } : given,
    done: form.fields.filter(isDone).map(({ name }) => name),
    ...defined({ problems: isCorrection ? problems : undefined, placeholders }),
    suggestions: { ...(await suggestionsFor(form, given, person)), ...suggestions },
    conversation: caller.conversation,
    person,
  };
  return { isComplete, begun };
};

/** Whether a question need not be asked beside these answers. */
const isFilledIn = ({ name, optional, when }: Field, answers: Answers): boolean =>
  name in answers || optional === true || when?.(answers) === false;
