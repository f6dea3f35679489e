import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PaymentFilter } from '../../../../src/core/records/payment.ts';
import type { AuditRow } from '../../../../src/core/records/records.ts';
import { openPostgresStore } from '../../../../src/core/store/postgres/open-postgres-store.ts';
import { numbered, POSTGRES } from '../../../../src/core/store/postgres/postgres-sql.ts';
import { verifyDatabase } from '../../../../src/core/store/postgres/verify-database.ts';
import { paymentPageQuery } from '../../../../src/core/store/sql/payment-query.ts';
import type { Store } from '../../../../src/core/store/store.ts';
import {
  CONTRACT_NOW_MS,
  payment,
  paymentAt,
  putAll,
  setting,
  work,
} from '../../../contracts/store/records.ts';
import { storeContract } from '../../../contracts/store-contract.ts';
import { aPayment } from '../../../support/a-payment.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import { eventually } from '../../../support/eventually.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { openInstance, startPostgres } from '../../../support/postgres.ts';
import { PASSWORD } from '../../../support/postgres-database.ts';
import { silentLog } from '../../../support/silent-log.ts';

const postgres = await startPostgres();

const open = async (): Promise<Store> => {
  const clock = new ManualClock(CONTRACT_NOW_MS);
  const options = { url: postgres.url(), clock, log: silentLog, isTimeGiven: true };
  return (await openPostgresStore(options)).store;
};

/** That of the tests before, open over many of them: most of a test's CPU was the connections of another one. */
let kept: Store | undefined;
afterAll(() => kept?.close());

const postgresInHand = async () => {
  await postgres.emptyTables();
  kept ??= await open();
  return {
    store: kept,
    reopen: async () => {
      await kept?.close();
      kept = await open();
      return kept;
    },
    close: async () => {
      await kept?.close();
      kept = undefined;
    },
    leave: async () => {},
  };
};

storeContract('PostgreSQL', postgresInHand);

