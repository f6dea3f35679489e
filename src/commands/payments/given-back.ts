import { limitGuard } from '../../core/guards/limit-guards.ts';
import type { GivenBackDraft } from '../../core/records/draft.ts';
import { leftToGive, unapprovedOf } from '../../core/records/given-back.ts';
import { isContradicted, type Payment } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { personOf } from '../../core/values/conversation.ts';
import { showTime } from '../../core/values/format-time.ts';
import { addMoney, formatMoney, type Money, parseMoney } from '../../core/values/money.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { shortIdFrom } from '../../core/values/transaction-id.ts';
import { denial } from '../access/denial.ts';
import { limitedBy } from '../access/grants.ts';
import { type Card, cardOf, joined, part, plainCard } from '../cards/card.ts';
import { isAlone } from '../cards/visibility.ts';
import { neededApproval } from '../charge/charge-limits.ts';
import type { Context, Services } from '../command.ts';
import { type Confirming, confirmer, showConfirmed } from '../confirm-draft.ts';
import { frozenBackCard, goneCard, overtakenCard, type PressRefusal } from '../draft-buttons.ts';
import { buttonForm } from '../forms/button-form.ts';
import type { Answers } from '../forms/form.ts';
import { ownWords } from '../forms/own-words.ts';
import { merchantRefusal } from '../merchants.ts';
import { paymentHere } from './payment-details.ts';

/** The right to write down what was given back. No command goes by it. */
const RIGHT = 'refund';
const DEED = 'write down what was given back';
const BUTTON = 'given-back';

/** At most what is left: an answer without a field. */
const checkAmount = (answer: string, { left = '' }: Answers): Parsed<Money> => {
  const most = parseMoney(left, '');
  if (!most.ok) return wrong('Open the Details of the payment again.');
  const { currency, amountMinor } = most.value;
  const amount = parseMoney(answer, currency);
  if (!amount.ok) return amount;
  if (amount.value.currency !== currency)
    return wrong(`The customer paid in ${currency}. Give the amount in ${currency}.`);
  return amount.value.amountMinor > amountMinor
    ? wrong(`At most ${left} is left to give back.`)
    : parsed(amount.value);
};

/** Writes down money that was given back by hand: a button in the Details of a completed payment, and its form. */
export const givenBack = (services: Services) => {
  const confirm = confirmer(services);
  const confirming = confirmingGivenBack(services);
  return buttonForm(services, {
    of: 'payment',
    command: BUTTON,
    title: 'Given back by hand',
    submitLabel: 'Write down',
    inputs: {
      amount: {
        label: 'Amount given back',
        reason: ({ left, restored }) =>
          joined(`At most ${left}. Nothing is sent to the payment service.`, restored),
        check: checkAmount,
      },
      reason: {
        label: 'Reason',
        hint: 'In one sentence, such as: Wrong size.',
        check: ownWords,
      },
    },
    find: (id, context) => paymentToGive(services, id, context),
    known: async (payment) => {
      const [restored] = await restoredSince(services, payment);
      return { left: formatMoney(leftToGive(payment)), ...defined({ restored }) };
    },
    run: async (payment, given, context) => {
      const id = shortIdFrom(context.eventId);
      // Delivered again after its question was removed, as where a clock was ahead.
      if (payment.givenBack?.some((one) => one.id === id))
        return context.surface.say(writtenCard(payment, given.amount));
      const draft = await draftOf(services, payment, given, context);
      if (draft?.kind === 'given back' && draft.status === 'open') {
        await confirm(confirming, draft, { button: BUTTON, context });
        // No message shows it, so what was refused is over. It has changed already where it was not.
        return void (await services.drafts.refuse(draft, undefined));
      }
      await context.surface.say(
        draft?.status === 'done'
          ? writtenCard(payment, given.amount)
          : await overtakenCard(id, services),
      );
    },
  });
};

/** The payment of which this person may give something back here and now; or why not. */
const paymentToGive = async (
  services: Services,
  id: string,
  context: Context,
): Promise<Payment | PressRefusal> => {
  const payment = await paymentHere(services, id, context);
  if ('why' in payment) return payment;
  if (!context.grants.may(RIGHT))
    return { why: denial(services, context, { what: RIGHT, deed: DEED }) };
  // What was given back after the backup is missing, so what is left is not known.
  const frozen = await services.freeze.standing();
  if (frozen !== undefined) return { why: frozenBackCard(frozen, services.settings.timeZone) };
  const why = whyUnpaid(payment);
  if (why !== undefined) return { why };
  if (leftToGive(payment).amountMinor > 0) return payment;
  const all = `All of ${formatMoney(payment.terms.amount)} was given back.`;
  return { why: plainCard('Nothing is left to give back', all) };
};

