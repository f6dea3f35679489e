import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../../src/core/values/duration.ts';

describe('a duration in the settings', () => {
  it.each([
    ['250ms', 250],
    ['10s', 10_000],
    ['5m', 300_000],
    ['72h', 259_200_000],
    ['400d', 34_560_000_000],
    [' 10s ', 10_000],
    ['0s', 0],
  ])('%j is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each([
    '',
    '10',
    's',
    '10 s',
    '1.5h',
    '-5m',
    '10S',
    '5min',
    '1h30m',
    '1e3s',
    '999999999999d',
    'constructor',
  ])('%j is none', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseDuration(text)));
  });
});

describe('a duration for people', () => {
  it.each([
    [0, '0 seconds'],
    [250, 'less than a second'],
    [1_000, '1 second'],
    [30_000, '30 seconds'],
    [59_600, '1 minute'],
    [90_000, '1 minute 30 seconds'],
    [600_000, '10 minutes'],
    [3_600_000, '1 hour'],
    [5_400_000, '1 hour 30 minutes'],
    [3_605_000, '1 hour'],
    [259_200_000, '3 days'],
    [90_000_000, '1 day 1 hour'],
    [-5, '0 seconds'],
  ])('%d ms is %s', (ms, words) => {
    expect(formatDuration(ms)).toBe(words);
  });
});
