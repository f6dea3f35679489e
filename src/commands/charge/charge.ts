import type { Parsed } from '../../core/runtime/errors.ts';
import { problemCard } from '../cards/card.ts';
import type { CommandRecord, Context, Services } from '../command.ts';
import { frozenCard } from '../draft-buttons.ts';
import type { Answers } from '../forms/form.ts';
import { formButton } from '../last-place.ts';
import { anotherTry } from './another-try.ts';
import { filledInAgain, readOrigin } from './charge-again.ts';
import { answersFrom, chargeForm, partsFrom } from './charge-form.ts';
import { chargePresses } from './charge-presses.ts';
import { chargeOfMessage } from './charge-shortcuts.ts';
import { completeCharge, parseCharge } from './parse-charge.ts';
import type { ChargeParts } from './parse-charge-options.ts';
import { type Origin, propose } from './propose-charge.ts';
import { refusalReason } from './refusal-reason.ts';

const USAGE = '<number> <amount> [currency] [network] [card|checkout] [reference]';

/** `/charge`: look the account up, show whose it is, ask for one press, request the money. */
export const chargeCommand = (services: Services): CommandRecord => {
  const { settings, freeze } = services;
  const form = chargeForm(settings);
  const why = refusalReason(services);

  /** Where the typed command and the form meet. */
  const proceed = async (
    read: Parsed<ChargeParts>,
    context: Context,
    origin: Origin = {},
    answers?: Answers,
  ): Promise<void> => {
    const { surface } = context;
    if (!read.ok) return surface.say(problemCard(read.problem, `/charge ${USAGE}`));
    const frozen = await freeze.standing();
    if (frozen !== undefined) return surface.say(frozenCard(frozen, settings.timeZone));
    const request = completeCharge(read.value);
    // As they were given: a number that was read from a colleague's payment is not shown.
    if (request === undefined) return surface.ask(form, answers ?? answersFrom(read.value));
    await propose(services, request, context, origin);
  };

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
    run: (words, context) => proceed(parseCharge(words, settings), context),
    submit: async (given, context) => {
      const read = await readOrigin(services, given, context);
      if ('title' in read) return context.surface.say(read);
      await proceed(partsFrom(read.answers, settings), context, read.origin, given);
    },
    forms: [why.form],
    presses: {
      ...chargePresses(services),
      ...anotherTry(services),
      ...filledInAgain(services, form),
      why: why.press,
      'new-charge': formButton(services, form),
    },
    messageShortcuts: { 'charge-number': chargeOfMessage(services, form, proceed) },
  };
};