/** What was given back of it may be missing: the payment service, which is asked after a restore, does not know it. */
const restoredSince = async ({ freeze, settings }: Services, { confirmedAtMs }: Payment) => {
  const mark = await freeze.mark();
  if (mark === undefined || confirmedAtMs > mark.sinceMs) return [];
  const backup = showTime(mark.backupAtMs, settings.timeZone);
  return [`Restored from a backup of ${backup}. Look first whether it was given back since.`];
};

/** Why nothing can be given back of it: it was not paid, or perhaps not. */
const whyUnpaid = (payment: Payment): Card | undefined => {
  if (payment.state !== 'completed')
    return plainCard('Nothing to give back', 'The customer has not paid this.');
  if (!isContradicted(payment)) return undefined;
  const text = 'Nothing can be written down. A person should ask the payment service.';
  return plainCard('Perhaps the customer has not paid this', text, 'warning');
};

/** The question that is confirmed at once, or waits for an approver. Delivered twice: that of the first delivery. */
const draftOf = async (
  services: Services,
  payment: Payment,
  { amount, reason }: { readonly amount: Money; readonly reason: string },
  { caller, eventId }: Context,
) => {
  const { drafts, platforms } = services;
  const { id: paymentId, terms, requester, conversation: typedIn } = payment;
  const { conversation } = caller;
  // Telegram shows Details in private, where no approver is: they are asked in the group of the payment.
  const isAskedThere =
    isAlone(caller, platforms) &&
    typedIn.platform === caller.platform &&
    !isAlone({ ...requester, conversation: typedIn }, platforms);
  const asked = {
    kind: 'given back',
    terms: { ...terms, amount },
    paymentId,
    warnings: await restoredSince(services, payment),
  } as const;
  // Of a customer who was forgotten no words are kept.
  const words = isPseudonym(terms.customerNumber) ? undefined : reason;
  const askedIn = isAskedThere ? typedIn : undefined;
  const content = { ...asked, ...defined({ reason: words, askedIn }) };
  const made = await drafts.create(eventId, content, personOf(caller), conversation);
  return made ?? drafts.get(shortIdFrom(eventId));
};

/** What was given back is written down, after the checks that need the newest state. */
export const confirmingGivenBack = (services: Services): Confirming<GivenBackDraft, Payment> => ({
  is: (draft) => draft.kind === 'given back',
  button: BUTTON,
  right: RIGHT,
  question: (draft) => services.approvalQuestion(draft),
  limitsIn: limitedBy('ofRefunds'),
  // What was given back without an approval counts with it: amounts would be split.
  toApprove: async (draft, limits) => {
    const payment = await services.payments.get(draft.paymentId);
    const before = payment && unapprovedOf(payment);
    if (!before || !neededApproval(limits, addMoney(before, draft.terms.amount))) return undefined;
    return before.amountMinor === 0 ? draft : { ...draft, givenBefore: before };
  },
  deed: DEED,
  // Of two people who give back at one moment, what the first one gave counts for the second.
  guardsOf: ({ paymentId, requester }, presser) => {
    const people = [requester, presser].map((each) => `${each.platform}:${each.id}`);
    const about = [...new Set([...people, `payment:${paymentId}`])];
    return Promise.all(about.map((text) => limitGuard(services, text, paymentId)));
  },
  check: async (draft, _grants, { surface }) => {
    const { paymentId, terms, requester, conversation } = draft;
    const payment = await services.payments.get(paymentId);
    if (payment === undefined) return () => surface.answerPress(goneCard);
    const at = { ...requester, conversation };
    const refusal = merchantRefusal(services.settings, at, payment);
    if (refusal !== undefined) return () => surface.answerPress(refusal);
    const left = leftToGive(payment);
    const isTooMuch = terms.amount.amountMinor > left.amountMinor;
    const over = whyUnpaid(payment) ?? (isTooMuch ? tooMuchCard(left) : undefined);
    // Neither a conflict of a paid payment nor what is left of it ever goes back.
    if (over !== undefined)
      return async () => {
        await services.drafts.refuse(draft, undefined, { why: `${over.title}.` });
        await surface.answerPress(over);
      };
    return { confirm: (presser, press) => services.payments.giveBack(draft, presser, press) };
  },
  tellConfirmed: async (draft, payment, context) => {
    const card = writtenCard(payment, draft.terms.amount);
    await (draft.status === 'open'
      ? context.surface.say(card)
      : showConfirmed(services, draft, { card, atMs: services.clock.now() }, context));
  },
});

const writtenCard = (payment: Payment, amount: Money): Card =>
  cardOf(
    `Written down: ${formatMoney(amount)} given back`,
    [
      part.text('Nothing was sent to the payment service. Give the customer the money yourself.'),
      part.text(`Net ${formatMoney(leftToGive(payment))} of ${formatMoney(payment.terms.amount)}.`),
    ],
    { tone: 'good' },
  );

const tooMuchCard = (left: Money): Card =>
  plainCard(
    'More than is left to give back',
    `Nothing was written down. At most ${formatMoney(left)} is left.`,
    'warning',
  );
