import { maskNumber } from '../core/customer-number.ts';
import { KeyedLock } from '../core/keyed-lock.ts';
import { formatMoney } from '../core/money.ts';
import { noWalletOperator } from '../core/network.ts';
import type { Draft } from '../core/payments/draft.ts';
import type { Payment } from '../core/payments/payment.ts';
import { newTransactionId } from '../core/transaction-id.ts';
import { deniedCard, plainCard, problemCard } from './answer-cards.ts';
import { chargeFacts } from './approval-card.ts';
import type { Card, CardPart } from './card.ts';
import { answersFromWords, chargeForm, isComplete, requestFrom } from './charge-form.ts';
import { leftToday, neededApproval } from './charge-limits.ts';
import { lookUpCustomer, recentCharges } from './charge-warnings.ts';
import { parseChargeWords } from './charge-words.ts';
import type { Command, Context, Services } from './command.ts';
import {
  awaitingApprovalCard,
  draftToPress,
  goneCard,
  nothingDone,
  overtakenCard,
  whyNotOpen,
} from './draft-press.ts';
import type { Answers } from './form.ts';
import type { Surface } from './inbound.ts';

/** How long the answer to a press waits for the card, to be able to say that it could not be posted. */
const CARD_PATIENCE_MS = 20_000;

/** `/charge`: look the account up, show whose it is, ask for one press, request the money. */
export const chargeCommand = (services: Services): Command => {
  const { settings, payments, drafts } = services;
  const form = chargeForm(settings);
  /** One confirmation per requester at a time, so that two presses cannot both fit into one daily limit. */
  const requesterLock = new KeyedLock();

  const ask = (answers: Answers, context: Context): Promise<void> =>
    context.surface.ask(form, answers);

  const propose = async (answers: Answers, context: Context): Promise<void> => {
    const { caller, surface, grants } = context;
    const read = requestFrom(answers, settings);
    if ('problem' in read) return surface.say(problemCard({ message: read.problem }, usageLine));
    if ('ask' in read) {
      const { pay: _, card: __, ...known } = answers;
      const operator = noWalletOperator(read.customerNumber);
      if (operator !== undefined)
        await surface.say(
          plainCard(
            `${operator} has no wallet here`,
            'If the number was ported to another network, pick that network.',
          ),
        );
      return ask(read.ask === 'card' ? { ...known, pay: 'card' } : known, context);
    }
    const { request } = read;
    const overLimit = await leftToday(services, grants, caller, request.amount);
    if (overLimit !== undefined) return surface.say(problemCard({ message: overLimit }));
    const [customer, warnings] = await Promise.all([
      lookUpCustomer(services.gateway, request),
      recentCharges(services, request),
    ]);
    const paymentId = newTransactionId(services.clock.now());
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
        warnings: [...customer.warnings, ...warnings],
      },
      { platform: caller.platform, id: caller.id, name: caller.name },
      caller.conversation,
    );
    // The same event delivered twice: its confirmation stands already.
    if (draft === undefined) return;
    await surface.say(confirmationCard(draft, neededApproval(grants, request.amount)));
  };

  const confirm = async (id: string, context: Context): Promise<void> => {
    const draft = await draftToPress(id, context, services);
    if (draft === undefined) return;
    if (draft.status === 'awaiting approval') return context.surface.say(awaitingApprovalCard);
    const amount = amountOf(draft);
    if (neededApproval(context.grants, amount)) return awaitApproval(draft, context);
    await requesterLock.run(`${draft.requester.platform}:${draft.requester.id}`, async () => {
      const overLimit = await leftToday(services, context.grants, draft.requester, amount);
      if (overLimit !== undefined)
        return context.surface.replace(problemCard({ message: overLimit }));
      await start(draft, context);
    });
  };

  const awaitApproval = async (draft: Draft, { surface }: Context): Promise<void> => {
    const asked = await drafts.awaitApproval(draft);
    await surface.replace(
      asked
        ? plainCard(
            'Waiting for approval',
            `${formatMoney(amountOf(draft))} is above your limit. Somebody who may approve has been asked in this conversation.`,
          )
        : await overtakenCard(draft.id, services),
    );
  };

  const start = async (draft: Draft, context: Context): Promise<void> => {
    const { surface, caller } = context;
    const presser = { platform: caller.platform, id: caller.id, name: caller.name };
    const payment = await payments.confirm(draft, presser);
    if (payment === undefined) return surface.replace(await overtakenCard(draft.id, services));
    await surface.replace(startedCard(draft, payment));
    // Not waited for: other events must not queue up behind a slow chat.
    void tellIfImpossible(payment, surface).catch((error) =>
      services.log.error({ err: error, payment: payment.id }, 'could not follow the payment card'),
    );
  };

  /** The requester looks at the prompt just pressed: say it there when the card cannot be posted. */
  const tellIfImpossible = async (payment: Payment, surface: Surface): Promise<void> => {
    const patience = new AbortController();
    void services.clock.sleep(CARD_PATIENCE_MS, patience.signal).then(() => patience.abort());
    const seen = await payments.until(
      payment.id,
      ({ card, state }) => card !== undefined || state !== 'confirmed',
      patience.signal,
    );
    patience.abort();
    if (seen?.state === 'not sent' && seen.card === undefined)
      await surface.replace(
        problemCard({ message: `Nothing was charged. ${seen.reason ?? ''}`.trim() }),
      );
  };

  const cancel = async (id: string, context: Context): Promise<void> => {
    const draft = await draftToPress(id, context, services);
    if (draft === undefined) return;
    const cancelled = await drafts.cancel(draft, context.caller);
    await context.surface.replace(
      cancelled ? plainCard('Cancelled', nothingDone(draft)) : await overtakenCard(id, services),
    );
  };

  const decide = async (id: string, context: Context, approved: boolean): Promise<void> => {
    const { surface, caller, grants } = context;
    const draft = await drafts.get(id);
    if (draft === undefined) return surface.replace(goneCard);
    if (!grants.approve) return surface.say(deniedCard('approve charges', caller));
    if (caller.id === draft.requester.id)
      return surface.say(
        plainCard('Somebody else has to approve it', 'Nobody approves what they asked for.'),
      );
    const refusal = whyNotOpen(draft, services);
    if (refusal !== undefined) return surface.replace(refusal);
    if (draft.status !== 'awaiting approval') return surface.replace(goneCard);
    if (!approved) {
      const refused = await drafts.cancel(draft, caller);
      const card = plainCard(
        'Not approved',
        `${caller.name} refused ${formatMoney(amountOf(draft))} asked by ${draft.requester.name}. Nothing was charged.`,
      );
      return surface.replace(refused ? card : await overtakenCard(id, services));
    }
    const requester = { ...draft.requester, conversation: draft.conversation };
    await requesterLock.run(`${requester.platform}:${requester.id}`, async () => {
      // An approver lifts the limit for one payment; the requester's own rights and day still count.
      const theirs = await services.access.grantsOf(requester);
      if (!theirs.may('charge'))
        return surface.replace(
          plainCard('Not possible any more', `${requester.name} may no longer charge.`),
        );
      const overLimit = await leftToday(services, theirs, requester, amountOf(draft));
      if (overLimit !== undefined) return surface.replace(problemCard({ message: overLimit }));
      await start(draft, context);
    });
  };

  return {
    name: 'charge',
    summary: 'Request money from a customer',
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
      await (isComplete(answers) ? propose(answers, context) : ask(answers, context));
    },
    submit: propose,
    presses: {
      charge: { run: confirm },
      cancel: { checksAccessItself: true, run: cancel },
      approve: { checksAccessItself: true, run: (id, context) => decide(id, context, true) },
      refuse: { checksAccessItself: true, run: (id, context) => decide(id, context, false) },
    },
  };
};

