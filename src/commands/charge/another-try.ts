import { laterTriesOf, whyNoOtherTry } from '../../core/payments/next-try.ts';
import { type ChargeDraft, readButtonId } from '../../core/records/draft.ts';
import type { Payment } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import { parseCustomerNumber } from '../../core/values/customer-number.ts';
import { formatMoney } from '../../core/values/money.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { shortIdFrom } from '../../core/values/transaction-id.ts';
import { type Card, cardOf, detailsButton, plainCard } from '../cards/card.ts';
import { reasonInChat, stateWord } from '../cards/payment-words.ts';
import { payerFor } from '../cards/visibility.ts';
import { type Context, isOwn, type Press, type Services } from '../command.ts';
import {
  elsewhere,
  forgottenCard,
  frozenCard,
  goneCard,
  isFrom,
  ofAnother,
  refuse,
  whyNotOpen,
} from '../draft-buttons.ts';
import { mayReveal } from '../payments/reveal.ts';
import { questionCard } from './charge-question.ts';
import type { ChargeRequest } from './parse-charge-options.ts';
import { type Origin, propose } from './propose-charge.ts';

/** More questions of one try are a mistake. */
const MOST_QUESTIONS = 50;

/** Ask again: on the card of a payment that was not paid, and on a question whose time was over or that was changed. */
export const anotherTry = (services: Services): Readonly<Record<'retry' | 'renew', Press>> => ({
  retry: {
    of: 'payment',
    run: async (id, context) => {
      const { store, payments } = services;
      const first = await payments.get(id);
      if (first === undefined) return context.surface.answerPress(goneCard);
      const payment = (await laterTriesOf(store, first)).at(-1) ?? first;
      const why = whyNotAgain(payment);
      if (why !== undefined) return context.surface.answerPress(why);
      await askOnce(services, payment, context, {
        ...originOf(payment, context),
        key: `another try of ${payment.id}`,
      });
    },
  },
  renew: {
    run: async (pressed, context) => {
      const { caller, surface } = context;
      const draft = await services.drafts.get(readButtonId(pressed).id);
      if (draft?.kind !== 'charge') return surface.answerPress(goneCard);
      if (!isOwn(draft, caller))
        return refuse(ofAnother(draft.requester, 'Asked by', context, services), context);
      if (!isFrom(draft.conversation, context, services))
        return refuse(elsewhere(context, services), context);
      const refusal = await whyNotOpen(draft, services);
      const isAskedAgain = refusal?.isLate === true || draft.status === 'changed';
      if (refusal !== undefined && !isAskedAgain) return refuse(refusal, context);
      if (refusal === undefined) return showAgain(services, draft, context);
      const origin = await originOfDraft(services, draft, context);
      if ('title' in origin) return surface.answerPress(origin);
      const asked = { id: draft.paymentId, terms: draft.terms };
      await askOnce(services, asked, context, { ...origin, key: `${draft.id} once more` });
    },
  },
});

/** Why a payment is not asked for again, in a sentence; undefined: it can be. */
export const whyNotAgain = (payment: Payment): Card | undefined => {
  if (isPseudonym(payment.terms.customerNumber)) return forgottenCard;
  const why = whyNoOtherTry(payment);
  const charge = `${formatMoney(payment.terms.amount)} from ${payerFor('others too', payment.terms)}`;
  switch (why) {
    case undefined:
      return undefined;
    case 'may be paid':
      return plainCard(
        'Not yet: it may still be paid',
        payment.flag === 'conflict'
          ? 'A person should ask the payment service first.'
          : `${charge} is ${stateWord(payment.state)}. Wait for its outcome.`,
        'warning',
      );
    case 'paid':
      return plainCard(
        'It is paid',
        `${charge} is completed. For a second sale, press Charge again.`,
      );
    case 'tried again':
      return cardOf('It was asked again already', [], {
        buttons: [detailsButton(payment.retriedAs)],
      });
    default:
      return assertNever(why);
  }
};

/** What another try of a payment carries; a colleague sees the customer masked. */
export const originOf = (payment: Payment, { caller, grants }: Context): Origin => ({
  retryOf: payment.id,
  triedNumber: payment.terms.customerNumber,
  ...(mayReveal(payment, caller, grants) ? {} : { maskedFrom: payment.maskedFrom ?? payment.id }),
  news: newsOf(payment),
});

/** `Second try. The first failed: not enough money.` */
const newsOf = (payment: Payment): string => {
  const [next, last] =
    payment.retryOf === undefined ? ['Second try', 'The first'] : ['Another try', 'The last'];
  const ended = payment.state === 'failed' ? 'failed' : `was ${payment.state}`;
  const why = reasonInChat(payment);
  return why === undefined
    ? `${next}. ${last} ${ended}.`
    : `${next}. ${last} ${ended}: ${why.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`;
};

/** The same of a question whose time was over; a card: why it cannot be asked again. */
const originOfDraft = async (
  { payments }: Services,
  { retryOf, maskedFrom }: ChargeDraft,
  context: Context,
): Promise<Origin | Card> => {
  if (retryOf === undefined) return defined({ maskedFrom });
  const first = await payments.get(retryOf);
  return first === undefined ? goneCard : (whyNotAgain(first) ?? originOf(first, context));
};

/** Asks with the same terms and a new look-up, once: while the question is open, a second press makes no other. */
const askOnce = async (
  services: Services,
  { id: paymentId, terms }: Pick<Payment, 'id' | 'terms'>,
  context: Context,
  origin: Origin & { readonly key: string },
): Promise<void> => {
  const { freeze, settings, drafts } = services;
  const { surface } = context;
  const frozen = await freeze.standing();
  if (frozen !== undefined) return surface.answerPress(frozenCard(frozen, settings.timeZone));
  const number = parseCustomerNumber(terms.customerNumber, settings.country);
  if (!number.ok) return surface.answerPress(forgottenCard);
  const { amount, network, option, reference } = terms;
  const request: ChargeRequest = {
    number: number.value,
    amount,
    network,
    option,
    // One that was not given was the transaction id.
    ...(reference === paymentId ? {} : { reference }),
  };
  for (let time = 1; time <= MOST_QUESTIONS; time++) {
    const key = `${origin.key}, ${time}`;
    const id = shortIdFrom(key);
    if ((await drafts.get(id)) === undefined) {
      const card = await propose(services, request, context, { ...origin, key });
      if (card !== undefined) return surface.say(card);
    }
    const before = await drafts.get(id);
    if (before?.kind !== 'charge') return surface.answerPress(goneCard);
    const why = await whyNotOpen(before, services);
    if (why === undefined) return showAgain(services, before, context);
    if (why.isLate !== true && !GIVEN_UP.has(before.status)) return refuse(why, context);
  }
};

/** After these the same may be asked once more; a confirmed question leads to its payment. */
const GIVEN_UP: ReadonlySet<ChargeDraft['status']> = new Set(['cancelled', 'changed', 'refused']);

/** The question that is open already: to its requester once more where it may have vanished, to others that it is. */
const showAgain = async (
  services: Services,
  draft: ChargeDraft,
  context: Context,
): Promise<void> => {
  const { surface, caller, grants, pressed } = context;
  if (!isOwn(draft, caller))
    return surface.answerPress(plainCard(`${draft.requester.name} is asking again already`));
  await (pressed?.canBecomeCard === true || draft.status === 'awaiting approval'
    ? surface.answerPress(openCard)
    : surface.say(await questionCard(services, draft, grants)));
};

const openCard = plainCard('The question is open already', 'Look for it below and press Charge.');
