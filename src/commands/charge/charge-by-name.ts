import { defined } from '../../core/runtime/defined.ts';
import {
  type CustomerNumber,
  parseCustomerNumber,
  showNumber,
} from '../../core/values/customer-number.ts';
import { quoted } from '../../core/values/normalise-input.ts';
import { cardOf, part, pressButton, problemCard } from '../cards/card.ts';
import type { Context, Press, Services } from '../command.ts';
import { goneCard, refuse } from '../draft-buttons.ts';
import { sayMisunderstood, type Understood } from '../forms/correct-it.ts';
import type { Form, Suggestions } from '../forms/form.ts';
import { parkedForm, parkForm } from '../forms/parked-form.ts';
import { answersFrom, partsFrom, understoodFrom } from './charge-form.ts';
import type { ChargeParts, Reading } from './parse-charge-options.ts';
import { customersNamed, recentCustomers, suggestionsOf } from './recent-customers.ts';

/** A person with more customers of one name types the number. */
const MOST_OFFERED = 8;

/** In the place of a customer's number in a button. */
const OTHER = 'other';

/** Goes on with a charge once its customer is known. */
type Proceed = (parts: ChargeParts, context: Context) => Promise<void>;

/** The one customer of a name; or a sentence that there is none, or that there are several. */
type Found =
  | { readonly number: CustomerNumber }
  | { readonly message: string; readonly several?: Suggestions };

/** `/charge Adwoa 50`: a charge of one of the person's own recent customers. */
export const chargeByName = (services: Services, form: Form, proceed: Proceed) => {
  const { store, settings } = services;

  const find = async (typed: string, context: Context): Promise<Found> => {
    const found = customersNamed(await recentCustomers(store, context.caller), typed);
    const [only, ...others] = found;
    const number = only && parseCustomerNumber(only.number, settings.country);
    if (others.length === 0 && number?.ok) return { number: number.value };
    const several = others.length === 0 ? undefined : suggestionsOf(found, MOST_OFFERED);
    const message =
      several === undefined
        ? `I found no ${quoted(typed)} among your recent customers. Type the number.`
        : `You have ${found.length} recent customers called ${quoted(typed)}.`;
    return { message, ...defined({ several }) };
  };

  /** One customer of that name: the confirmation shows whose number it is. Several are a choice. */
  const charge = async (
    { customer: typed, ...parts }: ChargeParts & { readonly customer: string },
    context: Context,
  ): Promise<void> => {
    const { surface } = context;
    const found = await find(typed, context);
    if ('number' in found) return proceed({ ...parts, number: found.number }, context);
    const { message, several } = found;
    const answers = answersFrom(parts);
    if (several === undefined) {
      const understood = {
        answers: { ...answers, number: typed },
        problems: { number: message },
      };
      return sayMisunderstood(services, context, form, { problem: { message }, ...understood });
    }
    const parked = { command: form.command, answers, suggestions: { number: several } };
    const id = await parkForm(services, context, parked);
    if (id === undefined) return surface.say(problemCard({ message }));
    const buttons = [
      ...several.choices.map(({ label }, at) => pressButton(label, 'customer', `${id}.${at}`)),
      several.other === undefined
        ? undefined
        : pressButton(several.other, 'customer', `${id}.${OTHER}`),
    ];
    await surface.say(cardOf(`Which ${typed}?`, [part.text(message)], { buttons }));
  };

  /** What is understood of a charge that has a name for the number, and something else wrong. */
  const understoodOf = async (
    reading: Reading<ChargeParts>,
    context: Context,
  ): Promise<Understood> => {
    const { customer } = reading.parts;
    const { answers, problems } = understoodFrom(reading);
    if (customer === undefined) return { answers, problems };
    const found = await find(customer, context);
    return 'number' in found
      ? { answers: { ...answers, number: showNumber(found.number.e164) }, problems }
      : {
          answers: { ...answers, number: customer },
          problems: { ...problems, number: found.message },
        };
  };

  const pick: Press = {
    run: async (pressed, context) => {
      const [id = '', which = ''] = pressed.split('.');
      const parked = await parkedForm(services, id, context);
      if ('why' in parked) return refuse(parked, context);
      const { answers, suggestions } = parked;
      if (which === OTHER) return context.surface.ask(form, answers, { instead: true });
      const choices = suggestions?.['number']?.choices ?? [];
      const number = choices.find((_choice, at) => String(at) === which)?.value;
      const parts = partsFrom({ ...answers, ...(number && { number }) }, settings);
      // The customer may have been forgotten since.
      if (number === undefined || !parts.ok) return context.surface.refusePress(goneCard);
      // The choice is made, so what comes of it takes its place.
      const { replace } = context.surface;
      await proceed(parts.value, { ...context, surface: { ...context.surface, say: replace } });
    },
  };

  return { charge, understoodOf, pick };
};
