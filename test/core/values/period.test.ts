import { describe, expect, it } from 'vitest';
import {
  periodAmong,
  readPeriod,
  showPeriod,
  showPeriodNear,
} from '../../../src/core/values/period.ts';

const at = (iso: string) => Date.parse(iso);

/** A Sunday: the week began on Monday the 16th. */
const moment = { timeZone: 'Africa/Accra', nowMs: at('2026-11-22T16:00:00Z') };

const periodOf = (typed: string, from = moment) => {
  const period = readPeriod(typed, from);
  if (period?.ok !== true) throw new Error(`"${typed}" names no period`);
  return period.value;
};

const shown = (typed: string, from = moment) => showPeriod(periodOf(typed, from));

const problem = (typed: string) => {
  const period = readPeriod(typed, moment);
  return period?.ok === false ? period.problem.message : undefined;
};

describe('a period that is typed', () => {
  it.each([
    ['today', '22 Nov 2026'],
    ['Yesterday', '21 Nov 2026'],
    ['week', '16 to 22 Nov 2026'],
    ['month', '1 to 22 Nov 2026'],
    ['2026-11-15', '15 Nov 2026'],
    ['2026-1-5', '5 Jan 2026'],
    ['15 Nov', '15 Nov 2026'],
    ['15nov', '15 Nov 2026'],
    ['22 Nov', '22 Nov 2026'],
    ['15 November', '15 Nov 2026'],
    ['3 Sept', '3 Sep 2026'],
    ['15 Nov 2025', '15 Nov 2025'],
    ['2026-11-01..2026-11-15', '1 to 15 Nov 2026'],
    ['2026-10-28 .. 2026-11-03', '28 Oct to 3 Nov 2026'],
    ['2025-12-28…2026-01-03', '28 Dec 2025 to 3 Jan 2026'],
    ['1-15 Nov', '1 to 15 Nov 2026'],
    ['1 - 15 Nov 2025', '1 to 15 Nov 2025'],
    ['this week', '16 to 22 Nov 2026'],
    ['LAST WEEK', '9 to 15 Nov 2026'],
    ['This Month', '1 to 22 Nov 2026'],
    ['last month', '1 to 31 Oct 2026'],
    ['last 7 days', '16 to 22 Nov 2026'],
    ['7 days', '16 to 22 Nov 2026'],
    ['last 1 day', '22 Nov 2026'],
    ['Sunday', '22 Nov 2026'],
    ['Monday', '16 Nov 2026'],
    ['sat', '21 Nov 2026'],
    ['Tues', '17 Nov 2026'],
    ['last Sunday', '15 Nov 2026'],
    ['last Friday', '20 Nov 2026'],
    ['november', '1 to 22 Nov 2026'],
    ['Oct', '1 to 31 Oct 2026'],
    ['December', '1 to 31 Dec 2025'],
    ['Feb 2024', '1 to 29 Feb 2024'],
    ['1st Nov', '1 Nov 2026'],
    ['Fri 20 Nov', '20 Nov 2026'],
    ['Fri 20 Nov 2026', '20 Nov 2026'],
    ['15 Nov.', '15 Nov 2026'],
    ['15 Nov, 2025', '15 Nov 2025'],
    ['1 to 15 Nov', '1 to 15 Nov 2026'],
    ['1st - 15th November', '1 to 15 Nov 2026'],
    ['28 Oct to 3 Nov', '28 Oct to 3 Nov 2026'],
    ['28 Oct – 3 Nov', '28 Oct to 3 Nov 2026'],
    ['28oct-3nov', '28 Oct to 3 Nov 2026'],
    ['28 Oct   TO   3 Nov 2025', '28 Oct to 3 Nov 2025'],
    ['28 Dec to 3 Jan', '28 Dec 2025 to 3 Jan 2026'],
    ['28 Dec 2025 to 3 Jan 2026', '28 Dec 2025 to 3 Jan 2026'],
    ['28 Dec 2024 to 3 Jan', '28 Dec 2024 to 3 Jan 2025'],
    ['28 Dec to 3 Jan 2025', '28 Dec 2024 to 3 Jan 2025'],
    ['3 Nov 2025 to 28 Oct', '3 Nov 2025 to 28 Oct 2026'],
    ['27-29 Feb', '27 to 29 Feb 2024'],
    ['2026-10-28 - 2026-11-03', '28 Oct to 3 Nov 2026'],
    ['2026-10-28 to 3 Nov', '28 Oct to 3 Nov 2026'],
    ['2026-10-28-2026-11-03', '28 Oct to 3 Nov 2026'],
    ['Mon-Wed', '16 to 18 Nov 2026'],
    ['Friday to Monday', '20 to 22 Nov 2026'],
    ['5 Nov to Monday', '5 to 16 Nov 2026'],
    ['yesterday to today', '21 to 22 Nov 2026'],
    ['1 Nov .. yesterday', '1 to 21 Nov 2026'],
    ['Sep to Oct', '1 Sep to 31 Oct 2026'],
    ['Dec-Jan', '1 Dec 2025 to 31 Jan 2026'],
    ['Oct to November 2025', '1 Oct to 30 Nov 2025'],
  ])('%s is %s', (typed, days) => {
    expect(shown(typed)).toBe(days);
  });

  it('begins with the first moment of its first day and ends with the last of its last', () => {
    expect(periodOf('1-15 Nov')).toMatchObject({
      fromMs: at('2026-11-01T00:00:00Z'),
      untilMs: at('2026-11-16T00:00:00Z'),
    });
    const kolkata = { ...moment, timeZone: 'Asia/Kolkata' };
    expect(periodOf('15 Nov', kolkata)).toMatchObject({
      fromMs: at('2026-11-14T18:30:00Z'),
      untilMs: at('2026-11-15T18:30:00Z'),
    });
  });

  it('has days of 23 and 25 hours where clocks change, and one that begins at 01:00', () => {
    const berlin = { timeZone: 'Europe/Berlin', nowMs: moment.nowMs };
    const hours = ({ fromMs, untilMs }: { fromMs: number; untilMs: number }) =>
      (untilMs - fromMs) / 3_600_000;
    expect(hours(periodOf('29 Mar', berlin))).toBe(23);
    expect(hours(periodOf('25 Oct', berlin))).toBe(25);
    const santiago = periodOf('6 Sep', { timeZone: 'America/Santiago', nowMs: moment.nowMs });
    expect(santiago.fromMs).toBe(at('2026-09-06T04:00:00Z'));
    expect(hours(santiago)).toBe(23);
  });

  it('is this Monday on a Monday, and no later day than today', () => {
    expect(shown('week', { ...moment, nowMs: at('2026-11-16T00:00:00Z') })).toBe('16 Nov 2026');
    expect(shown('1-30 Nov')).toBe('1 to 22 Nov 2026');
    expect(shown('2026-11-20..2027-01-31')).toBe('20 to 22 Nov 2026');
  });

  it('without a year is the latest day that has begun', () => {
    expect(shown('23 Nov')).toBe('23 Nov 2025');
    expect(shown('29 Feb')).toBe('29 Feb 2024');
    expect(shown('15 Nov', { ...moment, nowMs: at('2027-01-03T09:00:00Z') })).toBe('15 Nov 2026');
    expect(shown('20-31 Dec', { ...moment, nowMs: at('2027-01-03T09:00:00Z') })).toBe(
      '20 to 31 Dec 2026',
    );
  });

  it.each([
    ['31 Nov', 'There is no 31 Nov. Check the day and the month.'],
    ['1-31 Nov', 'There is no 31 Nov. Check the day and the month.'],
    ['0 Nov', 'There is no 0 Nov. Check the day and the month.'],
    ['29 Feb 2026', 'There is no 29 Feb 2026. Check the day and the month.'],
    ['2026-02-30', 'There is no 2026-02-30. Check the day and the month.'],
    ['2026-13-01', 'There is no 2026-13-01. Check the day and the month.'],
    ['2026-11-23', '23 Nov 2026 is still to come. Pick today or an earlier day.'],
    ['1 Jan 2027', '1 Jan 2027 is still to come. Pick today or an earlier day.'],
    ['2026-12-01..2026-12-15', '1 Dec 2026 is still to come. Pick today or an earlier day.'],
    [
      '2026-11-15..2026-11-01',
      'That is the wrong way round. The first day comes first: 1 to 15 Nov 2026.',
    ],
    ['15-1 Nov', 'That is the wrong way round. The first day comes first: 1 to 15 Nov 2026.'],
    [
      '3 Nov to 28 Oct',
      'That is the wrong way round. The first day comes first: 28 Oct to 3 Nov 2026.',
    ],
    [
      '3 Jan 2026 to 28 Dec 2025',
      'That is the wrong way round. The first day comes first: 28 Dec 2025 to 3 Jan 2026.',
    ],
    [
      'yesterday to 3 Nov',
      'That is the wrong way round. The first day comes first: 3 to 21 Nov 2026.',
    ],
    [
      'today - yesterday',
      'That is the wrong way round. The first day comes first: 21 to 22 Nov 2026.',
    ],
    ['28 Oct to 31 Nov', 'There is no 31 Nov. Check the day and the month.'],
    ['Sat 20 Nov 2026', 'There is no Sat 20 Nov 2026. Check the day and the month.'],
    ['Dec 2026', '1 Dec 2026 is still to come. Pick today or an earlier day.'],
    ['tomorrow', 'Tomorrow is still to come. Pick today or an earlier day.'],
    ['next week', 'Next week is still to come. Pick today or an earlier day.'],
    ['next Friday', 'Next Friday is still to come. Pick today or an earlier day.'],
  ])('%s is refused with a sentence', (typed, sentence) => {
    expect(problem(typed)).toBe(sentence);
  });

  it.each([
    '',
    'Adwoa',
    '50',
    '50 GHS',
    '4567',
    '0244123456',
    'Invoice 17',
    '15',
    '5 no',
    '1999-11-15',
    'Marc',
    'Wedding',
    'last',
    'to',
    '-',
    '0 days',
    '1 to 15',
    'Nov 15',
    'Mon to',
    'today today',
  ])('"%s" names none', (typed) => {
    expect(readPeriod(typed, moment)).toBeUndefined();
  });
});

