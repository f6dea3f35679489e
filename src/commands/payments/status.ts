import { KeyedLimiter } from '../../core/cluster/limit.ts';
import type { StatusOutcome } from '../../core/gateway/gateway.ts';
import { quotable } from '../../core/gateway/reason-texts.ts';
import { isSettled, type Payment } from '../../core/records/payment.ts';
import { isFromClockAhead } from '../../core/runtime/clock.ts';
import { parsed, wrong } from '../../core/runtime/errors.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import { personOf } from '../../core/values/conversation.ts';
import { showNear } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { normaliseTransactionId } from '../../core/values/transaction-id.ts';
import { moneyText } from '../balance.ts';
import { type Button, type Card, cardOf, idFact, joined, part, plainCard } from '../cards/card.ts';
import { paymentCard } from '../cards/payment-card.ts';
import {
  flagText,
  guidance,
  outcomeText,
  stateWord,
  withoutCustomer,
} from '../cards/payment-words.ts';
import { noAnswerText, spendQuestion } from '../cards/service-words.ts';
import { audienceAround } from '../cards/visibility.ts';
import {
  type Command,
  type CommandRecord,
  type Context,
  momentOf,
  type Press,
  type Services,
} from '../command.ts';
import { isUsable } from '../command-rights.ts';
import { goneCard } from '../draft-buttons.ts';
import { inputCommand } from '../forms/input-command.ts';
import { merchantRefusal } from '../merchants.ts';
import { maySeeDetails } from './payment-details.ts';
import { repliedPayment } from './replied-payment.ts';
import { revealPress } from './reveal.ts';

/** `/status`: the payment's state, asked of the payment service now; also for payments that Paythread did not start. */
export const statusCommand = (services: Services, all: () => readonly Command[]): CommandRecord => {
  const { checks, payments, settings, platforms } = services;
  /** Whether this person can press a button of the card: it is shown to them alone. */
  const isTheirs = (button: Button, payment: Payment, context: Context): boolean => {
    if (button.kind === 'link') return true;
    if (button.verb === 'details') return maySeeDetails(payment, context);
    const owner = all().find(({ presses = {} }) => button.verb in presses);
    return owner !== undefined && isUsable(owner, context.grants);
  };
  const check = async (typed: string, context: Context): Promise<void> => {
    const { surface, caller } = context;
    const found = await payments.get(normaliseTransactionId(typed));
    const refusal = found && merchantRefusal(settings, caller, found);
    if (refusal !== undefined) return surface.say(refusal);
    const id = found?.id ?? typed;
    const spent = spendQuestion(services, caller);
    if (spent !== undefined) return surface.say(spent);
    const cause = { who: personOf(caller), where: caller.conversation };
    const { outcome, payment } = await checks.askNow(id, 'person', cause);
    if (payment === undefined) return surface.say(foreignCard(id, outcome, settings.currency));
    const audience = audienceAround(caller, platforms);
    const card = paymentCard(payment, settings.timeZone, audience, {
      showAt: (ms) => showNear(ms, momentOf(services)),
      sms: settings,
    });
    // Others read along in a group, and what the owner has to put right is for the owner.
    const whole = context.grants.admin && audience === 'one person' ? 'whole' : undefined;
    const asked = part.note(withoutCustomer(answerText(outcome, whole), payment));
    const buttons = card.buttons?.filter((button) => isTheirs(button, payment, context)) ?? [];
    await surface.say({ ...card, parts: [...card.parts, asked], buttons });
  };

  const typed = inputCommand(services, {
    command: 'status',
    title: 'Check a payment',
    submitLabel: 'Check',
    says: 'That is not a transaction id. It has only letters and digits. You find it in the Details of a payment.',
    inputs: {
      id: {
        label: 'Transaction id',
        hint: 'You find it in the Details of a payment',
        check: (answer) => (IDS.test(answer) ? parsed(answer) : NO_ID),
      },
    },
    run: ({ id }, context) => check(id, context),
  });
  return {
    summary: 'Check a payment now',
    deed: 'check payments',
    usage: '<transaction id>',
    examples: ['01JD2M4X9QK7T3VB'],
    ...typed,
    run: async (words, context) => {
      const card = words === '' ? await repliedPayment(services, context) : undefined;
      await (card === undefined ? typed.run(words, context) : check(card.id, context));
    },
    presses: { check: checkNowPress(services), reveal: revealPress(services) },
  };
};

