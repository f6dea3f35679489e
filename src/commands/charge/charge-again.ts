import type { ChargeTerms, Payment } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { maskNumber } from '../../core/values/customer-number.ts';
import { formatMoney } from '../../core/values/money.ts';
import { guessNetwork } from '../../core/values/network.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { isTransactionId } from '../../core/values/transaction-id.ts';
import { type Card, cardOf, part } from '../cards/card.ts';
import type { Context, Press, Services } from '../command.ts';
import {
  askAgainButton,
  awaitingApprovalCard,
  forgottenCard,
  goneCard,
  nothingDone,
  overtakenCard,
  pressOn,
  requestersDraft,
} from '../draft-buttons.ts';
import type { Answers, Form } from '../forms/form.ts';
import { merchantRefusal } from '../merchants.ts';
import { mayReveal } from '../payments/reveal.ts';
import { originOf, whyNotAgain } from './another-try.ts';
import { answersFrom, FROM_PAYMENT, RETRY_OF } from './charge-form.ts';
import type { Origin } from './propose-charge.ts';

/** The buttons that open the form filled in: Charge again, and Change on a question and on a card that was not paid. */
export const filledInAgain = (
  services: Services,
  form: Form,
): Readonly<Record<'again' | 'change', Press>> => {
  const { payments } = services;
  return {
    again: {
      of: 'payment',
      run: async (id, context) => {
        const { surface } = context;
        const payment = await payments.get(id);
        if (payment === undefined) return surface.answerPress(goneCard);
        if (isPseudonym(payment.terms.customerNumber)) return surface.answerPress(forgottenCard);
        const placeholders = { amount: `Last time ${formatMoney(payment.terms.amount)}` };
        await surface.ask(form, customerAnswers(payment, context), { placeholders });
      },
    },
    change: {
      of: 'payment',
      run: async (id, context) => {
        const { surface } = context;
        if (!isTransactionId(id)) return changeQuestion(services, form)(id, context);
        const payment = await payments.get(id);
        const why = payment === undefined ? goneCard : whyNotAgain(payment);
        if (payment === undefined || why !== undefined) return surface.answerPress(why ?? goneCard);
        await surface.ask(form, { ...answersOf(payment, context), [RETRY_OF]: id });
      },
    },
  };
};

/** Ends the question at once, so that nothing of it can be confirmed beside the form. */
const changeQuestion = (services: Services, form: Form): Press['run'] =>
  pressOn(requestersDraft(services), async (draft, context) => {
    const { surface, caller } = context;
    const { drafts } = services;
    if (draft.kind !== 'charge') return surface.answerPress(goneCard);
    if (draft.status === 'awaiting approval')
      return surface.answerPress(awaitingApprovalCard(draft));
    const press = { button: 'change', where: caller.conversation };
    if (!(await drafts.cancel(draft, caller, press, 'changed')))
      return surface.answerPress(await overtakenCard(draft.id, services));
    const { retryOf, maskedFrom, paymentId, terms } = draft;
    const answers = {
      ...termsAsAnswers(terms, paymentId, maskedFrom !== undefined),
      ...defined({ [RETRY_OF]: retryOf, [FROM_PAYMENT]: maskedFrom }),
    };
    // Together: a modal can be opened for some seconds only.
    await Promise.all([
      // A form that is closed leaves nothing else: the same can be asked again.
      surface.replace(
        cardOf('Changed', [part.text(nothingDone(draft))], { buttons: [askAgainButton(draft)] }),
      ),
      surface.ask(form, answers),
    ]);
  });

/** The customer of a payment as answers to the form, for a new sale: neither its amount nor its reference is known. */
export const customerAnswers = (payment: Payment, context: Context): Answers => {
  const { amount: _, reference: __, ...customer } = answersOf(payment, context);
  return customer;
};

/** A payment as answers to the form; the number only to people who may see it. */
const answersOf = (payment: Payment, { caller, grants }: Context): Answers => {
  const isMasked = !mayReveal(payment, caller, grants);
  return {
    ...termsAsAnswers(payment.terms, payment.id, isMasked),
    ...(isMasked ? { [FROM_PAYMENT]: payment.id } : {}),
  };
};

const termsAsAnswers = (terms: ChargeTerms, id: string, isMasked: boolean): Answers => {
  const { customerNumber, amount, network, option, reference } = terms;
  // The network that the number shows is left to the number, which may be changed.
  const isImplied = option === 'MOM' && guessNetwork(customerNumber) === network;
  const answers = answersFrom({
    number: { e164: customerNumber, doubtful: false },
    amount,
    option,
    ...(isImplied ? {} : { network }),
    ...(reference === id ? {} : { reference }),
  });
  return isMasked ? { ...answers, number: maskNumber(customerNumber) } : answers;
};

/** Answers as they are read, and what the charge goes back to; a card: why it cannot be asked. */
export const readOrigin = async (
  { payments, settings }: Pick<Services, 'payments' | 'settings'>,
  answers: Answers,
  context: Context,
): Promise<{ readonly answers: Answers; readonly origin: Origin } | Card> => {
  const { [RETRY_OF]: retryOf, [FROM_PAYMENT]: from } = answers;
  const source = from === undefined ? undefined : await payments.get(from);
  const number = source?.terms.customerNumber;
  const isMasked = number !== undefined && answers['number'] === maskNumber(number);
  if (isMasked && isPseudonym(number)) return forgottenCard;
  const first = retryOf === undefined ? undefined : await payments.get(retryOf);
  const [refusal] = [source, first].flatMap(
    (each) => (each && merchantRefusal(settings, context.caller, each)) ?? [],
  );
  const why = refusal ?? (first && whyNotAgain(first));
  if (why !== undefined) return why;
  const { maskedFrom: _, ...tried } = first === undefined ? {} : originOf(first, context);
  return {
    answers: isMasked ? { ...answers, number } : answers,
    origin: { ...tried, ...(isMasked ? defined({ maskedFrom: from }) : {}) },
  };
};
