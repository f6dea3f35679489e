import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExport } from '../../src/commands/export/read-export.ts';
import { parsePayments, queryWords } from '../../src/commands/payments/parse-payments.ts';
import { readReport } from '../../src/commands/report/read-report.ts';
import { isoDate } from '../../src/core/values/calendar-day.ts';
import { plainText } from '../../src/core/values/normalise-input.ts';
import { readPeriod } from '../../src/core/values/period.ts';
import { check } from '../support/check.ts';
import { hostileText } from '../support/hostile-text.ts';

const DAY_MS = 86_400_000;
const SETTINGS = { country: 'GH', currency: 'GHS' };
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** The naive calendar: dates are texts that sort. */
type Day = string;
const after = (date: Day, days: number): Day =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
const earlier = (one: Day, other: Day): Day => (one < other ? one : other);
const weekdayOf = (date: Day): string => WEEKDAYS[new Date(date).getUTCDay()] ?? '';
const monthOf = (date: Day): string => MONTHS[Number(date.slice(5, 7)) - 1] ?? '';
/** The first day of the month that is so many months later. */
const monthAfter = (date: Day, months: number): Day =>
  new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1 + months, 1))
    .toISOString()
    .slice(0, 10);
const newestOn = (weekday: string, until: Day): Day =>
  [0, 1, 2, 3, 4, 5, 6]
    .map((ago) => after(until, -ago))
    .find((day) => weekdayOf(day) === weekday) ?? until;

/** Something to type, and the days that it means. */
type Written = { readonly text: string; readonly first: Day; readonly last: Day };

const spelling = (name: string, ...others: string[]) =>
  fc.constantFrom(name, name.slice(0, 3), ...others);
const month = (date: Day) =>
  spelling(monthOf(date), ...(monthOf(date) === 'September' ? ['Sept'] : []));
const ordinal = (day: number) =>
  `${day}${day % 10 === 1 ? 'st' : day % 10 === 2 ? 'nd' : day % 10 === 3 ? 'rd' : 'th'}`;

const aDay = (date: Day, isOfYear: boolean): fc.Arbitrary<string> =>
  fc.tuple(month(date), fc.boolean(), fc.nat({ max: 3 })).map(([name, hasYear, how]) => {
    const day = Number(date.slice(8));
    const year = hasYear || isOfYear ? ` ${date.slice(0, 4)}` : '';
    return [
      date,
      `${day} ${name}${year}`,
      `${ordinal(day)} ${name}${year}`,
      `${weekdayOf(date).slice(0, 3)} ${day} ${name} ${date.slice(0, 4)}`,
    ][how] as string;
  });

const between = fc.constantFrom('-', ' - ', ' to ', '..', ' .. ', '...', '…', ' … ');

const named = (today: Day): Written[] => {
  const monday = newestOn('Monday', today);
  const first = monthAfter(today, 0);
  const at = (text: string, from: Day, to: Day): Written => ({ text, first: from, last: to });
  return [
    at('today', today, today),
    at('yesterday', after(today, -1), after(today, -1)),
    ...['week', 'this week'].map((text) => at(text, monday, today)),
    at('last week', after(monday, -7), after(monday, -1)),
    ...['month', 'this month'].map((text) => at(text, first, today)),
    at('last month', monthAfter(today, -1), after(first, -1)),
  ];
};

