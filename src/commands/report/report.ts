import { deliveryCard } from '../cards/delivery-card.ts';
import { timeButtons } from '../cards/time-buttons.ts';
import { type CommandRecord, momentOf, type Services } from '../command.ts';
import { figuresByDay, secondsWithin, sumsOf } from '../figures/sums.ts';
import { columnsFor, sumsByGroup } from '../figures/sums-by-group.ts';
import { sayMisread } from '../forms/words-form.ts';
import { type OneMerchant, ofMerchantAt, shopOf } from '../merchants.ts';
import { REPORT_GROUPS, type ReportWish, readReport } from './read-report.ts';
import { type Report, reportCard } from './report-card.ts';
import { chartFile, chartGroup, reportChart } from './report-chart.ts';

/** `/report`: what the payments of a period add up to, for the caller alone or for all in the conversation. */
export const reportCommand = (services: Services): CommandRecord => ({
  summary: 'See totals and how they compare',
  deed: 'see reports',
  usage: `[when] [by ${REPORT_GROUPS.join('|')}] [here]`,
  examples: ['today', 'last week by person', 'month by day', '1-15 Nov by network here'],
  run: async (words, context) => {
    const { surface } = context;
    const moment = momentOf(services);
    const wish = readReport(words, moment);
    const times = timeButtons(REPORT_VERB);
    if (!wish.ok) return sayMisread(services, context, ['report', words], wish.problem, times);
    const of = ofMerchantAt(services.settings, context.caller);
    const { report, figures } = await reportOf(services, wish.value, of);
    const card = reportCard(report, moment);
    const tell = () => (wish.value.isHere ? surface.publish(card) : surface.whisper(card));
    if (report.now.amounts.length === 0) return tell();
    const chart = reportChart(report, figures, moment);
    // A picture goes around without the message it came in.
    const picture = await chartFile({ ...chart, title: services.mark.title(chart.title) });
    const whole = wish.value.isHere ? undefined : await surface.whisperPicture?.(card, picture);
    if (whole?.ok === true) return;
    await tell();
    const delivery = whole ?? (await surface.sendFile(picture));
    if (!delivery.ok || delivery.savedAs !== undefined)
      await surface.whisper(deliveryCard(delivery, 'picture'));
  },
  presses: {
    [REPORT_VERB]: { run: (words, context) => reportCommand(services).run(words, context) },
  },
});

const REPORT_VERB = 'report';

const reportOf = async (services: Services, wish: ReportWish, of: OneMerchant) => {
  const { store, settings } = services;
  const { timeZone, currency } = settings;
  const { period, before } = wish;
  const isOfSeveral = of.merchant === undefined && settings.merchants.length > 0;
  const by = wish.by ?? (isOfSeveral ? 'merchant' : undefined);
  const columns = [chartGroup(wish), ...(by === undefined ? [] : [by])].flatMap(columnsFor);
  const figures = await figuresByDay(store, period, timeZone, [...new Set(columns)], of);
  const times = await figuresByDay(store, period, timeZone, ['secondsToSettle'], of);
  const earlier = await figuresByDay(store, before, timeZone, [], of);
  const none = { rows: [], left: 0 };
  const report: Report = {
    shop: shopOf(settings, of),
    wish,
    now: sumsOf(figures),
    before: sumsOf(earlier),
    median: secondsWithin(times, 0.5),
    p90: secondsWithin(times, 0.9),
    ...(by === undefined ? none : await sumsByGroup(figures, by, services)),
    currency,
  };
  return { report, figures };
};
