import {
  OPEN_STATES,
  type PaymentFilter,
  type PaymentState,
  type PaymentTotals,
} from '../../core/records/payment.ts';
import {
  collectedIn,
  countedIn,
  countOf,
  minorIn,
  type Sum,
} from '../../core/records/payment-figures.ts';
import { formatMoney, type Money } from '../../core/values/money.ts';
import { type CardPart, part } from '../cards/card.ts';
import type { Services } from '../command.ts';
import type { Sums } from './sums.ts';

export const shown = (count: number): string => count.toLocaleString('en-GB');

/** `GHS 1,240.00 · USD 5.00`: currencies are not added up. Of nothing, 0.00 in `currency`. */
export const amountsText = (sums: readonly Money[], currency: string, between = ' · '): string =>
  (sums.length === 0 ? [{ currency, amountMinor: 0 }] : sums).map(formatMoney).join(between);

/** `7 completed · GHS 1,240.00`, and where something was given back `GHS 20.00 given back · net GHS 1,220.00` behind it. */
export const collectedText = (collected: readonly Sum[], currency: string): string =>
  `${shown(countedIn(collected))} completed · ${amountsAndNet(collected, currency)}`;

/** The same without the count. */
export const amountsAndNet = (collected: readonly Omit<Sum, 'count'>[], currency: string): string =>
  [amountsText(collected, currency), ...netTexts(collected)].join(' · ');

/** What was given back and what is left of it, of the currencies in which there is any; empty: nothing was. */
export const netTexts = (collected: readonly Omit<Sum, 'count'>[], between = ' · '): string[] => {
  const some = collected.filter(({ givenBackMinor = 0 }) => givenBackMinor !== 0);
  const [given, net] = [
    some.map(({ currency, givenBackMinor = 0 }) => ({ currency, amountMinor: givenBackMinor })),
    some.map((sum) => ({ ...sum, amountMinor: sum.amountMinor - (sum.givenBackMinor ?? 0) })),
  ].map((sums) => sums.map(formatMoney).join(between));
  return some.length === 0 ? [] : [`${given} given back`, `net ${net}`];
};

/** What is counted together beside what is completed, under the word that names it. */
const COUNTED: readonly (readonly [word: string, states: readonly PaymentState[]])[] = [
  ['pending', OPEN_STATES.filter((state) => state !== 'unknown')],
  ['failed', ['failed']],
  ['unknown', ['unknown']],
  ['refused', ['refused']],
  ['not sent', ['not sent']],
];
/** Named also when there are none. */
const ALWAYS: readonly string[] = ['pending', 'failed'];

/**
 * `7 completed · GHS 1,240.00 · 1 pending · 2 failed`
 * @param states those that are listed; undefined: all.
 */
export const totalsText = (
  { totals }: PaymentTotals,
  currency: string,
  states?: readonly PaymentState[],
): string => {
  const isListed = (some: readonly PaymentState[]): boolean =>
    states === undefined || some.some((state) => states.includes(state));
  return [
    ...(isListed(['completed']) ? [collectedText(collectedIn(totals), currency)] : []),
    ...COUNTED.flatMap(([word, some]) => {
      const count = countOf(totals, some);
      const isNamed = count > 0 || (ALWAYS.includes(word) && isListed(some));
      return isNamed ? [`${shown(count)} ${word}`] : [];
    }),
  ].join(' · ');
};

/** What the listed payments of each merchant add up to, where those of several are listed. */
export const merchantTotals = async (
  { store, settings }: Pick<Services, 'store' | 'settings'>,
  filter: PaymentFilter,
): Promise<CardPart> => {
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
  return part.list(lines);
};

/** That there are more payments than were counted. */
export const partialTotalsPart = ({ totals, isWhole }: PaymentTotals) => {
  const counted = `I counted the newest ${shown(countedIn(totals))}.`;
  return !isWhole && part.note(`${counted} Name a day or a month for exact totals.`);
};

/** How much larger or smaller the sum is now, in the currency that most payments have. */
export const changeOf = (now: Sums, before: Sums): string[] => {
  const change = changeBetween(now, before);
  if (change === undefined) return [];
  const { currency, amountMinor, then, isMore } = change;
  if (amountMinor === 0) return ['now the same'];
  const much =
    amountMinor * 100 < then ? formatMoney({ currency, amountMinor }) : percent(amountMinor, then);
  return [`now ${much} ${isMore ? 'more' : 'less'}`];
};

/** `5 completed · GHS 940.00 · now 32 % more` */
export const beforeText = (before: Sums, now: Sums, currency: string): string =>
  [collectedText(before.amounts, currency), ...changeOf(now, before)].join(' · ');

/** The change in numbers; `then`: the sum before. Undefined: nothing was paid before. */
export const changeBetween = ({ amounts }: Sums, before: Sums) => {
  const [main = before.amounts[0]] = amounts;
  const then = minorIn(before.amounts, main?.currency);
  if (main === undefined || then === 0) return undefined;
  const change = minorIn(amounts, main.currency) - then;
  const { currency } = main;
  return { currency, amountMinor: Math.abs(change), then, isMore: change > 0 };
};

/** 0 and 100 only when it is so, else what is next to them. */
export const percent = (part: number, whole: number): string => {
  const exact = (part * 100) / whole;
  const rounded = Math.round(exact);
  const isSpecial = rounded === 0 || rounded === 100;
  return `${shown(isSpecial ? rounded + Math.sign(exact - rounded) : rounded)} %`;
};
