import { describe, expect, it } from 'vitest';
import type { Due } from '../../../../src/core/records/due.ts';
import type { AuditRow, Put } from '../../../../src/core/records/records.ts';
import { systemClock } from '../../../../src/core/runtime/clock.ts';
import { verifyDatabase } from '../../../../src/core/store/postgres/verify-database.ts';
import type { Store } from '../../../../src/core/store/store.ts';
import { SHARED_NAP_MS, Worker } from '../../../../src/core/work/worker.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import { eventually } from '../../../support/eventually.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { openInstance, startPostgres } from '../../../support/postgres.ts';
import { silentLog } from '../../../support/silent-log.ts';

const postgres = await startPostgres();

const twoInstances = async () => {
  await postgres.emptyTables();
  // Together, as two do that find no schema.
  return Promise.all([openInstance(postgres.url()), openInstance(postgres.url())]);
};

const setting = (id: string, version = 1, due?: Due): Put => ({
  kind: 'setting',
  record: { id, version, value: '', ...(due === undefined ? {} : { due }) },
});

const dueNow = (): Due => ({ queue: 'check', atMs: systemClock.now() });

const claimedIds = async (store: Store, leaseMs: number, limit = 9): Promise<string[]> => {
  const claimed = await store.claim('check', { nowMs: systemClock.now(), leaseMs, limit });
  return claimed.map(({ record }) => record.id);
};

const audited = (id: string, n: number): AuditRow => ({
  ...{ atMs: 0, kind: 'setting', id },
  ...{ what: `${n}`, before: null, after: null },
});

/** Asks two in turn, so many times, without waiting between. */
const inTurn = <One, Answer>(
  times: number,
  two: readonly [One, One],
  ask: (one: One, n: number) => Promise<Answer>,
): Promise<Answer[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => ask(two[n % 2 === 0 ? 0 : 1], n)));

const turn = { id: 'a message', weight: 'outcome' } as const;

