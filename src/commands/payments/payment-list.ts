import {
  type ChargeTerms,
  countedIn,
  type Payment,
  type PaymentFilter,
  type PaymentPage,
  type PaymentState,
  type PaymentTotals,
} from '../../core/records/payment.ts';
import { maskNumber } from '../../core/values/customer-number.ts';
import { type Moment, showNear } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Button, type CardPart, type ListItem, part, pressButton } from '../cards/card.ts';
import { stateWord } from '../cards/payment-words.ts';
import { fittingButton } from '../cards/time-buttons.ts';
import { type Audience, nameFor } from '../cards/visibility.ts';
import type { Services } from '../command.ts';

export const PAGE_LENGTH = 8;

/** What is counted together, under the word that names it. */
const COUNTED: readonly (readonly [word: string, states: readonly PaymentState[]])[] = [
  ['pending', ['confirmed', 'submitting', 'pending']],
  ['failed', ['failed']],
  ['unknown', ['unknown']],
  ['refused', ['refused']],
  ['not sent', ['not sent']],
];
/** Named also when there are none. */
const ALWAYS: readonly string[] = ['pending', 'failed'];

/**
 * `7 completed · GHS 1,240.00 · 1 pending · 2 failed`. What is completed is summed by currency.
 * @param states those that are listed; undefined: all.
 */
export const totalsText = (
  { totals }: PaymentTotals,
  currency: string,
  states?: readonly PaymentState[],
): string => {
  const countOf = (some: readonly PaymentState[]): number =>
    countedIn(totals.filter(({ state }) => some.includes(state)));
  const completed = totals.filter(({ state }) => state === 'completed');
  const sums = completed.length === 0 ? [{ currency, amountMinor: 0 }] : completed;
  const isListed = (some: readonly PaymentState[]): boolean =>
    states === undefined || some.some((state) => states.includes(state));
  return [
    ...(isListed(['completed'])
      ? [`${shown(countOf(['completed']))} completed`, ...sums.map(formatMoney)]
      : []),
    ...COUNTED.flatMap(([word, some]) => {
      const count = countOf(some);
      const isNamed = count > 0 || (ALWAYS.includes(word) && isListed(some));
      return isNamed ? [`${shown(count)} ${word}`] : [];
    }),
  ].join(' · ');
};

/** What the listed payments of each merchant add up to, where those of several are listed. */
export const merchantTotals = async (
  { store, settings }: Pick<Services, 'store' | 'settings'>,
  filter: PaymentFilter,
): Promise<CardPart | undefined> => {
  const { merchants, currency } = settings;
  const lines: string[] = [];
  for (const { name } of filter.merchant === undefined ? merchants : []) {
    const of = await store.totalPayments({ ...filter, merchant: name });
    // Those of one merchant are counted less far back than all.
    const text = of.isWhole
      ? totalsText(of, currency, filter.states)
      : `more than ${shown(countedIn(of.totals))} payments. Name a day or a month.`;
    if (of.totals.length > 0) lines.push(`${name} · ${text}`);
  }
  return lines.length === 0 ? undefined : part.list(lines);
};

/** That there are more payments than were counted; undefined: all were. */
export const partialTotalsPart = ({ totals, isWhole }: PaymentTotals): CardPart | undefined =>
  isWhole
    ? undefined
    : part.note(
        `I counted the newest ${shown(countedIn(totals))}. Name a day or a month for exact totals.`,
      );

const shown = (count: number): string => count.toLocaleString('en-GB');

/** The payments of a page, numbered for their Details buttons. */
export const paymentRows = (
  payments: readonly Payment[],
  moment: Moment,
  audience: Audience,
): CardPart => ({
  kind: 'list',
  items: payments.map((payment) => rowOf(payment, moment, audience)),
  numbered: true,
});

const rowOf = (
  { id, terms, state, flag, requester, confirmedAtMs }: Payment,
  moment: Moment,
  audience: Audience,
): ListItem => ({
  text: `${[
    `${formatMoney(terms.amount)} ${stateWord(state)}${flag === undefined ? '' : ` (${flag})`}`,
    whoOf(terms, audience),
    showNear(confirmedAtMs, moment),
    requester.name,
  ].join(' · ')} ·`,
  code: id,
});

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
