import { describe, expect, it } from 'vitest';
import { localCluster } from '../../../src/core/cluster/cluster.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const turn = { id: 'a message', weight: 'outcome' } as const;

describe('a cluster of one', () => {
  const perChannel = { key: 'C1', burst: 1, perMs: 1_000 };

  it('keeps the pace that it is given', async () => {
    const clock = new ManualClock();
    const cluster = localCluster(clock);
    expect(await cluster.take([perChannel], turn)).toBe(0);
    expect(await cluster.take([perChannel], turn)).toBe(1_000);
    await cluster.spend([perChannel]);
    expect(await cluster.take([perChannel], turn)).toBe(2_000);
    await cluster.block('C1', 9_000);
    expect(await cluster.take([perChannel], turn)).toBe(9_000);
  });

  it('gives out one turn after the other, each a period behind the one before', async () => {
    const clock = new ManualClock();
    const cluster = localCluster(clock);
    const waits = [];
    for (const key of ['a', 'a', 'b', 'a']) waits.push(await cluster.reserve(key, 200));
    expect(waits).toEqual([0, 200, 0, 400]);
    await clock.advance(10_000);
    expect(await cluster.reserve('a', 200)).toBe(0);
    expect(await cluster.reserve('a', 200)).toBe(200);
  });

  it('has every role at once, and again when its work has ended, until it is stopped', async () => {
    const clock = new ManualClock();
    const stop = new AbortController();
    let turns = 0;
    const leading = localCluster(clock).lead('poll', async () => void turns++, stop.signal);
    expect(turns).toBe(1);
    await clock.advance(1_000);
    expect(turns).toBe(2);
    stop.abort();
    await leading;
    expect(turns).toBe(2);
  });

  it('waits for work to end when it is stopped, and takes what it throws then for its end', async () => {
    const stop = new AbortController();
    const leading = localCluster(new ManualClock()).lead(
      'poll',
      (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => setImmediate(() => reject(signal.reason))),
        ),
      stop.signal,
    );
    stop.abort();
    await expect(leading).resolves.toBeUndefined();
  });

  it('passes on what work throws of itself, and begins none after it was stopped', async () => {
    const cluster = localCluster(new ManualClock());
    const never = new AbortController().signal;
    await expect(
      cluster.lead('poll', () => Promise.reject(new Error('no')), never),
    ).rejects.toThrow('no');
    const begun: string[] = [];
    const begin = async () => void begun.push('poll');
    await cluster.lead('poll', begin, AbortSignal.abort());
    expect(begun).toEqual([]);
  });
});
