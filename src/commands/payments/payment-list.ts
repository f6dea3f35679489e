import { givenBackOf } from '../../core/records/given-back.ts';
import type { ChargeTerms, Payment, PaymentPage } from '../../core/records/payment.ts';
import { maskNumber } from '../../core/values/customer-number.ts';
import { type Moment, showNear } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Button, type CardPart, type ListItem, part, pressButton } from '../cards/card.ts';
import { stateWord } from '../cards/payment-words.ts';
import { fittingButton } from '../cards/time-buttons.ts';
import { type Audience, nameFor } from '../cards/visibility.ts';

export const PAGE_LENGTH = 8;

/** The payments of a page, numbered for their Details buttons. */
export const paymentRows = (
  payments: readonly Payment[],
  moment: Moment,
  audience: Audience,
): CardPart => part.numbered(payments.map((payment) => rowOf(payment, moment, audience)));

const rowOf = (payment: Payment, moment: Moment, audience: Audience): ListItem => {
  const { id, terms, state, flag, requester, confirmedAtMs } = payment;
  const given = givenBackOf(payment);
  const facts = [
    `${formatMoney(terms.amount)} ${stateWord(state)}${flag === undefined ? '' : ` (${flag})`}`,
    ...(given.amountMinor === 0 ? [] : [`${formatMoney(given)} given back`]),
    whoOf(terms, audience),
    showNear(confirmedAtMs, moment),
    requester.name,
  ];
  return { text: `${facts.join(' · ')} ·`, code: id };
};

/** `024 *** 3456 Kofi M.`: a name alone is that of several customers. */
const whoOf = ({ customerNumber, customerName }: ChargeTerms, audience: Audience): string =>
  [
    maskNumber(customerNumber),
    ...(customerName === undefined ? [] : [nameFor(audience, customerName)]),
  ].join(' ');

/** Between the words of a list and the place in it. */
const SEPARATOR = '~';

/** The place in a list that a button leads to. */
export type ListPlace = { readonly words: string; readonly after?: string };

export const readPlace = (id: string): ListPlace => {
  const at = id.lastIndexOf(SEPARATOR);
  return at < 0 ? { words: id } : { words: id.slice(0, at), after: id.slice(at + 1) };
};

type ShownPlace = { readonly verb: string; readonly words: string; readonly isLater: boolean };

/** Details of each row; More, and back to the newest. `words` ask for the same list again. */
export const listButtons = (page: PaymentPage, place: ShownPlace): (Button | undefined)[] => [
  ...page.payments.map(({ id }, index) => pressButton(`Details ${index + 1}`, 'details', id)),
  moreButton(page, place),
  place.isLater ? pressButton('Newest', place.verb, place.words) : undefined,
];

const moreButton = ({ next }: PaymentPage, { verb, words }: ShownPlace): Button | undefined =>
  next === undefined ? next : fittingButton('More', verb, `${words}${SEPARATOR}${next}`);

/** What is said where the words are too long for a button that shows the next page. */
export const tooLongPart = (page: PaymentPage, place: ShownPlace): CardPart | undefined =>
  page.next === undefined || moreButton(page, place) !== undefined
    ? undefined
    : part.note('There are more. Name a day, or use fewer words.');
