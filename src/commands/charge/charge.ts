import type { FormAnswers, SuggestedAnswers } from '../../core/records/records.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Store } from '../../core/store/store.ts';
import type { Person } from '../../core/values/conversation.ts';
import { type CustomerNumber, showNumber } from '../../core/values/customer-number.ts';
import { formatMoney, parseMoney } from '../../core/values/money.ts';
import { type Button, pressButton } from '../cards/card.ts';
import type { CommandRecord, Context, MessageShortcut, Services } from '../command.ts';
import { frozenCard, goneCard } from '../draft-buttons.ts';
import { sayMisunderstood, sayWrongAnswers } from '../forms/correct-it.ts';
import type { Annotations, Answers, Form } from '../forms/form.ts';
import { formButton } from '../forms/form-button.ts';
import { repliedPayment } from '../payments/replied-payment.ts';
import { anotherTry } from './another-try.ts';
import { customerAnswers, filledInAgain, readOrigin } from './charge-again.ts';
import { chargeByName, understoodByName } from './charge-by-name.ts';
import { answersFrom, chargeForm, partsFrom } from './charge-form.ts';
import { chargePresses } from './charge-presses.ts';
import { completeCharge, parseCharge, readCharge } from './parse-charge.ts';
import type { ChargeParts } from './parse-charge-options.ts';
import { customerPicked, type Proceed, pickMeaning } from './pick-customer.ts';
import { type Origin, propose } from './propose-charge.ts';
import { readMessage } from './read-message.ts';
import { ownPayments, recentCustomers, suggestionsOf } from './recent-customers.ts';
import { refusalReason } from './refusal-reason.ts';

/** `/charge`: look the account up, show whose it is, ask for one press, request the money. */
export const chargeCommand = (services: Services): CommandRecord => {
  const { settings, store } = services;
  const form = chargeForm(settings, (person) => usualAmounts(store, person, settings.currency));
  const why = refusalReason(services);

  const { proceed, submit, suggestedTo } = takeCharge(services, form);
  const again = filledInAgain(services, form);
  /** In a reply to a card, and without a customer, it is for the customer of that card. */
  const typed = async (parts: ChargeParts, context: Context): Promise<void> => {
    const isAddressed = parts.number !== undefined || parts.customer !== undefined;
    const replied = isAddressed ? undefined : await repliedPayment(services, context);
    if (replied === undefined) return proceed(parts, context);
    const answers = answersFrom(parts);
    await (Object.keys(answers).length === 0
      ? again.again.run(replied.id, context)
      : submit({ ...customerAnswers(replied, context), ...answers }, context));
  };

  return {
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
    understood: (words, context) =>
      understoodByName(services, readCharge(words, settings), context),
    run: async (words, context) => {
      const reading = readCharge(words, settings);
      const [first] = reading.complaints;
      if (first === undefined) return typed(reading.parts, context);
      const understood = await understoodByName(services, reading, context);
      const { problem } = first;
      await sayMisunderstood(services, context, form, { problem, ...understood }, (id) =>
        Object.keys(understood.problems).length === 1
          ? readingButtons(understood.answers, settings.currency, id)
          : [],
      );
    },
    submit,
    forms: [why.form],
    presses: {
      ...chargePresses(services),
      ...anotherTry(services),
      ...again,
      why: why.press,
      customer: pickMeaning(services, form, proceed, customerPicked),
      [READING]: pickMeaning(services, form, proceed, readingPicked(settings.currency)),
      'new-charge': formButton(services, form, 'charge', suggestedTo),
      'charge-found': {
        run: async (words, { surface }) => {
          const read = parseCharge(words, settings);
          await (read.ok
            ? surface.ask(form, answersFrom(read.value))
            : surface.answerPress(goneCard));
        },
      },
    },
    messageShortcuts: { 'charge-number': chargeOfMessage(services, form, proceed) },
  };
};

/**
 * A charge of what a message says. The form is asked where the message leaves anything open, names more than one
 * customer, or has an amount that may be something else.
 */
const chargeOfMessage =
  ({ settings }: Pick<Services, 'settings'>, form: Form, proceed: Proceed): MessageShortcut =>
  async (text, context) => {
    const { numbers, amount, isAmountCertain } = readMessage(text, settings);
    const [first, second] = numbers;
    const number = second === undefined ? first : undefined;
    const parts: ChargeParts = { option: 'MOM', ...defined({ number, amount }) };
    if (number !== undefined && isAmountCertain) return proceed(parts, context);
    const problems = second === undefined ? {} : { problems: { number: whichOf(numbers) } };
    return context.surface.ask(form, answersFrom(parts), problems);
  };

