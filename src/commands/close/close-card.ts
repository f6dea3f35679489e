import { createHash } from 'node:crypto';
import type { ClosedDay, Correction, DayFigures, ShopDay } from '../../core/records/closed-day.ts';
import type { Payment } from '../../core/records/payment.ts';
import { countedIn, type Sum } from '../../core/records/payment-figures.ts';
import { dayAt, isoDate } from '../../core/values/calendar-day.ts';
import { type Moment, showNear } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { showPeriod } from '../../core/values/period.ts';
import { type Card, type CardPart, cardOf, part, pressButton } from '../cards/card.ts';
import { correctionText } from '../cards/payment-line.ts';
import { amountsText, netTexts, shown } from '../figures/sums-text.ts';
import { ofMerchant } from '../merchants.ts';
import { detailsButtons, paymentRows } from '../payments/payment-list.ts';
import { differenceMinor } from './day-figures.ts';

/** Payments that a card names, each with a button for its Details. */
export const MOST_ROWS = 8;

type Shown = { readonly of: ShopDay; readonly currency: string; readonly moment: Moment };

/** The figures of a day that is not closed, with the button that closes it. */
export const openDayCard = (
  { figures, doubtful }: { readonly figures: DayFigures; readonly doubtful: readonly Payment[] },
  { of, currency, moment }: Shown,
): Card => {
  const doubts = countedIn(figures.doubts);
  const isToday = of.day === dayAt(moment.nowMs, moment.timeZone);
  const label = isToday ? 'Close before the day is over' : 'Close the day';
  return cardOf(
    titleOf(of),
    [
      part.text(verdictOf(figures, currency, isToday)),
      ...figureParts(figures, currency, moment),
      paymentRows(doubtful, { moment, audience: 'others too', day: of.day }),
      moreNote(doubts - doubtful.length, 'more. /payments lists them.'),
      isToday && part.note('The day is not over. Later sales are listed as after closing.'),
    ],
    {
      buttons: [
        ...detailsButtons(doubtful.map(({ id }) => id)),
        pressButton(label, 'close', pressId(of, figures), { style: 'primary' }),
      ],
    },
  );
};

/** A closed day as it was closed, what was corrected since, what is collected by now, and what was sold later. */
export const closedDayCard = (
  { figures, by, atMs }: ClosedDay,
  {
    corrections,
    now,
    later,
  }: { corrections: readonly Correction[]; now: DayFigures; later: readonly Sum[] },
  { of, currency, moment }: Shown,
): Card => {
  const newest = corrections.slice(-MOST_ROWS).reverse();
  const is = sumsText(now.collected, currency);
  return cardOf(
    `${titleOf(of)} (closed)`,
    [
      part.text(`${by.name} closed this day ${showNear(atMs, moment)}.`),
      ...figureParts(figures, currency, moment),
      part.facts(
        is !== sumsText(figures.collected, currency) && { label: 'Collected by now', value: is },
        later.length > 0 && { label: 'After closing', value: sumsText(later, currency) },
      ),
      part.text(corrections.length === 0 ? 'There are no corrections.' : 'Corrections since then:'),
      part.numbered(newest.map((one) => correctionItem(one, moment))),
      moreNote(corrections.length - newest.length, 'earlier.'),
    ],
    { buttons: detailsButtons(newest.map(({ paymentId }) => paymentId)) },
  );
};

/** Of what a card shows. The times of the balances are left out: the same balances are asked again every 15 minutes. */
export const figuresHash = ({ opening, closing, ...others }: DayFigures): string =>
  createHash('sha256')
    .update(JSON.stringify([opening?.amountMinor, closing?.amountMinor, others]))
    .digest('hex')
    .slice(0, 16);

/** 58 bytes at most: the name of a merchant has 30 characters. */
const pressId = ({ day, merchant }: ShopDay, figures: DayFigures): string =>
  [isoDate(day), figuresHash(figures), ...(merchant === undefined ? [] : [merchant])].join('.');

const titleOf = ({ day, merchant }: ShopDay): string =>
  `Day's end${ofMerchant(merchant)}: ${showPeriod({ firstDay: day, lastDay: day })}`;

/** One verdict, from what no listed payment explains. */
const verdictOf = (figures: DayFigures, currency: string, isToday: boolean): string => {
  const { unexplained } = figures;
  if (unexplained === undefined) return whyNoVerdict(figures, isToday);
  const { amountMinor, upToMinor } = unexplained;
  const money = (minor: number): string => formatMoney({ amountMinor: Math.abs(minor), currency });
  if (amountMinor !== 0)
    return `The balance is ${money(amountMinor)} too ${amountMinor > 0 ? 'high' : 'low'}. Ask the payment service why.`;
  if (upToMinor !== undefined) return `The lines below can explain up to ${money(upToMinor)}.`;
  return differenceMinor(figures, currency) === 0
    ? 'The balance grew by what was collected.'
    : 'The lines below can explain the difference.';
};

/** Which balance is missing: without one of them nothing can be compared. */
const whyNoVerdict = ({ opening }: DayFigures, isToday: boolean): string => {
  if (opening !== undefined) return 'I have no balance from the end of this day to compare.';
  return isToday
    ? 'I have no balance from before today. I can compare from tomorrow.'
    : 'I have no balance from before this day to compare.';
};

const sumsText = (collected: readonly Sum[], currency: string): string => {
  const count = countedIn(collected);
  const all = `${amountsText(collected, currency, ', ')} (${count === 1 ? '1 payment' : `${shown(count)} payments`})`;
  return [all, ...netTexts(collected, ', ')].join(' · ');
};

const figureParts = (figures: DayFigures, currency: string, moment: Moment): CardPart[] => {
  const { opening, closing, collected, earlyMinor, lateMinor, doubts, strays } = figures;
  const difference = differenceMinor(figures, currency);
  const money = (amountMinor: number): string => formatMoney({ amountMinor, currency });
  const balance = (told: DayFigures['opening']): string =>
    told === undefined
      ? 'not available'
      : `${money(told.amountMinor)} (${showNear(told.atMs, moment)})`;
  const lines = [
    earlyMinor !== 0 && `${money(earlyMinor)} was paid after the opening balance, the day before`,
    lateMinor !== 0 && `${money(lateMinor)} was paid after the closing balance`,
    ...doubts.map((sum) => `${shown(sum.count)} ${sum.doubt} · ${formatMoney(sum)}`),
    strays !== 0 &&
      `${strays} ${strays === 1 ? 'payment that the payment service reported is' : 'payments that the payment service reported are'} missing here`,
  ].filter((line) => line !== false);
  return [
    part.facts(
      { label: 'Opening balance', value: balance(opening) },
      { label: 'Collected', value: sumsText(collected, currency) },
      { label: 'Closing balance', value: balance(closing) },
      {
        label: 'Difference',
        value: difference === undefined ? 'not available' : money(difference),
      },
    ),
    part.list(lines),
  ];
};

const moreNote = (count: number, words: string): CardPart | undefined =>
  count > 0 ? part.note(`${shown(count)} ${words}`) : undefined;

const correctionItem = (correction: Correction, moment: Moment): string =>
  `${correctionText(correction)} · ${showNear(correction.atMs, moment)}`;