type PlanNode = {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

/** How many rows the busiest step of a plan looked at. */
const mostRows = (node: PlanNode): number =>
  Math.max(
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ...(node.Plans ?? []).map(mostRows),
  );

describe('the PostgreSQL store', () => {
  const opened = async () => (await postgresInHand()).store;

  it('refuses an id that no text of PostgreSQL can be, and finds nothing under one', async () => {
    const store = await opened();
    for (const id of ['a\0b', 'half \ud83d']) {
      expect(await store.get('setting', id)).toBeUndefined();
      expect((await store.listPayments({ customerNumber: id }, { limit: 1 })).payments).toEqual([]);
      await store.release('setting', id, 0);
      await expect(store.commit({ put: [setting({ id })] })).rejects.toThrow(/cannot be stored/);
    }
  });

  it('keeps halves of characters as it keeps whole ones', async () => {
    const store = await opened();
    await putAll(store, [setting({ value: 'cut \ud83d' })]);
    expect((await store.get('setting', 'secret'))?.value).toBe('cut \ud83d');
  });

  it('counts what is in a queue, waiting or claimed', async () => {
    const store = await opened();
    await putAll(store, [work('a', 1), work('b', 2), work('c', 99), work('d', 1, 'sms')]);
    await store.claim('check', { nowMs: 5, leaseMs: 100, limit: 1 });
    expect(await store.countDue?.('check')).toBe(3);
    expect(await store.countDue?.('tidy')).toBe(0);
  });

  it('has a way to each list that does not read all payments', async () => {
    const store = await opened();
    await putAll(store, [payment(paymentAt(CONTRACT_NOW_MS))]);
    await postgres.query(`
      INSERT INTO records (kind, id, version, body, salt, state, customer_number, requester, confirmed_ms, ended_ms, currency, amount_minor, network, payment_option, place, searched)
        SELECT 'payment', 'P' || lpad(n::text, 15, '0'), 1, '{}', '',
          CASE WHEN n % 9 = 0 THEN 'failed' ELSE 'completed' END, '+2332' || n % 500, 'slack:U' || n % 50,
          n, n, 'GHS', 1, 'MTN', 'MOM', 'slack:C1', ' kofi ' || CASE n % 10 WHEN 0 THEN 'adwoa ' WHEN 1 THEN 'adwoaba ' ELSE 'esi ' END
          FROM generate_series(1, 20000) AS n;
      ANALYZE payments`);
    const readFor = async (filter: PaymentFilter, after?: string): Promise<number> => {
      const page = { limit: 20, ...(after === undefined ? {} : { after }) };
      const query = paymentPageQuery(filter, page, POSTGRES);
      const { text, values } = numbered(query);
      const rows = await postgres.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      return Math.max(...rows.map((row) => mostRows(row['QUERY PLAN'][0].Plan)));
    };
    const kofi = [{ word: 'kofi' }];
    const filters: [PaymentFilter, string?][] = [
      [{}],
      [{}, 'P000000000010000'],
      [{ customerNumber: '+23327' }],
      [{ customerNumber: '+23327', amount: { amountMinor: 2, currency: 'GHS' } }],
      [{ customerNumber: '+23327', states: ['failed', 'refused'], flag: 'conflict' }],
      [{ customerNumber: '+23327', states: ['completed'], endedSinceMs: 30_000 }],
      [{ requester: 'slack:U7' }],
      [{ states: ['pending'] }],
      [{ states: ['failed', 'refused', 'not sent'] }],
      [{ states: ['completed'] }],
      [{ sinceMs: 19_990 }],
      [{ requester: 'slack:U7', sinceMs: 19_990 }],
      [{ sinceMs: 100, untilMs: 9_000 }],
      [{ sinceMs: 100, untilMs: 9_000, states: ['failed'] }],
      [{ search: kofi }],
      [{ search: kofi }, 'P000000000010000'],
      [{ sinceMs: 100, untilMs: 9_000, search: kofi }],
      [{ states: ['failed'], search: kofi }],
      [{ search: [{ word: 'adwo' }, ...kofi] }],
    ];
    // What earlier tests stored is in the indexes until a vacuum.
    for (const [filter, after] of filters)
      expect(await readFor(filter, after), JSON.stringify(filter)).toBeLessThan(1_000);
  });

  it('tells each of a crowd what became of its own change, whoever it shared the way with', async () => {
    const store = await opened();
    const crowd = Array.from({ length: 200 }, (_, n) => n);
    const name = (n: number) => ({ id: `crowd ${n}` });
    await putAll(
      store,
      crowd.map((n) => setting(name(n))),
    );
    // Every tenth of the first round is stale, of the second one that the database refuses: so large is no version.
    for (const [round, bad, word] of [
      [2, 7, 'false'],
      [3, 3_000_000_000, 'rejected'],
    ] as const) {
      const isBad = (n: number) => n % 10 === 0;
      const results = await Promise.allSettled(
        crowd.map((n) =>
          store.commit({ put: [setting({ ...name(n), version: isBad(n) ? bad : round })] }),
        ),
      );
      const words = results.map((result) =>
        result.status === 'fulfilled' ? String(result.value) : 'rejected',
      );
      expect(words).toEqual(crowd.map((n) => (isBad(n) ? word : 'true')));
      for (const n of crowd)
        expect((await store.get('setting', name(n).id))?.version).toBe(isBad(n) ? 1 : round);
    }
  });

  it('finds each of a crowd what it asked for', async () => {
    const store = await opened();
    const ids = Array.from({ length: 250 }, (_, n) => `wanted ${n}`);
    await putAll(
      store,
      ids.map((id) => setting({ id, value: id })),
    );
    const known = paymentAt(CONTRACT_NOW_MS);
    await putAll(store, [payment(known)]);
    const [paid, missing, ...found] = await Promise.all([
      store.get('payment', known.id),
      store.get('setting', 'nothing'),
      ...ids.map((id) => store.get('setting', id)),
    ]);
    expect(paid).toEqual(known);
    expect(missing).toBeUndefined();
    expect(found.map((record) => record?.value)).toEqual(ids);
  });

  it('holds nobody up for long behind a lock that is never released', async () => {
    const { store } = await openInstance(postgres.url());
    await putAll(store, [setting()]);
    const other = await postgres.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM records FOR UPDATE');
    const blocked = Array.from({ length: 10 }, () =>
      store.commit({ put: [setting({ version: 2 })] }),
    );
    // Every connection of the pool is busy now; this one waits for one to be free.
    const reading = store.get('setting', 'secret');
    const results = await Promise.allSettled(blocked);
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await reading).toBeDefined();
    await other.query('ROLLBACK');
    expect(await store.commit({ put: [setting({ version: 2 })] })).toBe(true);
  });

  it('commits again what the server broke off to let somebody else go on', {
    tags: ['F41'],
  }, async () => {
    const { log, entries } = capturedLog();
    await postgres.emptyTables();
    // Whoever has waited this long looks for a deadlock, once, and gives way: that shall be the store.
    const database = `ALTER DATABASE ${postgres.database}`;
    onTestFinished(async () => void (await postgres.query(`${database} RESET deadlock_timeout`)));
    await postgres.query(`${database} SET deadlock_timeout = '2s'`);
    const { store } = await openInstance(postgres.url(), { log });
    const both = (version: number) => ({
      put: [setting({ id: '1', version }), setting({ id: '2', version })],
    });
    await store.commit(both(1));
    const other = await postgres.connect();
    const lock = (id: string) => other.query('SELECT FROM records WHERE id = $1 FOR UPDATE', [id]);
    await other.query("SET deadlock_timeout = '1min'");
    await other.query('BEGIN');
    await lock('2');
    const commit = store.commit(both(2));
    await eventually(async () => {
      const waiting = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect(await postgres.query(waiting)).toHaveLength(1);
    });
    await lock('1');
    await other.query('COMMIT');
    expect(await commit).toBe(true);
    expect(entries).toContainEqual(
      expect.objectContaining({
        fields: { tries: 1, err: expect.objectContaining({ code: '40P01' }) },
      }),
    );
  });

  it('says so at once when the server takes no more connections, and works with those it has', {
    tags: ['F37'],
  }, async () => {
    await postgres.empty();
    await postgres.query(`
      CREATE ROLE few LOGIN PASSWORD '${PASSWORD}' CONNECTION LIMIT 4;
      CREATE SCHEMA paythread AUTHORIZATION few`);
    const { store } = await openInstance(postgres.url({ user: 'few' }));
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, () => store.get('setting', 'x')),
    );
    const reasons = results.flatMap((one) =>
      one.status === 'rejected' ? [String(one.reason)] : [],
    );
    for (const reason of reasons) expect(reason).toMatch(/cannot be reached: too many connections/);
    expect(reasons.length).toBeLessThan(30);
    expect(await store.get('setting', 'x')).toBeUndefined();
  });
});