describe('two instances on one database', () => {
  it('make its schema once when they start together', { tags: ['F42'] }, async () => {
    await postgres.empty();
    const [a, b] = await twoInstances();
    const applied = await postgres.query('SELECT version FROM migrations ORDER BY version');
    expect(applied).toEqual([5, 6, 7, 8, 9, 10].map((version) => ({ version })));
    await a.store.commit({ put: [setting('from a')] });
    expect(await b.store.get('setting', 'from a')).toBeDefined();
  });

  it('let exactly one of 50 that change the same version at once, from both', {
    tags: ['F17'],
  }, async () => {
    const [a, b] = await twoInstances();
    for (let version = 1; version <= 5; version++) {
      const results = await inTurn(50, [a, b], ({ store }, n) =>
        store.commit({ put: [setting('contested', version)], audit: [audited('contested', n)] }),
      );
      expect(results.filter((stored) => stored)).toHaveLength(1);
    }
    expect(await postgres.query('SELECT seq FROM audit ORDER BY seq')).toHaveLength(5);
  });

  it('number the audit rows of one record without a gap, even those that come with no record', async () => {
    const [a, b] = await twoInstances();
    const results = await inTurn(40, [a, b], ({ store }, n) =>
      store.commit({ audit: [audited('x', n)] }),
    );
    expect(results).not.toContain(false);
    const seqs = await postgres.query<{ seq: number }>('SELECT seq FROM audit ORDER BY seq');
    expect(seqs.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
    const { rows, places } = await verifyDatabase(postgres.url(), { nowMs: 0 });
    expect([rows, places]).toEqual([40, []]);
  });

  it('never wait for each other in a circle, in whatever order a change names its records', async () => {
    await postgres.emptyTables();
    const { log, entries } = capturedLog();
    const a = await openInstance(postgres.url(), { log });
    const b = await openInstance(postgres.url(), { log });
    const ids = Array.from({ length: 12 }, (_, n) => `${n}`);
    const bump = (store: Store, order: readonly string[], version: number) =>
      store.commit({ put: order.map((id) => setting(id, version)) });
    await bump(a.store, ids, 1);
    for (let version = 2; version < 12; version++) {
      const orders = Array.from({ length: 16 }, (_, n) => (n % 2 === 0 ? ids : ids.toReversed()));
      const results = await Promise.all(
        orders.map((order, n) => bump(n % 4 < 2 ? a.store : b.store, order, version)),
      );
      expect(results.filter((stored) => stored)).toHaveLength(1);
    }
    // A circle is broken by the server, and the commit tried again.
    expect(entries.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('claim each piece of work once over both', { tags: ['F44'] }, async () => {
    const [a, b] = await twoInstances();
    const ids = Array.from({ length: 100 }, (_, n) => `w${n}`);
    await a.store.commit({ put: ids.map((id) => setting(id, 1, dueNow())) });
    const claims = await inTurn(10, [a, b], ({ store }) => claimedIds(store, 60_000, 15));
    expect(claims.flat().sort()).toEqual(ids.toSorted());
  });

  it('take over work whose lease ran out, by the clock of the database', async () => {
    const [a, b] = await twoInstances();
    await a.store.commit({ put: [setting('w', 1, dueNow())] });
    expect(await claimedIds(a.store, 400)).toEqual(['w']);
    expect(await claimedIds(b.store, 400)).toEqual([]);
    await eventually(async () => expect(await claimedIds(b.store, 60_000)).toEqual(['w']));
    // What b has is not a's to give back.
    await a.store.release('setting', 'w', 0);
    expect(await claimedIds(a.store, 1)).toEqual([]);
    await b.store.release('setting', 'w', 0);
    expect(await claimedIds(a.store, 1)).toEqual(['w']);
  });

  it('share work fairly when their clocks are hours apart', { tags: ['F46'] }, async () => {
    await postgres.emptyTables();
    const ahead = new ManualClock(systemClock.now() + 3 * 3_600_000);
    const behind = new ManualClock(systemClock.now() - 3 * 3_600_000);
    const a = await openInstance(postgres.url(), { clock: ahead });
    const b = await openInstance(postgres.url(), { clock: behind });
    const put = (id: string, atMs: number) =>
      a.store.commit({ put: [setting(id, 1, { queue: 'check', atMs })] });
    await put('now', ahead.now());
    await put('in an hour', ahead.now() + 3_600_000);
    const claim = (store: Store) => store.claim('check', { nowMs: 0, leaseMs: 60_000, limit: 9 });
    expect((await claim(b.store)).map(({ record }) => record.id)).toEqual(['now']);
    const inMs = ((await b.store.nextDueMs('check')) ?? 0) - behind.now();
    expect(inMs).toBeGreaterThan(50_000);
    expect(inMs).toBeLessThanOrEqual(60_000);
  });

  it('hear of their own work at once', async () => {
    const [a] = await twoInstances();
    const heard: Due[] = [];
    a.store.onDue((due) => heard.push(due));
    const due = dueNow();
    await a.store.commit({ put: [setting('w', 1, due)] });
    expect(heard).toEqual([due]);
  });

  it('serve work that the other one leaves within seconds', async () => {
    const [a, b] = await twoInstances();
    const served: string[] = [];
    const worker = new Worker({
      ...{ queue: 'check', store: b.store, clock: systemClock, log: silentLog, atOnce: 2 },
      longestNapMs: SHARED_NAP_MS,
      serve: async ({ record }) => void served.push(record.id),
    });
    worker.start();
    await a.store.commit({ put: [setting('w', 1, dueNow())] });
    await eventually(() => expect(served).toEqual(['w']));
    await worker.stop();
  });
});

describe('a shared pace', () => {
  const inHand = async () => {
    await postgres.emptyTables();
    const clock = new ManualClock();
    const open = () => openInstance(postgres.url(), { clock, isTimeGiven: true });
    const [a, b] = [await open(), await open()];
    return { clock, a: a.cluster, b: b.cluster };
  };
  const perChannel = { key: 'C1', burst: 3, perMs: 1_000 };

  it('lets a burst through over both, and then one at a time', async () => {
    const { clock, a, b } = await inHand();
    const waits = [];
    for (const one of [a, b, a, b]) waits.push(await one.take([perChannel], turn));
    expect(waits).toEqual([0, 0, 0, 1_000]);
    await clock.advance(1_000);
    expect(await b.take([perChannel], turn)).toBe(0);
    expect(await a.take([perChannel], turn)).toBe(1_000);
  });

  it('gives each key’s 3 tokens to 3 of 20 that ask at once', async () => {
    const { a, b } = await inHand();
    for (const key of ['C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7', 'C8', 'C9']) {
      const waits = await inTurn(20, [a, b], (one) => one.take([{ ...perChannel, key }], turn));
      expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(3);
    }
  });

  it('takes nothing from one limit when another says wait, whatever their order', async () => {
    const { a, b } = await inHand();
    const all = { key: 'all', burst: 1, perMs: 100 };
    await a.take([all], turn);
    expect(await b.take([perChannel, all], turn)).toBe(100);
    expect(await b.take([all, perChannel], turn)).toBe(100);
    const waits = [await a.take([perChannel], turn), await b.take([perChannel], turn)];
    expect([...waits, await a.take([perChannel], turn)]).toEqual([0, 0, 0]);
  });

  it('counts what went out at once, and is patient for as long as was asked', async () => {
    const { clock, a, b } = await inHand();
    for (let n = 0; n < 50; n++) await (n % 2 === 0 ? a : b).spend([perChannel]);
    // What is over the limit is owed no longer than one message.
    expect(await a.take([perChannel], turn)).toBe(2_000);
    await a.block('C2', 7_000);
    const other = { ...perChannel, key: 'C2' };
    expect(await b.take([other], turn)).toBe(7_000);
    await clock.advance(7_000);
    expect(await b.take([other], turn)).toBe(0);
  });

  it('gives out turns one period apart, in the order in which the instances ask', async () => {
    const { clock, a, b } = await inHand();
    const waits = [];
    for (const one of [a, b, b, a]) waits.push(await one.reserve('gateway', 200));
    expect(waits).toEqual([0, 200, 400, 600]);
    await clock.advance(10_000);
    const turns = await inTurn(20, [a, b], (one) => one.reserve('gateway', 50));
    expect(turns.sort((one, other) => one - other)).toEqual(
      [...Array(20).keys()].map((n) => n * 50),
    );
  });

  it('keeps no message and no turn back for a clock that was ahead', {
    tags: ['F77'],
  }, async () => {
    const { clock, a, b } = await inHand();
    const [aheadMs, limit] = [60 * 24 * 3_600_000, { burst: 1, perMs: 2_000 }];
    clock.set(aheadMs);
    await a.take([{ key: 'C1', ...limit }], turn);
    await a.block('C2', 60_000);
    await a.reserve('gateway', 200);
    clock.set(-aheadMs);
    for (const key of ['C1', 'C2']) {
      expect(await b.take([{ key, ...limit }], turn)).toBe(0);
      const waitMs = await b.take([{ key, ...limit }], turn);
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(4_000);
    }
    expect([await b.reserve('gateway', 200), await b.reserve('gateway', 200)]).toEqual([0, 200]);
  });

  it('goes by the clock of the database otherwise', async () => {
    const [a, b] = await twoInstances();
    const quick = { key: 'quick', burst: 1, perMs: 2_000 };
    expect(await a.cluster.take([quick], turn)).toBe(0);
    const waitMs = await b.cluster.take([quick], turn);
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(2_000);
    await eventually(async () => expect(await b.cluster.take([quick], turn)).toBe(0));
  });
});
