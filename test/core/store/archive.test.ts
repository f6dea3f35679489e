import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Payment, PaymentState } from '../../../src/core/records/payment.ts';
import type { Put } from '../../../src/core/records/records.ts';
import { StartError } from '../../../src/core/runtime/errors.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { ama, aPayment, shop } from '../../support/a-payment.ts';
import { diskWithFlush } from '../../support/disk-with-flush.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { filesNamed, linesOf, openStoreIn } from '../../support/store-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = new ManualClock().now();

const paymentAt = (atMs: number, changes: Partial<Payment> = {}): Payment => {
  const { due: _, ...settled } = aPayment({
    id: newTransactionId(atMs),
    confirmedAtMs: atMs,
    state: 'completed',
    settledAtMs: atMs + 1_000,
  });
  return { ...settled, ...changes };
};

const put = async (store: Store, payments: readonly Payment[]): Promise<void> => {
  const puts = payments.map((record): Put => ({ kind: 'payment', record }));
  expect(await store.commit({ put: puts })).toBe(true);
};

/** Payments that ended days ago, a minute apart, oldest first. */
const history = (count: number, changes: Partial<Payment> = {}): Payment[] =>
  Array.from({ length: count }, (_, n) => paymentAt(NOW_MS - 5 * DAY_MS + n * MINUTE_MS, changes));

const archivedIn = async (dir: string, month = '2026-01'): Promise<Payment[]> =>
  (await linesOf(join(dir, `archive-${month}.ndjson`))).map((line) => JSON.parse(line));

const liveIn = async (dir: string): Promise<string[]> => {
  const { records } = JSON.parse(await readFile(join(dir, 'snapshot.json'), 'utf8'));
  return records.map((one: Put) => one.record.id);
};

const idsOf = (payments: readonly Payment[]): string[] => payments.map(({ id }) => id);

const listedIds = async (store: Store): Promise<string[]> =>
  idsOf((await store.listPayments({}, { limit: 10_000 })).payments);

/** A folder whose payments were archived at a clean stop. */
const archived = async (payments: readonly Payment[]): Promise<string> => {
  const dir = await tempFolder();
  const store = await openStoreIn(dir);
  await put(store, payments);
  await store.close();
  return dir;
};

