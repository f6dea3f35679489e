import { limitGuard } from '../../core/guards/limit-guards.ts';
import { approveGivenBack } from '../../core/payments/approve-given-back.ts';
import type { GivenBackDraft } from '../../core/records/draft.ts';
import { leftToGive, unapprovedOf } from '../../core/records/given-back.ts';
import type { Payment } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { type Person, personOf } from '../../core/values/conversation.ts';
import { addMoney, formatMoney, type Money, parseMoney } from '../../core/values/money.ts';
import { isPseudonym } from '../../core/values/pseudonym.ts';
import { shortIdFrom } from '../../core/values/transaction-id.ts';
import { denial } from '../access/denial.ts';
import { type Grants, grantsOfRefunds } from '../access/grants.ts';
import { type Card, cardOf, part, plainCard } from '../cards/card.ts';
import { audienceAround } from '../cards/visibility.ts';
import { waitingCard } from '../charge/approval-cards.ts';
import { neededApproval } from '../charge/charge-limits.ts';
import type { Context, FormOfButton, Press, Services } from '../command.ts';
import { type Confirming, showConfirmed } from '../confirm-draft.ts';
import { frozenBackCard, goneCard, overtakenCard } from '../draft-buttons.ts';
import { sayWrongAnswers } from '../forms/correct-it.ts';
import { type Answers, checkAnswers, type Form } from '../forms/form.ts';
import { ownWords } from '../forms/own-words.ts';
import { merchantRefusal } from '../merchants.ts';

/** The right to write down what was given back. No command goes by it. */
const RIGHT = 'refund';
const DEED = 'write down what was given back';

/** At most what is left. `left` comes with the form as an answer without a field; whether it still holds is asked at the end. */
const checkAmount = (answer: string, { left = '' }: Answers): Parsed<Money> => {
  const most = parseMoney(left, '');
  if (!most.ok) return wrong('Open the Details of the payment again.');
  const amount = parseMoney(answer, most.value.currency);
  if (!amount.ok) return amount;
  if (amount.value.currency !== most.value.currency)
    return wrong(
      `The customer paid in ${most.value.currency}. Give the amount in ${most.value.currency}.`,
    );
  return amount.value.amountMinor > most.value.amountMinor
    ? wrong(`At most ${left} is left to give back.`)
    : parsed(amount.value);
};

const givenBackForm: Form = {
  command: 'given-back',
  title: 'Given back by hand',
  submitLabel: 'Write down',
  fields: [
    {
      name: 'amount',
      label: 'Amount given back',
      reason: ({ left }) => `At most ${left}. Nothing is sent to the payment service.`,
      check: checkAmount,
    },
    {
      name: 'reason',
      label: 'Reason',
      hint: 'In one sentence, such as: Wrong size.',
      check: ownWords,
    },
  ],
};

/** Writes down money that was given back by hand: a button in the Details of a completed payment, and its form. */
export const givenBack = (services: Services): { press: Press; form: FormOfButton } => ({
  press: {
    checksAccessItself: true,
    of: 'payment',
    run: async (id, context) => {
      const payment = await paymentToGive(services, id, context);
      if ('title' in payment) return context.surface.answerPress(payment);
      const left = formatMoney(leftToGive(payment));
      await context.surface.ask(givenBackForm, { payment: id, left });
    },
  },
  form: {
    form: givenBackForm,
    checksAccessItself: true,
    submit: async (answers, context) => {
      const payment = await paymentToGive(services, answers['payment'] ?? '', context);
      if ('title' in payment) return context.surface.answerPress(payment);
      const given = { ...answers, left: formatMoney(leftToGive(payment)) };
      const [message] = Object.values(checkAnswers(givenBackForm, given));
      const amount = checkAmount(answers['amount'] ?? '', given);
      if (message !== undefined || !amount.ok)
        return sayWrongAnswers(services, context, givenBackForm, {
          problem: { message: message ?? '' },
          answers: given,
        });
      const reason = ownWords(answers['reason'] ?? '');
      // Of a customer who was forgotten no words are kept.
      const words =
        reason.ok && !isPseudonym(payment.terms.customerNumber) ? reason.value : undefined;
      await writeDown(
        services,
        payment,
        { amount: amount.value, ...defined({ reason: words }) },
        context,
      );
    },
  },
});

/** The payment of which this person may give something back here and now; or why not. */
const paymentToGive = async (
  services: Services,
  id: string,
  context: Context,
): Promise<Payment | Card> => {
  const { payments, freeze, settings } = services;
  const payment = await payments.get(id);
  if (payment === undefined) return goneCard;
  if (!context.grants.may(RIGHT)) return denial(services, context, { what: RIGHT, deed: DEED });
  const refusal = merchantRefusal(settings, context.caller, payment);
  if (refusal !== undefined) return refusal;
  // What was given back after the backup is missing, so what is left is not known.
  const frozen = await freeze.standing();
  if (frozen !== undefined) return frozenBackCard(frozen, settings.timeZone);
  if (payment.state !== 'completed')
    return plainCard('Nothing to give back', 'The customer has not paid this.');
  return leftToGive(payment).amountMinor > 0
    ? payment
    : plainCard(
        'Nothing is left to give back',
        `All of ${formatMoney(payment.terms.amount)} was given back.`,
      );
};

