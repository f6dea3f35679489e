import { describe, expect, it } from 'vitest';
import { nightEndsAtMs } from '../../../src/core/values/night.ts';

const at = (text: string): number => Date.parse(text);
const ends = (text: string, timeZone: string): string | undefined => {
  const ms = nightEndsAtMs(at(text), timeZone);
  return ms === undefined ? undefined : new Date(ms).toISOString();
};

describe('the night', () => {
  it.each([
    ['2026-01-15T19:59:59.999Z', undefined],
    ['2026-01-15T20:00:00Z', '2026-01-16T07:00:00.000Z'],
    ['2026-01-15T23:59:00Z', '2026-01-16T07:00:00.000Z'],
    ['2026-01-16T00:00:00Z', '2026-01-16T07:00:00.000Z'],
    ['2026-01-16T06:59:59.999Z', '2026-01-16T07:00:00.000Z'],
    ['2026-01-16T07:00:00Z', undefined],
    ['2026-01-16T12:00:00Z', undefined],
  ])('that %s falls in is over at %s in Accra', (text, end) => {
    expect(ends(text, 'Africa/Accra')).toBe(end);
  });

  it.each([
    // Clocks go forward at 01:00 UTC, and back at 01:00 UTC.
    ['2026-03-28T21:00:00Z', 'Europe/London', '2026-03-29T06:00:00.000Z'],
    ['2026-10-24T20:00:00Z', 'Europe/London', '2026-10-25T07:00:00.000Z'],
    ['2026-01-15T15:00:00Z', 'Asia/Kathmandu', '2026-01-16T01:15:00.000Z'],
    ['2026-01-15T10:00:00Z', 'Pacific/Chatham', '2026-01-15T17:15:00.000Z'],
  ])('that %s falls in is over by the clock of %s', (text, timeZone, end) => {
    expect(ends(text, timeZone)).toBe(end);
  });
});