const written = (today: Day): fc.Arbitrary<Written> =>
  fc.oneof(
    fc.constantFrom(...named(today)),
    fc.tuple(fc.integer({ min: 1, max: 9_999 }), fc.constantFrom('last ', '')).map(
      ([days, last]): Written => ({
        text: `${last}${days} days`,
        first: after(today, 1 - days),
        last: today,
      }),
    ),
    fc.constantFrom(...WEEKDAYS).chain((weekday) =>
      fc.tuple(spelling(weekday), fc.boolean()).map(([name, isLast]): Written => {
        const day = newestOn(weekday, isLast ? after(today, -1) : today);
        return { text: isLast ? `last ${name}` : name, first: day, last: day };
      }),
    ),
    fc.tuple(fc.nat({ max: 11 }), fc.boolean()).chain(([ago, hasYear]) => {
      const first = monthAfter(today, -ago);
      const last = earlier(after(monthAfter(first, 1), -1), today);
      const year = hasYear ? ` ${first.slice(0, 4)}` : '';
      return month(first).map((name): Written => ({ text: `${name}${year}`, first, last }));
    }),
    fc.nat({ max: 360 }).chain((ago) => {
      const day = after(today, -ago);
      return aDay(day, false).map((text): Written => ({ text, first: day, last: day }));
    }),
    // Days without a year go over one new year at most; with years, over any.
    fc
      .tuple(fc.nat({ max: 360 }), fc.nat({ max: 180 }), fc.nat({ max: 3_000 }), fc.boolean())
      .chain(([ago, length, more, isOfYear]) => {
        const first = after(today, -ago - (isOfYear ? more : 0));
        const last = after(first, length);
        return fc.tuple(aDay(first, isOfYear), between, aDay(last, isOfYear)).map(
          ([from, sign, to]): Written => ({
            text: `${from}${sign}${to}`,
            first,
            last: earlier(last, today),
          }),
        );
      }),
    fc.tuple(fc.nat({ max: 360 }), fc.nat({ max: 27 }), between).chain(([ago, more, sign]) => {
      const first = after(today, -ago);
      const to = after(first, more);
      const last = to.slice(0, 7) === first.slice(0, 7) ? to : first;
      return aDay(last, false)
        .filter((text) => /^\d/.test(text) && text !== last)
        .map(
          (text): Written => ({
            text: `${Number(first.slice(8))}${sign}${text}`,
            first,
            last: earlier(last, today),
          }),
        );
    }),
    fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 6 }), between).chain(([ago, length, sign]) => {
      const first = after(today, -ago);
      const last = after(first, length);
      return fc.tuple(spelling(weekdayOf(first)), spelling(weekdayOf(last))).map(
        ([from, to]): Written => ({
          text: `${from}${sign}${to}`,
          first,
          last: earlier(last, today),
        }),
      );
    }),
    fc.tuple(fc.nat({ max: 11 }), fc.nat({ max: 5 }), between).chain(([ago, length, sign]) => {
      const first = monthAfter(today, -ago);
      const last = monthAfter(first, length);
      return fc.tuple(month(first), month(last)).map(
        ([from, to]): Written => ({
          text: `${from}${sign}${to}`,
          first,
          last: earlier(after(monthAfter(last, 1), -1), today),
        }),
      );
    }),
  );

const STATES: readonly (readonly [text: string, word: string])[] = [
  ['completed', 'completed'],
  ['paid', 'completed'],
  ['Successful', 'completed'],
  ['pending', 'pending'],
  ['WAITING', 'pending'],
  ['open', 'open'],
  ['failed', 'failed'],
  ['unknown', 'unknown'],
  ['refused', 'refused'],
  ['Not Sent', 'not sent'],
];
const SOUGHT = ['Kofi', 'Adwoa', 'Zoé', '4567', '1,190.00', 'inv-17', 'Ofori-Atta', '"may"', '[x]'];

/** As people type on any keyboard. */
const typedAs = (
  text: string,
  how: { readonly upper: number; readonly space: string; readonly dash: string },
) =>
  [text, text.toUpperCase(), text.toLowerCase()][how.upper]
    ?.replaceAll(' ', how.space)
    .replaceAll('-', how.dash) ?? text;

const moment = fc.record({
  timeZone: fc.constantFrom('Africa/Accra', 'America/Havana', 'Asia/Kathmandu', 'Pacific/Apia'),
  nowMs: fc.integer({
    min: Date.parse('2015-01-01T00:00:00Z'),
    max: Date.parse('2035-01-01T00:00:00Z'),
  }),
});
const todayIn = ({ nowMs, timeZone }: { nowMs: number; timeZone: string }): Day =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(nowMs);

