import { describe, expect, it } from 'vitest';
import { sharedAnswer } from '../../../src/core/http/health-pages.ts';
import { ManualClock } from '../../support/manual-clock.ts';

describe('an answer that is shared', () => {
  const asking = (answer: (times: number) => Promise<number>) => {
    const clock = new ManualClock();
    let times = 0;
    const ask = sharedAnswer(() => answer(++times), 1_000, clock);
    return { clock, ask, timesAsked: () => times };
  };

  it('is asked for once in a second, however many want it', async () => {
    const { clock, ask, timesAsked } = asking(async (times) => times);
    expect(await Promise.all(Array.from({ length: 100 }, ask))).toEqual(Array(100).fill(1));
    await clock.advance(999);
    expect(await ask()).toBe(1);
    await clock.advance(1);
    expect(await ask()).toBe(2);
    expect(timesAsked()).toBe(2);
  });

  it('is waited for by all when it takes longer', async () => {
    const slow = Promise.withResolvers<number>();
    const { clock, ask, timesAsked } = asking(() => slow.promise);
    const first = ask();
    await clock.advance(60_000);
    const second = ask();
    slow.resolve(7);
    expect(await Promise.all([first, second])).toEqual([7, 7]);
    expect(timesAsked()).toBe(1);
  });

  it('is asked for again after a failure, not before the second is over', async () => {
    const { clock, ask } = asking(async (times) => {
      if (times === 1) throw new Error('the store is away');
      return times;
    });
    await expect(ask()).rejects.toThrow('the store is away');
    await expect(ask()).rejects.toThrow('the store is away');
    await clock.advance(1_000);
    expect(await ask()).toBe(2);
  });
});
