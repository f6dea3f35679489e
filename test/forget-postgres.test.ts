import { describe, expect, it } from 'vitest';
import { isPseudonym } from '../src/core/forgetting/pseudonym.ts';
import type { ForgetRequest } from '../src/core/forgetting/request.ts';
import { forgetInDatabase } from '../src/core/store/postgres/forget-in-database.ts';
import { timeInHand } from '../src/core/store/postgres/given-time.ts';
import { verifyDatabase } from '../src/core/store/postgres/verify-database.ts';
import { CONTRACT_NOW_MS } from './contracts/store/records.ts';
import { ama } from './support/a-payment.ts';
import { CustomerHistory, EFUA, EFUAS_NAME, KOFI, kofiIn } from './support/customer-history.ts';
import { ManualClock } from './support/manual-clock.ts';
import { openInstance, startPostgres } from './support/postgres.ts';

const postgres = await startPostgres();
const ask: ForgetRequest = { number: KOFI, who: ama, isSure: true };

/** A database with the history of a shop, still in use. */
const aShop = async () => {
  await postgres.empty();
  const clock = new ManualClock(CONTRACT_NOW_MS);
  const { store } = await openInstance(postgres.url(), { clock, time: timeInHand });
  const history = new CustomerHistory(store, clock);
  return { store, clock, history, ...(await history.lived()) };
};

const forget = (clock: ManualClock, changes: Partial<ForgetRequest> = {}) =>
  forgetInDatabase({ url: postgres.url(), clock }, { ...ask, ...changes });

const verify = (clock: ManualClock) => verifyDatabase(postgres.url(), { nowMs: clock.now() });

/** Every row of every table, as text. */
const tracesLeft = async (): Promise<string[]> => {
  const tables = await postgres.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'paythread'`,
  );
  const traces: string[] = [];
  for (const { name } of tables)
    for (const { row } of await postgres.query<{ row: string }>(
      `SELECT each::text AS row FROM ${name} each`,
    ))
      traces.push(...kofiIn(row).map((trace) => `${name}: ${trace}`));
  return traces;
};

describe('npm run forget, on PostgreSQL', () => {
  it('leaves neither number nor name in any table, and the money as it was', async () => {
    const { store, clock, kofis, efuas } = await aShop();
    const before = await verify(clock);
    expect(before.broken).toBe(0);
    expect((await tracesLeft()).length).toBeGreaterThan(50);
    expect(await forget(clock)).toMatchObject({
      kind: 'forgotten',
      found: { payments: 3, sms: 2 },
    });
    expect(await tracesLeft()).toEqual([]);
    const after = await verify(clock);
    expect(after).toMatchObject({ broken: 0, places: [] });
    expect(after.stored.isSameAs(before.stored)).toBe(true);
    expect(after.audited.isSameAs(before.audited)).toBe(true);
    const { payments } = await store.listPayments({ customerNumber: KOFI }, { limit: 10 });
    expect(payments).toEqual([]);
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
  });
});