/** Without quotes and the commas of lists; the words for one state are one. */
const bareWords = (text: string): string[] =>
  plainText(text)
    .toLowerCase()
    .replace(/[“”„"]/g, ' ')
    .split(' ')
    .map((word) =>
      word
        .replace(/(?<=[a-z\d])[,.]$/, '')
        .replace(/^(paid|successful)$/, 'completed')
        .replace(/^waiting$/, 'pending'),
    )
    .filter((word) => word !== '');
const inOrder = (words: readonly string[]): string => words.toSorted().join(' ');

describe('the words of /payments', () => {
  it('mean the very days, states and words to search, however and in whatever order they are written', {
    tags: ['F76'],
  }, () => {
    const typed = moment.chain((when) =>
      fc
        .record({
          period: written(todayIn(when)),
          states: fc.subarray([...STATES], { maxLength: 2 }),
          sought: fc.subarray(SOUGHT, { maxLength: 3 }),
          how: fc.record({
            upper: fc.nat({ max: 2 }),
            space: fc.constantFrom(' ', '  ', '\u00a0', ' \t'),
            dash: fc.constantFrom('-', '–', '—', '\u2212'),
          }),
        })
        .chain(({ period, states, sought, how }) => {
          const pieces = [
            { text: typedAs(period.text, how), kind: 'period' },
            ...states.map(([text]) => ({ text: typedAs(text, how), kind: 'state' })),
            ...sought.map((text) => ({ text, kind: 'sought' })),
          ];
          return fc
            .shuffledSubarray(pieces, { minLength: pieces.length })
            .map((order) => ({ when, period, states, order, space: how.space }));
        }),
    );
    return check(
      fc.property(typed, ({ when, period, states, order, space }) => {
        const text = order.map((piece) => piece.text).join(space);
        const read = parsePayments(text, when, SETTINGS);
        if (!read.ok) return expect.fail(`${text}: ${read.problem.message}`);
        const { value } = read;
        expect(
          value.period && [isoDate(value.period.firstDay), isoDate(value.period.lastDay)],
          text,
        ).toEqual([period.first, period.last]);
        expect([...value.states].sort(), text).toEqual(states.map(([, word]) => word).sort());
        expect(value.sought, text).toBe(
          order
            .flatMap((piece) => (piece.kind === 'sought' ? [piece.text.replaceAll('"', '')] : []))
            .join(' '),
        );
      }),
      6_000,
    );
  });

  const anyWords = fc
    .array(
      fc.oneof(
        fc.constantFrom('today', 'week', 'last', 'this', 'next', '7', 'days', '15', '31', 'Nov'),
        fc.constantFrom('feb', 'may', 'Friday', '1-15', '..', '-', 'to', '2026', '2026-11-01'),
        fc.constantFrom('2026-02-30', '2099-01-01', 'failed', 'not', 'sent', 'open', 'paid', 'by'),
        fc.constantFrom('me', 'Kofi', '"may"', '"', '“open”', 'd20000-20010', '0244123456', 'here'),
        hostileText,
      ),
      { maxLength: 8 },
    )
    .map((words) => words.join(' '));

  it('are a period, a state or searched, each of them, whatever was typed', { tags: ['F76'] }, () =>
    check(
      fc.property(anyWords, moment, (typed, when) => {
        const read = parsePayments(typed, when, SETTINGS);
        if (!read.ok) {
          expect(read.problem.message).not.toMatch(/undefined|NaN|\[object/);
          return;
        }
        const { period, states, sought } = read.value;
        const words = bareWords(typed);
        const beside = (from: number, to: number) => [...words.slice(0, from), ...words.slice(to)];
        const others =
          period === undefined
            ? [words]
            : words.flatMap((_, from) =>
                words.flatMap((_, at) => {
                  const text = words.slice(from, at + 1).join(' ');
                  const same = readPeriod(text, when);
                  return same?.ok === true && same.value.fromMs === period.fromMs
                    ? [beside(from, at + 1)]
                    : [];
                }),
              );
        const kept = [...bareWords(sought), ...states.flatMap((state) => state.split(' '))];
        expect(others.map(inOrder), typed).toContainEqual(inOrder(kept));
      }),
      3_000,
    ),
  );

  it('ask for the same payments again from the data of a button, the next day too', () =>
    check(
      fc.property(anyWords, moment, (words, when) => {
        // A button's data has this sign before the place in the list.
        const typed = words.replaceAll('~', ' ');
        const read = parsePayments(typed, when, SETTINGS);
        if (!read.ok) return;
        const { period, states, search, customerNumber } = read.value;
        const again = parsePayments(
          queryWords(read.value),
          { ...when, nowMs: when.nowMs + DAY_MS },
          SETTINGS,
        );
        if (!again.ok) return expect.fail(`${typed}: ${again.problem.message}`);
        expect([again.value.period?.firstDay, again.value.period?.lastDay]).toEqual([
          period?.firstDay,
          period?.lastDay,
        ]);
        expect(again.value).toMatchObject({ states, search });
        expect(again.value.customerNumber).toBe(customerNumber);
      }),
      2_000,
    ));

  it('ask for the same day from a button where a word more would be too much to look for a day in', () => {
    const when = { timeZone: 'Africa/Accra', nowMs: 1_420_070_400_000 };
    const read = parsePayments(`today ${'x'.repeat(190)}`, when, SETTINGS);
    if (!read.ok) return expect.fail(read.problem.message);
    const again = parsePayments(queryWords(read.value), when, SETTINGS);
    expect(again).toMatchObject({ value: { period: read.value.period } });
  });
});

describe('the words of /report and /export', () => {
  it('are understood or named, whatever was typed', () =>
    check(
      fc.property(
        fc.oneof(
          hostileText,
          fc
            .array(fc.constantFrom('by', 'day', 'here', 'last', 'week', 'may', 'x'))
            .map((words) => words.join(' ')),
        ),
        moment,
        (typed, when) => {
          for (const read of [readReport(typed, when), readExport(typed, when, SETTINGS)])
            if (!read.ok) expect(read.problem.message).not.toMatch(/undefined|NaN|\[object/);
        },
      ),
      2_000,
    ));
});
