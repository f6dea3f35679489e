import { describe, expect, it } from 'vitest';
import { UnmatchedCallbacks } from '../../../src/core/callbacks/unmatched-callbacks.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const DAY_MS = 24 * 3_600_000;
/** More than are ever kept. */
const MANY = 5_000;

describe('stray callbacks', () => {
  it('are bounded in number and size, and say so when there are too many', async () => {
    const clock = new ManualClock();
    const store = await openStore();
    const { log, entries } = capturedLog();
    const unmatched = new UnmatchedCallbacks({ store, clock, log });
    const ids = Array.from({ length: MANY }, (_, n) => newTransactionId(n));
    const kept = await Promise.all(ids.map((id) => unmatched.keep(id, 'y'.repeat(64_000))));
    expect(new Set(kept)).toEqual(new Set(['kept', 'full']));
    const all = await unmatched.all();
    expect(all.length).toBe(kept.filter((one) => one === 'kept').length);
    expect(all.length).toBeLessThanOrEqual(3_200);
    expect(Math.max(...all.map(({ body }) => body.length))).toBe(500);
    // A repeat of one that is kept is not turned away.
    expect(await unmatched.keep(all[0]?.paymentId ?? '', '')).toBe('kept');
    expect(
      entries.every(({ level, message }) => level === 'error' && /reconcile/.test(message)),
    ).toBe(true);
    expect(entries).toHaveLength(MANY);
    // Sent again and again, one that cannot be kept is no flood of log lines.
    const full = ids[kept.lastIndexOf('full')] ?? '';
    expect(await unmatched.keep(full, '')).toBe('full');
    const logged = entries.length;
    for (let again = 0; again < 100; again++) expect(await unmatched.keep(full, '')).toBe('full');
    expect(entries).toHaveLength(logged);
    // Nobody looked for three months.
    await clock.advance(91 * DAY_MS);
    expect(await unmatched.keep(ids.at(-1) ?? '', '')).toBe('kept');
  });

  it('of two instances at once are all kept', async () => {
    const clock = new ManualClock();
    const store = await openStore();
    const { log } = capturedLog();
    const instances = [1, 2, 3].map(() => new UnmatchedCallbacks({ store, clock, log }));
    const ids = Array.from({ length: 300 }, (_, n) => newTransactionId(n));
    await Promise.all(ids.flatMap((id) => instances.map((unmatched) => unmatched.keep(id, 'x'))));
    const all = await instances[0]?.all();
    expect(all?.map(({ paymentId }) => paymentId).toSorted()).toEqual(ids.toSorted());
  });
});
