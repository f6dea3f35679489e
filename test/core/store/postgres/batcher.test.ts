import { describe, expect, it } from 'vitest';
import { Batcher } from '../../../../src/core/store/postgres/batcher.ts';
import { eventually } from '../../../support/eventually.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

type Trip = { readonly batch: readonly string[]; arrive(): void; fail(error: Error): void };

/** Trips that are over when the test says so; of those on one none has the same first letter. */
const station = (options: { mostAtOnce?: number; mostInBatch?: number } = {}) => {
  const clock = new ManualClock();
  const trips: Trip[] = [];
  const shared = new Batcher<string, string>({
    clock,
    mostAtOnce: 1,
    mostInBatch: 10,
    ...options,
    joining: () => {
      const letters = new Set<string>();
      return ([letter = '']) => !letters.has(letter) && letters.add(letter) !== undefined;
    },
    make: (batch) =>
      new Promise((resolve, reject) => {
        const arrive = () => resolve(batch.map((item) => item.toUpperCase()));
        trips.push({ batch, arrive, fail: reject });
      }),
  });
  const batches = () => trips.map(({ batch }) => batch);
  const departed = (count: number) =>
    eventually(() => {
      const trip = trips[count - 1];
      if (trip === undefined) throw new Error(`only ${trips.length} trips`);
      return trip;
    });
  return { clock, trips, shared, batches, departed };
};

describe('shared trips', () => {
  it('take whoever asks in the same turn along, and give each its own answer', async () => {
    const { shared, departed, batches } = station();
    const answers = Promise.all(['a', 'b', 'c'].map((item) => shared.ask(item)));
    (await departed(1)).arrive();
    expect(await answers).toEqual(['A', 'B', 'C']);
    expect(batches()).toEqual([['a', 'b', 'c']]);
  });

  it('take those together who came while all trips were under way', async () => {
    const { shared, departed, batches } = station();
    const first = shared.ask('a');
    const trip = await departed(1);
    const later = Promise.all([shared.ask('b'), shared.ask('c')]);
    trip.arrive();
    (await departed(2)).arrive();
    expect([await first, ...(await later)]).toEqual(['A', 'B', 'C']);
    expect(batches()).toEqual([['a'], ['b', 'c']]);
  });

  it('go side by side, as many as may', async () => {
    const { shared, departed, batches } = station({ mostAtOnce: 2 });
    void shared.ask('a');
    await departed(1);
    void shared.ask('b');
    await departed(2);
    expect(batches()).toEqual([['a'], ['b']]);
  });

  it('leave behind who must not join, and who is one too many, and come back for them in order', async () => {
    const { shared, departed, batches } = station({ mostInBatch: 2 });
    const answers = Promise.all(['a1', 'a2', 'b', 'c', 'd'].map((item) => shared.ask(item)));
    for (const count of [1, 2, 3]) (await departed(count)).arrive();
    expect(await answers).toEqual(['A1', 'A2', 'B', 'C', 'D']);
    expect(batches()).toEqual([['a1', 'b'], ['a2', 'c'], ['d']]);
  });

  it('tell everybody on it of a failure, and nobody else', async () => {
    const { shared, departed } = station({ mostInBatch: 2 });
    const answers = Promise.allSettled(['a', 'b', 'c'].map((item) => shared.ask(item)));
    (await departed(1)).fail(new Error('broken down'));
    (await departed(2)).arrive();
    expect((await answers).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'fulfilled',
    ]);
  });

  it('do not make others wait for one that takes long', async () => {
    const { shared, departed, clock, trips } = station();
    const stuck = shared.ask('a');
    await departed(1);
    const answer = shared.ask('b');
    await clock.advance(49);
    expect(trips).toHaveLength(1);
    await clock.advance(1);
    (await departed(2)).arrive();
    expect(await answer).toBe('B');
    trips[0]?.arrive();
    expect(await stuck).toBe('A');
  });
});