describe('a period in an answer', () => {
  it.each([
    ['today', 'today'],
    ['2026-11-21', 'yesterday'],
    ['week', '16 to 22 Nov'],
    ['2026-10-28..2026-11-03', '28 Oct to 3 Nov'],
    ['15 Nov 2025', '15 Nov 2025'],
    ['2025-12-28..2026-01-03', '28 Dec 2025 to 3 Jan 2026'],
  ])('%s is shown as %s: short where it is near', (typed, text) => {
    expect(showPeriodNear(periodOf(typed), moment)).toBe(text);
  });
});

describe('a period among other words', { tags: ['F76'] }, () => {
  const read = (typed: string) => {
    const found = periodAmong(typed.split(' '), moment);
    return (
      found && [
        found.value.ok ? showPeriod(found.value.value) : found.value.problem.message,
        found.words,
        found.rest.join(' '),
      ]
    );
  };

  it.each([
    ['today failed', '22 Nov 2026', 'today', 'failed'],
    ['failed last week', '9 to 15 Nov 2026', 'last week', 'failed'],
    ['Kofi 28 Oct to 3 Nov 50', '28 Oct to 3 Nov 2026', '28 Oct to 3 Nov', 'Kofi 50'],
    ['15 Nov', '15 Nov 2026', '15 Nov', ''],
    ['15 Nov 2025 Adwoa', '15 Nov 2025', '15 Nov 2025', 'Adwoa'],
    ['15 Nov 50', '15 Nov 2026', '15 Nov', '50'],
    ['50 15 Nov', '15 Nov 2026', '15 Nov', '50'],
    ['1 - 15 Nov by person', '1 to 15 Nov 2026', '1 - 15 Nov', 'by person'],
    ['31 Nov Adwoa', 'There is no 31 Nov. Check the day and the month.', '31 Nov', 'Adwoa'],
    ['paid, 15 Nov, Kofi', '15 Nov 2026', '15 Nov,', 'paid, Kofi'],
  ])('%s', (typed, days, words, rest) => {
    expect(read(typed)).toEqual([days, words, rest]);
  });

  it.each([
    ['Friday Kofi', '20 Nov 2026', 'Friday', 'Kofi'],
    ['Friday yesterday', '21 Nov 2026', 'yesterday', 'Friday'],
    ['May 50', '1 to 31 May 2026', 'May', '50'],
    ['by Friday today', '22 Nov 2026', 'today', 'by Friday'],
  ])('is a weekday or a month only where no other is: %s', (typed, days, words, rest) => {
    expect(read(typed)).toEqual([days, words, rest]);
  });

  it('is asked for once', () => {
    expect(read('today Kofi 15 Nov')).toEqual([
      'Name one time: "today" or "15 Nov".',
      'today',
      'Kofi 15 Nov',
    ]);
  });

  it('is none where no words name one, or where they name a person', () => {
    expect(read('failed')).toBeUndefined();
    expect(read('by Friday')).toBeUndefined();
    expect(read('paid by may')).toBeUndefined();
    expect(periodAmong([], moment)).toBeUndefined();
  });

  it.each(['1 - ', '- ', '-', 'Nov-'])('is not looked for in endless text such as %s', (text) => {
    const endless = text.repeat(10_000 / text.length);
    expect(readPeriod(endless, moment)).toBeUndefined();
    expect(read(`by today ${endless}`)).toBeUndefined();
  });
});
