import { describe, expect, it } from 'vitest';
import type { Put } from '../../../../src/core/records/records.ts';
import type { Store } from '../../../../src/core/store/store.ts';
import { newTransactionId } from '../../../../src/core/values/transaction-id.ts';
import { aPayment } from '../../../support/a-payment.ts';
import { eventually } from '../../../support/eventually.ts';
import { openInstance, startPostgres } from '../../../support/postgres.ts';
import { PostgresProxy } from '../../../support/postgres-proxy.ts';

const postgres = await startPostgres();

const setting = (id: string, version: number): Put => ({
  kind: 'setting',
  record: { id, version, value: `${version}` },
});

const commitSetting = (store: Store, id: string, version: number): Promise<boolean> =>
  store.commit({
    put: [setting(id, version)],
    audit: [{ atMs: version, kind: 'setting', id, what: `${version}`, before: null, after: null }],
  });

const viaProxy = async () => {
  await postgres.emptyTables();
  const proxy = await PostgresProxy.start(postgres.port);
  const { store } = await openInstance(postgres.url({ port: proxy.port }));
  // From here on the connection knows the statement, so a commit has the same messages each time.
  expect(await commitSetting(store, 'warm', 1)).toBe(true);
  return { proxy, store };
};

/** Bind, Describe, Execute, Sync; then ParseComplete is missing, as the statement is known. */
const CLIENT_MESSAGES = 4;
/** BindComplete, RowDescription, DataRow, CommandComplete, ReadyForQuery. */
const SERVER_MESSAGES = 5;

const cuts = [
  ...Array.from({ length: CLIENT_MESSAGES }, (_, at) => ['client', at + 1] as const),
  ...Array.from({ length: SERVER_MESSAGES }, (_, at) => ['server', at + 1] as const),
];

describe('a connection that is cut during a commit', () => {
  it('leaves no doubt, whichever message was the last', { tags: ['F35'] }, async () => {
    const { proxy, store } = await viaProxy();
    for (const [side, message] of cuts) {
      const id = `${side} ${message}`;
      for (const version of [1, 2]) {
        proxy.cutOnce({ from: 'commit', side, message });
        expect(await commitSetting(store, id, version), `${id} v${version}`).toBe(true);
        expect((await store.get('setting', id))?.version).toBe(version);
      }
      // Stored once each: one that was stored and took itself for lost would be there twice, or refused.
      const audit = await postgres.query(
        `SELECT seq FROM audit WHERE kind = 'setting' AND id = $1 ORDER BY seq`,
        [id],
      );
      expect(audit, id).toEqual([{ seq: 1 }, { seq: 2 }]);
    }
    expect(proxy.cuts).toBe(2 * cuts.length);
  });

  it('does not make a stale change look stored', async () => {
    const { proxy, store } = await viaProxy();
    for (const [side, message] of cuts) {
      proxy.cutOnce({ from: 'commit', side, message });
      expect(await commitSetting(store, 'warm', 1), `${side} ${message}`).toBe(false);
    }
    expect(await postgres.query('SELECT FROM audit')).toHaveLength(1);
  });

  it('cannot be stored behind our back by a server that was only slow', {
    tags: ['F35'],
  }, async () => {
    const { proxy, store } = await viaProxy();
    const other = await postgres.connect();
    await other.query('BEGIN');
    await other.query(`SELECT FROM records WHERE id = 'warm' FOR UPDATE`);
    proxy.cutOnce({ from: 'commit', side: 'client', message: CLIENT_MESSAGES });
    const commit = commitSetting(store, 'warm', 2);
    // The one that was cut off and the one tried instead both wait for the lock now.
    await eventually(async () => {
      const waiting = await postgres.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%commit_change%'`,
      );
      expect(waiting).toHaveLength(2);
    });
    await other.query('COMMIT');
    expect(await commit).toBe(true);
    expect((await store.get('setting', 'warm'))?.version).toBe(2);
    expect(await postgres.query('SELECT FROM audit')).toHaveLength(2);
  });

  it('is noticed by one caller alone: the others go on', async () => {
    const { proxy, store } = await viaProxy();
    for (let round = 0; round < 5; round++) {
      proxy.cutOnce({ from: 'commit', side: 'server', message: 1 + round });
      const puts = Array.from({ length: 20 }, (_, n) => ({
        kind: 'payment' as const,
        record: aPayment({ id: newTransactionId(n) }),
      }));
      const results = await Promise.all(puts.map((put) => store.commit({ put: [put] })));
      expect(results).not.toContain(false);
    }
    expect((await store.listPayments({}, { limit: 1_000 })).payments).toHaveLength(100);
  });
});

describe('a network that swallows everything', () => {
  it('holds nobody up for more than some seconds, and all is well once it is back', {
    tags: ['F36'],
  }, async () => {
    const { proxy, store } = await viaProxy();
    // On all connections of the pool.
    await Promise.all(Array.from({ length: 20 }, () => store.nextDueMs('check')));
    proxy.swallow();
    const unanswered = await Promise.allSettled([
      commitSetting(store, 'warm', 2),
      store.get('setting', 'warm'),
      store.claim('check', { nowMs: 0, leaseMs: 1, limit: 1 }),
    ]);
    expect(unanswered.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    // Of ten dead connections none costs anybody anything any more.
    for (let n = 0; n < 10; n++) expect((await store.get('setting', 'warm'))?.version).toBe(1);
    expect(await commitSetting(store, 'warm', 2)).toBe(true);
  });
});
