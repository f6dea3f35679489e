import type { ToldBalances } from '../../core/records/balances.ts';
import type { Digest, DigestRow } from '../../core/records/digest.ts';
import type { Payment } from '../../core/records/payment.ts';
import { countOf } from '../../core/records/payment-figures.ts';
import { showClock, showDay, showWeekday } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { moneyText } from '../balance.ts';
import { type Card, cardOf, linkButton, part } from '../cards/card.ts';
import { correctionText, paymentLine } from '../cards/payment-line.ts';
import type { CommandSettings } from '../command.ts';
import { sumsOf } from '../figures/sums.ts';
import {
  amountsAndNet,
  beforeText,
  collectedText,
  netTexts,
  shown,
  totalsText,
} from '../figures/sums-text.ts';
import { ofMerchant } from '../merchants.ts';
import { detailsButtons } from '../payments/payment-list.ts';
import { periodFacts } from './period-card.ts';

type Shown = Pick<CommandSettings, 'currency' | 'timeZone'> & {
  readonly paymentOf: (id: string) => Promise<Payment | undefined>;
  /** The address of a payment's card, on platforms that have one. */
  readonly linkTo: (paymentId: string) => Promise<string | undefined>;
};

/** Days and payments that a phone has room for. */
const MOST_LINES = 3;

export const digestCard = async (digest: Digest, shownBy: Shown): Promise<Card> => {
  const { merchant, branch, day, atMs, now, attention, changed, corrections } = digest;
  const { currency, timeZone, linkTo, paymentOf } = shownBy;
  const of = [merchant, branch].filter((name) => name !== undefined).join(', ');
  // As they are by now: the digest itself names no customer.
  const found = await Promise.all(attention.newest.map(({ paymentId }) => paymentOf(paymentId)));
  const payments = found.filter((each) => each !== undefined);
  const ids = payments.map(({ id }) => id);
  const links = await Promise.all(ids.map(linkTo));
  const view = { moment: { timeZone, nowMs: atMs }, audience: 'others too', day } as const;
  const news = [
    ...changed.slice(0, MOST_LINES).map((one) => changedText(one, shownBy)),
    ...corrections.slice(0, MOST_LINES).map(correctionItem),
  ];
  const left = changed.length + corrections.length - news.length;
  return cardOf(
    `Day so far${of === '' ? '' : ` of ${of}`}, ${showWeekday(day)} until ${showClock(atMs, timeZone)}`,
    [
      part.text(totalsText({ totals: now, isWhole: true }, currency)),
      part.facts(...factsOf(digest, shownBy)),
      attention.count > 0 && part.warning(attentionText(attention)),
      part.numbered(payments.map((payment) => paymentLine(payment, view))),
      news.length > 0 && part.text('Changed since the last summary:'),
      part.list(news),
      left > 0 && part.note(`${shown(left)} more. /report and /close show them.`),
    ],
    {
      buttons: detailsButtons(ids).map(
        (button, at) => linkButton(button.label, links[at]) ?? button,
      ),
    },
  );
};

const factsOf = (digest: Digest, { currency, timeZone }: Shown) => {
  const { day, atMs, now, weekBefore, periods = [], failed, files = [], balances } = digest;
  const rows = (label: string, some: readonly DigestRow[]) =>
    some.length > 0 && { label, value: some.map(rowText).join(', ') };
  return [
    {
      label: `${showWeekday(day - 7)} until ${showClock(weekBefore.untilMs, timeZone)}`,
      value: beforeText(sumsOf(weekBefore.figures), sumsOf(now), currency),
    },
    ...periods.flatMap((period) => periodFacts(period, { nowMs: atMs, timeZone }, currency)),
    failed && {
      label: 'Why most failed',
      value: `${failed.reason} (${shown(failed.count)} of ${shown(failed.of)})`,
    },
    rows(files.length === 0 ? 'Top sellers' : 'Top sellers (files apart)', digest.people),
    files.length > 0 && { label: 'From files', value: amountsAndNet(files, currency) },
    rows('Merchants', digest.merchants),
    rows('Branches', digest.branches),
    ...balances.map(({ merchant, told }) => ({
      label: `Balances${ofMerchant(merchant)}, ${showDay(told.atMs, timeZone)}`,
      value: balanceText(told, currency),
    })),
  ];
};

/** `Ama GHS 1,240.00 · GHS 20.00 given back · net GHS 1,220.00`; currencies are not added up. */
const rowText = ({ label, amounts }: DigestRow): string =>
  [`${label} ${amounts.map(formatMoney).join(' + ')}`, ...netTexts(amounts, ' + ')].join(' · ');

const balanceText = ({ sms, payout, collection }: ToldBalances, currency: string): string =>
  [
    `${moneyText(collection, currency)} collection`,
    `${moneyText(payout, currency)} payout`,
    `${sms ?? 'not available'} SMS`,
  ].join(' · ');

const attentionText = ({ count, isWhole }: Digest['attention']): string =>
  count === 1 && isWhole
    ? 'A person has to look into 1 payment.'
    : `A person has to look into ${isWhole ? '' : 'more than '}${shown(count)} payments.`;

type Changed = Digest['changed'][number];

/** `Sun 22 Nov: 17 completed · GHS 1,240.00 · 2 failed (was 12 · GHS 940.00 · 2)` */
const changedText = ({ day, figures, told }: Changed, { currency }: Shown): string => {
  const is = `${collectedText(sumsOf(figures).amounts, currency)} · ${shown(countOf(figures, ['failed']))} failed`;
  if (told === undefined) return `${showWeekday(day)}: ${is} (no summary then)`;
  const { completed, amounts } = sumsOf(told);
  const was = [
    shown(completed),
    amountsAndNet(amounts, currency),
    shown(countOf(told, ['failed'])),
  ];
  return `${showWeekday(day)}: ${is} (was ${was.join(' · ')})`;
};

const correctionItem = ({ day, ...correction }: Digest['corrections'][number]): string =>
  `${correctionText(correction)} · ${showWeekday(day)} (closed)`;
