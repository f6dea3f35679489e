import { beforeEach, describe, expect, it } from 'vitest';
import type { Put } from '../../../src/core/records/records.ts';
import { Worker } from '../../../src/core/work/worker.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { silentLog } from '../../support/silent-log.ts';

const FAST_MS = 200;
const SLOW_MS = 1_500;

let clock: ManualClock;
/** Due work that is left. */
let left: number;
/** How long a piece takes. */
let tookMs: number;
let inHand: number;
let worker: Worker;
let tellDue: () => void;

beforeEach(() => {
  clock = new ManualClock();
  left = Number.POSITIVE_INFINITY;
  tookMs = FAST_MS;
  inHand = 0;
  const piece: Put = { kind: 'setting', record: { id: 'a', version: 1, value: '' } };
  worker = new Worker({
    queue: 'check',
    store: {
      claim: async (_queue, { limit }) => {
        const length = Math.min(limit, left);
        left -= length;
        return Array.from({ length }, () => piece);
      },
      nextDueMs: async () => undefined,
      release: async () => {},
      onDue: (listener) => {
        tellDue = () => listener({ queue: 'check', atMs: clock.now() });
        return () => {};
      },
    },
    clock,
    log: silentLog,
    atOnce: 8,
    atMost: 32,
    serve: async () => {
      inHand++;
      await clock.sleep(tookMs);
      inHand--;
    },
  });
});

/** How much is served side by side after so long. */
const widthAfter = async (ms: number): Promise<number> => {
  for (let passedMs = 0; passedMs < ms; passedMs += 100) await clock.advance(100);
  return inHand;
};

const give = (pieces: number): void => {
  left = pieces;
  tellDue();
};

const stopped = async () => {
  left = 0;
  const stopping = worker.stop();
  await widthAfter(2 * SLOW_MS);
  await stopping;
};

describe('how much a worker serves side by side', () => {
  it('begins at its least, grows while the work ends fast, and never above its most', async () => {
    worker.start();
    expect(await widthAfter(100)).toBe(8);
    expect(await widthAfter(200)).toBe(16);
    expect(await widthAfter(10 * FAST_MS)).toBe(32);
    await stopped();
  });

  it('falls back to its least once the work takes long', async () => {
    worker.start();
    expect(await widthAfter(10 * FAST_MS)).toBe(32);
    tookMs = SLOW_MS;
    expect(await widthAfter(2 * SLOW_MS)).toBe(8);
    await stopped();
  });

  it('does not grow while there is less to do than it has places for', async () => {
    left = 0;
    worker.start();
    for (let round = 0; round < 20; round++) {
      give(4);
      await widthAfter(2 * FAST_MS);
    }
    give(Number.POSITIVE_INFINITY);
    expect(await widthAfter(100)).toBe(8);
    await stopped();
  });
});
