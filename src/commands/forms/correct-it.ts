import type { Problem } from '../../core/runtime/errors.ts';
import { type Button, type Card, pressButton, problemCard } from '../cards/card.ts';
import type { Context, Services } from '../command.ts';
import { type Answers, checkAnswers, type Form, type Understood } from './form.ts';
import { parkForm } from './parked-form.ts';

/** Verb of the button that opens the form of a command that was not understood. */
export const CORRECT = 'correct';

type Needs = Pick<Services, 'store' | 'clock'>;

/** Says why a command was not understood. The button opens its form, filled in; before it are likely meanings. */
export const sayMisunderstood = async (
  needs: Needs,
  context: Context,
  form: Form,
  { problem, ...understood }: Understood & { readonly problem: Problem },
  meanings: (formId: string) => readonly Button[] = () => [],
): Promise<void> => {
  const card = await correctable(needs, context, form, problemCard(problem), understood);
  const { parts, buttons: [button] = [] } = card;
  if (button?.kind !== 'press') return context.surface.say(card);
  // The button is the next step; a line to copy would be a second one.
  const toldOnce = parts.filter(({ kind }) => kind !== 'example');
  const buttons = [...meanings(button.id), button];
  await context.surface.say({ ...card, parts: toldOnce, buttons });
};

/** The same for a form that was submitted: its answers are what was typed. */
export const sayWrongAnswers = (
  needs: Needs,
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

/** A card with the button; without a way to correct what was typed, as it is. */
export const correctable = async (
  needs: Needs,
  context: Context,
  { command }: Pick<Form, 'command'>,
  card: Card,
  understood: Understood,
): Promise<Card> => {
  const id = await parkForm(needs, context, { command, ...understood });
  if (id === undefined) return card;
  return { ...card, buttons: [pressButton('Correct it', CORRECT, id, { style: 'primary' })] };
};
