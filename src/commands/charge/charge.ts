import { defined } from '../../core/runtime/defined.ts';
import type { Parsed } from '../../core/runtime/errors.ts';
import { personOf } from '../../core/values/conversation.ts';
import { newTransactionId } from '../../core/values/transaction-id.ts';
import { problemCard } from '../cards/card.ts';
import type { CommandRecord, Context, Services } from '../command.ts';
import { frozenCard } from '../draft-buttons.ts';
import { answersFrom, chargeForm, partsFrom } from './charge-form.ts';
import { roomToday } from './charge-limits.ts';
import { chargePresses } from './charge-presses.ts';
import {
  lookUpCustomer,
  questionCard,
  repeatedBy,
  repetitionWarning,
  undecidedWarning,
} from './charge-question.ts';
import { chargeOfMessage, newCharge } from './charge-shortcuts.ts';
import { completeCharge, parseCharge } from './parse-charge.ts';
import type { ChargeParts, ChargeRequest } from './parse-charge-options.ts';
import { refusalReason } from './refusal-reason.ts';

const USAGE = '<number> <amount> [currency] [network] [card|checkout] [reference]';

/** `/charge`: look the account up, show whose it is, ask for one press, request the money. */
export const chargeCommand = (services: Services): CommandRecord => {
  const { settings, freeze } = services;
  const form = chargeForm(settings);
  const why = refusalReason(services);

  /** Where the typed command and the form meet. */
  const proceed = async (read: Parsed<ChargeParts>, context: Context): Promise<void> => {
    const { surface } = context;
    if (!read.ok) return surface.say(problemCard(read.problem, `/charge ${USAGE}`));
    const frozen = await freeze.standing();
    if (frozen !== undefined) return surface.say(frozenCard(frozen, settings.timeZone));
    const request = completeCharge(read.value);
    await (request === undefined
      ? surface.ask(form, answersFrom(read.value))
      : propose(services, request, context));
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
    submit: (answers, context) => proceed(partsFrom(answers, settings), context),
    forms: [why.form],
    presses: {
      ...chargePresses(services),
      why: why.press,
      'new-charge': newCharge(services, form),
    },
    messageShortcuts: { 'charge-number': chargeOfMessage(services, form, proceed) },
  };
};

/** Shows the question before a charge, with what the payment service and earlier charges say about it. */
const propose = async (
  services: Services,
  request: ChargeRequest,
  { caller, surface, grants, eventId }: Context,
): Promise<void> => {
  const { gateway, drafts, clock, random, settings } = services;
  const { number, amount, network, option } = request;
  const room = await roomToday(services, grants, caller, amount);
  if (!room.fits) return surface.say(problemCard({ message: room.why }));
  const asked = { customerNumber: number.e164, amount };
  const [customer, repeats, undecided] = await Promise.all([
    lookUpCustomer(gateway, request),
    repeatedBy(services, asked),
    undecidedWarning(services, asked),
  ]);
  const paymentId = newTransactionId(clock.now(), random);
  const draft = await drafts.create(
    eventId,
    {
      kind: 'charge',
      paymentId,
      terms: {
        ...asked,
        ...defined({ customerName: customer.name }),
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
