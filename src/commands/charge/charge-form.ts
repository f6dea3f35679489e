import { defined } from '../../core/runtime/defined.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { parseCustomerNumber, showNumber } from '../../core/values/customer-number.ts';
import { formatMoney, parseMoney } from '../../core/values/money.ts';
import {
  CARDS,
  guessNetwork,
  isCard,
  type NetworkCode,
  networkLabel,
  noWalletOperator,
  type PaymentOption,
  WALLETS,
} from '../../core/values/network.ts';
import type { Answers, Choice, Field, Form, Understood } from '../forms/form.ts';
import { checkReference } from './parse-charge.ts';
import type { ChargeDefaults, ChargeParts, Reading } from './parse-charge-options.ts';

const BY_NUMBER = 'auto';

const choiceOf = (code: NetworkCode): Choice => ({ value: code, label: networkLabel(code) });

/** Answer without a field: the payment that a charge is another try of. */
export const RETRY_OF = 'retry';
/** Answer without a field: the payment of a colleague that has the customer; the number is shown masked, and read from there. */
export const FROM_PAYMENT = 'again';

/** The number as it was filled in, masked. */
const isMasked = (answer: string, { [FROM_PAYMENT]: from }: Answers): boolean =>
  from !== undefined && answer.includes('***');

/** What `/charge` asks when something was not typed. One by one, what is rarely needed is asked after `More`. */
export const chargeForm = (defaults: ChargeDefaults, suggestAmounts?: Field['suggest']): Form => ({
  command: 'charge',
  title: 'Charge a customer',
  submitLabel: 'Continue',
  fields: [
    {
      name: 'number',
      label: 'Customer number',
      hint: 'For example 0244123456',
      takesContact: true,
      check: (answer, answers) =>
        isMasked(answer, answers) ? parsed(answer) : parseCustomerNumber(answer, defaults.country),
      show: (answer) => {
        const read = parseCustomerNumber(answer, defaults.country);
        return read.ok ? showNumber(read.value.e164) : answer;
      },
    },
    {
      name: 'amount',
      label: 'Amount',
      hint: `For example 50 or ${defaults.currency} 50.00`,
      ...defined({ suggest: suggestAmounts }),
      offersMore: true,
      check: (answer) => parseMoney(answer, defaults.currency),
      show: (answer) => {
        const read = parseMoney(answer, defaults.currency);
        return read.ok ? formatMoney(read.value) : answer;
      },
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
      when: ({ number, more }) =>
        more !== undefined || networkProblem(number, defaults.country) !== undefined,
      isKnown: (answers) => isPaidByNumber(answers, defaults.country),
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
      isKnown: (answers) => isPaidByNumber(answers, defaults.country),
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
      when: ({ more }) => more !== undefined,
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

/** Nothing but mobile money of the number's own network was chosen. A masked number is left to its payment. */
const isPaidByNumber = (answers: Answers, country: string): boolean => {
  const { number, pay, card } = answers;
  if (number === undefined || pay !== undefined || card !== undefined) return false;
  if (isMasked(number, answers)) return true;
  const read = parseCustomerNumber(number, country);
  return read.ok && guessNetwork(read.value.e164) !== undefined;
};

/** Parts as answers to the form. A network typed for a checkout has no field; its entry is kept all the same. */
export const answersFrom = (parts: ChargeParts): Answers => {
  const { number, amount, network, option, reference } = parts;
  return defined({
    number: number && showNumber(number.e164),
    amount: amount && formatMoney(amount),
    pay: payAnswer(network, option),
    card: network !== undefined && isCard(network) ? network : undefined,
    network: option === 'CRM' ? network : undefined,
    reference,
  });
};

/** Undefined: mobile money of the number's own network, the ordinary case. */
const payAnswer = (network: NetworkCode | undefined, option: PaymentOption): string | undefined => {
  if (option === 'CRD') return 'card';
  return option === 'CRM' ? 'checkout' : network;
};

/** The words of a charge as answers, those that are not understood as they were typed. */
export const understoodFrom = ({ parts, complaints, typed }: Reading): Understood => {
  const problems = complaints.map(
    ({ field, problem, beside }) => [field, beside ?? problem.message] as const,
  );
  return {
    answers: { ...answersFrom(parts), ...typed },
    // The first about a field is the one that was told.
    problems: Object.fromEntries(problems.reverse()),
  };
};

/** The inverse of `answersFrom`, for answers that a person gave. */
export const partsFrom = (answers: Answers, defaults: ChargeDefaults): Parsed<ChargeParts> => {
  const { number = '', amount = '', reference = '' } = answers;
  const who = number === '' ? parsed(undefined) : parseCustomerNumber(number, defaults.country);
  if (!who.ok) return who;
  const sum = amount === '' ? parsed(undefined) : parseMoney(amount, defaults.currency);
  if (!sum.ok) return sum;
  const what = checkReference(reference);
  if (!what.ok) return what;
  const read = { number: who.value, amount: sum.value, reference: what.value || undefined };
  return parsed({ ...meansFrom(answers), ...defined(read) });
};

/** How the customer pays, and over which network as far as the answers say. */
const meansFrom = ({ pay, card, network }: Answers): Pick<ChargeParts, 'network' | 'option'> => {
  if (pay === 'checkout')
    return { ...defined({ network: among([...WALLETS, ...CARDS], network) }), option: 'CRM' };
  if (pay === 'card') return { ...defined({ network: among(CARDS, card) }), option: 'CRD' };
  const wallet = among(WALLETS, pay) ?? among(WALLETS, network);
  return { ...defined({ network: wallet }), option: 'MOM' };
};

const among = (networks: readonly NetworkCode[], answer: string | undefined) =>
  networks.find((code) => code === answer);
