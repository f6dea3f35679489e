import { describe, expect, it, onTestFinished } from 'vitest';
import type { Put } from '../../../src/core/records/records.ts';
import { Worker } from '../../../src/core/work/worker.ts';
import { aPayment } from '../../support/a-payment.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';

describe('work that fails', () => {
  it('is counted for the last thousand pieces alone, so that ids that never come again take no memory', {
    tags: ['F85'],
  }, async () => {
    const { log, entries } = capturedLog();
    const ids = ['first', 'first', ...Array.from({ length: 1_000 }, (_, at) => `${at}`), 'first'];
    const done = Promise.withResolvers<void>();
    const worker = new Worker({
      queue: 'check',
      store: {
        claim: async () => {
          const [id] = ids.splice(0, 1);
          if (id === undefined) done.resolve();
          const record = { id: id ?? '', version: 1, value: '' };
          return id === undefined ? [] : [{ kind: 'setting', record } satisfies Put];
        },
        nextDueMs: async () => undefined,
        release: async () => {},
        onDue: () => () => {},
      },
      clock: new ManualClock(),
      log,
      atOnce: 1,
      serve: async () => {
        throw new Error('no');
      },
    });
    worker.start();
    await done.promise;
    await worker.stop();
    const told = entries.map(({ fields }) => fields as { id: string; failures: number });
    const failures = told.filter(({ id }) => id === 'first').map((each) => each.failures);
    expect(failures).toEqual([1, 2, 1]);
  });
});

describe('work that takes long', { tags: ['F82'] }, () => {
  /** Two workers on one store, as two processes have them; how often the one piece was begun. */
  const served = async (tookMs: number) => {
    const clock = new ManualClock();
    const store = await openStore();
    const record = aPayment({ state: 'pending', due: { queue: 'check', atMs: clock.now() } });
    await store.commit({ put: [{ kind: 'payment', record }] });
    let begun = 0;
    const workers = [1, 2].map(
      () =>
        new Worker({
          ...{ queue: 'check', store, clock, log: silentLog, atOnce: 2 },
          serve: async () => {
            begun += 1;
            await clock.sleep(tookMs);
          },
        }),
    );
    for (const worker of workers) worker.start();
    onTestFinished(async () => {
      const stopped = Promise.all(workers.map((worker) => worker.stop()));
      await clock.advance(tookMs);
      await stopped;
    });
    return { clock, store, begun: () => begun };
  };

  it('is not served twice at once: its lease is renewed', async () => {
    // The turn under the rate, and the longest PAYMENTS_TIMEOUT.
    const { clock, begun } = await served(150_000);
    await clock.advance(149_000);
    expect(begun()).toBe(1);
  });

  it('is served again once it hangs for five minutes', async () => {
    const { clock, begun } = await served(3_600_000);
    await clock.advance(5 * 60_000);
    expect(begun()).toBe(1);
    await clock.advance(60_000);
    expect(begun()).toBe(2);
  });

  it('keeps its lease no longer than it takes', async () => {
    const { clock, store, begun } = await served(20_000);
    await clock.advance(20_000);
    const nextMs = (await store.nextDueMs('check')) ?? 0;
    expect(nextMs - clock.now()).toBeLessThanOrEqual(45_000);
    await clock.advance(45_000);
    expect(begun()).toBe(2);
  });
});
