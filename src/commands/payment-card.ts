import { maskNumber } from '../core/customer-number.ts';
import { assertNever } from '../core/errors.ts';
import { formatMoney } from '../core/money.ts';
import {
  type ChargeTerms,
  isSettled,
  type Payment,
  type PaymentState,
} from '../core/payments/payment.ts';
import { showTime } from '../core/shown-time.ts';
import { quotes, saidText } from './answer-cards.ts';
import { type Audience, nameFor } from './audience.ts';
import { type Button, type Card, type CardPart, type Fact, personFact } from './card.ts';
import { paidByFact } from './charge-facts.ts';
import { revealButton } from './reveal.ts';

/** By these a customer is known, with any country code or none. */
const NATIONAL_DIGITS = 9;

/** The word for a state, as every chat shows it. */
export const stateWord = (state: PaymentState): string =>
  state === 'confirmed' || state === 'submitting' ? 'being sent' : state;

/** The card that stands in the conversation and follows the payment's state; `audience` reads it there. */
export const paymentCard = (
  payment: Payment,
  timeZone: string,
  audience: Audience = 'others too',
): Card => {
  const { terms, checkoutUrl } = payment;
  const parts: CardPart[] = [{ kind: 'facts', facts: paymentFacts(payment, timeZone, audience) }];
  const guidance = guidanceText(payment);
  if (guidance !== undefined) parts.push({ kind: 'text', text: guidance });
  parts.push(...flagParts(payment));
  const buttons: Button[] = [
    ...(checkoutUrl === undefined || payment.state !== 'pending'
      ? []
      : [{ kind: 'link', label: 'Open the checkout page', url: checkoutUrl } as const]),
    ...(audience === 'others too' ? [revealButton(payment)] : []),
  ];
  return {
    title: `${formatMoney(terms.amount)} · ${stateWord(payment.state)}`,
    tone: toneOf(payment),
    parts,
    ...(buttons.length === 0 ? {} : { buttons }),
  };
};

/** The outcome, told anew to the one who asked. `toldBefore`: what the same message said at first. */
export const outcomeCard = (
  payment: Payment,
  timeZone: string,
  {
    audience = 'others too',
    toldBefore = payment.state,
  }: { readonly audience?: Audience; readonly toldBefore?: PaymentState } = {},
): Card => {
  const { terms, requester, settledAtMs } = payment;
  const from = payerFor(audience, terms);
  const text = outcomeText(payment);
  const earlier = toldBefore === payment.state ? '' : `${stateWord(toldBefore)}, then `;
  return {
    title: `${formatMoney(terms.amount)} from ${from}: ${earlier}${stateWord(payment.state)}`,
    tone: toneOf(payment),
    mention: requester,
    parts: [
      ...(text === undefined ? [] : [{ kind: 'text', text } as const]),
      ...flagParts(payment),
      // It may have waited a day for the chat to come back.
      {
        kind: 'note',
        text: `Transaction ${payment.id}${settledAtMs === undefined ? '' : ` · ${showTime(settledAtMs, timeZone)}`}`,
      },
    ],
  };
};

/** What a payment is, without its history. */
export const paymentFacts = (payment: Payment, timeZone: string, audience: Audience): Fact[] => {
  const { terms, requester, approver, confirmedAtMs, settledAtMs } = payment;
  const list: Fact[] = [
    {
      label: 'Customer',
      value:
        terms.customerName === undefined
          ? 'name not confirmed'
          : nameFor(audience, terms.customerName),
    },
    { label: 'Number', value: maskNumber(terms.customerNumber) },
    paidByFact(terms),
    // Without one of its own the transaction id is the reference.
    ...(terms.reference === payment.id ? [] : [{ label: 'Reference', value: terms.reference }]),
    { label: 'Transaction', value: payment.id },
    personFact('Asked by', requester),
  ];
  list.push({ label: 'Asked at', value: showTime(payment.askedAtMs ?? confirmedAtMs, timeZone) });
  if (approver !== undefined)
    list.push(personFact('Approved by', approver), {
      label: 'Approved at',
      value: showTime(confirmedAtMs, timeZone),
    });
  if (settledAtMs !== undefined)
    list.push({ label: 'Ended at', value: showTime(settledAtMs, timeZone) });
  return list;
};

/** Whose money it is, in a word. */
const payerFor = (audience: Audience, { customerName, customerNumber }: ChargeTerms): string =>
  customerName === undefined ? maskNumber(customerNumber) : nameFor(audience, customerName);

