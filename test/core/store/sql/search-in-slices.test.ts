import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import type { Payment, PaymentFilter } from '../../../../src/core/records/payment.ts';
import type { Query } from '../../../../src/core/store/sql/payment-query.ts';
import { pageInSlices, totalsInSlices } from '../../../../src/core/store/sql/search-in-slices.ts';
import type { Questions } from '../../../../src/core/store/sql/sql.ts';
import { SQLITE } from '../../../../src/core/store/sqlite/sqlite-sql.ts';
import { pathIn } from '../../../../src/core/store/sqlite/store-folder.ts';
import { aPayment } from '../../../support/a-payment.ts';
import { openStoreIn } from '../../../support/store-folder.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const STATES = ['completed', 'failed', 'completed', 'unknown'] as const;

/** A hundred payments, seven of them in one millisecond; each tenth is Esi's. */
const paymentOf = (at: number): Payment => {
  const base = aPayment({ state: STATES[at % STATES.length] ?? 'failed' });
  const customerName = at % 10 === 0 ? 'Esi Owusu' : 'Kofi Mensah';
  return {
    ...base,
    id: `P${at}`,
    confirmedAtMs: at >= 40 && at < 47 ? 24_000 : at * 600,
    terms: { ...base.terms, customerName, amount: { amountMinor: 100 + at, currency: 'GHS' } },
  };
};

/** The store, a way to read it, and in which turns of the event loop it was read. */
const withPayments = async () => {
  const dir = await tempFolder();
  const store = await openStoreIn(dir);
  const payments = Array.from({ length: 100 }, (_, at) => paymentOf(at));
  await store.commit({ put: payments.map((record) => ({ kind: 'payment', record })) });
  const database = new DatabaseSync(pathIn(dir, 'paythread.db'), { readOnly: true });
  onTestFinished(() => database.close());
  const read: number[] = [];
  let turn = 0;
  const select = async <Row extends object>({ text, values }: Query): Promise<Row[]> => {
    read.push(turn);
    return database.prepare(text).all(...values) as Row[];
  };
  const turnsOf = async (work: () => Promise<unknown>): Promise<number> => {
    read.length = 0;
    let isOver = false;
    const count = async () => {
      while (!isOver) {
        turn++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const counted = count();
    await work();
    isOver = true;
    await counted;
    return new Set(read).size;
  };
  return { store, select, read, turnsOf };
};

/** Asks with slices of so many payments. */
const inSlices = (select: Questions['rows'], inASlice: number): Questions => ({
  dialect: { ...SQLITE, planning: { ...SQLITE.planning, inASlice } },
  rows: select,
});

const SEARCHES: readonly PaymentFilter[] = [
  { search: [{ word: 'esi' }] },
  { search: [{ word: 'kofi' }] },
  { search: [{ word: 'kofi' }], states: ['failed'] },
  { search: [{ word: 'esi' }], sinceMs: 6_000, untilMs: 54_000 },
  { search: [{ word: 'nobody' }] },
];

it('a search in slices finds and counts what it finds at once, in the same order', async () => {
  const { select } = await withPayments();
  for (const filter of SEARCHES) {
    const totals = await totalsInSlices(inSlices(select, 1_000), filter);
    for (const page of [{ limit: 100 }, { limit: 3 }, { limit: 4, after: 'P44' }]) {
      const atOnce = await pageInSlices(inSlices(select, 1_000), filter, page);
      for (const inASlice of [1, 5, 7, 100])
        expect(await pageInSlices(inSlices(select, inASlice), filter, page)).toEqual(atOnce);
    }
    for (const inASlice of [1, 5, 7, 100])
      expect(await totalsInSlices(inSlices(select, inASlice), filter)).toEqual(totals);
  }
  const { totals, isWhole } = await totalsInSlices(inSlices(select, 7), SEARCHES[1] ?? {});
  expect([totals.reduce((sum, { count }) => sum + count, 0), isWhole]).toEqual([90, true]);
});

it('others have their turn between two slices of a search that finds nothing', async () => {
  const { select, turnsOf } = await withPayments();
  const nothing = { search: [{ word: 'nobody' }] };
  expect(await turnsOf(() => totalsInSlices(inSlices(select, 10), nothing))).toBeGreaterThanOrEqual(
    10,
  );
  expect(
    await turnsOf(() => pageInSlices(inSlices(select, 10), nothing, { limit: 5 })),
  ).toBeGreaterThanOrEqual(10);
});

it('a page reads no slice behind the one that fills it, and without a search it is one statement', async () => {
  const { select, read } = await withPayments();
  await pageInSlices(inSlices(select, 10), { search: [{ word: 'kofi' }] }, { limit: 5 });
  // The end of the slice, and what is in it.
  expect(read).toHaveLength(2);
  read.length = 0;
  await pageInSlices(inSlices(select, 10), { states: ['completed'] }, { limit: 5 });
  await totalsInSlices(inSlices(select, 10), {});
  expect(read).toHaveLength(2);
});

it('a search whose store is closed between two slices is refused', async () => {
  const { store } = await withPayments();
  const found = store.totalPayments({ search: [{ word: 'nobody' }] });
  const refused = expect(found).rejects.toThrow('The store is closed.');
  await store.close();
  await refused;
});
