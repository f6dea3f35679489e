import { describe, expect, it } from 'vitest';
import { type ForgetRequest, forget as forgetCustomer } from '../../src/core/privacy/forget.ts';
import { retire as retireCustomers } from '../../src/core/privacy/retention.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { programTime } from '../../src/core/store/postgres/database.ts';
import { eraseInDatabase } from '../../src/core/store/postgres/erase-in-database.ts';
import { numbered, POSTGRES } from '../../src/core/store/postgres/postgres-sql.ts';
import { migrateDatabase } from '../../src/core/store/postgres/prepare-database.ts';
import { HEAD_AGE_MS, verifyDatabase } from '../../src/core/store/postgres/verify-database.ts';
import { readHead } from '../../src/core/store/sql/audit-head.ts';
import { endedPaymentsText } from '../../src/core/store/sql/sql-erasure.ts';
import type { Store } from '../../src/core/store/store.ts';
import { isPseudonym } from '../../src/core/values/pseudonym.ts';
import { CONTRACT_NOW_MS, DAY_MS } from '../contracts/store/records.ts';
import { ama } from '../support/a-payment.ts';
import { CustomerHistory, EFUA, EFUAS_NAME, KOFI, kofiIn } from '../support/customer-history.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openInstance, startPostgres } from '../support/postgres.ts';
import { PASSWORD } from '../support/postgres-database.ts';
import { runCommand } from '../support/run-command.ts';

const postgres = await startPostgres();
const ask: ForgetRequest = { number: KOFI, who: ama, isSure: true };

/** A database with the history of a shop, still in use. */
const aShop = async () => {
  await postgres.emptyTables();
  const clock = new ManualClock(CONTRACT_NOW_MS);
  const { store } = await openInstance(postgres.url(), { clock, time: programTime });
  const history = new CustomerHistory(store, clock);
  return { store, clock, history, ...(await history.lived()) };
};

const forget = (clock: ManualClock, changes: Partial<ForgetRequest> = {}) =>
  forgetCustomer(eraseInDatabase({ url: postgres.url(), clock }), { ...ask, ...changes }, clock);

const verify = (clock: ManualClock) => verifyDatabase(postgres.url(), { nowMs: clock.now() });

