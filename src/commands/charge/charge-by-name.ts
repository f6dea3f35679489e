import type { SuggestedAnswers } from '../../core/records/records.ts';
import { defined } from '../../core/runtime/defined.ts';
import {
  type CustomerNumber,
  parseCustomerNumber,
  showNumber,
} from '../../core/values/customer-number.ts';
import { quoted } from '../../core/values/normalise-input.ts';
import { problemCard } from '../cards/card.ts';
import type { Context, Services } from '../command.ts';
import { sayMisunderstood } from '../forms/correct-it.ts';
import type { Form, Understood } from '../forms/form.ts';
import { parkForm } from '../forms/parked-form.ts';
import { answersFrom, understoodFrom } from './charge-form.ts';
import type { ChargeParts, Reading } from './parse-charge-options.ts';
import { customerButtons, type Proceed, whichCustomerCard } from './pick-customer.ts';
import { customersNamed, recentCustomers, suggestionsOf } from './recent-customers.ts';

/** A person with more customers of one name types the number. */
const MOST_OFFERED = 8;

/** The one customer of a name; or a sentence that there is none, or that there are several. */
type Found =
  | { readonly number: CustomerNumber }
  | { readonly message: string; readonly several?: SuggestedAnswers };

/** Among the caller's own recent customers. */
export const findNamed = async (
  { store, settings }: Pick<Services, 'store' | 'settings'>,
  typed: string,
  { caller }: Context,
): Promise<Found> => {
  const found = customersNamed(await recentCustomers(store, caller), typed);
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

/** `/charge Adwoa 50`. One customer of that name: the confirmation shows whose number it is. Several are a choice. */
export const chargeByName =
  (services: Services, form: Form, proceed: Proceed) =>
  async (
    { customer: typed, ...parts }: ChargeParts & { readonly customer: string },
    context: Context,
  ): Promise<void> => {
    const { surface } = context;
    const found = await findNamed(services, typed, context);
    if ('number' in found) return proceed({ ...parts, number: found.number }, context);
    const { message, several } = found;
    const answers = answersFrom(parts);
    if (several === undefined)
      return sayMisunderstood(services, context, form, {
        problem: { message },
        answers: { ...answers, number: typed },
        problems: { number: message },
      });
    const parked = { command: form.command, answers, suggestions: { number: several } };
    const id = await parkForm(services, context, parked);
    await surface.say(
      id === undefined
        ? problemCard({ message })
        : whichCustomerCard(typed, message, customerButtons(id, several)),
    );
  };

/** What is understood of a charge, which may have a name for the number, when something else is wrong. */
export const understoodByName = async (
  services: Services,
  reading: Reading,
  context: Context,
): Promise<Understood> => {
  const { customer } = reading.parts;
  const { answers, problems } = understoodFrom(reading);
  if (customer === undefined) return { answers, problems };
  const found = await findNamed(services, customer, context);
  return 'number' in found
    ? { answers: { ...answers, number: showNumber(found.number.e164) }, problems }
    : {
        answers: { ...answers, number: customer },
        problems: { ...problems, number: found.message },
      };
};
