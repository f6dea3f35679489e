import { chargeGuards } from '../core/charge-guard.ts';
import type { Press } from '../core/draft-audit.ts';
import { KeyedLock } from '../core/keyed-lock.ts';
import { formatMoney } from '../core/money.ts';
import { noWalletOperator } from '../core/network.ts';
import type { Draft } from '../core/payments/draft.ts';
import type { Payment } from '../core/payments/payment.ts';
import type { Put } from '../core/store/store.ts';
import { newTransactionId } from '../core/transaction-id.ts';
import type { Grants } from './access.ts';
import { deniedCard, plainCard, problemCard } from './answer-cards.ts';
import { approvalCard } from './approval-card.ts';
import {
  amountOf,
  confirmationCard,
  readButtonId,
  startedCard,
  takenIdCard,
} from './charge-cards.ts';
import { answersFromWords, chargeForm, isComplete, requestFrom } from './charge-form.ts';
import { leftToday, neededApproval } from './charge-limits.ts';
import {
  lookUpCustomer,
  repeatedBy,
  repetitionWarning,
  undecidedWarning,
} from './charge-warnings.ts';
import { parseChargeWords } from './charge-words.ts';
import type { Command, Context, Services } from './command.ts';
import {
  awaitingApprovalCard,
  draftToPress,
  frozenCard,
  goneCard,
  nothingDone,
  overtakenCard,
  whyNotOpen,
} from './draft-press.ts';
import type { Answers } from './form.ts';
import type { Surface } from './inbound.ts';

