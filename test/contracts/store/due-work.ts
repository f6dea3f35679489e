import { describe, expect, it, onTestFinished } from 'vitest';
import { type Due, LONGEST_WAIT_MS } from '../../../src/core/records/due.ts';
import type { Put } from '../../../src/core/records/records.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { aNotice, idsOf, type OpenEmpty, opened, putAll, setting, work } from './records.ts';

const DAY_MS = 24 * 3_600_000;

/** The ids of what is claimed of the checks at a moment. */
const claimedAt = async (store: Store, nowMs: number, leaseMs = 100): Promise<string[]> =>
  idsOf(await store.claim('check', { nowMs, leaseMs, limit: 9 }));

export const dueWorkCases = (name: string, open: OpenEmpty): void => {
  describe(`${name}: due work`, () => {
    it('gives what is due, oldest first, and no more than asked for', async () => {
      const { store } = await opened(open);
      await putAll(store, [work('30', 30), work('10', 10), work('40', 40), work('20', 20)]);
      const claimed = (limit: number) => store.claim('check', { nowMs: 30, leaseMs: 1_000, limit });
      expect(idsOf(await claimed(2))).toEqual(['10', '20']);
      expect(idsOf(await claimed(9))).toEqual(['30']);
      expect(await claimed(9)).toEqual([]);
    });

    it('gives the whole record with its kind', async () => {
      const { store } = await opened(open);
      const record = aNotice({ due: { queue: 'notice', atMs: 5 } });
      await putAll(store, [{ kind: 'notice', record }]);
      const claimed = await store.claim('notice', { nowMs: 5, leaseMs: 1, limit: 1 });
      expect(claimed).toEqual([{ kind: 'notice', record }]);
    });

    it('keeps the queues apart', async () => {
      const { store } = await opened(open);
      await putAll(store, [work('c', 1, 'check'), work('s', 1, 'submit'), work('t', 1, 'tidy')]);
      expect(idsOf(await store.claim('submit', { nowMs: 9, leaseMs: 1, limit: 9 }))).toEqual(['s']);
      expect(await store.claim('sms', { nowMs: 9, leaseMs: 1, limit: 9 })).toEqual([]);
      expect(await store.nextDueMs('sms')).toBeUndefined();
    });

    it('gives a record to one caller until the lease ends', async () => {
      const { store } = await opened(open);
      await putAll(store, [work('w', 10)]);
      expect(await claimedAt(store, 10)).toEqual(['w']);
      expect(await claimedAt(store, 109)).toEqual([]);
      expect(await claimedAt(store, 110)).toEqual(['w']);
      expect(await claimedAt(store, 111)).toEqual([]);
    });

    it('gives each of 200 records to exactly one of 10 callers', async () => {
      const { store } = await opened(open);
      await putAll(
        store,
        Array.from({ length: 200 }, (_, n) => work(`w${n}`, n)),
      );
      const claims = await Promise.all(
        Array.from({ length: 10 }, () =>
          store.claim('check', { nowMs: 1_000, leaseMs: 1_000, limit: 30 }),
        ),
      );
      const ids = claims.flatMap((puts) => idsOf(puts));
      expect(ids).toHaveLength(200);
      expect(new Set(ids).size).toBe(200);
    });

    it('ends a lease with the next commit of the record', async () => {
      const { store } = await opened(open);
      await putAll(store, [work('w', 10)]);
      await claimedAt(store, 10, 100_000);
      await putAll(store, [setting({ id: 'w', version: 2, due: { queue: 'check', atMs: 20 } })]);
      expect(await store.nextDueMs('check')).toBe(20);
      const claimed = await store.claim('check', { nowMs: 20, leaseMs: 1, limit: 9 });
      expect(claimed.map(({ record }) => record.version)).toEqual([2]);
    });

    it('keeps a lease when a commit of the record was refused', async () => {
      const { store } = await opened(open);
      await putAll(store, [work('w', 10)]);
      await claimedAt(store, 10, 1_000);
      expect(await store.commit({ put: [work('w', 5)] })).toBe(false);
      expect(await claimedAt(store, 500, 1)).toEqual([]);
    });

    it('has no work left in a record that was removed or is no longer due', async () => {
      const { store } = await opened(open);
      await putAll(store, [work('gone', 10), work('done', 10), work('moved', 10)]);
      await store.commit({ remove: [{ kind: 'setting', id: 'gone', version: 1 }] });
      await putAll(store, [
        setting({ id: 'done', version: 2 }),
        setting({ id: 'moved', version: 2, due: { queue: 'sms', atMs: 10 } }),
      ]);
      expect(await claimedAt(store, 99, 1)).toEqual([]);
      expect(await store.nextDueMs('check')).toBeUndefined();
      expect(idsOf(await store.claim('sms', { nowMs: 99, leaseMs: 1, limit: 9 }))).toEqual([
        'moved',
      ]);
    });

    it('gives a released record again from the moment that was said', async () => {
      const { store } = await opened(open);
      await putAll(store, [work('w', 10)]);
      await claimedAt(store, 10, 100_000);
      await store.release('setting', 'w', 50);
      expect(await store.nextDueMs('check')).toBe(50);
      expect(await claimedAt(store, 49)).toEqual([]);
      expect(await claimedAt(store, 50)).toEqual(['w']);
      expect(await claimedAt(store, 60)).toEqual([]);
    });

    it('keeps a claimed record from others for as long as its lease is renewed', {
      tags: ['F82'],
    }, async () => {
      const { store } = await opened(open);
      await putAll(store, [work('w', 10)]);
      expect(await claimedAt(store, 10)).toEqual(['w']);
      await store.release('setting', 'w', 160, true);
      expect(await claimedAt(store, 159)).toEqual([]);
      expect(await store.nextDueMs('check')).toBe(160);
      // Renewed, it is still claimed, and can be given back.
      await store.release('setting', 'w', 120);
      expect(await claimedAt(store, 119)).toEqual([]);
      expect(await claimedAt(store, 120)).toEqual(['w']);
    });

    it('renews no lease that has ended, and none that nobody has', { tags: ['F82'] }, async () => {
      const { store } = await opened(open);
      await putAll(store, [work('w', 10), work('x', 10)]);
      await store.release('setting', 'w', 5_010, true);
      await store.release('setting', 'nobody', 5_010, true);
      expect(await claimedAt(store, 10)).toEqual(['w', 'x']);
      await store.release('setting', 'w', 20);
      await putAll(store, [setting({ id: 'x', version: 2, due: { queue: 'check', atMs: 20 } })]);
      for (const id of ['w', 'x']) await store.release('setting', id, 5_015, true);
      expect(await claimedAt(store, 20, 1)).toEqual(['w', 'x']);
    });

    it('does nothing when something is released that nobody has claimed', async () => {
      const { store } = await opened(open);
      await putAll(store, [work('w', 10)]);
      await store.release('setting', 'w', 5_000);
      await store.release('setting', 'nobody', 5_000);
      expect(await store.nextDueMs('check')).toBe(10);
    });

    it('does not let a late release move newer work', async () => {
      const { store } = await opened(open);
      await putAll(store, [work('w', 10)]);
      await claimedAt(store, 10, 1_000);
      await putAll(store, [setting({ id: 'w', version: 2, due: { queue: 'check', atMs: 20 } })]);
      await store.release('setting', 'w', 5_000);
      expect(await store.nextDueMs('check')).toBe(20);
    });

    it('says when the next record may be claimed', async () => {
      const { store } = await opened(open);
      expect(await store.nextDueMs('check')).toBeUndefined();
      await putAll(store, [work('30', 30), work('10', 10), work('20', 20)]);
      expect(await store.nextDueMs('check')).toBe(10);
      await claimedAt(store, 20, 100);
      expect(await store.nextDueMs('check')).toBe(30);
      await claimedAt(store, 30, 500);
      expect(await store.nextDueMs('check')).toBe(120);
    });

    it.each(['submit', 'check', 'notice', 'sms', 'bulk'] as const)(
      'gives what waits in %s for longer than anything does: the clock was set back since',
      { tags: ['F77'] },
      async (queue) => {
        const { store } = await opened(open);
        const nowMs = 1_000_000_000_000;
        const longestMs = LONGEST_WAIT_MS[queue];
        const claim = async (atMs: number) =>
          idsOf(await store.claim(queue, { nowMs: atMs, leaseMs: 100, limit: 9 })).sort();
        await putAll(store, [
          work('in time', nowMs + longestMs, queue),
          work('in years', nowMs + 5 * 365 * DAY_MS, queue),
          work('in months', nowMs + 60 * DAY_MS, queue),
          work('now', nowMs, queue),
        ]);
        expect(await claim(nowMs)).toEqual(['in months', 'in years', 'now']);
        expect(await claim(nowMs + 10)).toEqual([]);
        expect(await claim(nowMs + 100)).toEqual(['in months', 'in years', 'now']);
      },
    );

    it('gives what is leased or was given back by a clock that was set back since', {
      tags: ['F77'],
    }, async () => {
      const { store } = await opened(open);
      const nowMs = 1_000_000_000_000;
      const wrongMs = nowMs + 60 * DAY_MS;
      await putAll(store, [work('leased', wrongMs), work('released', wrongMs)]);
      await claimedAt(store, wrongMs, 45_000);
      await store.release('setting', 'released', wrongMs + 60_000);
      const claimed = await store.claim('check', { nowMs, leaseMs: 1, limit: 9 });
      expect(idsOf(claimed).sort()).toEqual(['leased', 'released']);
    });

    it('keeps what is only tidied away for as long as it says', async () => {
      const { store } = await opened(open);
      await putAll(store, [work('w', 400 * DAY_MS, 'tidy')]);
      expect(await store.claim('tidy', { nowMs: 1, leaseMs: 1, limit: 9 })).toEqual([]);
    });

    it('is due as stored after reopening', async () => {
      const { store, reopen } = await opened(open);
      await putAll(store, [work('10', 10), work('20', 20)]);
      await store.claim('check', { nowMs: 20, leaseMs: 100_000, limit: 1 });
      const again = await reopen();
      expect(await again.nextDueMs('check')).toBeDefined();
      expect(await claimedAt(again, 200_000, 1)).toContain('20');
    });

    it('tells those who listen about new work, until they stop', async () => {
      const { store } = await opened(open);
      const heard: Due[] = [];
      const stop = store.onDue((due) => heard.push(due));
      await putAll(store, [work('w', 10), setting({ id: 'idle' })]);
      await expect.poll(() => heard).toEqual([{ queue: 'check', atMs: 10 }]);
      expect(await store.commit({ put: [work('w', 5)] })).toBe(false);
      await putAll(store, [work('x', 30, 'sms')]);
      await expect.poll(() => heard).toHaveLength(2);
      expect(heard[1]).toEqual({ queue: 'sms', atMs: 30 });
      stop();
      await putAll(store, [work('y', 40)]);
      const claimed = await store.claim('check', { nowMs: 40, leaseMs: 1, limit: 9 });
      expect(claimed).toHaveLength(2);
      expect(heard).toHaveLength(2);
    });

    it('can claim what it was told about', async () => {
      const { store } = await opened(open);
      const claims: Promise<Put[]>[] = [];
      const claim = () => store.claim('check', { nowMs: 10, leaseMs: 1_000, limit: 9 });
      onTestFinished(store.onDue(() => claims.push(claim())));
      await putAll(store, [work('w', 10)]);
      await expect.poll(() => claims.length).toBe(1);
      expect(idsOf((await Promise.all(claims)).flat())).toEqual(['w']);
    });

    it('survives a listener that throws', async () => {
      const { store } = await opened(open);
      const stop = store.onDue(() => {
        throw new Error('not today');
      });
      onTestFinished(stop);
      expect(await store.commit({ put: [work('w', 10)] })).toBe(true);
      expect(await store.nextDueMs('check')).toBe(10);
    });
  });
};