const usageLine = '/charge <number> <amount> [currency] [network] [card|checkout] [reference]';

const amountOf = (draft: Draft) => {
  if (draft.what.kind !== 'charge') throw new Error(`draft ${draft.id} is not a charge`);
  return draft.what.terms.amount;
};

const confirmationCard = (draft: Draft, needsApproval: boolean): Card => {
  const amount = formatMoney(amountOf(draft));
  const warnings = draft.what.kind === 'charge' ? draft.what.warnings : [];
  const parts: CardPart[] = [
    { kind: 'facts', facts: chargeFacts(draft) },
    ...warnings.map((text): CardPart => ({ kind: 'warning', text })),
  ];
  if (needsApproval)
    parts.push({
      kind: 'note',
      text: 'This is above your limit: after you, somebody who may approve has to confirm it.',
    });
  return {
    title: `Charge ${amount}?`,
    ...(warnings.length === 0 ? {} : { tone: 'warning' }),
    parts,
    buttons: [
      { kind: 'press', label: `Charge ${amount}`, verb: 'charge', id: draft.id, style: 'primary' },
      { kind: 'press', label: 'Cancel', verb: 'cancel', id: draft.id },
    ],
  };
};

const startedCard = (draft: Draft, payment: Payment): Card =>
  plainCard(
    `Confirmed: ${formatMoney(payment.terms.amount)} from ${payment.terms.customerName ?? maskNumber(payment.terms.customerNumber)}`,
    draft.status === 'awaiting approval'
      ? `Approved for ${draft.requester.name}. The payment card shows how it goes.`
      : 'The payment card shows how it goes.',
  );