describe('the audit in PostgreSQL', () => {
  const row = (what: string, detail: Record<string, unknown> = {}): AuditRow => ({
    atMs: 1,
    kind: 'setting',
    id: 'p',
    what,
    before: null,
    after: null,
    detail,
  });

  const withRows = async () => {
    const { store } = await postgresInHand();
    await store.commit({ audit: [row('first'), row('second', { body: 'NUL \0, half \ud83d' })] });
    await store.commit({ audit: [row('third')] });
    return store;
  };

  const placesIn = async () => (await verifyDatabase(postgres.url(), { nowMs: 0 })).places;

  it('has the rows of a record in order, word for word, each with a hash over the one before', {
    tags: ['I10'],
  }, async () => {
    const store = await withRows();
    expect(await store.auditOf('p')).toEqual([
      row('first'),
      row('second', { body: 'NUL \0, half \ud83d' }),
      row('third'),
    ]);
    const rows = await postgres.query<{ seq: number }>('SELECT seq FROM audit ORDER BY position');
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(await placesIn()).toEqual([]);
  });

  it.each([
    `UPDATE audit SET entry = '{}'`,
    'DELETE FROM audit WHERE seq = 3',
    'TRUNCATE audit',
    `UPDATE audit_details SET detail = '{}'`,
    'TRUNCATE audit_details',
    'DELETE FROM payments',
    'TRUNCATE payments',
    'TRUNCATE records',
  ])('is not changed by %s, nor are payments lost', { tags: ['T16'] }, async (sql) => {
    const store = await withRows();
    await store.commit({ put: [payment(aPayment())] });
    await expect(postgres.query(sql)).rejects.toThrow(/is not allowed/);
    expect(await postgres.query('SELECT FROM audit')).toHaveLength(3);
    expect(await store.get('payment', aPayment().id)).toBeDefined();
  });

  it.each([
    [
      'a changed row',
      `UPDATE audit SET entry = replace(entry, 'second', 'other') WHERE seq = 2`,
      ['setting p, row 2: it was changed after it was written'],
    ],
    [
      'a row taken out',
      'DELETE FROM audit WHERE seq = 2',
      ['setting p, row 3: row 2 is missing before it'],
    ],
    [
      'a row put in',
      `INSERT INTO audit (kind, id, seq, entry, hash)
        SELECT kind, id, 4, replace(entry, '"detail"', '"x"'), '\\x00' FROM audit WHERE seq = 3`,
      ['setting p, row 4: it was changed after it was written'],
    ],
    [
      'a changed detail',
      `UPDATE audit_details SET detail = '{}' WHERE detail LIKE '%NUL%'`,
      ['setting p, row 2: its detail was changed after it was written'],
    ],
    [
      'a detail taken away',
      'DELETE FROM audit_details WHERE position = (SELECT max(position) FROM audit)',
      ['setting p, row 3: its detail is gone, and no customer was forgotten since'],
    ],
  ])(
    'shows %s, should somebody take the guards away',
    { tags: ['I10'] },
    async (_, sql, broken) => {
      await withRows();
      await postgres.query(
        `ALTER TABLE audit DISABLE TRIGGER ALL; ALTER TABLE audit_details DISABLE TRIGGER ALL; ${sql}`,
      );
      expect(await placesIn()).toEqual(broken);
    },
  );
});
