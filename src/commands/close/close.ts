import { correctionsOf } from '../../core/payments/corrections.ts';
import { closedDayOf, type ShopDay } from '../../core/records/closed-day.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { type CalendarDay, dayAt, isoDate, startOfDay } from '../../core/values/calendar-day.ts';
import { personOf } from '../../core/values/conversation.ts';
import type { Moment } from '../../core/values/format-time.ts';
import { quoted } from '../../core/values/normalise-input.ts';
import { readPeriod } from '../../core/values/period.ts';
import { type Card, part, problemCard } from '../cards/card.ts';
import { timeButtons } from '../cards/time-buttons.ts';
import { type CommandRecord, type Context, momentOf, rowBy, type Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
import { sayMisread } from '../forms/words-form.ts';
import { ofMerchantAt } from '../merchants.ts';
import { closedDayCard, figuresHash, MOST_ROWS, openDayCard } from './close-card.ts';
import { completedIn, dayFigures } from './day-figures.ts';

export const closeCommand = (services: Services): CommandRecord => ({
  summary: "See a day's end and close it",
  deed: 'close days',
  usage: '[date]',
  examples: ['yesterday', 'Friday', '2026-11-15'],
  run: async (words, context) => {
    const { surface, caller } = context;
    const { balances, settings } = services;
    const moment = momentOf(services);
    const day = readDay(words, moment);
    const days = timeButtons(DAY_VERB, '', ['Today', 'Yesterday']);
    if (!day.ok) return sayMisread(services, context, ['close', words], day.problem, days);
    const { merchant: here } = ofMerchantAt(settings, caller);
    const ours = here === undefined ? balances.merchants : [here];
    const isToday = day.value === dayAt(moment.nowMs, moment.timeZone);
    if (isToday) for (const merchant of ours) await balances.ask('person', merchant);
    const had = (await merchantsOf(services, day.value)).filter((one) => isShownTo(here, one));
    for (const merchant of isToday ? new Set([...had, ...ours]) : had.length > 0 ? had : ours)
      await surface.whisper(await dayCard(services, { day: day.value, merchant }));
  },
  presses: {
    close: { run: (id, context) => closePress(services, id, context) },
    [DAY_VERB]: { run: (words, context) => closeCommand(services).run(words, context) },
  },
});

const DAY_VERB = 'close-day';

const readDay = (words: string, moment: Moment): Parsed<CalendarDay> => {
  const period = readPeriod(words === '' ? 'today' : words, moment);
  if (period?.ok === false) return period;
  return period === undefined || period.value.firstDay !== period.value.lastDay
    ? wrong(`I close one day at a time, not ${quoted(words)}.`, '/close yesterday')
    : parsed(period.value.firstDay);
};

/** Those that had payments or balances on a day; undefined: there was one shop, as before the file of the merchants. */
const merchantsOf = async (
  { store, balances, settings: { timeZone } }: Services,
  day: CalendarDay,
): Promise<(string | undefined)[]> => {
  const range = { fromMs: startOfDay(day, timeZone), untilMs: startOfDay(day + 1, timeZone) };
  const had = new Set<string | undefined>();
  for (const merchant of [undefined, ...balances.merchants])
    if ((await balances.ofDay(day, merchant)) !== undefined) had.add(merchant);
  for (const time of ['confirmed', 'settled'] as const)
    for (const { merchant } of await store.paymentFigures({ ...range, time, by: ['merchant'] }))
      had.add(merchant ?? undefined);
  return [...had];
};

/** What belongs to no merchant is of the time before the file of the merchants, and shown everywhere. */
const isShownTo = (here: string | undefined, merchant: string | undefined): boolean =>
  here === undefined || merchant === undefined || merchant === here;

const dayCard = async (services: Services, of: ShopDay): Promise<Card> => {
  const { store, settings } = services;
  const stored = closedDayOf(of);
  const closed = await stored.in(store);
  const read = await dayFigures(services, of, MOST_ROWS);
  const shown = { of, currency: settings.currency, moment: momentOf(services) };
  if (closed === undefined) return openDayCard(read, shown);
  const corrections = await correctionsOf(store, stored.id);
  const range = { fromMs: closed.atMs, untilMs: startOfDay(of.day + 1, settings.timeZone) };
  const later = await completedIn({ store, merchant: of.merchant, ...range }, 'confirmed');
  return closedDayCard(closed, { corrections, now: read.figures, later }, shown);
};

/** Closes the day only with the figures that the presser was shown; of two presses the first one counts. */
const closePress = async (
  services: Services,
  id: string,
  { surface, caller }: Context,
): Promise<void> => {
  const { store, balances, settings } = services;
  const [date = '', shown, merchant] = id.split('.');
  const day = readDay(date, momentOf(services));
  if (!day.ok) return surface.answerPress(problemCard(day.problem));
  const known = [...balances.merchants, ...(await merchantsOf(services, day.value))];
  const { merchant: here } = ofMerchantAt(settings, caller);
  if (!known.includes(merchant) || !isShownTo(here, merchant)) return surface.answerPress(goneCard);
  const of = { day: day.value, merchant };
  const stored = closedDayOf(of);
  const { figures } = await dayFigures(services, of, MOST_ROWS);
  const isClosed = (await store.get('setting', stored.id)) !== undefined;
  if (!isClosed && figuresHash(figures) !== shown) {
    const card = await dayCard(services, of);
    const warning = part.warning('The figures have changed. Look again before you close.');
    return surface.replace({ ...card, parts: [warning, ...card.parts] });
  }
  if (!isClosed) {
    const closed = rowBy(caller, services, {
      kind: 'setting',
      id: stored.id,
      what: 'closed',
      after: isoDate(day.value),
      button: 'close',
      detail: figures,
    });
    // Refused: another press closed it first.
    await store.commit({
      put: [stored.put({ figures, by: personOf(caller), atMs: closed.atMs }, undefined)],
      audit: [closed],
    });
  }
  await surface.replace(await dayCard(services, of));
};
