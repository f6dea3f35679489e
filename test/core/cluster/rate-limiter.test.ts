import { describe, expect, it } from 'vitest';
import type { Weight } from '../../../src/core/cluster/pace-book.ts';
import { RateLimiter } from '../../../src/core/cluster/rate-limiter.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const turn = { id: 'a message', weight: 'outcome' } as const;

const perChannel = { key: 'C1', burst: 3, perMs: 1_000 };

describe('RateLimiter', () => {
  it('lets a burst through and then one at a time', async () => {
    const clock = new ManualClock();
    const pacer = new RateLimiter(clock);
    expect([1, 2, 3, 4].map(() => pacer.take([perChannel], turn))).toEqual([0, 0, 0, 1_000]);
    await clock.advance(1_000);
    expect(pacer.take([perChannel], turn)).toBe(0);
    expect(pacer.take([perChannel], turn)).toBe(1_000);
  });

  it('takes nothing from one limit when another says wait', () => {
    const pacer = new RateLimiter(new ManualClock());
    const all = { key: 'all', burst: 1, perMs: 100 };
    pacer.take([all], turn);
    expect(pacer.take([perChannel, all], turn)).toBe(100);
    expect([1, 2, 3].map(() => pacer.take([perChannel], turn))).toEqual([0, 0, 0]);
  });

  it('is patient for as long as the platform asked', async () => {
    const clock = new ManualClock();
    const pacer = new RateLimiter(clock);
    pacer.block('C1', 7_000);
    expect(pacer.take([perChannel], turn)).toBe(7_000);
    await clock.advance(7_000);
    expect(pacer.take([perChannel], turn)).toBe(0);
  });

  it('does not mind a wall clock that jumps', { tags: ['F46'] }, () => {
    const clock = new ManualClock();
    const pacer = new RateLimiter(clock);
    for (const byMs of [-86_400_000, 86_400_000]) {
      pacer.block('C1', 5_000);
      clock.jump(byMs);
      expect(pacer.take([perChannel], turn)).toBe(5_000);
    }
  });

  it('counts answers that went out at once', () => {
    const pacer = new RateLimiter(new ManualClock());
    for (let i = 0; i < 2; i++) pacer.spend([perChannel]);
    expect(pacer.take([perChannel], turn)).toBe(0);
    expect(pacer.take([perChannel], turn)).toBe(1_000);
  });

  it('owes no more than one message, however many went out at once', () => {
    const pacer = new RateLimiter(new ManualClock());
    const window = { key: 'G1', most: 20, windowMs: 60_000 };
    for (let i = 0; i < 500; i++) pacer.spend([perChannel, window]);
    expect(pacer.take([perChannel], turn)).toBe(2_000);
    expect(pacer.take([window], turn)).toBe(60_000);
  });
});

describe('a window that slides', () => {
  const window = { key: 'G1', most: 3, windowMs: 60_000 };
  const turnOf = (id: string, weight: Weight = 'outcome') => ({ id, weight });

  it('lets through as many as it has places in any stretch of its length', async () => {
    const clock = new ManualClock();
    const pacer = new RateLimiter(clock);
    const sentAtMs: number[] = [];
    for (let id = 0; id < 40; ) {
      const waitMs = pacer.take([window], turnOf(`${id}`));
      if (waitMs === 0) sentAtMs.push(clock.now());
      if (waitMs === 0) id += 1;
      await clock.advance(waitMs === 0 ? 7_000 : waitMs);
    }
    for (const atMs of sentAtMs)
      expect(sentAtMs.filter((each) => each > atMs - 60_000 && each <= atMs).length).toBeLessThan(
        4,
      );
  });

  it('gives its next place to what matters most, and then to what came first', async () => {
    const clock = new ManualClock();
    const pacer = new RateLimiter(clock);
    const one = { key: 'G1', most: 1, windowMs: 60_000 };
    pacer.take([one], turnOf('before'));
    const asked: [string, Weight][] = [
      ['edit', 'pending'],
      ['help', 'answer'],
      ['question', 'answer'],
      ['card', 'card'],
      ['end', 'outcome'],
    ];
    for (const [id, weight] of asked) expect(pacer.take([one], turnOf(id, weight))).not.toBe(0);
    const order: string[] = [];
    while (order.length < asked.length) {
      await clock.advance(60_000);
      // The same asks first each time.
      for (const [id, weight] of asked)
        if (!order.includes(id) && pacer.take([one], turnOf(id, weight)) === 0) order.push(id);
    }
    expect(order).toEqual(['end', 'card', 'help', 'question', 'edit']);
  });

  it('tells each that waits when its own place comes', () => {
    const pacer = new RateLimiter(new ManualClock());
    const oneASecond = { key: 'C2', most: 1, windowMs: 1_000 };
    const waits = ['a', 'b', 'c', 'd'].map((id) => pacer.take([oneASecond], turnOf(id)));
    expect(waits).toEqual([0, 1_000, 2_000, 3_000]);
  });

  it('keeps free what is to be left for others', () => {
    const pacer = new RateLimiter(new ManualClock());
    const modest = { ...window, leave: 2 };
    expect(pacer.take([modest], turnOf('1', 'pending'))).toBe(0);
    expect(pacer.take([modest], turnOf('2', 'pending'))).toBe(60_000);
    expect(pacer.take([window], turnOf('3'))).toBe(0);
  });

  it('forgets a turn that nobody takes', async () => {
    const clock = new ManualClock();
    const pacer = new RateLimiter(clock);
    for (const id of ['1', '2', '3']) pacer.take([window], turnOf(id));
    pacer.take([window], turnOf('given up'));
    await clock.advance(90_001);
    expect(['a', 'b', 'c'].map((id) => pacer.take([window], turnOf(id, 'pending')))).toEqual([
      0, 0, 0,
    ]);
  });
});
