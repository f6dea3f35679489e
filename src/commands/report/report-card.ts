import { type Moment, showClock } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { showDays, showPeriodNear } from '../../core/values/period.ts';
import { type Card, cardOf, type Fact, part, sentenceCase } from '../cards/card.ts';
import { exportButton } from '../export/read-export.ts';
import type { Sums } from '../figures/sums.ts';
import type { ReportRow } from '../figures/sums-by-group.ts';
import { amountsAndNet, changeOf, collectedText, percent, shown } from '../figures/sums-text.ts';
import type { ReportWish } from './read-report.ts';

export type Report = {
  /** Whose payments they are; '' where they are of several. */
  readonly shop: string;
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
  const showThem = wish.called === undefined ? showPeriodNear : showDays;
  return cardOf(
    reportTitle(wish, showThem(wish.period, moment)),
    [
      part.text(collectedText(now.amounts, report.currency)),
      part.facts(...factsOf(report, moment)),
      part.list(rows.map((row) => rowText(row, report))),
      left > 0 && part.note(`${shown(left)} smaller ones are left out here.`),
    ],
    { buttons: [exportButton(wish.period)] },
  );
};

/** `Report, today, by person`, `Report, this week, 16 to 22 Nov` */
export const reportTitle = ({ called, by }: ReportWish, days: string): string =>
  ['Report', called, days, by && `by ${by}`].filter((part) => part !== undefined).join(', ');

/** `isDrawn`: a picture shows how the sum has changed. */
export const factsOf = (
  { now, before, median, p90, wish, currency }: Report,
  moment: Moment,
  isDrawn = false,
): readonly Fact[] => {
  const averages = now.amounts.map(({ amountMinor, count, ...money }) =>
    formatMoney({ ...money, amountMinor: Math.round(amountMinor / count) }),
  );
  const beforeFacts = [
    collectedText(before.amounts, currency),
    ...(before.ended === 0 ? [] : [`${percent(before.completed, before.ended)} success`]),
    ...(isDrawn ? [] : changeOf(now, before)),
  ];
  return [
    averages.length > 0 && { label: 'Average', value: averages.join(' · ') },
    now.ended > 0 && { label: 'Success rate', value: successOf(now) },
    median !== undefined &&
      p90 !== undefined && {
        label: 'Customers pay in',
        value: `about ${seconds(median)} (9 of 10 within ${seconds(p90)})`,
      },
    { label: 'Waiting', value: shown(now.open) },
    { label: 'In conflict', value: shown(now.conflicts) },
    { label: sentenceCase(beforeName(wish, moment)), value: beforeFacts.join(' · ') },
  ].filter((fact) => fact !== false);
};

/** `78 % (7 of 9 with an outcome)`; the rows count the same payments. */
const successOf = ({ completed, ended }: Sums): string =>
  `${percent(completed, ended)} (${shown(completed)} of ${shown(ended)} with an outcome)`;

/** `yesterday until 14:05` */
export const beforeName = ({ period, before }: ReportWish, moment: Moment): string => {
  const isCut = period.untilMs > moment.nowMs;
  const until = isCut ? ` until ${showClock(before.untilMs, moment.timeZone)}` : '';
  return `${showPeriodNear(before, moment)}${until}`;
};

/** `Ama · GHS 1,240.00 · 7 of 9 completed · 1 waiting` */
const rowText = ({ label, sums }: ReportRow, { currency }: Pick<Report, 'currency'>): string =>
  `${label} · ${amountsAndNet(sums.amounts, currency)} · ${shown(sums.completed)} of ${shown(sums.ended)} completed${sums.open === 0 ? '' : ` · ${shown(sums.open)} waiting`}`;

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