/** Two confirmations for one customer rarely meet; this many times in a row something else is wrong. */
const MOST_TRIES = 20;
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
        warnings: [...customer.warnings, ...repeats.slice(0, 1).map(warningOf), ...undecided],
        repeats: repeats.map(({ id }) => id),
      },
      { platform: caller.platform, id: caller.id, name: caller.name },
      caller.conversation,
    );
    // The same event delivered twice: its confirmation stands already.
    if (draft === undefined) return;
    await surface.say(
      confirmationCard(draft, {
        needsApproval: neededApproval(grants, request.amount),
        link: await linkToLast(draft),
      }),
    );
  };

  const warningOf = (payment: Payment): string => repetitionWarning(payment, settings.timeZone);

  /** The earlier charge that the confirmation warns of, to look at before pressing. */
  const linkToLast = async ({ what }: Draft): Promise<string | undefined> => {
    const last = what.kind === 'charge' ? what.repeats?.[0] : undefined;
    const payment = last === undefined ? undefined : await payments.get(last);
    return payment && services.linkTo(payment);
  };

  const confirm = async (pressed: string, context: Context): Promise<void> => {
    const { id, revision } = readButtonId(pressed);
    const draft = await draftToPress(id, context, services);
    if (draft === undefined) return;
    if (draft.status === 'awaiting approval') return context.surface.say(awaitingApprovalCard);
    if (revision !== (draft.revision ?? 0)) return showAgain(draft, context);
    if (neededApproval(context.grants, amountOf(draft))) return awaitApproval(draft, context);
    await startWithin(context.grants, draft, context);
  };

  /** What is confirmed is what was last shown. */
  const showAgain = async (draft: Draft, { surface, grants }: Context): Promise<void> =>
    surface.replace(
      draft.status === 'awaiting approval'
        ? approvalCard(draft)
        : confirmationCard(draft, {
            needsApproval: neededApproval(grants, amountOf(draft)),
            link: await linkToLast(draft),
          }),
    );

  /** Confirms if the requester's day has room and nobody asked for the same meanwhile. */
  const startWithin = (theirs: Grants, draft: Draft, context: Context): Promise<void> =>
    requesterLock.run(`${draft.requester.platform}:${draft.requester.id}`, async () => {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const guards = await chargeGuards(services, draft);
        const overLimit = await leftToday(services, theirs, draft.requester, amountOf(draft));
        if (overLimit !== undefined)
          return context.surface.replace(problemCard({ message: overLimit }));
        const unseen = await unseenRepeats(draft);
        if (unseen.length > 0) return askAgain(draft, unseen, context);
        if (await start(draft, guards, context)) return;
      }
      throw new Error(`draft ${draft.id}: ${MOST_TRIES} times another charge came between`);
    });

  /** Charges like this one that were not there when it was shown. */
  const unseenRepeats = async ({ what }: Draft): Promise<Payment[]> => {
    if (what.kind !== 'charge') return [];
    const repeats = await repeatedBy(services, what.terms);
    return repeats.filter(({ id }) => what.repeats?.includes(id) !== true);
  };

  const askAgain = async (draft: Draft, unseen: Payment[], context: Context): Promise<void> => {
    const news = {
      warnings: unseen.slice(0, 1).map(warningOf),
      repeats: unseen.map(({ id }) => id),
    };
    const { caller } = context;
    const revised = await drafts.revise(draft, news, caller, pressOf(buttonFor(draft), context));
    if (revised !== undefined) return showAgain(revised, context);
    await context.surface.replace(await overtakenCard(draft.id, services));
  };

  const awaitApproval = async (draft: Draft, context: Context): Promise<void> => {
    const asked = await drafts.awaitApproval(draft, pressOf(buttonFor(draft), context));
    await context.surface.replace(
      asked
        ? plainCard(
            'Waiting for approval',
            `${formatMoney(amountOf(draft))} is above your limit. Somebody who may approve has been asked in this conversation.`,
          )
        : await overtakenCard(draft.id, services),
    );
  };

  /** False: another charge of this customer or requester came between, so look again. */
  const start = async (
    draft: Draft,
    guards: readonly Put[],
    context: Context,
  ): Promise<boolean> => {
    const { surface, caller } = context;
    const presser = { platform: caller.platform, id: caller.id, name: caller.name };
    const press = { ...pressOf(buttonFor(draft), context), guards };
    const payment = await payments.confirm(draft, presser, press);
    if (payment === undefined) {
      const newest = await drafts.get(draft.id);
      const isOpen = newest?.version === draft.version;
      if (isOpen && !(await hasTakenId(draft))) return false;
      await surface.replace(isOpen ? takenIdCard : await overtakenCard(draft.id, services));
      return true;
    }
    await surface.replace(startedCard(draft, payment));
    // Not waited for: other events must not queue up behind a slow chat.
    void tellIfImpossible(payment, surface).catch((error) =>
      services.log.error({ err: error, payment: payment.id }, 'could not follow the payment card'),
    );
    return true;
  };

  /** Another payment has its transaction id, by chance. A new draft gets a new one. */
  const hasTakenId = async ({ what }: Draft): Promise<boolean> =>
    what.kind === 'charge' && (await payments.get(what.paymentId)) !== undefined;

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

  const cancel = async (pressed: string, context: Context): Promise<void> => {
    const { id } = readButtonId(pressed);
    const draft = await draftToPress(id, context, services);
    if (draft === undefined) return;
    const cancelled = await drafts.cancel(draft, context.caller, pressOf('cancel', context));
    await context.surface.replace(
      cancelled ? plainCard('Cancelled', nothingDone(draft)) : await overtakenCard(id, services),
    );
  };

  const decide = async (pressed: string, context: Context, approved: boolean): Promise<void> => {
    const { surface, caller, grants } = context;
    const { id, revision } = readButtonId(pressed);
    const draft = await drafts.get(id);
    if (draft === undefined) return surface.replace(goneCard);
    if (!grants.approve) return surface.say(deniedCard('approve charges', caller, grants.withheld));
    if (caller.id === draft.requester.id)
      return surface.say(
        plainCard('Somebody else has to approve it', 'Nobody approves what they asked for.'),
      );
    const refusal = await whyNotOpen(draft, services);
    if (refusal !== undefined) return surface.replace(refusal);
    if (draft.status !== 'awaiting approval') return surface.replace(goneCard);
    if (!approved) {
      const refused = await drafts.cancel(draft, caller, pressOf('refuse', context));
      const card = plainCard(
        'Not approved',
        `${caller.name} refused ${formatMoney(amountOf(draft))} asked by ${draft.requester.name}. Nothing was charged.`,
      );
      return surface.replace(refused ? card : await overtakenCard(id, services));
    }
    if (revision !== (draft.revision ?? 0)) return showAgain(draft, context);
    // An approver lifts the limit for one payment; the requester's own rights and day still count.
    const requester = { ...draft.requester, conversation: draft.conversation };
    const theirs = await services.access.grantsOf(requester);
    if (!theirs.may('charge'))
      return surface.replace(
        plainCard('Not possible any more', `${requester.name} may no longer charge.`),
      );
    await startWithin(theirs, draft, context);
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
      if (!isComplete(answers) && (await isFrozen(context))) return;
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

/** The button that starts a charge: the requester's, and once they pressed, the approver's. */
const buttonFor = ({ status }: Draft): string =>
  status === 'awaiting approval' ? 'approve' : 'charge';

/** A press for the audit trail. */
const pressOf = (button: string, { caller }: Context): Press => ({
  button,
  where: caller.conversation,
});

const usageLine = '/charge <number> <amount> [currency] [network] [card|checkout] [reference]';
