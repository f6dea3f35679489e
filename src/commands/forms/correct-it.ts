import type { Problem } from '../../core/runtime/errors.ts';
import { type Button, pressButton, problemCard } from '../cards/card.ts';
import type { Context, Services } from '../command.ts';
import { type Answers, checkAnswers, type Form, type Understood } from './form.ts';
import { parkForm } from './parked-form.ts';

/** Verb of the button that opens the form of a command that was not understood. */
export const CORRECT = 'correct';

type CorrectItNeeds = Pick<Services, 'store' | 'clock'>;

/** `id`: of the parked form. */
export const correctButton = (id: string): Button =>
  pressButton('Correct it', CORRECT, id, { style: 'primary' });

/**
 * Says why a command was not understood. The button opens its form, filled in; before it are likely meanings. A problem
 * has an example only where the form is one line of words: where it has fields, the button is the next step.
 */
export const sayMisunderstood = async (
  needs: CorrectItNeeds,
  { surface, ...context }: Context,
  { command }: Pick<Form, 'command'>,
  { problem, ...understood }: Understood & { readonly problem: Problem },
  meanings: (formId: string) => readonly Button[] = () => [],
): Promise<void> => {
  const id = await parkForm(needs, context, { command, ...understood });
  const card = problemCard(problem);
  await surface.say(
    id === undefined ? card : { ...card, buttons: [...meanings(id), correctButton(id)] },
  );
};

/** The same for a form that was submitted: its answers are what was typed. */
export const sayWrongAnswers = (
  needs: CorrectItNeeds,
  context: Context,
  form: Form,
  { problem, answers }: { readonly problem: Problem; readonly answers: Answers },
): Promise<void> =>
  sayMisunderstood(needs, context, form, { problem, ...understoodAs(form, answers) });

/** What was typed, where each word has its field. */
export const understoodAs = (form: Form, answers: Answers): Understood => {
  const wrong = Object.entries(checkAnswers(form, answers)).filter(([name]) => name in answers);
  return { answers, problems: Object.fromEntries(wrong) };
};
