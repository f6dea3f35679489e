import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../../src/core/runtime/backoff.ts';

const LIMITS = { firstMs: 1_000, longestMs: 60_000 };

const fraction = (value: number) => ({ fraction: () => value });

describe('the wait after a failure', () => {
  it('doubles each time, up to the longest', () => {
    const waits = [1, 2, 3, 4, 7, 100, 5_000].map((attempt) =>
      backoffMs(attempt, LIMITS, fraction(0)),
    );
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 60_000, 60_000, 60_000]);
  });

  it('is shortened by up to a half, by chance', () => {
    expect(backoffMs(1, LIMITS, fraction(0.5))).toBe(750);
    expect(backoffMs(1, LIMITS, fraction(0.999_999))).toBe(500);
    for (let i = 0; i < 1_000; i++) {
      expect(backoffMs(3, LIMITS)).toBeGreaterThanOrEqual(2_000);
      expect(backoffMs(3, LIMITS)).toBeLessThanOrEqual(4_000);
    }
  });

  it('is never shorter after a later failure', () => {
    for (let attempt = 1; attempt < 10; attempt++)
      expect(backoffMs(attempt + 1, LIMITS, fraction(0.999_999))).toBeGreaterThanOrEqual(
        backoffMs(attempt, { ...LIMITS, longestMs: 30_000 }, fraction(0.999_999)),
      );
  });

  it('counts attempts from 1', () => {
    expect(backoffMs(0, LIMITS, fraction(0))).toBe(1_000);
  });
});
