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

  /** Twelve questions, `everyMs` apart, each followed by two other messages; when each got its place. */
  const asking = async (everyMs: number, questions = 12) => {
    const clock = new ManualClock();
    const pacer = new RateLimiter(clock);
    const group = { key: 'G1', most: 20, windowMs: 60_500, questions: 12 };
    const waiting: { id: string; weight: Weight; dueMs: number; atMs: number }[] = [];
    const startMs = clock.now();
    for (let at = 0; at < questions; at++)
      waiting.push(
        { id: `question ${at}`, weight: 'question', dueMs: at * everyMs, atMs: -1 },
        { id: `end ${at}`, weight: 'outcome', dueMs: at * everyMs + 4_500, atMs: -1 },
        { id: `card ${at}`, weight: 'card', dueMs: at * everyMs + 4_500, atMs: -1 },
      );
    const asks = new Map(waiting.map((each) => [each.id, each.dueMs]));
    while (waiting.some(({ atMs }) => atMs < 0)) {
      const nowMs = clock.now() - startMs;
      for (const each of waiting.filter(
        ({ id, atMs }) => atMs < 0 && (asks.get(id) ?? 0) <= nowMs,
      )) {
        const waitMs = pacer.take([group], { id: each.id, weight: each.weight });
        if (waitMs === 0) each.atMs = nowMs;
        else asks.set(each.id, nowMs + waitMs);
      }
      await clock.advance(50);
    }
    const lateOf = (of: Weight) =>
      waiting.filter(({ weight }) => weight === of).map(({ dueMs, atMs }) => atMs - dueMs);
    const ends = waiting.filter(({ weight }) => weight === 'outcome').map(({ atMs }) => atMs);
    return { asked: lateOf('question'), told: lateOf('outcome'), shown: lateOf('card'), ends };
  };

  it.each([5_000, 1_500])(
    'lets each of twelve questions that come every %s ms go at once, whatever else there is to tell',
    async (everyMs) => {
      const { asked, told, ends } = await asking(everyMs);
      expect(asked).toEqual(asked.map(() => 0));
      expect(Math.max(...told)).toBeLessThan(80_000);
      expect(ends).toEqual(ends.toSorted((one, other) => one - other));
    },
  );

  it('keeps nothing back from what there is to tell when questions come slowly', async () => {
    const { asked, told, shown } = await asking(10_000, 60);
    expect(asked).toEqual(asked.map(() => 0));
    expect(Math.max(...told, ...shown)).toBeLessThanOrEqual(6_000);
  });

  it('keeps the place of a turn that waits for one limit first and then for the other', async () => {
    const clock = new ManualClock();
    const pacer = new RateLimiter(clock);
    const minute = { key: 'minute', most: 2, windowMs: 60_000 };
    const second = { key: 'second', most: 1, windowMs: 1_000 };
    const take = (id: string) => pacer.take([minute, second], turnOf(id));
    expect(take('before')).toBe(0);
    expect(take('first')).toBe(1_000);
    await clock.advance(500);
    // Takes the last place of the minute from both.
    pacer.take([minute], turnOf('other', 'question'));
    expect(take('later')).toBeGreaterThan(59_000);
    await clock.advance(500);
    expect(take('first')).toBe(59_000);
    await clock.advance(59_000);
    expect(take('later')).toBeGreaterThan(0);
    expect(take('first')).toBe(0);
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