describe('what leaves memory', () => {
  it('is a payment that ended more than 15 minutes ago', { tags: ['I19'] }, async () => {
    const states: PaymentState[] = ['completed', 'failed', 'not sent', 'refused'];
    const ended = states.map((state) => paymentAt(NOW_MS - HOUR_MS, { state }));
    const { settledAtMs: _, ...undated } = paymentAt(NOW_MS - HOUR_MS, { state: 'not sent' });
    const dir = await archived([...ended, undated]);
    expect(idsOf(await archivedIn(dir))).toEqual([...idsOf(ended), undated.id].sort());
    expect(await liveIn(dir)).toEqual([]);
    const store = await openStoreIn(dir);
    for (const one of ended) expect(await store.get('payment', one.id)).toEqual(one);
  });

  it('is nothing that is open, due, fresh, or still spoken of in an owed notice', async () => {
    const states: PaymentState[] = ['confirmed', 'submitting', 'pending', 'unknown'];
    const owed = paymentAt(NOW_MS - HOUR_MS);
    const staying = [
      ...states.map((state) => paymentAt(NOW_MS - HOUR_MS, { state })),
      paymentAt(NOW_MS - HOUR_MS, { due: { queue: 'check', atMs: NOW_MS + DAY_MS } }),
      paymentAt(NOW_MS - HOUR_MS, { settledAtMs: NOW_MS - 14 * MINUTE_MS }),
      paymentAt(NOW_MS - HOUR_MS, { lastCheckAtMs: NOW_MS - 14 * MINUTE_MS }),
      owed,
    ];
    const dir = await tempFolder();
    const store = await openStoreIn(dir);
    const notice: Put = {
      kind: 'notice',
      record: {
        id: `${owed.id}.outcome`,
        version: 1,
        due: { queue: 'notice', atMs: NOW_MS + DAY_MS },
        about: { kind: 'outcome', paymentId: owed.id, of: 'completed' },
        conversation: shop,
        to: ama,
        createdAtMs: NOW_MS,
        attempts: 0,
        mayStand: false,
      },
    };
    const puts = staying.map((record): Put => ({ kind: 'payment', record }));
    await store.commit({ put: [...puts, notice] });
    await store.close();
    expect(await filesNamed(dir, 'archive-')).toEqual([]);
    const again = await openStoreIn(dir);
    await again.commit({ remove: [{ kind: 'notice', id: notice.record.id, version: 1 }] });
    await again.close();
    expect(idsOf(await archivedIn(dir))).toEqual([owed.id]);
    expect(await liveIn(dir)).toHaveLength(staying.length - 1);
  });

  it('leaves while the store is open, too, and is found as before', async () => {
    const clock = new ManualClock();
    const dir = await tempFolder();
    const store = await openStoreIn(dir, { clock });
    const payments = history(50);
    await put(store, payments);
    await clock.advance(10 * MINUTE_MS);
    await expect.poll(() => filesNamed(dir, 'archive-')).toHaveLength(1);
    await expect.poll(() => liveIn(dir)).toEqual([]);
    expect(await listedIds(store)).toEqual(idsOf(payments).toReversed());
    expect(await store.get('payment', payments[9]?.id ?? '')).toEqual(payments[9]);
  });

  it('is kept in the month of its id, in the order of ids, each once', async () => {
    const payments = [40, 3, 31, 10, 0, 20].map((days) => paymentAt(NOW_MS - (days + 1) * DAY_MS));
    const dir = await archived(payments);
    expect(await filesNamed(dir, 'archive-')).toEqual([
      'archive-2025-12.ndjson',
      'archive-2026-01.ndjson',
    ]);
    const found = [...(await archivedIn(dir, '2025-12')), ...(await archivedIn(dir))];
    expect(idsOf(found)).toEqual(idsOf(payments).sort());
    const mode = (await stat(join(dir, 'archive-2026-01.ndjson'))).mode & 0o777;
    expect(mode).toBe(0o600);
    expect(await listedIds(await openStoreIn(dir))).toEqual(idsOf(payments).sort().reverse());
  });

  it('finds a month by the last millisecond of one and the first of the next', async () => {
    const turn = Date.UTC(2026, 0, 1);
    const payments = [turn - 1, turn].map((atMs) => paymentAt(atMs));
    const dir = await archived(payments);
    const store = await openStoreIn(dir);
    for (const one of payments) expect(await store.get('payment', one.id)).toEqual(one);
  });

  it('waits a day for company when younger ones left before it, and is put in its place', async () => {
    const clock = new ManualClock();
    const dir = await tempFolder();
    const first = await openStoreIn(dir, { clock });
    const slow = paymentAt(NOW_MS - 3 * DAY_MS, { state: 'pending' });
    const quick = history(20, {}).map((one, n) => ({
      ...one,
      id: newTransactionId(NOW_MS - 4 * DAY_MS + n * 3 * HOUR_MS),
    }));
    await put(first, [slow, ...quick]);
    await first.close();
    expect(await archivedIn(dir)).toHaveLength(20);

    const second = await openStoreIn(dir, { clock });
    const settled: Payment = { ...slow, version: 2, state: 'completed', settledAtMs: NOW_MS };
    await put(second, [settled]);
    await clock.advance(HOUR_MS);
    await second.commit({ put: [{ kind: 'setting', record: { id: 'x', version: 1, value: '' } }] });
    await second.close();
    expect(await liveIn(dir)).toContain(slow.id);

    await clock.advance(DAY_MS);
    const third = await openStoreIn(dir, { clock });
    await third.commit({ put: [{ kind: 'setting', record: { id: 'y', version: 1, value: '' } }] });
    await third.close();
    expect(await liveIn(dir)).not.toContain(slow.id);
    expect(idsOf(await archivedIn(dir))).toEqual([...idsOf(quick), slow.id].sort());
    const fourth = await openStoreIn(dir, { clock });
    expect(await fourth.get('payment', slow.id)).toEqual(settled);
  });

  it('stays when it was changed while it was being archived', async () => {
    const clock = new ManualClock();
    const [first, second, ...later] = history(4);
    if (first === undefined || second === undefined) throw new Error('two are needed');
    const dir = await archived([first]);
    let open = () => {};
    let gate: Promise<void> | undefined;
    let flushes = 0;
    const flush = async () => {
      flushes++;
      await gate;
    };
    const store = await openStoreIn(dir, { clock, disk: diskWithFlush(flush) });
    await put(store, [second, ...later]);
    gate = new Promise((resolve) => {
      open = resolve;
    });
    await clock.advance(10 * MINUTE_MS);
    await expect.poll(() => flushes).toBe(2);
    const changed: Payment = { ...second, version: 2, flag: 'conflict' };
    const commit = put(store, [changed]);
    open();
    await commit;
    expect(idsOf(await archivedIn(dir))).toContain(second.id);
    // The store sleeps until the next round once this one is through.
    await expect.poll(() => clock.sleeping).toBe(2);
    expect(await liveIn(dir)).toEqual([]);
    expect(await store.get('payment', second.id)).toEqual(changed);
    expect(await listedIds(store)).toHaveLength(4);
  });

  it('is added to the file that is there, when it is younger than what is in it', async () => {
    const clock = new ManualClock();
    const dir = await tempFolder();
    const store = await openStoreIn(dir, { clock });
    const payments = history(30);
    const inodes = new Set<number>();
    for (const from of [0, 10, 20]) {
      await put(store, payments.slice(from, from + 10));
      await clock.advance(10 * MINUTE_MS);
      await expect.poll(() => archivedIn(dir).catch(() => [])).toHaveLength(from + 10);
      // The store sleeps until the next round once this one is through.
      await expect.poll(() => clock.sleeping).toBe(2);
      inodes.add((await stat(join(dir, 'archive-2026-01.ndjson'))).ino);
    }
    expect(inodes.size).toBe(1);
  });

  it('replaces the older version of a payment that came back', async () => {
    const clock = new ManualClock();
    const payments = history(30);
    const dir = await archived(payments);
    const back = payments.filter((_, n) => n % 7 === 0);
    const store = await openStoreIn(dir, { clock });
    await put(
      store,
      back.map((one) => ({ ...one, version: 2, hints: 9 })),
    );
    await store.close();
    const now = await archivedIn(dir);
    expect(idsOf(now)).toEqual(idsOf(payments));
    expect(now.filter(({ version }) => version === 2)).toHaveLength(back.length);
  });

  it('leaves in memory what a person has to look at, however old', async () => {
    const payments = history(20);
    const dir = await archived(
      payments.map((one, n) => (n % 4 === 0 ? { ...one, flag: 'conflict' as const } : one)),
    );
    const flagged = payments.filter((_, n) => n % 4 === 0);
    expect(await archivedIn(dir)).toHaveLength(payments.length - flagged.length);
    const store = await openStoreIn(dir);
    const listed = await store.listPayments({ flag: 'conflict' }, { limit: 100 });
    expect(idsOf(listed.payments).sort()).toEqual(idsOf(flagged).sort());
    await store.close();
  });
});

