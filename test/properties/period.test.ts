import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { periodAmong, readPeriod, showPeriod } from '../../src/core/values/period.ts';
import { check } from '../support/check.ts';
import { hostileText } from '../support/hostile-text.ts';

const DAY_MS = 86_400_000;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Zones with and without a change of clocks, at midnight and at other times, half and quarter hours, and both ends of the world. */
const timeZone = fc.constantFrom(
  'Africa/Accra',
  'Africa/Cairo',
  'America/Havana',
  'America/New_York',
  'America/Santiago',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Pacific/Apia',
  'Pacific/Kiritimati',
);
const within = (from: string, to: string) =>
  fc.integer({ min: Date.parse(from), max: Date.parse(to) });
const nowMs = within('2015-01-01T00:00:00Z', '2035-01-01T00:00:00Z');
const moment = fc.record({ timeZone, nowMs });

/** The naive calendar: dates are texts that sort, and the next one is found by a day in UTC. */
const dateIn = (ms: number, zone: string) =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    calendar: 'gregory',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(ms);
const daysFrom = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
const mondayBefore = (date: string) => {
  let day = date;
  while (new Date(`${day}T00:00:00Z`).getUTCDay() !== 1) day = daysFrom(day, -1);
  return day;
};

const inWords = (date: string) =>
  `${Number(date.slice(8))} ${MONTHS[Number(date.slice(5, 7)) - 1]}`;

/** Something to type with the first and the last date that it means. */
type Typed = { readonly typed: string; readonly first: string; readonly last: string };

const typedAround = (today: string, ago: number, length: number): Typed[] => {
  const first = daysFrom(today, -ago);
  const last = [daysFrom(first, length), today].sort()[0] ?? today;
  const sameMonth =
    daysFrom(first, 1).slice(0, 7) === first.slice(0, 7) ? daysFrom(first, 1) : first;
  const endOfPair = [sameMonth, today].sort()[0] ?? today;
  return [
    { typed: 'today', first: today, last: today },
    { typed: 'yesterday', first: daysFrom(today, -1), last: daysFrom(today, -1) },
    { typed: 'week', first: mondayBefore(today), last: today },
    { typed: 'month', first: `${today.slice(0, 7)}-01`, last: today },
    { typed: first, first, last: first },
    { typed: inWords(first), first, last: first },
    { typed: `${first}..${last}`, first, last },
    {
      typed: `${Number(first.slice(8))}-${inWords(endOfPair)} ${first.slice(0, 4)}`,
      first,
      last: endOfPair,
    },
  ];
};

describe('a period', () => {
  it('has a moment exactly if the date there and then is one of its days', () => {
    const input = fc.record({
      moment,
      ago: fc.integer({ min: 0, max: 360 }),
      length: fc.integer({ min: 0, max: 100 }),
      which: fc.nat({ max: 7 }),
      // Around the edges, where a wrong hour shows.
      edge: fc.constantFrom('first', 'last'),
      offsetMs: fc.integer({ min: -40 * 3_600_000, max: 40 * 3_600_000 }),
    });
    return check(
      fc.property(input, ({ moment, ago, length, which, edge, offsetMs }) => {
        const today = dateIn(moment.nowMs, moment.timeZone);
        const one = typedAround(today, ago, length)[which];
        if (one === undefined) return;
        const period = readPeriod(one.typed, moment);
        if (period?.ok !== true) throw new Error(`"${one.typed}" names no period`);
        const ms = Date.parse(`${edge === 'first' ? one.first : one.last}T12:00:00Z`) + offsetMs;
        const date = dateIn(ms, moment.timeZone);
        expect(period.value.fromMs <= ms && ms < period.value.untilMs).toBe(
          one.first <= date && date <= one.last,
        );
      }),
      3_000,
    );
  });

  it('ends where the next day begins, so no moment is in two days or in none', () =>
    check(
      fc.property(moment, fc.integer({ min: 1, max: 300 }), (moment, ago) => {
        const today = dateIn(moment.nowMs, moment.timeZone);
        const [one, next] = [daysFrom(today, -ago), daysFrom(today, 1 - ago)].map((date) =>
          readPeriod(date, moment),
        );
        if (one?.ok !== true || next?.ok !== true) throw new Error('a date names no period');
        expect(one.value.untilMs).toBe(next.value.fromMs);
      }),
      1_000,
    ));

  it('is shown in words that read as the same days', () =>
    check(
      fc.property(moment, fc.integer({ min: 0, max: 900 }), (moment, ago) => {
        const period = readPeriod(daysFrom(dateIn(moment.nowMs, moment.timeZone), -ago), moment);
        if (period?.ok !== true) throw new Error('a date names no period');
        expect(readPeriod(showPeriod(period.value), moment)).toEqual(period);
      }),
      1_000,
    ));

  it('is read from any words without a fault, and never ends before it begins or after today', () => {
    const words = fc.array(
      fc.oneof(
        fc.constantFrom('today', 'week', '15', '31', '0', 'Nov', 'feb', '1-15', '..', '-', '2026'),
        fc.constantFrom('2026-11-01', '2026-02-30', '2099-01-01', '2026-11-01..2026-10-01'),
        hostileText,
      ),
      { maxLength: 6 },
    );
    return check(
      fc.property(words, moment, (words, moment) => {
        const found = periodAmong(words, moment);
        if (found?.value.ok !== true) return;
        const { fromMs, untilMs, firstDay, lastDay } = found.value.value;
        expect(firstDay).toBeLessThanOrEqual(lastDay);
        expect(fromMs).toBeLessThan(untilMs);
        expect(fromMs).toBeLessThanOrEqual(moment.nowMs);
        expect([...found.rest, ...found.words.split(' ')].join(' ').length).toBe(
          words.join(' ').length,
        );
      }),
      2_000,
    );
  });
});
