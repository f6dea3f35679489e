import { personOf } from '../../core/values/conversation.ts';
import { newTransactionId } from '../../core/values/transaction-id.ts';
import { problemCard } from '../cards/reply-cards.ts';
import type { Command, Context, Services } from '../command.ts';
import { frozenCard } from '../draft-buttons.ts';
import type { Answers } from '../forms/form.ts';
import { answersFromWords, chargeForm, isComplete, requestFrom } from './charge-form.ts';
import { roomToday } from './charge-limits.ts';
import { chargePresses } from './charge-presses.ts';
import { questionCard } from './charge-question.ts';
import {
  lookUpCustomer,
  repeatedBy,
  repetitionWarning,
  undecidedWarning,
} from './charge-warnings.ts';
import { parseChargeWords } from './parse-charge.ts';
import { refusalReason } from './refusal-reason.ts';

/** `/charge`: look the account up, show whose it is, ask for one press, request the money. */
export const chargeCommand = (services: Services): Command => {
  const { settings, drafts } = services;
  const form = chargeForm(settings);
  const why = refusalReason(services);

  const ask = (answers: Answers, context: Context): Promise<void> =>
    context.surface.ask(form, answers);

  /** True: the caller has been told that nothing is charged after a restore. */
  const isFrozen = async ({ surface }: Context): Promise<boolean> => {
    const frozen = await services.freeze.standing();
    if (frozen !== undefined) await surface.say(frozenCard(frozen, settings.timeZone));
    return frozen !== undefined;
  };

  const propose = async (answers: Answers, context: Context): Promise<void> => {
    if (await isFrozen(context)) return;
    const { caller, surface, grants } = context;
    const read = requestFrom(answers, settings);
    if ('problem' in read) return surface.say(problemCard({ message: read.problem }, usageLine));
    if ('ask' in read) {
      const { pay: _, card: __, ...known } = answers;
      return ask(read.ask === 'card' ? { ...known, pay: 'card' } : known, context);
    }
    const { request } = read;
    const room = await roomToday(services, grants, caller, request.amount);
    if (!room.fits) return surface.say(problemCard({ message: room.why }));
    const [customer, repeats, undecided] = await Promise.all([
      lookUpCustomer(services.gateway, request),
      repeatedBy(services, request),
      undecidedWarning(services, request),
    ]);
    const paymentId = newTransactionId(services.clock.now(), services.random);
    const draft = await drafts.create(
      context.eventId,
      {
        kind: 'charge',
        paymentId,
        terms: {
          amount: request.amount,
          customerNumber: request.customerNumber,
          ...(customer.name === undefined ? {} : { customerName: customer.name }),
          network: request.network,
          option: request.option,
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
    // The same event delivered twice: its confirmation stands already.
    if (draft === undefined) return;
    await surface.say(await questionCard(services, draft, grants));
  };

  return {
    name: 'charge',
    summary: 'Ask a customer to pay',
    deed: 'charge',
    usage: '<number> <amount> [currency] [network] [card|checkout] [reference]',
    examples: [
      '0244123456 50',
      '0244123456 50 GHS',
      '0244123456 120.50 telecel Invoice 17',
      '0244123456 50 visa card',
    ],
    form,
    run: async (words, context) => {
      const typed = parseChargeWords(words, settings);
      if (!typed.ok) return context.surface.say(problemCard(typed.problem, usageLine));
      const answers = answersFromWords(typed.value);
      if (!isComplete(answers) && (await isFrozen(context))) return;
      await (isComplete(answers) ? propose(answers, context) : ask(answers, context));
    },
    submit: propose,
    forms: [why.form],
    presses: { ...chargePresses(services), why: why.press },
  };
};

const usageLine = '/charge <number> <amount> [currency] [network] [card|checkout] [reference]';