describe('a crash', () => {
  it('between archive and snapshot does no harm', async () => {
    const payments = history(20);
    const dir = await tempFolder();
    const first = await openStoreIn(dir);
    await put(
      first,
      payments.map((one) => ({ ...one, state: 'pending' as const })),
    );
    await first.close();
    const snapshotBefore = await readFile(join(dir, 'snapshot.json'));
    const second = await openStoreIn(dir);
    await put(
      second,
      payments.map((one) => ({ ...one, version: 2 })),
    );
    await second.close();
    expect(await archivedIn(dir)).toHaveLength(20);
    await writeFile(join(dir, 'snapshot.json'), snapshotBefore);

    const third = await openStoreIn(dir);
    expect(await listedIds(third)).toEqual(idsOf(payments).toReversed());
    const changed = { ...(payments[3] ?? aPayment()), version: 3, hints: 9 };
    await put(third, [changed]);
    expect(await third.get('payment', changed.id)).toEqual(changed);
    expect(await listedIds(third)).toHaveLength(20);
    await third.close();
    const now = await archivedIn(dir);
    expect(idsOf(now)).toEqual(idsOf(payments));
    expect(now.find(({ id }) => id === changed.id)).toEqual(changed);
  });

  it('in the middle of an archive line leaves the rest readable, and what comes next', async () => {
    const payments = history(10);
    const dir = await archived(payments.slice(0, 5));
    const path = join(dir, 'archive-2026-01.ndjson');
    for (const cut of [1, 40, 300]) {
      const line = JSON.stringify(payments[5]);
      await appendFile(path, line.slice(0, cut));
      const store = await openStoreIn(dir);
      expect(await listedIds(store)).toEqual(idsOf(payments.slice(0, 5)).toReversed());
      expect(await store.get('payment', payments[4]?.id ?? '')).toEqual(payments[4]);
      await store.close();
    }
    await appendFile(path, `{"id":"cut","reason":"${'x'.repeat(20_000)}`);
    const store = await openStoreIn(dir);
    await put(store, payments.slice(5));
    await store.close();
    expect(idsOf(await archivedIn(dir))).toEqual(idsOf(payments));
    expect((await readFile(path, 'utf8')).endsWith('}\n')).toBe(true);
  });

  it('that lost the snapshot brings everything back from the journal, each payment once', async () => {
    const payments = history(40);
    const dir = await archived(payments);
    await rm(join(dir, 'snapshot.json'));
    const store = await openStoreIn(dir);
    expect(await listedIds(store)).toEqual(idsOf(payments).toReversed());
    await store.commit({ put: [{ kind: 'setting', record: { id: 'x', version: 1, value: '' } }] });
    await store.close();
    expect(idsOf(await archivedIn(dir))).toEqual(idsOf(payments));
    expect(await liveIn(dir)).toEqual(['x']);
  });
});