/** Every row of every table, as text, but for what the housekeeping keeps. */
const everything = async (): Promise<string[]> => {
  const tables = await postgres.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
      WHERE schemaname = 'paythread' AND tablename NOT IN ('commit_marks', 'paces') ORDER BY 1`,
  );
  const all: string[] = [];
  for (const { name } of tables) {
    const rows = await postgres.query<{ row: string }>(
      `SELECT each::text AS row FROM ${name} each ORDER BY 1`,
    );
    all.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return all;
};

const numberOf = async (store: Store, id = ''): Promise<string> =>
  (await store.get('payment', id))?.terms.customerNumber ?? '';

const tracesLeft = async (): Promise<string[]> => (await everything()).flatMap(kofiIn);

describe('npm run forget, on PostgreSQL', () => {
  it('leaves neither number nor name in any table, and the money as it was', {
    tags: ['T27'],
  }, async () => {
    const { store, clock, kofis, efuas } = await aShop();
    const before = await verify(clock);
    expect(before.broken).toBe(0);
    const all = await verifyDatabase(postgres.url(), { nowMs: clock.now() + HEAD_AGE_MS });
    expect((await tracesLeft()).length).toBeGreaterThan(50);
    clock.jump(1);
    expect(await forget(clock)).toMatchObject({
      kind: 'forgotten',
      found: { payments: 3, sms: 2 },
    });
    expect(await tracesLeft()).toEqual([]);
    const noted = readHead(all.head);
    const after = await verifyDatabase(postgres.url(), {
      nowMs: clock.now(),
      ...(noted === undefined ? {} : { noted }),
    });
    expect(after).toMatchObject({ broken: 0, places: [], hasNoted: true });
    expect(after.stored.isSameAs(before.stored)).toBe(true);
    expect(after.audited.isSameAs(before.audited)).toBe(true);
    const { payments } = await store.listPayments({ customerNumber: KOFI }, { limit: 10 });
    expect(payments).toEqual([]);
    for (const search of [[{ word: 'kofi' }], [{ lastDigits: KOFI.slice(-4) }]])
      expect(await store.listPayments({ search }, { limit: 10 })).toEqual({ payments: [] });
    const theirs = await Promise.all(kofis.map((id) => store.get('payment', id)));
    const pseudonyms = new Set(theirs.map((each) => each?.terms.customerNumber ?? ''));
    expect([...pseudonyms].map(isPseudonym)).toEqual([true]);
    expect(theirs.map((each) => each?.terms.customerName)).toEqual(Array(3).fill('forgotten'));
    for (const id of efuas)
      expect((await store.get('payment', id))?.terms).toMatchObject({
        customerNumber: EFUA,
        customerName: EFUAS_NAME,
      });
    const told = (await store.auditOf(kofis[0] ?? '')).findLast(({ kind }) => kind === 'payment');
    expect(told).toMatchObject({ what: 'forgotten', who: ama, before: 'completed' });
    await expect(postgres.query(`UPDATE audit SET entry = '{}'`)).rejects.toThrow(/is not allowed/);
  });

  it('only looks until it is told to be sure, and knows when there is nothing', async () => {
    const { clock } = await aShop();
    const before = await everything();
    expect(await forget(clock, { isSure: false })).toMatchObject({
      kind: 'found',
      found: { payments: 3, sms: 2, names: ['KOFI MENSAH'] },
    });
    expect(await forget(clock, { number: '+233209999999' })).toEqual({ kind: 'unknown' });
    expect(await everything()).toEqual(before);
    await forget(clock);
    const after = await everything();
    expect(await forget(clock)).toEqual({ kind: 'unknown' });
    expect(await everything()).toEqual(after);
  });

  it.each<[string, (history: CustomerHistory) => Promise<unknown>, RegExp]>([
    [
      'a payment without an outcome',
      (history) => history.sent({ customerNumber: KOFI }),
      /^payment \w+ \(GHS 50\.00\) has no outcome yet$/,
    ],
    [
      'a question that can be confirmed',
      (history) => history.shown({ customerNumber: KOFI }),
      /^charge \w+ is shown for confirmation$/,
    ],
  ])('waits for %s, and changes nothing', async (_name, happened, why) => {
    const { clock, history } = await aShop();
    await happened(history);
    const before = await everything();
    expect(await forget(clock)).toMatchObject({
      kind: 'wait',
      reasons: [{ what: expect.stringMatching(why) }],
    });
    expect(await everything()).toEqual(before);
  });

  it('lets nobody put the number back who holds an older version', { tags: ['T27'] }, async () => {
    const { store, clock, kofis } = await aShop();
    const held = await store.get('payment', kofis[0] ?? '');
    if (held === undefined) throw new Error('no payment');
    await forget(clock);
    const late = { ...held, version: held.version + 1, hints: held.hints + 1 };
    expect(await store.commit({ put: [{ kind: 'payment', record: late }] })).toBe(false);
    expect(await tracesLeft()).toEqual([]);
  });

  it('is done while an instance changes the same payments, and loses nothing of that', async () => {
    const { clock, history, kofis } = await aShop();
    let isOver = false;
    let called = 0;
    const callbacks = async (id: string) => {
      for (; !isOver; called++) await history.calledBack(id);
    };
    const busy = Promise.all(kofis.map(callbacks));
    const answer = await forget(clock).finally(() => {
      isOver = true;
    });
    await busy;
    expect(answer).toMatchObject({ kind: 'forgotten' });
    expect(called).toBeGreaterThan(0);
    expect(await tracesLeft()).toEqual([]);
    expect((await verify(clock)).places).toEqual([]);
  });

  it('has a new charge to the same number work as any, and forgets it under the same pseudonym', async () => {
    const { clock, history, kofis, store } = await aShop();
    await forget(clock);
    const again = await history.paid({ customerNumber: KOFI, customerName: 'KOFI MENSAH' });
    expect(await forget(clock)).toMatchObject({ found: { payments: 1 } });
    const numbers = await Promise.all(
      [...kofis, again].map(async (id) => (await store.get('payment', id))?.terms.customerNumber),
    );
    expect(new Set(numbers).size).toBe(1);
    expect((await verify(clock)).places).toEqual([]);
  });

  it('leaves rows that show when somebody changes them afterwards', async () => {
    const { clock, kofis } = await aShop();
    await forget(clock);
    await postgres.query(
      `ALTER TABLE audit DISABLE TRIGGER ALL;
      UPDATE audit SET entry = replace(entry, '"atMs":1', '"atMs":2') WHERE id = '${kofis[0]}' AND seq = 2 AND kind = 'payment'`,
    );
    expect((await verify(clock)).places).toEqual([
      expect.stringMatching(/^payment \w+, row 2: it was changed after it was written$/),
    ]);
  });

  it('is told from details that somebody took away', { tags: ['T27'] }, async () => {
    const { clock, history } = await aShop();
    await forget(clock);
    const id = await history.paid({ customerNumber: EFUA });
    expect((await verify(clock)).places).toEqual([]);
    await postgres.query(
      `DELETE FROM audit_details WHERE position =
        (SELECT min(position) FROM audit JOIN audit_details USING (position) WHERE id = '${id}')`,
    );
    expect((await verify(clock)).places).toEqual([
      expect.stringMatching(/: its detail is gone, and no customer was forgotten since$/),
    ]);
  });

  it('needs no more rights than an instance has, and with fewer nothing is changed', async () => {
    const { clock, kofis, store } = await aShop();
    await postgres.query(`CREATE ROLE clerk LOGIN PASSWORD '${PASSWORD}'`);
    await migrateDatabase(postgres.url(), 'clerk', systemClock);
    await postgres.query('REVOKE DELETE ON audit_details FROM clerk');
    const before = await everything();
    const asClerk = eraseInDatabase({ url: postgres.url({ user: 'clerk' }), clock });
    await expect(forgetCustomer(asClerk, ask, clock)).rejects.toThrow(
      /lacks a right in .*: permission denied for table audit_details/,
    );
    expect(await everything()).toEqual(before);
    await postgres.query('GRANT DELETE ON audit_details TO clerk');
    expect(await forgetCustomer(asClerk, ask, clock)).toMatchObject({ kind: 'forgotten' });
    expect(await tracesLeft()).toEqual([]);
    clock.jump(90 * DAY_MS);
    expect(await retireCustomers(asClerk, { beforeMs: clock.now() - DAY_MS }, clock)).toEqual({
      payments: 2,
    });
    expect((await verify(clock)).places).toEqual([]);
    expect(isPseudonym(await numberOf(store, kofis[0]))).toBe(true);
  });

  it('is a command that never shows the number', async () => {
    const { clock } = await aShop();
    const env = { DATABASE_URL: postgres.url() };
    const looked = await runCommand('forget', ['0244123456', '--look'], env);
    expect(looked).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Stored about 024 \*\*\* 3456 \(Kofi M\.\): 3 payments/),
    });
    const { head } = await verifyDatabase(postgres.url(), { nowMs: clock.now() + HEAD_AGE_MS });
    const done = await runCommand('forget', ['0244123456', '--yes'], env);
    expect(done).toMatchObject({ code: 0, output: expect.stringMatching(/^Erased 024/) });
    for (const { output } of [looked, done]) expect(kofiIn(output + PASSWORD)).toEqual([]);
    const verified = await runCommand('audit', ['verify', '--from', head], env);
    expect(verified.output).toContain('The head that was noted earlier is part of it');
    expect(verified.code).toBe(0);
    await postgres.empty();
    expect(await runCommand('forget', ['0244123456'], env)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^There is no store of Paythread in /),
    });
  });
});

describe('what ended longer ago than RETAIN, on PostgreSQL', () => {
  const retire = (clock: ManualClock, days: number) =>
    retireCustomers(
      eraseInDatabase({ url: postgres.url(), clock }),
      { beforeMs: clock.now() - days * DAY_MS },
      clock,
    );

  it('is found by an index that has no payment that was taken out', { tags: ['F84'] }, async () => {
    await aShop();
    const client = await postgres.connect();
    // A table of a few rows is cheap to read and to sort in any way: what is chosen is what needs neither.
    const ways = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'];
    await client.query(['ANALYZE payments', ...ways.map((way) => `SET ${way} = off`)].join(';'));
    const text = `EXPLAIN ${endedPaymentsText(POSTGRES)}`;
    const plan = await client.query(numbered({ text, values: [0, 'P', Date.now(), 50] }));
    expect(JSON.stringify(plan.rows)).toContain('Index Scan using payments_to_forget');
  });

  it('loses number and name, each customer under one pseudonym, and the rest stays', async () => {
    const { store, clock, kofis, efuas } = await aShop();
    clock.jump(90 * DAY_MS);
    const before = await verify(clock);
    expect(await retire(clock, 30)).toEqual({ payments: 5 });
    const after = await verify(clock);
    expect(after.places).toEqual([]);
    expect(after.stored.isSameAs(before.stored)).toBe(true);
    for (const theirs of [kofis, efuas.slice(0, -1)]) {
      const payments = await Promise.all(theirs.map((id) => store.get('payment', id)));
      const numbers = new Set(payments.map((each) => each?.terms.customerNumber ?? ''));
      expect([...numbers].map(isPseudonym)).toEqual([true]);
    }
    const open = await store.get('payment', efuas.at(-1) ?? '');
    expect(open?.terms).toMatchObject({ customerNumber: EFUA, customerName: EFUAS_NAME });
    const trail = (await Promise.all(kofis.map((id) => store.auditOf(id)))).flat();
    expect(kofiIn(JSON.stringify(trail))).toEqual([]);
    const all = await everything();
    expect(await retire(clock, 30)).toEqual({ payments: 0 });
    expect(await everything()).toEqual(all);
  });

  it('stays while it is younger, in as many batches as it takes', async () => {
    const { store, clock, history, kofis } = await aShop();
    for (let n = 0; n < 25; n++) await history.paid({ customerNumber: KOFI });
    clock.jump(20 * DAY_MS);
    const young = await history.paid({ customerNumber: KOFI });
    expect(await retire(clock, 10)).toEqual({ payments: 30 });
    expect((await store.get('payment', young))?.terms.customerNumber).toBe(KOFI);
    const old = await store.get('payment', kofis[0] ?? '');
    expect(isPseudonym(old?.terms.customerNumber ?? '')).toBe(true);
    expect((await verify(clock)).places).toEqual([]);
  });
});
