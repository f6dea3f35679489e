import { describe, expect, it } from 'vitest';
import {
  afterFruitlessCheck,
  checkAfterCallbackMs,
  scheduledCheckMs,
} from '../../../src/core/payments/check-schedule.ts';
import { nextLook } from '../../../src/core/payments/late-looks.ts';
import { LONGEST_WAIT_MS } from '../../../src/core/records/due.ts';
import { aPayment } from '../../support/a-payment.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const policy = { scheduleMs: [10_000, 20_000], giveUpMs: 72 * HOUR_MS };

describe('a check by schedule', () => {
  it('is due after its delay, the last one repeating', () => {
    expect([0, 1, 2, 50].map((checks) => scheduledCheckMs(policy, checks, 1_000))).toEqual([
      11_000, 21_000, 21_000, 21_000,
    ]);
  });

  it('is due at once where there is no schedule', () => {
    expect(scheduledCheckMs({ ...policy, scheduleMs: [] }, 3, 1_000)).toBe(1_000);
  });
});

describe('a payment without an outcome', () => {
  const slow = { ...policy, scheduleMs: [10 * HOUR_MS] };
  const checked = (checks: number, waitedMs: number) =>
    afterFruitlessCheck(slow, aPayment({ submittedAtMs: 5_000, checks }), 5_000 + waitedMs);
  const waiting = (waitedMs: number) => checked(9, waitedMs);

  it('is asked about when a person is to be called, however long the schedule', () => {
    expect(waiting(0)).toEqual({ nextMs: 5_000 + 30 * MINUTE_MS });
    expect(waiting(20 * HOUR_MS)).toEqual({
      overdue: 'half an hour',
      nextMs: 5_000 + 24 * HOUR_MS,
    });
    expect(waiting(70 * HOUR_MS)).toEqual({ overdue: 'a day', nextMs: 5_000 + 72 * HOUR_MS });
  });

  it('calls a person after half an hour, a day, and for good', () => {
    const overdueFor = (waitedMs: number) => waiting(waitedMs).overdue;
    expect(overdueFor(30 * MINUTE_MS - 1)).toBeUndefined();
    expect(overdueFor(30 * MINUTE_MS)).toBe('half an hour');
    expect(overdueFor(24 * HOUR_MS)).toBe('a day');
    expect(waiting(72 * HOUR_MS)).toEqual({ overdue: 'given up' });
  });

  it('counts from its confirmation when it is not known when it was sent', () => {
    const { overdue } = afterFruitlessCheck(slow, aPayment({ checks: 9 }), 1_000 + 72 * HOUR_MS);
    expect(overdue).toBe('given up');
  });

  it('is not given up, and calls nobody, before checks were made for as long as half of that time', {
    tags: ['F78'],
  }, () => {
    const years = 6 * 365 * 24 * HOUR_MS;
    const yearsLater = (checks: number) => checked(checks, years);
    expect([0, 1, 2, 3, 4].map((checks) => yearsLater(checks).overdue)).toEqual([
      undefined,
      'half an hour',
      'a day',
      'a day',
      'given up',
    ]);
    // Nothing is due in the past, where it would be asked about without a pause.
    expect(yearsLater(1).nextMs).toBe(5_000 + years + 10 * HOUR_MS);
  });

  it('that was sent by a clock that was ahead is counted by its checks', { tags: ['F78'] }, () => {
    expect([0, 1, 2, 3, 4].map((checks) => checked(checks, -99 * HOUR_MS).overdue)).toEqual([
      undefined,
      'half an hour',
      'a day',
      'a day',
      'given up',
    ]);
  });

  it('is asked about once a day, however long the schedule', { tags: ['F77'] }, () => {
    const yearly = { ...policy, scheduleMs: [365 * 24 * HOUR_MS] };
    expect(scheduledCheckMs(yearly, 0, 0)).toBe(LONGEST_WAIT_MS.check);
  });
});

describe('a settled payment', () => {
  it('is looked at again three times within a day, then no more', () => {
    const looksMs: number[] = [];
    for (;;) {
      const watch = { id: 'P1', version: 1, looks: looksMs.length };
      const [look] = nextLook(watch, looksMs.at(-1) ?? 0);
      if (look?.record.due === undefined) break;
      looksMs.push(look.record.due.atMs);
    }
    expect(looksMs).toEqual([10 * MINUTE_MS, 2 * HOUR_MS, 24 * HOUR_MS]);
  });
});

describe('a check that a callback asks for', () => {
  it('comes at once, then soon, then ten seconds after the last', { tags: ['F22'] }, () => {
    const dueMs = (hintChecks: number) =>
      checkAfterCallbackMs(aPayment({ hintChecks, lastCheckAtMs: 50_000 }), 50_000);
    expect([0, 1, 2, 3, 99].map(dueMs)).toEqual([50_000, 54_000, 60_000, 60_000, 60_000]);
  });

  it('waits for no clock that was set back', () => {
    expect(checkAfterCallbackMs(aPayment({ hintChecks: 9, lastCheckAtMs: 90_000 }), 50_000)).toBe(
      50_000,
    );
  });

  it('waits for nothing when the last was long ago, or there was none', () => {
    expect(checkAfterCallbackMs(aPayment({ hintChecks: 9, lastCheckAtMs: 1_000 }), 50_000)).toBe(
      50_000,
    );
    expect(checkAfterCallbackMs(aPayment({ hintChecks: 9 }), 50_000)).toBe(50_000);
  });
});
