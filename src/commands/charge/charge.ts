import type { CommandRecord, Services } from '../command.ts';
import { sayMisunderstood } from '../forms/correct-it.ts';
import { formButton } from '../last-place.ts';
import { readingButtons, readingPress } from './amount-readings.ts';
import { anotherTry } from './another-try.ts';
import { filledInAgain } from './charge-again.ts';
import { understoodByName } from './charge-by-name.ts';
import { chargeForm } from './charge-form.ts';
import { chargePresses } from './charge-presses.ts';
import { chargeOfMessage } from './charge-shortcuts.ts';
import { parseCharge, readCharge } from './parse-charge.ts';
import { pickCustomer } from './pick-customer.ts';
import { refusalReason } from './refusal-reason.ts';
import { repliedCharge } from './replied-charge.ts';
import { TakeCharge } from './take-charge.ts';
import { usualAmounts } from './usual-amounts.ts';

const USAGE = '<number> <amount> [currency] [network] [card|checkout] [reference]';

/** `/charge`: look the account up, show whose it is, ask for one press, request the money. */
export const chargeCommand = (services: Services): CommandRecord => {
  const { settings, store } = services;
  const form = chargeForm(settings, (person) => usualAmounts(store, person, settings.currency));
  const why = refusalReason(services);

  const { proceed, submit, suggestedTo } = new TakeCharge(services, form);
  const again = filledInAgain(services, form);
  const typed = repliedCharge(services, { proceed, again: again.again.run, submit });

  return {
    summary: 'Ask a customer to pay',
    deed: 'charge',
    usage: USAGE,
    examples: [
      '0244123456 50',
      '0244123456 50 GHS',
      '0244123456 120.50 telecel Invoice 17',
      '0244123456 50 visa card',
    ],
    form,
    understood: (words, context) =>
      understoodByName(services, readCharge(words, settings), context),
    run: async (words, context) => {
      const read = parseCharge(words, settings);
      if (read.ok) return typed(read.value, context);
      const understood = await understoodByName(services, readCharge(words, settings), context);
      await sayMisunderstood(services, context, form, { ...read, ...understood }, (id) =>
        Object.keys(understood.problems).length === 1
          ? readingButtons(understood.answers, settings.currency, id)
          : [],
      );
    },
    submit,
    forms: [why.form],
    presses: {
      ...chargePresses(services),
      ...anotherTry(services),
      ...again,
      why: why.press,
      customer: pickCustomer(services, form, proceed),
      ...readingPress(services, proceed),
      'new-charge': formButton(services, form, suggestedTo),
    },
    messageShortcuts: { 'charge-number': chargeOfMessage(services, form, proceed) },
  };
};
