import { expect, it } from 'vitest';
import { calendarDay } from '../../../src/core/values/calendar-day.ts';
import { clockTimeOf, parseClock } from '../../../src/core/values/clock-time.ts';

it.each([
  ['18:00', 1_080],
  ['0:00', 0],
  ['23:59', 1_439],
  ['24:00', undefined],
  ['25:00', undefined],
  ['18:60', undefined],
  ['6pm', undefined],
])('the time of day %s is %s minutes after midnight', (text, minutes) => {
  expect(parseClock(text)).toBe(minutes);
});

it.each([
  ['on an ordinary day', '2026-11-23', '18:00', 'Africa/Accra', '2026-11-23T18:00:00Z'],
  ['after clocks were put forward', '2026-03-29', '18:00', 'Europe/London', '2026-03-29T17:00:00Z'],
  ['after clocks were put back', '2026-10-25', '18:00', 'Europe/London', '2026-10-25T18:00:00Z'],
  ['that is left out', '2026-03-29', '01:30', 'Europe/London', '2026-03-29T01:30:00Z'],
  [
    'that comes twice, the first time',
    '2026-10-25',
    '01:30',
    'Europe/London',
    '2026-10-25T00:30:00Z',
  ],
  ['on a day that begins at 01:00', '2026-04-24', '00:30', 'Africa/Cairo', '2026-04-23T22:00:00Z'],
])('a time of day is found %s', (_what, date, clock, timeZone, at) => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const found = clockTimeOf(calendarDay(year, month, day) ?? 0, parseClock(clock) ?? 0, timeZone);
  expect(new Date(found).toISOString()).toBe(at.replace('Z', '.000Z'));
});
