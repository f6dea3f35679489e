import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Put } from '../../../src/core/records/records.ts';
import { aPayment } from '../../support/a-payment.ts';
import { expectAcknowledged } from '../../support/acknowledged.ts';
import { runScript } from '../../support/child-script.ts';
import { diskWithFlush } from '../../support/disk-with-flush.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { copyAsAfterCrash, openStoreIn } from '../../support/store-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const setting = (id: string, version = 1): Put => ({
  kind: 'setting',
  record: { id, version, value: '', due: { queue: 'check', atMs: 1 } },
});

/** A disk that works until told otherwise, and counts how often it was asked to flush. */
class MoodyDisk {
  flushes = 0;
  error: Error | undefined;
  /** While set, flushes wait for it. */
  gate: Promise<void> | undefined;

  readonly flush = async (): Promise<void> => {
    this.flushes++;
    await this.gate;
    if (this.error !== undefined) throw this.error;
  };
}

const openOn = async (disk: MoodyDisk) => {
  const fatal: Error[] = [];
  const dir = await tempFolder();
  const onFatal = (error: Error) => fatal.push(error);
  const clock = new ManualClock();
  const store = await openStoreIn(dir, { clock, disk: diskWithFlush(disk.flush), onFatal });
  return { dir, clock, fatal, store };
};

describe('a disk that cannot flush', () => {
  it('ends it all: nothing is acknowledged, nothing tried again, and main is told once', {
    tags: ['F39'],
  }, async () => {
    const disk = new MoodyDisk();
    const { store, fatal } = await openOn(disk);
    expect(await store.commit({ put: [setting('before')] })).toBe(true);
    disk.error = new Error('EIO: i/o error, fdatasync');
    const flushes = disk.flushes;
    const waiting = ['a', 'b', 'c'].map((id) => store.commit({ put: [setting(id)] }));
    const results = await Promise.allSettled(waiting);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(fatal).toHaveLength(1);
    expect(fatal[0]?.cause).toBe(disk.error);
    disk.error = undefined;
    await expect(store.commit({ put: [setting('later')] })).rejects.toThrow(/has to stop/);
    await expect(store.get('setting', 'a')).rejects.toThrow(/has to stop/);
    expect(disk.flushes).toBe(flushes + 1);
    await store.close();
    expect(disk.flushes).toBe(flushes + 1);
    expect(fatal).toHaveLength(1);
  });

  it('fails those who came while the flush was under way as well', async () => {
    const disk = new MoodyDisk();
    const { store, fatal } = await openOn(disk);
    let fail = () => {};
    disk.gate = new Promise((_, reject) => {
      fail = () => reject(new Error('EIO'));
    });
    const first = store.commit({ put: [setting('first')] });
    await expect.poll(() => disk.flushes).toBe(1);
    const second = store.commit({ put: [setting('second')] });
    const reading = store.get('setting', 'first');
    const refused = store.commit({ put: [setting('first')] });
    fail();
    for (const one of [first, second, reading, refused])
      await expect(one).rejects.toThrow(/has to stop/);
    expect(fatal).toHaveLength(1);
    await store.close();
    expect(disk.flushes).toBe(1);
  });
});