const MOST_NAMED = 5;

const whichOf = (numbers: readonly CustomerNumber[]): string => {
  const named = numbers.slice(0, MOST_NAMED).map(({ e164 }) => showNumber(e164));
  return `Which one? The message has ${numbers.length} numbers: ${named.join(', ')}.`;
};

const MOST_USED = 3;
/** In whole units of the shop's currency. */
const ROUND_AMOUNTS = ['10', '20', '50', '100', '200'];

/** Amounts to pick: the three that the person asks for most, the newest first among equals, then round ones. */
const usualAmounts = async (
  store: Pick<Store, 'listPayments'>,
  person: Person,
  currency: string,
): Promise<SuggestedAnswers> => {
  const { payments } = await ownPayments(store, person);
  const uses = Map.groupBy(payments, ({ terms }) => formatMoney(terms.amount));
  // A stable sort: groups come in the order of their newest payment.
  const used = [...uses].sort(([, one], [, other]) => other.length - one.length);
  const round = ROUND_AMOUNTS.flatMap((whole) => {
    const read = parseMoney(whole, currency);
    return read.ok ? [formatMoney(read.value)] : [];
  });
  const amounts = new Set([...used.slice(0, MOST_USED).map(([amount]) => amount), ...round]);
  return {
    label: 'Or a usual amount',
    unnumbered: true,
    choices: [...amounts].map((amount) => ({ value: amount, label: amount })),
  };
};

/** From what is known of a charge to its question, or to the form that asks for the rest. */
const takeCharge = (services: Services, form: Form) => {
  const { settings, store, freeze } = services;
  /** The caller's recent customers, for the field of the number. */
  const suggestedTo = async (person: Person): Promise<Annotations> => {
    const number = suggestionsOf(await recentCustomers(store, person));
    return number === undefined ? {} : { suggestions: { number } };
  };
  /** Where the typed command, the form and the choice of a customer meet. */
  const proceed = async (
    parts: ChargeParts,
    context: Context,
    origin: Origin = {},
    answers: Answers = answersFrom(parts),
  ): Promise<void> => {
    const { surface, caller } = context;
    const frozen = await freeze.standing();
    if (frozen !== undefined) return surface.say(frozenCard(frozen, settings.timeZone));
    const request = completeCharge(parts);
    if (request !== undefined) {
      const card = await propose(services, request, context, origin);
      return card && surface.say(card);
    }
    const { customer, number } = parts;
    if (customer !== undefined)
      return chargeByName(services, form, proceed)({ ...parts, customer }, context);
    // As they were given: a number that was read from a colleague's payment is not shown.
    await surface.ask(form, answers, number === undefined ? await suggestedTo(caller) : {});
  };
  const submit = async (answers: Answers, context: Context): Promise<void> => {
    const given = await readOrigin(services, answers, context);
    if ('title' in given) return context.surface.say(given);
    const read = partsFrom(given.answers, settings);
    await (read.ok
      ? proceed(read.value, context, given.origin, answers)
      : sayWrongAnswers(services, context, form, { ...read, answers }));
  };
  return { suggestedTo, proceed, submit };
};

const READING = 'reading';

/** What digits with a space between them can mean: one amount, or an amount and a reference. Empty for any other text. */
const readingsOf = (answers: Answers, currency: string): { label: string; answers: Answers }[] => {
  const { amount = '', reference = '' } = answers;
  const [, first = '', rest = ''] = /^(\D*\d[\d.,]*) (\d[\d., ]*)$/u.exec(amount) ?? [];
  if (first === '') return [];
  return [
    { amount: amount.replaceAll(/(?<=\d) (?=\d)/g, ','), label: '' },
    { amount: first, label: `, reference ${rest}`, reference: `${rest} ${reference}`.trim() },
  ].flatMap(({ label, ...reading }) => {
    const read = parseMoney(reading.amount, currency);
    return read.ok
      ? [{ label: `${formatMoney(read.value)}${label}`, answers: { ...answers, ...reading } }]
      : [];
  });
};

/** A button for each meaning of an amount with a space in it; `id` is that of the parked form. */
const readingButtons = (answers: Answers, currency: string, id: string): Button[] =>
  readingsOf(answers, currency).map(({ label }, at) => pressButton(label, READING, `${id}.${at}`));

const readingPicked =
  (currency: string) =>
  ({ answers }: Pick<FormAnswers, 'answers'>, which: string): Answers | undefined =>
    readingsOf(answers, currency)[Number(which)]?.answers;
