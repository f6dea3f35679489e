import { problemCard } from '../cards/card.ts';
import { type CommandRecord, momentOf, type Services } from '../command.ts';
import { REPORT_GROUPS, type ReportWish, readReport } from './read-report.ts';
import { type Report, reportCard } from './report-card.ts';
import { figuresByDay, secondsWithin, sumsOf } from './report-figures.ts';
import { columnsFor, reportRows } from './report-rows.ts';

/** `/report`: what the payments of a period add up to, for the caller alone or for all in the conversation. */
export const reportCommand = (services: Services): CommandRecord => ({
  summary: 'See totals and how they compare',
  deed: 'see reports',
  usage: `[when] [by ${REPORT_GROUPS.join('|')}] [here]`,
  examples: ['', 'week by person', 'month by day', '1-15 Nov by network here'],
  run: async (words, { surface }) => {
    const moment = momentOf(services);
    const wish = readReport(words, moment);
    if (!wish.ok) return surface.whisper(problemCard(wish.problem));
    const card = reportCard(await reportOf(services, wish.value), moment);
    await (wish.value.isHere ? surface.publish(card) : surface.whisper(card));
  },
});

const reportOf = async (services: Services, wish: ReportWish): Promise<Report> => {
  const { store, settings } = services;
  const { timeZone, currency } = settings;
  const { period, before, by } = wish;
  const columns = by === undefined ? [] : columnsFor(by);
  const figures = await figuresByDay(store, period, timeZone, columns);
  const times = await figuresByDay(store, period, timeZone, ['secondsToSettle']);
  const earlier = await figuresByDay(store, before, timeZone);
  const none = { rows: [], left: 0 };
  return {
    wish,
    now: sumsOf(figures),
    before: sumsOf(earlier),
    median: secondsWithin(times, 0.5),
    p90: secondsWithin(times, 0.9),
    ...(by === undefined ? none : await reportRows(figures, by, services)),
    currency,
  };
};