const toneOf = ({ state, flag }: Payment): NonNullable<Card['tone']> => {
  if (flag !== undefined) return 'warning';
  switch (state) {
    case 'completed':
      return 'good';
    case 'failed':
    case 'refused':
    case 'not sent':
      return 'bad';
    case 'unknown':
      return 'warning';
    default:
      return 'waiting';
  }
};

/** What the people around the card can do now. */
const guidanceText = (payment: Payment): string | undefined => {
  switch (payment.state) {
    case 'confirmed':
      return payment.rateLimits === 0
        ? undefined
        : 'The payment service is busy and took nothing yet. I ask again in a moment.';
    case 'submitting':
      return undefined;
    case 'pending':
      return pendingText(payment);
    case 'completed':
    case 'failed':
    case 'not sent':
    case 'refused':
    case 'unknown':
      return outcomeText(payment);
    default:
      return assertNever(payment.state);
  }
};

const pendingText = ({ terms, checkoutUrl }: Payment): string => {
  if (terms.option !== 'MOM')
    return checkoutUrl === undefined
      ? 'The service accepted the request but gave no link for the customer. Ask finance or the service how to continue.'
      : 'Send the customer the link. Nobody should type card numbers in this chat.';
  const approve =
    terms.network === 'MTN'
      ? 'The customer gets a prompt and enters the PIN. No prompt? Dial *170#, then My Wallet, My Approvals.'
      : 'The customer gets a prompt and enters the PIN.';
  return `${approve} The prompt lives about 5 minutes.`;
};

const outcomeText = (payment: Payment): string | undefined => {
  // What is contradicted is not claimed once more.
  if (payment.flag === 'conflict' && isSettled(payment))
    return `It is recorded here as ${payment.state}.`;
  switch (payment.state) {
    case 'completed':
      return 'The service confirmed the payment.';
    case 'failed':
      return reasonOf(payment) ?? 'The service reported the payment as failed.';
    case 'refused':
      return join('Nothing was charged: the service refused the request.', payment);
    case 'not sent':
      return ['Nothing was charged.', reasonOf(payment)]
        .filter((text) => text !== undefined)
        .join(' ');
    case 'unknown':
      return `${reasonOf(payment) ?? 'No clear answer came.'} Nobody knows yet whether the service received the request. Do not charge again; we keep asking.`;
    default:
      return undefined;
  }
};

const join = (sentence: string, payment: Payment): string => {
  const { reason, answer } = payment;
  const said = answer === undefined ? undefined : saidText(answer);
  const repeated = reason !== undefined && answer !== undefined && quotes(reason, answer);
  const texts = [sentence, reason, repeated ? undefined : said];
  return withoutNumber(texts.filter((text) => text !== undefined).join(' '), payment);
};

const reasonOf = (payment: Payment): string | undefined =>
  payment.reason === undefined ? undefined : withoutNumber(payment.reason, payment);

/** In the service's words it may be glued to other digits, where nothing shows that it is a phone number. */
const withoutNumber = (text: string, { terms: { customerNumber } }: Payment): string =>
  text.replaceAll(customerNumber.slice(-NATIONAL_DIGITS), '•••••');

/** What a flag means and what to do about it. */
export const flagParts = (payment: Payment): CardPart[] => {
  const { flag } = payment;
  switch (flag) {
    case undefined:
      return [];
    case 'conflict':
      return [
        {
          kind: 'warning',
          text: `The service contradicts what is recorded here. ${reasonOf(payment) ?? ''} A person must look into it. Do not charge again.`,
        },
      ];
    case 'needs a person':
      return [{ kind: 'warning', text: overdueText(payment) }];
    default:
      return assertNever(flag);
  }
};

const overdueText = ({ overdue }: Payment): string => {
  switch (overdue) {
    case 'half an hour':
    case 'a day':
      return `For ${overdue} the service has told no outcome. We keep asking, but a person should ask the service as well. Do not charge again before.`;
    case 'set aside':
      return 'Asking about it ended Paythread three times, so it is set aside for an hour. A person should ask the service meanwhile. Do not charge again before.';
    case 'given up':
    case undefined:
      return 'The service never told the outcome and we stopped asking. A person must ask the service. Do not charge again before.';
    default:
      return assertNever(overdue);
  }
};
