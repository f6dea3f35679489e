import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startOfDayMs } from '../../../src/core/values/calendar-day.ts';
import {
  showBeside,
  showClock,
  showDay,
  showNear,
  showTime,
} from '../../../src/core/values/format-time.ts';

const at = (iso: string) => Date.parse(iso);

describe('a time for people', () => {
  it('is day first, with the month in letters', () => {
    expect(showTime(at('2026-11-21T14:05:59Z'), 'Africa/Accra')).toBe('21 Nov 2026, 14:05');
    expect(showTime(at('2026-09-03T00:00:00Z'), 'Africa/Accra')).toBe('3 Sep 2026, 00:00');
    expect(showTime(at('2026-12-31T23:30:00Z'), 'Africa/Lagos')).toBe('1 Jan 2027, 00:30');
  });

  it('may be the clock alone', () => {
    expect(showClock(at('2026-11-21T09:05:00Z'), 'Africa/Accra')).toBe('09:05');
    expect(showClock(at('2026-11-21T09:05:00Z'), 'Asia/Kolkata')).toBe('14:35');
  });
});

describe('a time in an answer', () => {
  const moment = { timeZone: 'Africa/Accra', nowMs: at('2026-11-22T16:00:00Z') };

  it.each([
    ['2026-11-22T00:00:00Z', 'today 00:00'],
    ['2026-11-22T14:02:59Z', 'today 14:02'],
    ['2026-11-21T23:59:59Z', 'yesterday 23:59'],
    ['2026-11-21T00:00:00Z', 'yesterday 00:00'],
    ['2026-11-20T09:15:00Z', 'Fri 20 Nov 09:15'],
    ['2026-01-02T09:15:00Z', 'Fri 2 Jan 09:15'],
    ['2025-12-31T09:15:00Z', 'Wed 31 Dec 2025 09:15'],
    ['2026-11-23T09:15:00Z', 'Mon 23 Nov 09:15'],
  ])('%s is shown as %s', (time, shown) => {
    expect(showNear(at(time), moment)).toBe(shown);
  });

  it('goes by the day where the shop is, also on a day of 25 hours', () => {
    const nowMs = at('2026-11-02T05:30:00Z');
    expect(showNear(at('2026-11-01T04:30:00Z'), { timeZone: 'America/New_York', nowMs })).toBe(
      'yesterday 00:30',
    );
    expect(showNear(at('2026-11-02T04:30:00Z'), { timeZone: 'America/New_York', nowMs })).toBe(
      'yesterday 23:30',
    );
    expect(showNear(at('2026-11-02T05:00:00Z'), { timeZone: 'America/New_York', nowMs })).toBe(
      'today 00:00',
    );
  });

  it('beside the time of its message names the day only when that is another one', () => {
    const [late, later] = [at('2026-11-22T23:50:00Z'), at('2026-11-23T00:10:00Z')];
    expect(showBeside(late, late, 'Africa/Accra')).toBe('23:50');
    expect(showBeside(late, later, 'Africa/Accra')).toBe('Mon 23 Nov 00:10');
    // One day in Lagos, an hour ahead.
    expect(showBeside(late, later, 'Africa/Lagos')).toBe('01:10');
  });

  it('in a message that stays names the day and never says today', () => {
    expect(showDay(at('2026-11-22T14:02:00Z'), 'Africa/Accra')).toBe('Sun 22 Nov 14:02');
    expect(showDay(at('2026-12-31T23:30:00Z'), 'Africa/Lagos')).toBe('Fri 1 Jan 00:30');
  });
});

describe('the start of the day', () => {
  it.each([
    ['in Accra', '2026-11-21T14:05:00Z', 'Africa/Accra', '2026-11-21T00:00:00Z'],
    ['at midnight itself', '2026-11-21T00:00:00Z', 'Africa/Accra', '2026-11-21T00:00:00Z'],
    ['just before midnight', '2026-11-20T23:59:59.999Z', 'Africa/Accra', '2026-11-20T00:00:00Z'],
    ['east of Accra', '2026-11-21T23:30:00Z', 'Africa/Lagos', '2026-11-21T23:00:00Z'],
    ['west of Accra', '2026-11-21T02:00:00Z', 'America/New_York', '2026-11-20T05:00:00Z'],
    ['on a day of 23 hours', '2026-03-08T20:00:00Z', 'America/New_York', '2026-03-08T05:00:00Z'],
    ['on a day of 25 hours', '2026-11-02T04:30:00Z', 'America/New_York', '2026-11-01T04:00:00Z'],
    ['that begins at 01:00', '2018-11-04T12:00:00Z', 'America/Sao_Paulo', '2018-11-04T03:00:00Z'],
  ])('is found %s', (_where, now, timeZone, start) => {
    expect(new Date(startOfDayMs(at(now), timeZone)).toISOString()).toBe(
      new Date(at(start)).toISOString(),
    );
  });

  it('is the same for every moment of a day in Accra', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 42 }), (ms) => {
        expect(startOfDayMs(ms, 'Africa/Accra')).toBe(ms - (ms % 86_400_000));
      }),
    );
  });
});
