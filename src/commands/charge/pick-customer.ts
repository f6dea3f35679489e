import type { SuggestedAnswers } from '../../core/records/records.ts';
import { type Card, cardOf, part, pressButton } from '../cards/card.ts';
import type { Context, Press, Services } from '../command.ts';
import { goneCard, refuse } from '../draft-buttons.ts';
import type { Form } from '../forms/form.ts';
import { parkedForm } from '../forms/parked-form.ts';
import { partsFrom } from './charge-form.ts';
import type { ChargeParts } from './parse-charge-options.ts';

export type Proceed = (parts: ChargeParts, context: Context) => Promise<void>;

/** The choice is made, so what comes of it takes the place of the question. */
export const inItsPlace = (context: Context): Context => ({
  ...context,
  surface: { ...context.surface, say: context.surface.replace },
});

/** In the place of a customer's number in a button. */
const OTHER = 'other';

/** Asks which of the customers of one name is meant. `id`: of the form that is parked meanwhile. */
export const whichCustomerCard = ({
  id,
  typed,
  message,
  several: { choices, other },
}: {
  readonly id: string;
  readonly typed: string;
  readonly message: string;
  readonly several: SuggestedAnswers;
}): Card =>
  cardOf(`Which ${typed}?`, [part.text(message)], {
    buttons: [
      ...choices.map(({ label }, at) => pressButton(label, 'customer', `${id}.${at}`)),
      other === undefined ? undefined : pressButton(other, 'customer', `${id}.${OTHER}`),
    ],
  });

export const pickCustomer = (services: Services, form: Form, proceed: Proceed): Press => ({
  run: async (pressed, context) => {
    const [id = '', which = ''] = pressed.split('.');
    const parked = await parkedForm(services, id, context);
    if ('why' in parked) return refuse(parked, context);
    const { answers, suggestions } = parked;
    if (which === OTHER) return context.surface.ask(form, answers, { instead: true });
    const choices = suggestions?.['number']?.choices ?? [];
    const number = choices.find((_choice, at) => String(at) === which)?.value;
    const parts = partsFrom({ ...answers, ...(number && { number }) }, services.settings);
    // The customer may have been forgotten since.
    if (number === undefined || !parts.ok) return context.surface.answerPress(goneCard);
    await proceed(parts.value, inItsPlace(context));
  },
});