describe('what a look into the past costs', () => {
  /** Long payments, so that the file is many times as long as what is read at once. */
  const longHistory = () => archived(payments);
  const payments = history(1500, { reason: 'r'.repeat(400) });
  const page = (from: number, count: number) =>
    idsOf(payments)
      .toReversed()
      .slice(from, from + count);

  /** Spoils the older half of the archive, so that reading it fails. */
  const spoilOlderHalf = async (dir: string): Promise<void> => {
    const path = join(dir, 'archive-2026-01.ndjson');
    const bytes = await readFile(path);
    bytes.fill('#', 0, bytes.lastIndexOf('\n', bytes.length / 2));
    await writeFile(path, bytes);
  };

  it('is a page, not the file', async () => {
    const dir = await longHistory();
    await spoilOlderHalf(dir);
    const store = await openStoreIn(dir);
    const first = await store.listPayments({}, { limit: 20 });
    expect(idsOf([...first.payments])).toEqual(page(0, 20));
    await expect(store.listPayments({}, { limit: 1500 })).rejects.toThrow(
      /archive-2026-01.* broken at byte 0/,
    );
  });

  it('ends at the moment asked for', async () => {
    const dir = await longHistory();
    await spoilOlderHalf(dir);
    const store = await openStoreIn(dir);
    const sinceMs = payments[1400]?.confirmedAtMs ?? 0;
    const since = await store.listPayments({ sinceMs }, { limit: 1500 });
    expect(idsOf([...since.payments])).toEqual(page(0, 100));
    expect(since.next).toBeUndefined();
  });

  it('opens no archive while memory fills the page', async () => {
    const dir = await longHistory();
    const store = await openStoreIn(dir);
    const open = [1, 2, 3].map((n) => paymentAt(NOW_MS + n, { state: 'pending' }));
    await put(store, open);
    await rm(join(dir, 'archive-2026-01.ndjson'));
    const first = await store.listPayments({}, { limit: 2 });
    expect(idsOf([...first.payments])).toEqual(idsOf(open).toReversed().slice(0, 2));
    expect(await store.get('payment', newTransactionId(NOW_MS))).toBeUndefined();
  });

  it('finds any of many by its id', async () => {
    const dir = await longHistory();
    const store = await openStoreIn(dir);
    for (const n of [0, 1, 2, 700, 749, 750, 751, 1498, 1499])
      expect(await store.get('payment', payments[n]?.id ?? '')).toEqual(payments[n]);
    const between = newTransactionId((payments[600]?.confirmedAtMs ?? 0) + 1);
    expect(await store.get('payment', between)).toBeUndefined();
    expect(await store.get('payment', newTransactionId(NOW_MS - 9 * DAY_MS))).toBeUndefined();
  });

  it('starts a page anywhere', async () => {
    const dir = await longHistory();
    const store = await openStoreIn(dir);
    for (const from of [1, 700, 1490]) {
      const after = payments[1500 - from]?.id ?? '';
      const one = await store.listPayments({}, { limit: 20, after });
      expect(idsOf([...one.payments])).toEqual(page(from, 20));
    }
  });
});

describe('an archive that cannot be ours', () => {
  it('is refused without journal and snapshot, rather than started beside', async () => {
    const dir = await archived(history(3));
    await rm(join(dir, 'snapshot.json'));
    await rm(join(dir, 'journal-2026-01.ndjson'));
    const refusal = await openStoreIn(dir).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartError);
    expect((refusal as Error).message).toMatch(
      /an archive of payments but neither snapshot nor journal/,
    );
  });

  it.each(['hello\n', '{"id":"x"}\n', '{}\n', ''])('is refused when it says %j', async (text) => {
    const dir = await archived(history(3));
    await rm(join(dir, 'snapshot.json'));
    await writeFile(join(dir, 'archive-2026-01.ndjson'), text);
    const refusal = await openStoreIn(dir).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartError);
    expect((refusal as Error).message).toMatch(
      /archive-2026-01\.ndjson does not end with a payment/,
    );
  });
});
