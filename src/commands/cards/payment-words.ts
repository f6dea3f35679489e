import { NO_CAUSE } from '../../core/gateway/failure-reason.ts';
import { namePattern } from '../../core/privacy/written-forms.ts';
import { givenBackOf, leftToGive } from '../../core/records/given-back.ts';
import {
  isContradicted,
  isPromptOver,
  type Overdue,
  type Payment,
  type PaymentState,
  promptEndsAtMs,
} from '../../core/records/payment.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import { showClock } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { joined, SIGNS, type Tone } from './card.ts';
import { whyText } from './service-words.ts';
import { nameFor } from './visibility.ts';

/** By these digits a customer is known, with any country code or none. */
const NATIONAL_DIGITS = 9;

export const stateWord = (state: PaymentState): string =>
  state === 'confirmed' || state === 'submitting' ? 'being sent' : state;

const TONES: Readonly<Record<PaymentState, Tone>> = {
  confirmed: 'waiting',
  submitting: 'waiting',
  pending: 'waiting',
  unknown: 'unclear',
  completed: 'good',
  failed: 'bad',
  'not sent': 'bad',
  refused: 'bad',
};

/** An unknown end stays one once a person is called to it. */
export const toneOf = ({ state, flag }: Pick<Payment, 'state' | 'flag'>): Tone =>
  flag === undefined || (flag === 'needs a person' && state === 'unknown')
    ? TONES[state]
    : 'warning';

/** What is in front of a payment wherever it is named. */
export const signOf = (payment: Pick<Payment, 'state' | 'flag'>): string => SIGNS[toneOf(payment)];

/** Of a state, or of a doubt about one, in the words of a closed day. */
export const signOfWord = (word: string): string => SIGNS[TONES[word as PaymentState] ?? 'warning'];

/** A person may have to look into it: it has to be seen first. */
export const isLoud = (payment: Pick<Payment, 'state' | 'flag'>): boolean =>
  ['unclear', 'warning'].includes(toneOf(payment));

/**
 * Words of the service or of a colleague as others may read them: with a shortened name, and without the number, also
 * where it has other digits around it and so does not match as a phone number.
 */
export const withoutCustomer = (text: string, { terms }: Pick<Payment, 'terms'>): string => {
  const { customerNumber, customerName = '' } = terms;
  const name = namePattern([customerName]);
  const shortened =
    name === undefined ? text : text.replace(name, nameFor('others too', customerName));
  return maskPhones(shortened.replaceAll(customerNumber.slice(-NATIONAL_DIGITS), '•••••'));
};

/** Why it ended as it did, as others may read it. */
export const reasonOf = (payment: Payment): string | undefined =>
  payment.reason === undefined ? undefined : withoutCustomer(payment.reason, payment);

/** The same for people who sell: nothing where it only repeats the state. */
export const reasonInChat = (payment: Payment): string | undefined =>
  payment.reason === undefined || payment.reason === NO_CAUSE
    ? undefined
    : withoutCustomer(whyText({ reason: payment.reason }), payment);

/** The outcome in sentences, the money first; undefined while there is none. `whole`: with codes, for support. */
export const outcomeText = (payment: Payment, whole?: 'whole'): string | undefined => {
  const { state, flag, overdue } = payment;
  const why = whole === undefined ? reasonInChat(payment) : reasonOf(payment);
  // The service contradicts the recorded state, so it is not asserted.
  if (isContradicted(payment)) return `Recorded as ${state}.`;
  switch (state) {
    case 'failed':
      return why;
    case 'refused':
      return joined('Nothing was charged.', withoutCustomer(refusalText(payment, whole), payment));
    case 'not sent':
      return joined('Nothing was charged.', why);
    case 'unknown':
      return joined(
        'Not clear yet: the customer may still be charged. Do not ask again.',
        overdue === 'given up' || overdue === 'set aside' ? undefined : 'I keep checking.',
        // The reason of a conflict is told with the flag.
        flag === 'conflict' ? undefined : why,
      );
    default:
      return undefined;
  }
};

/** A code without words says nothing to people who sell. */
const refusalText = (payment: Payment, whole?: 'whole'): string =>
  whyText(payment, whole).replace(/ refused\.$/, ' refused this charge.');

const ASK_THE_SERVICE = 'A person should ask the payment service.';
const DO_NOT_ASK = 'Until then do not ask the customer again.';

const OVERDUE: Readonly<Record<Overdue, string>> = {
  'half an hour': 'No answer for 30 minutes.',
  'a day': 'No answer for a day.',
  'set aside': 'Checking stopped me three times. I check again in an hour.',
  'given up': 'No answer came, and I stopped checking.',
};

export const flagText = (payment: Payment): string | undefined => {
  const { flag, state, overdue = 'given up' } = payment;
  if (flag === undefined) return undefined;
  if (flag === 'conflict') return joined(reasonOf(payment), ASK_THE_SERVICE, DO_NOT_ASK);
  // While nothing is clear the text says already not to ask again.
  return joined(OVERDUE[overdue], ASK_THE_SERVICE, state === 'unknown' ? undefined : DO_NOT_ASK);
};

const DO_NOT = 'Do not ask again.';
/** One sentence: where there is little room, neither half may be left out. */
const A_PERSON = 'Do not ask again: a person should check.';

/** What the people around the card can do now, the most important first; the whole is in its Details. */
export const guidance = (payment: Payment, timeZone: string): (string | undefined)[] => {
  const { state, flag, overdue = 'given up', rateLimits } = payment;
  if (flag === 'conflict')
    return [ASK_THE_SERVICE, DO_NOT, ...givenBackTexts(payment), reasonOf(payment)];
  if (flag !== undefined) return [A_PERSON, OVERDUE[overdue]];
  switch (state) {
    case 'unknown':
      return ['The customer may still be charged.', DO_NOT];
    case 'pending':
      return pendingTexts(payment, timeZone);
    case 'confirmed':
      return rateLimits === 0 ? [] : ['The payment service is busy and took nothing yet.'];
    case 'failed':
      return [reasonInChat(payment)];
    case 'refused':
    case 'not sent':
      return [outcomeText(payment)];
    case 'completed':
      return givenBackTexts(payment);
    default:
      return [];
  }
};

/** What was given back, and what of it was sent anywhere: nothing. */
const givenBackTexts = (payment: Payment): string[] => {
  const given = givenBackOf(payment);
  if (given.amountMinor === 0) return [];
  return [
    `${formatMoney(given)} given back by hand, not by the payment service.`,
    `Net ${formatMoney(leftToGive(payment))}.`,
  ];
};

const pendingTexts = (payment: Payment, timeZone: string): string[] => {
  const { terms, checkoutUrl } = payment;
  if (terms.option !== 'MOM')
    return checkoutUrl === undefined
      ? ['The payment service gave no link.', 'Ask it how to continue.']
      : ['Send the customer the link.', 'Never type card numbers here.'];
  const isMtn = terms.network === 'MTN';
  if (isPromptOver(payment))
    return [
      'The prompt is probably over.',
      isMtn ? 'Still possible: *170#, My Wallet, My Approvals.' : 'I keep checking.',
    ];
  const until = `The customer has until ${showClock(promptEndsAtMs(payment), timeZone)}.`;
  return isMtn ? [until, 'No prompt? *170#, My Wallet, My Approvals.'] : [until];
};
