import { describe, expect, it } from 'vitest';
import { retire as retireCustomers } from '../../src/core/privacy/retention.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { eraseInDatabase } from '../../src/core/store/postgres/erase-in-database.ts';
import { numbered, POSTGRES } from '../../src/core/store/postgres/postgres-sql.ts';
import { migrateDatabase } from '../../src/core/store/postgres/prepare-database.ts';
import { endedPaymentsText } from '../../src/core/store/sql/customer-erasure.ts';
import { isPseudonym } from '../../src/core/values/pseudonym.ts';
import { aShopsLife, forget, forgettingCases, termsOf, tracesIn } from '../contracts/forgetting.ts';
import { DAY_MS } from '../contracts/store/records.ts';
import { CustomerHistory, EFUA, EFUAS_NAME, KOFI, kofiIn } from '../support/customer-history.ts';
import { type KeptStore, keptDatabase } from '../support/kept-store.ts';
import { startPostgres } from '../support/postgres.ts';
import { PASSWORD } from '../support/postgres-database.ts';
import { runCommand } from '../support/run-command.ts';

const postgres = await startPostgres();
/** A database, still in use. */
const openEmpty = () => keptDatabase(postgres);
const aShop = () => aShopsLife(openEmpty);

describe('npm run forget, on PostgreSQL', () => {
  describe('as in every store', { tags: ['T27'] }, () => forgettingCases(openEmpty));

  it('leaves a trail that cannot be changed', async () => {
    const { kept } = await aShop();
    await forget(kept);
    await expect(postgres.query(`UPDATE audit SET entry = '{}'`)).rejects.toThrow(/is not allowed/);
  });

  it('lets nobody put the number back who holds an older version', { tags: ['T27'] }, async () => {
    const { kept, kofis } = await aShop();
    const held = await kept.store.get('payment', kofis[0] ?? '');
    if (held === undefined) throw new Error('no payment');
    await forget(kept);
    const late = { ...held, version: held.version + 1, hints: held.hints + 1 };
    expect(await kept.store.commit({ put: [{ kind: 'payment', record: late }] })).toBe(false);
    expect(await tracesIn(kept)).toEqual([]);
  });

  it('is done while an instance changes the same payments, and loses nothing of that', async () => {
    const { kept, kofis } = await aShop();
    const history = new CustomerHistory(kept.store, kept.clock);
    let isOver = false;
    let called = 0;
    const callbacks = async (id: string) => {
      for (; !isOver; called++) await history.calledBack(id);
    };
    const busy = Promise.all(kofis.map(callbacks));
    const answer = await forget(kept).finally(() => {
      isOver = true;
    });
    await busy;
    expect(answer).toMatchObject({ kind: 'forgotten' });
    expect(called).toBeGreaterThan(0);
    expect(await tracesIn(kept)).toEqual([]);
    expect((await kept.verify()).places).toEqual([]);
  });

  it('leaves rows that show when somebody changes them afterwards', async () => {
    const { kept, kofis } = await aShop();
    await forget(kept);
    await kept.tamper(
      `UPDATE audit SET entry = replace(entry, '"atMs":1', '"atMs":2') WHERE id = '${kofis[0]}' AND seq = 2 AND kind = 'payment'`,
    );
    expect((await kept.verify()).places).toEqual([
      expect.stringMatching(/^payment \w+, row 2: it was changed after it was written$/),
    ]);
  });

  it('needs no more rights than an instance has, and with fewer nothing is changed', async () => {
    const { kept, kofis } = await aShop();
    const { clock } = kept;
    await postgres.query(`CREATE ROLE clerk LOGIN PASSWORD '${PASSWORD}'`);
    await migrateDatabase(postgres.url(), 'clerk', systemClock);
    await postgres.query('REVOKE DELETE ON audit_details FROM clerk');
    const before = await kept.stored();
    const asClerk = eraseInDatabase({ url: postgres.url({ user: 'clerk' }), clock });
    const forgetAsClerk = () => forget({ inErasure: asClerk, clock });
    await expect(forgetAsClerk()).rejects.toThrow(
      /lacks a right in .*: permission denied for table audit_details/,
    );
    expect(await kept.stored()).toEqual(before);
    await postgres.query('GRANT DELETE ON audit_details TO clerk');
    expect(await forgetAsClerk()).toMatchObject({ kind: 'forgotten' });
    expect(await tracesIn(kept)).toEqual([]);
    clock.jump(90 * DAY_MS);
    expect(await retireCustomers(asClerk, { beforeMs: clock.now() - DAY_MS }, clock)).toEqual({
      payments: 2,
    });
    expect((await kept.verify()).places).toEqual([]);
    const [terms] = await termsOf(kept.store, kofis);
    expect(isPseudonym(terms?.customerNumber ?? '')).toBe(true);
  });

  it('is a command that never shows the number', async () => {
    const { kept } = await aShop();
    const { env } = kept;
    const looked = await runCommand('forget', ['0244123456', '--look'], env);
    expect(looked).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Stored about 024 \*\*\* 3456 \(Kofi M\.\): 3 payments/),
    });
    const { head } = await kept.verify();
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
  const retire = ({ inErasure, clock }: KeptStore, days: number) =>
    retireCustomers(inErasure, { beforeMs: clock.now() - days * DAY_MS }, clock);

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
    const { kept, kofis, efuas } = await aShop();
    const { store, clock } = kept;
    clock.jump(90 * DAY_MS);
    const before = await kept.verify();
    expect(await retire(kept, 30)).toEqual({ payments: 5 });
    const after = await kept.verify();
    expect(after.places).toEqual([]);
    expect(after.stored.isSameAs(before.stored)).toBe(true);
    for (const theirs of [kofis, efuas.slice(0, -1)]) {
      const numbers = new Set(
        (await termsOf(store, theirs)).map((terms) => terms?.customerNumber ?? ''),
      );
      expect([...numbers].map(isPseudonym)).toEqual([true]);
    }
    const open = await store.get('payment', efuas.at(-1) ?? '');
    expect(open?.terms).toMatchObject({ customerNumber: EFUA, customerName: EFUAS_NAME });
    const trail = (await Promise.all(kofis.map((id) => store.auditOf(id)))).flat();
    expect(kofiIn(JSON.stringify(trail))).toEqual([]);
    const all = await kept.stored();
    expect(await retire(kept, 30)).toEqual({ payments: 0 });
    expect(await kept.stored()).toEqual(all);
  });

  it('stays while it is younger, in as many batches as it takes', async () => {
    const { kept, kofis } = await aShop();
    const { store, clock } = kept;
    const history = new CustomerHistory(store, clock);
    for (let n = 0; n < 25; n++) await history.paid({ customerNumber: KOFI });
    clock.jump(20 * DAY_MS);
    const young = await history.paid({ customerNumber: KOFI });
    expect(await retire(kept, 10)).toEqual({ payments: 30 });
    expect((await store.get('payment', young))?.terms.customerNumber).toBe(KOFI);
    const old = await store.get('payment', kofis[0] ?? '');
    expect(isPseudonym(old?.terms.customerNumber ?? '')).toBe(true);
    expect((await kept.verify()).places).toEqual([]);
  });
});
