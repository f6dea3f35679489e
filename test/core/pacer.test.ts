import { describe, expect, it } from 'vitest';
import { Pacer } from '../../src/core/pacer.ts';
import { ManualClock } from '../support/manual-clock.ts';

const perChannel = { key: 'C1', burst: 3, perMs: 1_000 };

describe('Pacer', () => {
  it('lets a burst through and then one at a time', async () => {
    const clock = new ManualClock();
    const pacer = new Pacer(clock);
    expect([1, 2, 3, 4].map(() => pacer.take([perChannel]))).toEqual([0, 0, 0, 1_000]);
    await clock.advance(1_000);
    expect(pacer.take([perChannel])).toBe(0);
    expect(pacer.take([perChannel])).toBe(1_000);
  });

  it('takes nothing from one limit when another says wait', () => {
    const pacer = new Pacer(new ManualClock());
    const all = { key: 'all', burst: 1, perMs: 100 };
    pacer.take([all]);
    expect(pacer.take([perChannel, all])).toBe(100);
    expect([1, 2, 3].map(() => pacer.take([perChannel]))).toEqual([0, 0, 0]);
  });

  it('is patient for as long as the platform asked', async () => {
    const clock = new ManualClock();
    const pacer = new Pacer(clock);
    pacer.block('C1', 7_000);
    expect(pacer.take([perChannel])).toBe(7_000);
    await clock.advance(7_000);
    expect(pacer.take([perChannel])).toBe(0);
  });

  it('does not mind a wall clock that jumps', () => {
    const clock = new ManualClock();
    const pacer = new Pacer(clock);
    for (const byMs of [-86_400_000, 86_400_000]) {
      pacer.block('C1', 5_000);
      clock.jump(byMs);
      expect(pacer.take([perChannel])).toBe(5_000);
    }
  });

  it('counts answers that went out at once', () => {
    const pacer = new Pacer(new ManualClock());
    for (let i = 0; i < 5; i++) pacer.spend([perChannel]);
    expect(pacer.take([perChannel])).toBe(3_000);
  });
});
