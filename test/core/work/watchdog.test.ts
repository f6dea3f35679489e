import { beforeEach, describe, expect, it } from 'vitest';
import type { Put } from '../../../src/core/records/records.ts';
import { watchWorkers } from '../../../src/core/work/watchdog.ts';
import { Worker } from '../../../src/core/work/worker.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { silentLog } from '../../support/silent-log.ts';

const TEN_MINUTES_MS = 600_000;

type Source = ConstructorParameters<typeof Worker>[0]['store'];

let clock: ManualClock;
let waiting: Put[];
let stuck: string[];

/** Pieces of work that are due, each given out once. */
const source: Source = {
  claim: async (_queue, { limit }) => waiting.splice(0, limit),
  nextDueMs: async () => (waiting.length === 0 ? undefined : clock.now()),
  release: async () => {},
  onDue: () => () => {},
};

beforeEach(() => {
  clock = new ManualClock();
  waiting = [];
  stuck = [];
});

/** A worker and its watchdog, for as long as `during` takes. */
const watched = async (
  serve: (work: Put) => Promise<void>,
  during: () => Promise<void>,
  store: Source = source,
): Promise<string[]> => {
  const worker = new Worker({ queue: 'tidy', store, clock, log: silentLog, atOnce: 2, serve });
  const onStuck = (queue: string) => void stuck.push(queue);
  const stop = new AbortController();
  worker.start();
  const watching = watchWorkers({ clock, workers: [worker], onStuck }, stop.signal);
  await during();
  stop.abort();
  await watching;
  return stuck;
};

const give = (...ids: string[]) =>
  waiting.push(
    ...ids.map((id): Put => ({ kind: 'setting', record: { id, version: 1, value: '' } })),
  );
const never = () => new Promise<void>(() => {});

describe('the watchdog', () => {
  it('is content with a worker that has nothing to do', async () => {
    expect(await watched(never, () => clock.advance(TEN_MINUTES_MS))).toEqual([]);
  });

  it('finds a worker whose every piece hangs, after five minutes, and says so once', {
    tags: ['F33'],
  }, async () => {
    give('a', 'b');
    await watched(never, async () => {
      await clock.advance(299_000);
      expect(stuck).toEqual([]);
      await clock.advance(TEN_MINUTES_MS);
    });
    expect(stuck).toEqual(['tidy']);
  });

  it('finds a worker whose look for work never comes back', { tags: ['F33'] }, async () => {
    const hanging: Source = { ...source, claim: () => new Promise(() => {}) };
    await watched(never, () => clock.advance(TEN_MINUTES_MS), hanging);
    expect(stuck).toEqual(['tidy']);
  });

  it('is content as long as one piece after the other is done, however slowly', async () => {
    give('a', 'b', 'c', 'd', 'e', 'f');
    const slowly = () => clock.sleep(200_000);
    expect(await watched(slowly, () => clock.advance(2 * TEN_MINUTES_MS))).toEqual([]);
  });

  it('is content when the store is away and the worker keeps trying', async () => {
    const away: Source = { ...source, claim: () => Promise.reject(new Error('away')) };
    expect(await watched(never, () => clock.advance(TEN_MINUTES_MS), away)).toEqual([]);
  });

  it('does not take a process that was paused for one that stands still', async () => {
    give('a', 'b');
    await watched(never, async () => {
      await clock.advance(60_000);
      clock.jump(TEN_MINUTES_MS);
      await clock.advance(60_000);
    });
    expect(stuck).toEqual([]);
  });
});