type Given = { readonly amount: Money; readonly reason?: string };

/** Whether another person has to approve it: what was given back without an approval counts with it. */
const isAbove = (payment: Payment, amount: Money, limits: Grants): boolean =>
  neededApproval(limits, addMoney(unapprovedOf(payment), amount));

const writeDown = async (
  services: Services,
  { id: paymentId }: Payment,
  given: Given,
  context: Context,
): Promise<void> => {
  const { payments, access } = services;
  const { surface, caller, eventId } = context;
  const limits = grantsOfRefunds(context.grants);
  const id = shortIdFrom(eventId);
  const by = personOf(caller);
  let mayNot = false;
  const recorded = await payments.record(
    paymentId,
    { kind: 'given back', id, by, ...given },
    {
      cause: (before) =>
        isAbove(before, given.amount, limits) ? undefined : { who: by, where: caller.conversation },
      beside: async () => {
        const put = await guardsOf(services, paymentId, [by]);
        mayNot = !(await access.grantsOf(caller)).may(RIGHT);
        return mayNot ? undefined : { put };
      },
    },
  );
  if (recorded === undefined) return surface.say(goneCard);
  const { payment, changed } = recorded;
  const isKnown = payment.givenBack?.some((one) => one.id === id) === true;
  if (changed || isKnown) return surface.say(writtenCard(payment, given.amount));
  if (mayNot) return surface.say(denial(services, context, { what: RIGHT, deed: DEED }));
  const left = leftToGive(payment);
  return given.amount.amountMinor > left.amountMinor
    ? surface.say(tooMuchCard(left))
    : askApproval(services, payment, given, { ...context, grants: limits });
};

/** Who is stopped meanwhile writes nothing down. */
const guardsOf = (services: Services, paymentId: string, people: readonly Person[]) => {
  const about = new Set(people.map(({ platform, id }) => `${platform}:${id}`));
  return Promise.all([...about].map((text) => limitGuard(services, text, paymentId)));
};

const askApproval = async (
  services: Services,
  { id: paymentId, terms, conversation: typedIn }: Payment,
  { amount, reason }: Given,
  { surface, caller, grants, eventId }: Context,
): Promise<void> => {
  const { drafts, approversFor, settings, platforms } = services;
  const isAlone = audienceAround(caller, platforms) === 'one person';
  // Details are shown in private where the platform cannot show them in a group: approvers are not there.
  const conversation =
    isAlone && typedIn.platform === caller.platform ? typedIn : caller.conversation;
  const requester = personOf(caller);
  const kind = 'given back';
  const found = await approversFor({ requester, conversation, kind }, grants, amount);
  if (!found.ok) return surface.say(found.why);
  const { ok: _, ...approvers } = found;
  const content = { kind, terms: { ...terms, amount }, paymentId, warnings: [] } as const;
  const asked = { ...content, ...defined({ reason }) };
  // Delivered twice: the first delivery made it, and may have ended before it asked.
  const made =
    (await drafts.create(eventId, asked, requester, conversation)) ??
    (await drafts.get(shortIdFrom(eventId)));
  if (made?.kind !== kind) return surface.say(goneCard);
  const press = { button: 'given-back', where: conversation };
  const asking = { ...approvers, ...defined({ limit: grants.maxCharge }) };
  if (made.status === 'open') await drafts.awaitApproval(made, asking, press);
  const now = await drafts.get(made.id);
  const isWaiting = now?.kind === kind && now.status === 'awaiting approval';
  await surface.say(
    isWaiting ? waitingCard(now, settings.timeZone) : await overtakenCard(made.id, services),
  );
};

/** What was given back above a limit is written down, after the checks that need the newest state. */
export const confirmingGivenBack = (services: Services): Confirming<GivenBackDraft, Payment> => ({
  is: (draft) => draft.kind === 'given back',
  button: 'given-back',
  right: RIGHT,
  question: (draft) => services.approvalQuestion(draft),
  limitsIn: grantsOfRefunds,
  deed: DEED,
  guardsOf: (draft, presser) => guardsOf(services, draft.paymentId, [draft.requester, presser]),
  otherMerchant: async ({ paymentId }, caller) => {
    const payment = await services.payments.get(paymentId);
    return payment && merchantRefusal(services.settings, caller, payment);
  },
  check: async (draft, _grants, { surface }) => {
    const payment = await services.payments.get(draft.paymentId);
    const left = payment && leftToGive(payment);
    if (left === undefined || draft.terms.amount.amountMinor > left.amountMinor)
      return () => surface.answerPress(left === undefined ? goneCard : tooMuchCard(left));
    return { confirm: (presser, press) => approveGivenBack(services, draft, presser, press) };
  },
  tellConfirmed: (draft, payment, context) =>
    showConfirmed(
      services,
      draft,
      { card: writtenCard(payment, draft.terms.amount), atMs: services.clock.now() },
      context,
    ),
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
