import type { Parsed } from '../../core/runtime/errors.ts';
import { personOf } from '../../core/values/conversation.ts';
import { newTransactionId } from '../../core/values/transaction-id.ts';
import { problemCard } from '../cards/reply-cards.ts';
import type { Command, Context, Services } from '../command.ts';
import { frozenCard } from '../draft-buttons.ts';
import { answersFrom, chargeForm, partsFrom } from './charge-form.ts';
import { roomToday } from './charge-limits.ts';
import { chargePresses } from './charge-presses.ts';
import { questionCard } from './charge-question.ts';
import { type ChargeParts, type ChargeRequest, completeCharge } from './charge-request.ts';
import {
  lookUpCustomer,
  repeatedBy,
  repetitionWarning,
  undecidedWarning,
} from './charge-warnings.ts';
import { parseCharge } from './parse-charge.ts';
import { refusalReason } from './refusal-reason.ts';

const USAGE = '<number> <amount> [currency] [network] [card|checkout] [reference]';

/** `/charge`: look the account up, show whose it is, ask for one press, request the money. */
export const chargeCommand = (services: Services): Command => {
  const { settings, drafts } = services;
  const form = chargeForm(settings);
  const why = refusalReason(services);

  /** True: the caller has been told that nothing is charged after a restore. */
  const isFrozen = async ({ surface }: Context): Promise<boolean> => {
    const frozen = await services.freeze.standing();
    if (frozen !== undefined) await surface.say(frozenCard(frozen, settings.timeZone));
    return frozen !== undefined;
  };

  /** Where the typed command and the form meet. */
  const proceed = async (read: Parsed<ChargeParts>, context: Context): Promise<void> => {
    if (!read.ok) return context.surface.say(problemCard(read.problem, `/charge ${USAGE}`));
    if (await isFrozen(context)) return;
    const request = completeCharge(read.value);
    await (request === undefined
      ? context.surface.ask(form, answersFrom(read.value))
      : propose(request, context));
  };

  const propose = async (request: ChargeRequest, context: Context): Promise<void> => {
    const { caller, surface, grants } = context;
    const { number, amount, network, option } = request;
    const room = await roomToday(services, grants, caller, amount);
    if (!room.fits) return surface.say(problemCard({ message: room.why }));
    const asked = { customerNumber: number.e164, amount };
    const [customer, repeats, undecided] = await Promise.all([
      lookUpCustomer(services.gateway, request),
      repeatedBy(services, asked),
      undecidedWarning(services, asked),
    ]);
    const paymentId = newTransactionId(services.clock.now(), services.random);
    const draft = await drafts.create(
      context.eventId,
      {
        kind: 'charge',
        paymentId,
        terms: {
          ...asked,
          ...(customer.name === undefined ? {} : { customerName: customer.name }),
          network,
          option,
          reference: request.reference ?? paymentId,
        },
        warnings: [
          ...customer.warnings,
          ...repeats.slice(0, 1).map((each) => repetitionWarning(each, settings.timeZone)),
          ...undecided,
        ],
        repeats: repeats.map(({ id }) => id),
      },
      personOf(caller),
      caller.conversation,
    );
    // Undefined: the event was delivered twice, and its question is shown already.
    if (draft === undefined) return;
    await surface.say(await questionCard(services, draft, grants));
  };

  return {
    name: 'charge',
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
    submit: (answers, context) => proceed(partsFrom(answers, settings), context),
    forms: [why.form],
    presses: { ...chargePresses(services), why: why.press },
  };
};
