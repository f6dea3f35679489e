import { parsed, wrong } from '../../core/runtime/errors.ts';
import { parseCustomerNumber, showNumber } from '../../core/values/customer-number.ts';
import { formatMoney, type Money, parseMoney } from '../../core/values/money.ts';
import {
  guessNetwork,
  isCard,
  type NetworkCode,
  networkLabel,
  noWalletOperator,
} from '../../core/values/network.ts';
import type { PaymentOption } from '../../core/values/payment-option.ts';
import type { Answers, Choice, Form } from '../forms/form.ts';
import { type ChargeWords, checkReference } from './parse-charge.ts';

/** A charge that is complete enough to be looked up and confirmed. */
export type ChargeRequest = {
  readonly customerNumber: string;
  readonly doubtfulNumber: boolean;
  readonly amount: Money;
  readonly network: NetworkCode;
  readonly option: PaymentOption;
  readonly reference?: string;
};

/** Sent with a hosted checkout when neither words nor number name a network: the customer picks it on the page. */
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
      preset: BY_NUMBER,
      when: ({ number }) => networkProblem(number, defaults.country) !== undefined,
      reason: ({ number }) => networkProblem(number, defaults.country),
      check: (answer, { number }) => {
        if (![BY_NUMBER, ...WALLETS, 'card', 'checkout'].includes(answer))
          return wrong('Please pick one of the choices.');
        const problem = networkProblem(number, defaults.country);
        return answer === BY_NUMBER && problem !== undefined ? wrong(problem) : parsed(answer);
      },
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
      hint: 'What it is for, such as Invoice 17. The customer sees it.',
      optional: true,
      check: checkReference,
    },
  ],
});

/** Why mobile money does not say which network, undefined when the number does or is none. */
const networkProblem = (typed: string | undefined, country: string): string | undefined => {
  const number = typed === undefined ? undefined : parseCustomerNumber(typed, country);
  if (!number?.ok || guessNetwork(number.value.e164) !== undefined) return undefined;
  const operator = noWalletOperator(number.value.e164);
  return operator === undefined
    ? 'This number does not show its network. Please pick it.'
    : `${operator} has no wallet here. If the customer moved to another network, pick that one.`;
};

/** What was typed, as answers to the form. A network typed for a checkout has no field, and is kept. */
export const answersFromWords = (words: ChargeWords): Answers => {
  const { number, amount, network, option, reference } = words;
  const pay = payAnswer(network, option);
  return {
    ...(number === undefined ? {} : { number: showNumber(number.e164) }),
    ...(amount === undefined ? {} : { amount: formatMoney(amount) }),
    ...(pay === undefined ? {} : { pay }),
    ...(network !== undefined && isCard(network) ? { card: network } : {}),
    ...(network !== undefined && option === 'CRM' ? { network } : {}),
    ...(reference === undefined ? {} : { reference }),
  };
};

/** Undefined: mobile money of the number's own network, the ordinary case. */
const payAnswer = (network: NetworkCode | undefined, option: PaymentOption): string | undefined => {
  if (option === 'CRD') return 'card';
  return option === 'CRM' ? 'checkout' : network;
};

/** Whether the answers need no more questions. */
export const isComplete = ({ number, amount, pay, card }: Answers): boolean =>
  number !== undefined && amount !== undefined && (pay !== 'card' || card !== undefined);

/** The request in complete answers; undefined network: the number's prefix tells none, so it must be asked. */
export const requestFrom = (
  answers: Answers,
  defaults: { currency: string; country: string },
): { request: ChargeRequest } | { ask: 'pay' | 'card' } | { problem: string } => {
  const number = parseCustomerNumber(answers['number'] ?? '', defaults.country);
  if (!number.ok) return { problem: number.problem.message };
  const amount = parseMoney(answers['amount'] ?? '', defaults.currency);
  if (!amount.ok) return { problem: amount.problem.message };
  const means = meansFrom(answers, number.value.e164);
  if ('ask' in means) return means;
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
  { pay, card, network }: Answers,
  e164: string,
): { network: NetworkCode; option: PaymentOption } | { ask: 'pay' | 'card' } => {
  const guess = guessNetwork(e164);
  if (pay === 'checkout') {
    const typed = [...WALLETS, ...CARDS].find((code) => code === network);
    return { network: typed ?? guess ?? CHECKOUT_NETWORK, option: 'CRM' };
  }
  if (pay === 'card') {
    const brand = CARDS.find((code) => code === card);
    return brand === undefined ? { ask: 'card' } : { network: brand, option: 'CRD' };
  }
  const wallet = WALLETS.find((code) => code === pay) ?? WALLETS.find((code) => code === network);
  const payer = wallet ?? guess;
  return payer === undefined ? { ask: 'pay' } : { network: payer, option: 'MOM' };
};