describe('what is not flushed yet', () => {
  const held = async () => {
    const disk = new MoodyDisk();
    const opened = await openOn(disk);
    await opened.store.commit({ put: [setting('old')] });
    let release = () => {};
    disk.gate = new Promise((resolve) => {
      release = resolve;
    });
    return { ...opened, disk, release: () => release() };
  };

  /** What has settled once everything that does not wait for the disk had its turn. */
  const settledNow = async (promises: readonly Promise<unknown>[]): Promise<boolean[]> => {
    const settled = promises.map(() => false);
    promises.forEach((promise, index) => {
      const mark = () => {
        settled[index] = true;
      };
      promise.then(mark, mark);
    });
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
    return settled;
  };

  it('is shown to nobody, refuses nobody and is given to nobody', async () => {
    const { store, release } = await held();
    const heard: number[] = [];
    store.onDue(({ atMs }) => heard.push(atMs));
    const payment = aPayment();
    const pending = [
      store.commit({ put: [setting('new'), { kind: 'payment', record: payment }] }),
      store.get('setting', 'new'),
      store.commit({ put: [setting('new')] }),
      store.listPayments({}, { limit: 9 }),
      store.commit({ remove: [{ kind: 'setting', id: 'old', version: 1 }] }),
      store.get('setting', 'old'),
    ];
    expect(await settledNow(pending)).toEqual(pending.map(() => false));
    expect(await store.claim('check', { nowMs: 9, leaseMs: 1, limit: 9 })).toEqual([]);
    expect(heard).toEqual([]);
    release();
    expect(await Promise.all(pending)).toEqual([
      true,
      { id: 'new', version: 1, value: '', due: { queue: 'check', atMs: 1 } },
      false,
      { payments: [payment] },
      true,
      undefined,
    ]);
    const claimed = await store.claim('check', { nowMs: 9, leaseMs: 1, limit: 9 });
    expect(claimed.map(({ record }) => record.id)).toEqual(['new']);
    expect(heard).toEqual([1, 1_000]);
  });

  it('is in no snapshot: one that knows more than the journal would be worthless', async () => {
    const { dir, clock, store, release } = await held();
    const seqInSnapshot = async (): Promise<number> =>
      JSON.parse(await readFile(join(dir, 'snapshot.json'), 'utf8')).position.seq;
    await expect.poll(seqInSnapshot).toBe(1);
    const commit = store.commit({ put: [setting('new')] });
    await clock.advance(600_000);
    // Long enough for a snapshot that does not wait to be written.
    for (let reads = 0; reads < 100; reads++) expect(await seqInSnapshot()).toBe(1);
    release();
    await commit;
    await expect.poll(seqInSnapshot).toBe(2);
  });

  it('is given only as the last of several commits left it', async () => {
    const { store, release } = await held();
    const heard: number[] = [];
    store.onDue(({ atMs }) => heard.push(atMs));
    const dueAt = (version: number): Put => ({
      kind: 'setting',
      record: { id: 'new', version, value: '', due: { queue: 'sms', atMs: version } },
    });
    const commits = [1, 2, 3].map((version) => store.commit({ put: [dueAt(version)] }));
    release();
    expect(await Promise.all(commits)).toEqual([true, true, true]);
    expect(await store.claim('sms', { nowMs: 9, leaseMs: 1, limit: 9 })).toEqual([dueAt(3)]);
    expect(heard).toEqual([3]);
  });

  it('holds nobody up who asks about something else', async () => {
    const { store, release } = await held();
    const commit = store.commit({ put: [setting('new')] });
    expect(await store.get('setting', 'old')).toBeDefined();
    expect(await store.get('setting', 'unknown')).toBeUndefined();
    expect(await store.get('payment', aPayment().id)).toBeUndefined();
    release();
    await commit;
  });

  it('shares one flush with whatever came meanwhile', async () => {
    const { store, disk, release } = await held();
    const flushes = disk.flushes;
    const first = store.commit({ put: [setting('first')] });
    await expect.poll(() => disk.flushes).toBe(flushes + 1);
    const others = Array.from({ length: 100 }, (_, n) => store.commit({ put: [setting(`s${n}`)] }));
    release();
    expect(await Promise.all([first, ...others])).not.toContain(false);
    expect(disk.flushes).toBe(flushes + 2);
  });
});

describe('a disk that takes no more', () => {
  it.each([210, 250, 290])(
    'ends the process with all it acknowledged there, at %i KiB',
    async (limitKiB) => {
      const dir = await tempFolder();
      const child = await runScript('commit-until-killed.ts', [dir], { limitKiB });
      expect(await child.ended).toBe(3);
      const lines = await child.lines();
      expect(lines.at(-1)).toMatch(/^fatal The journal could not be written.* EFBIG/);
      const store = await openStoreIn(await copyAsAfterCrash(dir));
      expect(lines.length).toBeGreaterThan(50);
      await expectAcknowledged(store, lines.slice(0, -1));
    },
  );

  it('ends the process when a snapshot cannot be written, too', async () => {
    const dir = await tempFolder();
    const fatal: Error[] = [];
    const store = await openStoreIn(dir, { onFatal: (error) => fatal.push(error) });
    await mkdir(join(dir, 'snapshot.json.tmp'));
    expect(await store.commit({ put: [setting('a')] })).toBe(true);
    await expect
      .poll(() => fatal.map(({ message }) => message))
      .toEqual(['The snapshot could not be written, so Paythread has to stop.']);
    await expect(store.commit({ put: [setting('b')] })).rejects.toThrow(/has to stop/);
    const again = await openStoreIn(await copyAsAfterCrash(dir));
    expect(await again.get('setting', 'a')).toBeDefined();
  });
});
