import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { pathIn } from '../../../../src/core/store/sqlite/store-folder.ts';
import { verifyFolder } from '../../../../src/core/store/sqlite/verify-folder.ts';
import { auditedPayments } from '../../../support/audited-payments.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { openStoreIn } from '../../../support/store-folder.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const FIRST_STEP = new URL(
  '../../../../src/core/store/sqlite/migrations/0001-records-and-audit.sql',
  import.meta.url,
);
const TABLES = ['payments', 'records', 'audit', 'audit_details', 'customer_stories'];
/** The columns that a table had then: later ones came behind them. */
const columnsOf = (database: DatabaseSync, table: string): string =>
  database
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name)
    .join(', ');

/** A folder as 0.7 left it, and the ids of its payments, newest first. */
const folderOf07 = async () => {
  const [made, dir] = [await tempFolder(), await tempFolder()];
  const store = await openStoreIn(made);
  await auditedPayments(store, new ManualClock(Date.parse('2026-11-22T09:00:00Z')));
  const { payments } = await store.listPayments({}, { limit: 1_000 });
  await store.close();
  const database = new DatabaseSync(pathIn(dir, 'paythread.db'));
  database.exec(`PRAGMA application_id = ${0x50617974}; ${readFileSync(FIRST_STEP, 'utf8')}`);
  database.exec(`ATTACH '${pathIn(made, 'paythread.db')}' AS made;
    ${TABLES.map((table) => `INSERT INTO ${table} SELECT ${columnsOf(database, table)} FROM made.${table};`).join(' ')}
    DETACH made; PRAGMA user_version = 1`);
  database.close();
  return { dir, payments };
};

describe('a data folder of 0.7', () => {
  it('is verified as it is, without the terms of a search', async () => {
    const { dir } = await folderOf07();
    expect(await verifyFolder(dir)).toMatchObject({ broken: 0, places: [] });
  });

  it('is brought up to date with its payments, which are found afterwards and verified', async () => {
    const { dir, payments } = await folderOf07();
    const store = await openStoreIn(dir);
    expect(payments.length).toBeGreaterThan(2);
    expect(await store.listPayments({}, { limit: 1_000 })).toEqual({ payments });
    const search = [{ word: 'kof' }];
    expect(await store.listPayments({ search }, { limit: 1_000 })).toEqual({ payments });
    const { totals } = await store.totalPayments({ search });
    expect(totals.reduce((sum, { count }) => sum + count, 0)).toBe(payments.length);
    await store.close();
    expect(await verifyFolder(dir)).toMatchObject({ broken: 0, places: [] });
    // Opened again, nothing is done a second time.
    const again = await openStoreIn(dir);
    expect(await again.listPayments({ search }, { limit: 1_000 })).toEqual({ payments });
  });

  it.each([
    ["DELETE FROM payment_terms WHERE term = 'kofi'", /1 of its \d search terms are missing/],
    ["INSERT INTO payment_terms VALUES ('esi', 1, 'P1')", /payment_terms: 1 search terms of no/],
  ])('is found out by audit verify when a hand changed its terms: %s', async (sql, place) => {
    const { dir } = await folderOf07();
    await (await openStoreIn(dir)).close();
    const database = new DatabaseSync(pathIn(dir, 'paythread.db'));
    database.exec(sql);
    database.close();
    const { places } = await verifyFolder(dir);
    expect(places.join('\n')).toMatch(place);
  });
});
