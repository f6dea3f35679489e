import type { StatusOutcome } from '../../core/gateway/gateway.ts';
import { quotable } from '../../core/gateway/reason-texts.ts';
import type { Cause } from '../../core/payments/payments.ts';
import { assertNever, parsed, wrong } from '../../core/runtime/errors.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import { personOf } from '../../core/values/conversation.ts';
import { formatMoney, moneyFromService } from '../../core/values/money.ts';
import { normaliseTransactionId } from '../../core/values/transaction-id.ts';
import { type Card, type Fact, idFact } from '../cards/card.ts';
import { paymentCard } from '../cards/payment-card.ts';
import { withoutNumber } from '../cards/payment-words.ts';
import { noAnswerText, problemCard, saidText } from '../cards/reply-cards.ts';
import { reveal } from '../cards/reveal.ts';
import { audienceAround } from '../cards/visibility.ts';
import type { Command, Context, Services } from '../command.ts';
import type { Answers, Form } from '../forms/form.ts';
import type { Caller } from '../inbound.ts';
import { spendQuestion } from '../lookup/questions-left.ts';

const form: Form = {
  command: 'status',
  title: 'Check a payment',
  submitLabel: 'Check',
  fields: [
    {
      name: 'id',
      label: 'Transaction id',
      hint: 'You find it on the payment card',
      check: (answer) =>
        isPlausible(answer)
          ? parsed(answer)
          : wrong('A transaction id has letters and digits only, 40 at most.'),
    },
  ],
};

/** `/status`: the payment's state, asked of the payment service now; also for payments that Paythread did not start. */
export const statusCommand = (services: Services): Command => {
  const { checks, payments, settings } = services;
  const check = async (typed: string, { surface, caller }: Context): Promise<void> => {
    const known = await payments.get(normaliseTransactionId(typed));
    const id = known?.id ?? typed;
    const spent = spendQuestion(services, caller);
    if (spent !== undefined) return surface.say(spent);
    const { outcome, payment } = await checks.askNow(id, 'person', causeOf(caller));
    await surface.say(
      payment === undefined
        ? foreignCard(id, outcome, settings.currency)
        : withServiceAnswer(
            paymentCard(payment, settings.timeZone, audienceAround(caller, services.platforms)),
            withoutNumber(answerText(outcome), payment),
          ),
    );
  };

  return {
    name: 'status',
    summary: 'Check a payment now',
    deed: 'check payments',
    usage: '<transaction id>',
    examples: ['01JD2M4X9QK7T3VB'],
    form,
    run: async (words, context) => {
      if (words === '') return context.surface.ask(form, {});
      if (!isPlausible(words))
        return context.surface.say(
          problemCard({
            message:
              'That is not a transaction id. It has only letters and digits. You find it on the payment card.',
            example: '/status 01JD2M4X9QK7T3VB',
          }),
        );
      await check(words.trim(), context);
    },
    submit: (answers: Answers, context) => check((answers['id'] ?? '').trim(), context),
    presses: {
      reveal: { checksAccessItself: true, run: (id, context) => reveal(services, id, context) },
    },
  };
};

/** Who asked, for the audit trail. */
const causeOf = (caller: Caller): Cause => ({
  who: personOf(caller),
  where: caller.conversation,
});

/** Accepts the ids of other systems as well. */
const isPlausible = (text: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._ -]{2,39}$/.test(text.trim());

const withServiceAnswer = (card: Card, text: string): Card => ({
  ...card,
  parts: [...card.parts, { kind: 'note', text }],
});

const answerText = (outcome: StatusOutcome): string => {
  switch (outcome.kind) {
    case 'status':
      return `Asked just now: the payment service says "${quotable(outcome.word)}".`;
    case 'noStatus':
      return ['The payment service does not know this transaction.', saidText(outcome.answer)]
        .filter((text) => text !== undefined)
        .join(' ');
    case 'rateLimited':
    case 'refused':
    case 'noAnswer':
      return noAnswerText(outcome);
    default:
      return assertNever(outcome);
  }
};

/** A payment that is not in our books: only the service's word can be shown. */
const foreignCard = (id: string, outcome: StatusOutcome, currency: string): Card => ({
  title: 'Paythread did not start this payment',
  parts: [
    outcome.kind === 'status'
      ? { kind: 'facts', facts: foreignFacts(outcome, currency) }
      : { kind: 'text', text: answerText(outcome) },
    { kind: 'facts', facts: [idFact('Transaction', maskPhones(id))] },
  ],
});

const foreignFacts = (
  { word, amount, paymentDate }: Extract<StatusOutcome, { kind: 'status' }>,
  currency: string,
): Fact[] => {
  const money = amount === undefined ? undefined : moneyFromService(amount, currency);
  return [
    {
      label: 'Amount',
      value: money === undefined ? shown(amount) : formatMoney(money),
    },
    { label: 'Status', value: quotable(word) },
    { label: 'Date', value: shown(paymentDate) },
  ];
};

/** What the service wrote where a value belongs: others may read it. */
const shown = (text: string | undefined): string =>
  text === undefined ? 'not available' : maskPhones(text);