/** Those of other systems as well. */
const IDS = /^[A-Za-z0-9][A-Za-z0-9._ -]{2,39}$/;
const NO_ID = wrong('A transaction id has letters and digits only, 40 at most.');

const answerText = (outcome: StatusOutcome, whole?: 'whole'): string => {
  if (outcome.kind === 'status')
    return `Asked just now: the payment service says "${quotable(outcome.word)}".`;
  return outcome.kind === 'noStatus'
    ? 'The payment service does not know this transaction.'
    : noAnswerText(outcome, whole);
};

const FOREIGN = 'Paythread did not start this payment';

/** A payment that is not in our books: only the service's word can be shown. */
const foreignCard = (id: string, outcome: StatusOutcome, currency: string): Card =>
  cardOf(outcome.kind === 'noStatus' ? 'I have no payment with this id' : FOREIGN, [
    outcome.kind === 'status'
      ? part.facts(
          { label: 'Amount', value: moneyText(outcome.amount, currency) },
          { label: 'Status', value: quotable(outcome.word) },
          // What the service wrote where a date belongs: others may read it.
          { label: 'Date', value: maskPhones(outcome.paymentDate ?? 'not available') },
        )
      : part.text(
          outcome.kind === 'noStatus'
            ? 'The payment service does not know it either. Check the id.'
            : answerText(outcome),
        ),
    part.facts(idFact('Transaction', maskPhones(id))),
  ]);

/** Of one payment, however many people press: more would only ask the payment service the same. */
const SPACING_MS = 10_000;
/** A few kilobytes; a payment that is forgotten may be checked once more too soon. */
const MOST_PAYMENTS = 10_000;

/** Asks the payment service about a payment that has no outcome yet, and tells the presser what it found. */
const checkNowPress = (services: Services): Press => {
  const { checks, payments, settings, clock } = services;
  const recent = new KeyedLimiter(clock, { most: 1, windowMs: SPACING_MS }, MOST_PAYMENTS);
  return {
    of: 'payment',
    run: async (id, { surface, caller }) => {
      const known = await payments.get(id);
      if (known === undefined) return surface.answerPress(goneCard);
      const { state, flag } = known;
      if (state === 'confirmed' || state === 'submitting')
        return surface.answerPress(plainCard('Being sent right now', 'Check again in a moment.'));
      if (isSettled(known) && flag === undefined)
        return surface.answerPress(foundCard(known, settings.timeZone));
      const waitMs = recent.spend(id) || (await waitAfterOthersMs(services, id));
      if (waitMs > 0) return surface.answerPress(tooSoonCard(known, waitMs));
      const spent = spendQuestion(services, caller);
      if (spent !== undefined) return surface.answerPress(spent);
      const cause = { who: personOf(caller), where: caller.conversation };
      const { outcome, payment = known } = await checks.askNow(id, 'person', cause);
      await surface.answerPress(
        whyNothing(outcome, payment) ?? foundCard(payment, settings.timeZone),
      );
    },
  };
};

/** The presses that other instances served stand in the audit trail. */
const waitAfterOthersMs = async ({ store, clock }: Services, id: string): Promise<number> => {
  const rows = await store.auditOf(id);
  const last = rows.findLast(({ what, who }) => what === 'checked' && who !== undefined);
  const nowMs = clock.now();
  const isAhead = last !== undefined && isFromClockAhead(last.atMs, nowMs, SPACING_MS);
  return last === undefined || isAhead ? 0 : Math.max(0, last.atMs + SPACING_MS - nowMs);
};

const tooSoonCard = ({ state }: Payment, waitMs: number): Card =>
  plainCard(
    `Still ${stateWord(state)}`,
    `I asked just now. Check again in ${Math.ceil(waitMs / 1_000)} s.`,
  );

/** What was found, in a sentence: the money first. */
const foundCard = (payment: Payment, timeZone: string): Card => {
  const { state, flag, terms } = payment;
  const title = `${formatMoney(terms.amount)}: ${isSettled(payment) ? '' : 'still '}${stateWord(state)}`;
  if (flag !== undefined) return plainCard(title, flagText(payment));
  return plainCard(
    title,
    state === 'pending'
      ? joined('Not approved yet.', ...guidance(payment, timeZone))
      : outcomeText(payment),
  );
};

/** An answer without a state; undefined: the payment says what was found. */
const whyNothing = (outcome: StatusOutcome, payment: Payment): Card | undefined => {
  if (outcome.kind === 'status') return undefined;
  const title = `Still ${stateWord(payment.state)}`;
  return plainCard(title, withoutCustomer(answerText(outcome), payment));
};
