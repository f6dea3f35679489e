import type { FormAnswers, SuggestedAnswers } from '../../core/records/records.ts';
import { type Button, type Card, cardOf, part, pressButton } from '../cards/card.ts';
import type { Context, Press, Services } from '../command.ts';
import { goneCard, refuse } from '../draft-buttons.ts';
import type { Answers, Form } from '../forms/form.ts';
import { parkedForm } from '../forms/parked-form.ts';
import { partsFrom } from './charge-form.ts';
import type { ChargeParts } from './parse-charge-options.ts';

export type Proceed = (parts: ChargeParts, context: Context) => Promise<void>;

/** In the place of a customer's number in a button. */
const OTHER = 'other';

/** Asks which of the customers of one name is meant. */
export const whichCustomerCard = (
  typed: string,
  message: string,
  buttons: readonly (Button | undefined)[],
): Card => cardOf(`Which ${typed}?`, [part.text(message)], { buttons });

/** `id`: of the form that is parked meanwhile. */
export const customerButtons = (id: string, { choices, other }: SuggestedAnswers) => [
  ...choices.map(({ label }, at) => pressButton(label, 'customer', `${id}.${at}`)),
  other === undefined ? undefined : pressButton(other, 'customer', `${id}.${OTHER}`),
];

/** Goes on with one of the meanings of what was parked, to its own confirmation. */
export const pickMeaning = (
  services: Services,
  form: Form,
  proceed: Proceed,
  meaningOf: (parked: FormAnswers, which: string) => Answers | undefined,
): Press => ({
  run: async (pressed, context) => {
    const [id = '', which = ''] = pressed.split('.');
    const parked = await parkedForm(services, id, context);
    if ('why' in parked) return refuse(parked, context);
    if (which === OTHER) return context.surface.ask(form, parked.answers, { instead: true });
    const answers = meaningOf(parked, which);
    const parts = answers && partsFrom(answers, services.settings);
    if (!parts?.ok) return context.surface.answerPress(goneCard);
    // The choice is made, so what comes of it takes the place of the question.
    const surface = { ...context.surface, say: context.surface.replace };
    await proceed(parts.value, { ...context, surface });
  },
});

/** Undefined where the customer was forgotten since. */
export const customerPicked = (
  { answers, suggestions }: FormAnswers,
  which: string,
): Answers | undefined => {
  const choices = suggestions?.['number']?.choices ?? [];
  const number = choices.find((_choice, at) => String(at) === which)?.value;
  return number === undefined ? undefined : { ...answers, number };
};
