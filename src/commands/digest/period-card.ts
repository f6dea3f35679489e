import type { Digest, DigestPeriod } from '../../core/records/digest.ts';
import { countOf } from '../../core/records/payment-figures.ts';
import type { Moment } from '../../core/values/format-time.ts';
import { showDays } from '../../core/values/period.ts';
import { type Card, cardOf, type Fact } from '../cards/card.ts';
import type { CommandSettings, Services } from '../command.ts';
import { sumsOf } from '../figures/sums.ts';
import { amountsAndNet, beforeText, collectedText, shown } from '../figures/sums-text.ts';
import { shopOf } from '../merchants.ts';
import { chartFile, reportChart } from '../report/report-chart.ts';

type Shown = Pick<Services, 'mark'> &
  Pick<CommandSettings, 'currency' | 'timeZone' | 'senderIds' | 'texts' | 'merchants'>;

/** `Last week, 16 to 22 Nov: 45 completed · GHS 3,380.00 · 2 failed`, and the one before with how much it changed. */
export const periodFacts = (
  { of, period, figures, figuresBefore }: DigestPeriod,
  moment: Moment,
  currency: string,
): Fact[] => {
  const [now, then] = [sumsOf(figures), sumsOf(figuresBefore)];
  return [
    {
      label: `Last ${of}, ${showDays(period, moment)}`,
      value: `${collectedText(now.amounts, currency)} · ${shown(countOf(figures, ['failed']))} failed`,
    },
    {
      label: `The ${of} before`,
      value: beforeText(then, now, currency),
    },
  ];
};

/** The picture of `/report last week` and `/report last month`, of the digest's own payments. */
export const periodPictureCard = async (
  { atMs, ...scope }: Digest,
  { of, period, before, figures, figuresBefore }: DigestPeriod,
  { currency, timeZone, mark, ...shown }: Shown,
): Promise<Card> => {
  const report = {
    shop: shopOf(shown, scope),
    wish: { period, before, called: `last ${of}`, isHere: true },
    now: sumsOf(figures),
    before: sumsOf(figuresBefore),
    rows: [],
    left: 0,
    currency,
  };
  const chart = reportChart(report, figures, { nowMs: atMs, timeZone });
  const names = [scope.merchant, scope.branch].filter((name) => name !== undefined);
  const title = mark.title([chart.title, ...names].join(', '));
  const picture = await chartFile({ ...chart, title });
  const altText = `${title}: ${amountsAndNet(report.now.amounts, currency)}`;
  // The figures are in the digest above it.
  return { ...cardOf(title, []), picture: { ...picture, altText } };
};
