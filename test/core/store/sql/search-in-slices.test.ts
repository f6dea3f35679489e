import { expect, it } from 'vitest';
import type { PaymentFilter } from '../../../../src/core/records/payment.ts';
import { pageInSlices, totalsInSlices } from '../../../../src/core/store/sql/search-in-slices.ts';
import type { Query, SqlQuestions } from '../../../../src/core/store/sql/sql.ts';
import { SQLITE } from '../../../../src/core/store/sqlite/sqlite-sql.ts';
import { slicedStore } from '../sliced-store.ts';

/** Each tenth payment is Esi's. */
const withPayments = async () => {
  const { select, ...opened } = await slicedStore((at) => ({
    customerName: at % 10 === 0 ? 'Esi Owusu' : 'Kofi Mensah',
  }));
  return { ...opened, select: async <Row extends object>(query: Query) => select<Row>(query) };
};

/** Asks with slices of so many payments. */
const inSlices = (select: SqlQuestions['rows'], inASlice: number): SqlQuestions => ({
  dialect: { ...SQLITE, inASlice },
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
