import { parseCustomerNumber, showNumber } from '../core/customer-number.ts';
import { parsed, wrong } from '../core/errors.ts';
import { formatMoney, type Money, parseMoney } from '../core/money.ts';
import { guessNetwork, isCard, type NetworkCode, networkLabel } from '../core/network.ts';
import type { PaymentOption } from '../core/payments/payment.ts';
import { type ChargeWords, checkReference } from './charge-words.ts';
import type { Answers, Choice, Form } from './form.ts';

/** A charge that is complete enough to be looked up and confirmed. */
export type ChargeRequest = {
  readonly customerNumber: string;
  readonly doubtfulNumber: boolean;
  readonly amount: Money;
  readonly network: NetworkCode;
  readonly option: PaymentOption;
  readonly reference?: string;
};

/** The network in the request of a hosted checkout: the customer picks the real one on the page. */
const CHECKOUT_NETWORK: NetworkCode = 'MTN';

const WALLETS: readonly NetworkCode[] = ['MTN', 'VOD', 'AIR'];
const CARDS: readonly NetworkCode[] = ['VIS', 'MAS'];
const BY_NUMBER = 'auto';

const choiceOf = (code: NetworkCode): Choice => ({ value: code, label: networkLabel(code) });

/** What `/charge` asks when something was not typed. */
export const chargeForm = (defaults: { currency: string; country: string }): Form => ({
  command: 'charge',
  title: 'Charge a customer',
  submitLabel: 'Continue',
  fields: [
    {
      name: 'number',
      label: 'Customer number',
      hint: 'For example 0244123456',
      check: (answer) => parseCustomerNumber(answer, defaults.country),
    },
    {
      name: 'amount',
      label: 'Amount',
      hint: `For example 50 or ${defaults.currency} 50.00`,
      check: (answer) => parseMoney(answer, defaults.currency),
    },
    {
      name: 'pay',
      label: 'Paid by',
      choices: [
        { value: BY_NUMBER, label: 'Mobile money' },
        ...WALLETS.map(choiceOf),
        { value: 'card', label: 'Bank card' },
        { value: 'checkout', label: 'Checkout link' },
      ],
      check: (answer) =>
        [BY_NUMBER, ...WALLETS, 'card', 'checkout'].includes(answer)
          ? parsed(answer)
          : wrong('Please pick one of the choices.'),
    },
    {
      name: 'card',
      label: 'Card',
      hint: 'Only for payment by bank card',
      choices: CARDS.map(choiceOf),
      when: ({ pay }) => pay === 'card',
      check: (answer) =>
        CARDS.some((code) => code === answer)
          ? parsed(answer)
          : wrong('Please pick Visa or Mastercard.'),
    },
    {
      name: 'reference',
      label: 'Reference',
      hint: 'What the payer sees; left out, the transaction id',
      optional: true,
      check: checkReference,
    },
  ],
});

/** What was typed, as answers to the form. */
export const answersFromWords = (words: ChargeWords): Answers => {
  const { number, amount, network, option, reference } = words;
  const pay = payAnswer(network, option, number !== undefined && amount !== undefined);
  return {
    ...(number === undefined ? {} : { number: showNumber(number.e164) }),
    ...(amount === undefined ? {} : { amount: formatMoney(amount) }),
    ...(pay === undefined ? {} : { pay }),
    ...(network !== undefined && isCard(network) ? { card: network } : {}),
    ...(reference === undefined ? {} : { reference }),
  };
};

const payAnswer = (
  network: NetworkCode | undefined,
  option: PaymentOption,
  restIsKnown: boolean,
): string | undefined => {
  if (option === 'CRD') return 'card';
  if (option === 'CRM') return 'checkout';
  // Mobile money is the ordinary case; it is offered for choice only when other questions are asked anyway.
  return network ?? (restIsKnown ? BY_NUMBER : undefined);
};

/** Whether the answers need no more questions. */
export const isComplete = (answers: Answers): boolean =>
  answers['number'] !== undefined &&
  answers['amount'] !== undefined &&
  answers['pay'] !== undefined &&
  (answers['pay'] !== 'card' || answers['card'] !== undefined);

/** The request in complete answers; undefined network: the number's prefix tells none, so it must be asked. */
export const requestFrom = (
  answers: Answers,
  defaults: { currency: string; country: string },
):
  | { request: ChargeRequest }
  | { ask: 'pay' | 'card'; customerNumber: string }
  | { problem: string } => {
  const number = parseCustomerNumber(answers['number'] ?? '', defaults.country);
  if (!number.ok) return { problem: number.problem.message };
  const amount = parseMoney(answers['amount'] ?? '', defaults.currency);
  if (!amount.ok) return { problem: amount.problem.message };
  const means = meansFrom(answers, number.value.e164);
  if ('ask' in means) return { ...means, customerNumber: number.value.e164 };
  const reference = checkReference(answers['reference'] ?? '');
  if (!reference.ok) return { problem: reference.problem.message };
  return {
    request: {
      customerNumber: number.value.e164,
      doubtfulNumber: number.value.doubtful,
      amount: amount.value,
      ...means,
      ...(reference.value === '' ? {} : { reference: reference.value }),
    },
  };
};

const meansFrom = (
  { pay, card }: Answers,
  e164: string,
): { network: NetworkCode; option: PaymentOption } | { ask: 'pay' | 'card' } => {
  const guess = guessNetwork(e164);
  if (pay === 'checkout') return { network: guess ?? CHECKOUT_NETWORK, option: 'CRM' };
  if (pay === 'card') {
    const network = CARDS.find((code) => code === card);
    return network === undefined ? { ask: 'card' } : { network, option: 'CRD' };
  }
  const network = WALLETS.find((code) => code === pay) ?? guess;
  return network === undefined ? { ask: 'pay' } : { network, option: 'MOM' };
};
