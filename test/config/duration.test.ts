import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/config/formats.ts';

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
