import { addedUp, minorIn } from '../../core/records/payment-figures.ts';
import { dayAndMonth, type Moment } from '../../core/values/format-time.ts';
import { formatMoney, moneyToNumber } from '../../core/values/money.ts';
import { type Period, showPeriod } from '../../core/values/period.ts';
import type { OutgoingFile } from '../cards/outgoing-file.ts';
import { type Figure, hourLabel, hourOf } from '../figures/sums-by-group.ts';
import { changeBetween, netTexts, percent, shown } from '../figures/sums-text.ts';
import { type Bar, type Chart, chartSvg } from './chart-svg.ts';
import { beforeName, factsOf, type Report, reportTitle } from './report-card.ts';

/** More columns are too thin for a phone: some days then share one. */
const MOST_COLUMNS = 62;
const HOURS = 24;

/** The sums in the commonest currency, by what the report has rows of; else by hour on one day, by day on several. */
export const reportChart = (report: Report, figures: readonly Figure[], moment: Moment): Chart => {
  const { wish, now, rows } = report;
  const [main, ...others] = now.amounts;
  const currency = main?.currency ?? report.currency;
  const group = chartGroup(wish);
  const isTime = group === 'day' || group === 'hour';
  const bar = (label: string, amountMinor: number): Bar => {
    const money = { currency, amountMinor };
    return { label, height: moneyToNumber(money), text: formatMoney(money) };
  };
  const paid = figures.filter((one) => one.state === 'completed' && one.currency === currency);
  const change = changeBetween(now, report.before);
  const columns = group === 'hour' ? hourColumns(paid, moment) : dayColumns(paid, wish.period);
  const isDrawn = change !== undefined && change.amountMinor > 0;
  const much = isDrawn ? percent(change.amountMinor, change.then) : '';
  const words = `${much} ${change?.isMore ? 'more' : 'less'} than ${beforeName(wish, moment)}`;
  return {
    shop: report.shop,
    title: reportTitle(wish, showPeriod(wish.period)),
    sum: formatMoney({ currency, amountMinor: main?.amountMinor ?? 0 }),
    ...(isDrawn && { change: { isMore: change.isMore, words } }),
    unit: currency,
    lines: [
      [
        `${shown(now.completed)} completed`,
        ...others.map(formatMoney),
        ...netTexts(now.amounts),
      ].join(' · '),
      ...factsOf(report, moment, isDrawn).map(({ label, value }) => `${label}: ${value}`),
    ],
    bars: isTime
      ? columns.map(([label, amountMinor]) => bar(label, amountMinor))
      : rows.map(({ label, sums }) => bar(label, minorIn(sums.amounts, currency))),
    isTime,
  };
};

export const chartGroup = ({ by, period }: Report['wish']) =>
  by ?? (period.firstDay === period.lastDay ? 'hour' : 'day');

export const chartFile = async (chart: Chart): Promise<OutgoingFile> => {
  const { svgToPng } = await import('./chart-png.ts');
  const { title } = chart;
  const name = `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.png`;
  return { name, content: svgToPng(chartSvg(chart)), title, altText: chartText(chart) };
};

export const chartText = ({ shop, title, sum, change, lines, bars }: Chart): string =>
  [
    `${title}: ${sum}`,
    ...lines,
    change?.words,
    shop === '' ? undefined : shop,
    bars
      .filter(({ height }) => height > 0)
      .map(({ label, text }) => `${label} ${text}`)
      .join(', '),
  ]
    .filter((each) => each !== undefined)
    .join('. ');

type Column = readonly [label: string, amountMinor: number];

const hourColumns = (paid: readonly Figure[], { timeZone }: Moment): Column[] => {
  const sums = addedUp(paid, (figure) => hourOf(figure, timeZone));
  return Array.from({ length: HOURS }, (_, hour) => [
    hourLabel(hour),
    sums.get(hour)?.amountMinor ?? 0,
  ]);
};

const dayColumns = (paid: readonly Figure[], { firstDay, lastDay }: Period): Column[] => {
  const days = lastDay - firstDay + 1;
  const together = Math.ceil(days / MOST_COLUMNS);
  const sums = addedUp(paid, ({ day }) => Math.floor((day - firstDay) / together));
  return Array.from({ length: Math.ceil(days / together) }, (_, at) => [
    dayAndMonth(firstDay + at * together),
    sums.get(at)?.amountMinor ?? 0,
  ]);
};
