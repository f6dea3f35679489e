import { type Moment, showClock } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { showDays, showPeriodNear } from '../../core/values/period.ts';
import { type Card, cardOf, type Fact, part } from '../cards/card.ts';
import { exportButton } from '../export/export-button.ts';
import type { ReportWish } from './read-report.ts';
import type { Sums } from './report-figures.ts';
import type { ReportRow } from './report-rows.ts';

export type Report = {
  readonly wish: ReportWish;
  readonly now: Sums;
  readonly before: Sums;
  /** Seconds to pay: of half of the completed payments, and of nine of ten. */
  readonly median?: number | undefined;
  readonly p90?: number | undefined;
  readonly rows: readonly ReportRow[];
  /** So many rows are not among them. */
  readonly left: number;
  /** Of sums of nothing. */
  readonly currency: string;
};

export const reportCard = (report: Report, moment: Moment): Card => {
  const { wish, now, rows, left } = report;
  return cardOf(
    reportTitle(
      wish,
      wish.called === undefined
        ? showPeriodNear(wish.period, moment)
        : showDays(wish.period, moment),
    ),
    [
      part.text(`${shown(now.completed)} completed · ${amountsOf(now, report)}`),
      part.facts(...factsOf(report, moment)),
      rows.length === 0 ? undefined : part.list(rows.map((row) => rowText(row, report))),
      left === 0 ? undefined : part.note(`${shown(left)} smaller ones are left out here.`),
    ],
    { buttons: [exportButton(wish.period)] },
  );
};

/** `Report, today, by person`, `Report, this week, 16 to 22 Nov` */
export const reportTitle = ({ called, by }: ReportWish, days: string): string =>
  ['Report', called, days, by && `by ${by}`].filter((part) => part !== undefined).join(', ');

export const factsOf = (
  { now, before, median, p90, wish, currency }: Report,
  moment: Moment,
): readonly Fact[] => {
  const averages = now.amounts.map(({ amountMinor, count, ...money }) =>
    formatMoney({ ...money, amountMinor: Math.round(amountMinor / count) }),
  );
  return [
    ...(averages.length === 0 ? [] : [{ label: 'Average', value: averages.join(' · ') }]),
    ...(now.ended === 0 ? [] : [{ label: 'Success rate', value: successOf(now) }]),
    ...(median === undefined || p90 === undefined
      ? []
      : [{ label: 'Time to pay', value: `half in ${seconds(median)}, 90 % in ${seconds(p90)}` }]),
    { label: 'Open', value: shown(now.open) },
    { label: 'In conflict', value: shown(now.conflicts) },
    { label: beforeLabel(wish, moment), value: beforeText(now, before, currency) },
  ];
};

/** `78 % (7 of 9 with an outcome)`; the rows count the same payments. */
const successOf = ({ completed, ended }: Sums): string =>
  `${percent(completed, ended)} (${shown(completed)} of ${shown(ended)} with an outcome)`;

/** `Yesterday until 14:05` */
const beforeLabel = ({ period, before }: ReportWish, moment: Moment): string => {
  const name = showPeriodNear(before, moment);
  const isCut = period.untilMs > moment.nowMs;
  const until = isCut ? ` until ${showClock(before.untilMs, moment.timeZone)}` : '';
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}${until}`;
};

const beforeText = (now: Sums, before: Sums, currency: string): string =>
  [
    `${shown(before.completed)} completed`,
    amountsOf(before, { currency }),
    ...(before.ended === 0 ? [] : [`${percent(before.completed, before.ended)} success`]),
    ...changeOf(now, before),
  ].join(' · ');

/** How much larger or smaller the sum is now, in the currency that most payments have. */
export const changeOf = ({ amounts }: Sums, before: Sums): string[] => {
  const [main = before.amounts[0]] = amounts;
  const then = before.amounts.find(({ currency }) => currency === main?.currency)?.amountMinor ?? 0;
  if (main === undefined || then === 0) return [];
  const change = (amounts[0] === undefined ? 0 : main.amountMinor) - then;
  if (change === 0) return ['now the same'];
  const { currency } = main;
  const amountMinor = Math.abs(change);
  const much =
    amountMinor * 100 < then ? formatMoney({ currency, amountMinor }) : percent(amountMinor, then);
  return [`now ${much} ${change > 0 ? 'more' : 'less'}`];
};

/** `Ama · GHS 1,240.00 · 7 of 9 completed · 1 open` */
const rowText = ({ label, sums }: ReportRow, { currency }: Pick<Report, 'currency'>): string =>
  `${label} · ${amountsOf(sums, { currency })} · ${shown(sums.completed)} of ${shown(sums.ended)} completed${sums.open === 0 ? '' : ` · ${shown(sums.open)} open`}`;

/** Currencies are not added up. */
export const amountsOf = ({ amounts }: Sums, { currency }: Pick<Report, 'currency'>): string =>
  (amounts.length === 0 ? [{ currency, amountMinor: 0 }] : amounts).map(formatMoney).join(' · ');

export const shown = (count: number): string => count.toLocaleString('en-GB');

/** 0 and 100 only when it is so, else what is next to them. */
const percent = (part: number, whole: number): string => {
  const exact = (part * 100) / whole;
  const rounded = Math.round(exact);
  const isSpecial = rounded === 0 || rounded === 100;
  return `${shown(isSpecial ? rounded + Math.sign(exact - rounded) : rounded)} %`;
};

/** `14 s`, `3 min 20 s`, `5 h 12 min` */
const seconds = (whole: number): string => {
  const s = Math.max(0, whole);
  if (s < 60) return `${s} s`;
  const minutes = Math.floor(s / 60);
  if (minutes < 60) return s % 60 === 0 ? `${minutes} min` : `${minutes} min ${s % 60} s`;
  return minutes % 60 === 0
    ? `${minutes / 60} h`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
