import { describe, expect, it } from 'vitest';
import type { Put } from '../../../src/core/records/records.ts';
import { Worker } from '../../../src/core/work/worker.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { ManualClock } from '../../support/manual-clock.ts';

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
        renew: async () => false,
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
