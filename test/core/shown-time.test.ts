import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showClock, showTime, startOfDayMs } from '../../src/core/shown-time.ts';

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
