import type { Person } from '../../core/values/conversation.ts';
import type { CommandRecord, Context, Services } from '../command.ts';
import { frozenCard } from '../draft-buttons.ts';
import { sayMisunderstood, sayWrongAnswers } from '../forms/correct-it.ts';
import type { Annotations, Answers } from '../forms/form.ts';
import { formButton } from '../last-place.ts';
import { readingButtons, readingPress } from './amount-readings.ts';
import { anotherTry } from './another-try.ts';
import { filledInAgain, readOrigin } from './charge-again.ts';
import { chargeByName } from './charge-by-name.ts';
import { answersFrom, chargeForm, partsFrom } from './charge-form.ts';
import { chargePresses } from './charge-presses.ts';
import { chargeOfMessage } from './charge-shortcuts.ts';
import { completeCharge, parseCharge, readCharge } from './parse-charge.ts';
import type { ChargeParts } from './parse-charge-options.ts';
import { type Origin, propose } from './propose-charge.ts';
import { recentCustomers, suggestionsOf } from './recent-customers.ts';
import { refusalReason } from './refusal-reason.ts';
import { repliedCharge } from './replied-charge.ts';
import { usualAmounts } from './usual-amounts.ts';

const USAGE = '<number> <amount> [currency] [network] [card|checkout] [reference]';

/** `/charge`: look the account up, show whose it is, ask for one press, request the money. */
export const chargeCommand = (services: Services): CommandRecord => {
  const { settings, freeze, store } = services;
  const form = chargeForm(settings, (person) => usualAmounts(store, person, settings.currency));
  const why = refusalReason(services);

  const suggestedTo = async (person: Person): Promise<Annotations> => {
    const number = suggestionsOf(await recentCustomers(store, person));
    return number === undefined ? {} : { suggestions: { number } };
  };

  /** Where the typed command, the form and the choice of a customer meet. */
  const proceed = async (
    parts: ChargeParts,
    context: Context,
    origin: Origin = {},
    answers: Answers = answersFrom(parts),
  ): Promise<void> => {
    const { surface, caller } = context;
    const frozen = await freeze.standing();
    if (frozen !== undefined) return surface.say(frozenCard(frozen, settings.timeZone));
    const request = completeCharge(parts);
    if (request !== undefined) {
      await propose(services, request, context, origin);
      return;
    }
    const { customer, number } = parts;
    if (customer !== undefined) return byName.charge({ ...parts, customer }, context);
    // As they were given: a number that was read from a colleague's payment is not shown.
    await surface.ask(form, answers, number === undefined ? await suggestedTo(caller) : {});
  };
  const byName = chargeByName(services, form, proceed);
  const again = filledInAgain(services, form);

  const submit = async (answers: Answers, context: Context): Promise<void> => {
    const given = await readOrigin(services, answers, context);
    if ('title' in given) return context.surface.say(given);
    const read = partsFrom(given.answers, settings);
    await (read.ok
      ? proceed(read.value, context, given.origin, answers)
      : sayWrongAnswers(services, context, form, { ...read, answers }));
  };

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
    understood: (words, context) => byName.understoodOf(readCharge(words, settings), context),
    run: async (words, context) => {
      const read = parseCharge(words, settings);
      if (read.ok) return typed(read.value, context);
      const understood = await byName.understoodOf(readCharge(words, settings), context);
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
      customer: byName.pick,
      ...readingPress(services, proceed),
      'new-charge': formButton(services, form, suggestedTo),
    },
    messageShortcuts: { 'charge-number': chargeOfMessage(services, form, proceed) },
  };
};
