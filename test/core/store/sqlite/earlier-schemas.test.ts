import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { QUEUES } from '../../../../src/core/records/due.ts';
import { pathIn } from '../../../../src/core/store/sqlite/store-folder.ts';
import { verifyFolder } from '../../../../src/core/store/sqlite/verify-folder.ts';
import type { Store } from '../../../../src/core/store/store.ts';
import { auditedPayments } from '../../../support/audited-payments.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { openStoreIn } from '../../../support/store-folder.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const MIGRATIONS = new URL('../../../../src/core/store/sqlite/migrations/', import.meta.url);
/** What a search went by until 0.12; the step that made it makes it no more. */
const TERMS = `CREATE TABLE payment_terms (term TEXT NOT NULL, confirmed_ms INTEGER NOT NULL, id TEXT NOT NULL,
  PRIMARY KEY (term, confirmed_ms, id)) STRICT, WITHOUT ROWID;
  INSERT INTO payment_terms VALUES ('kofi', 1, 'P1');`;
/** By version: the schema that it had. */
const SCHEMAS = {
  '0.7': { steps: ['0001-records-and-audit.sql'], more: '' },
  '0.12': {
    steps: ['0001-records-and-audit.sql', '0002-search.sql', '0003-reports.sql'],
    more: TERMS,
  },
  '0.15': {
    steps: [
      '0001-records-and-audit.sql',
      '0002-search.sql',
      '0003-reports.sql',
      '0004-retain.sql',
      '0005-searched.sql',
      '0006-due.sql',
    ],
    more: '',
  },
};
const TABLES = ['payments', 'records', 'audit', 'audit_details', 'customer_stories'];
/** The columns that a table had then: later ones came behind them. */
const columnsOf = (database: DatabaseSync, table: string): string =>
  database
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name)
    .join(', ');

/** How much is in each queue. */
const dueIn = (store: Store) => Promise.all(QUEUES.map((queue) => store.countDue(queue)));

/** A folder as that version left it, and its payments, newest first. */
const folderOf = async (version: keyof typeof SCHEMAS) => {
  const { steps, more } = SCHEMAS[version];
  const [made, dir] = [await tempFolder(), await tempFolder()];
  const store = await openStoreIn(made);
  await auditedPayments(store, new ManualClock(Date.parse('2026-11-22T09:00:00Z')));
  const { payments } = await store.listPayments({}, { limit: 1_000 });
  const counts = await dueIn(store);
  await store.close();
  const database = new DatabaseSync(pathIn(dir, 'paythread.db'));
  // Of step 5; the rows come with what it gave.
  database.function('search_text', (_id, _body) => null);
  const schema = steps.map((file) => readFileSync(new URL(file, MIGRATIONS), 'utf8')).join(';');
  database.exec(`PRAGMA application_id = ${0x50617974}; ${schema}; ${more}`);
  database.exec(`ATTACH '${pathIn(made, 'paythread.db')}' AS made;
    ${TABLES.map((table) => `INSERT INTO ${table} SELECT ${columnsOf(database, table)} FROM made.${table};`).join(' ')}
    DETACH made; PRAGMA user_version = ${steps.length}`);
  database.close();
  return { dir, payments, counts };
};

/** Everything that the schema has, by name. */
const schemaOf = (dir: string): unknown[] => {
  const database = new DatabaseSync(pathIn(dir, 'paythread.db'));
  const schema = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all();
  database.close();
  return schema;
};

describe.each(['0.7', '0.12', '0.15'] as const)('a data folder of %s', (version) => {
  it('is verified as it is, without the terms of a search', async () => {
    const { dir } = await folderOf(version);
    expect(await verifyFolder(dir)).toMatchObject({ broken: 0, places: [] });
  });

  it('is brought up to date with its payments, which are found afterwards and verified', async () => {
    const { dir, payments } = await folderOf(version);
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

  it('has the same due afterwards, and gives it', async () => {
    const { dir, payments, counts } = await folderOf(version);
    const store = await openStoreIn(dir);
    expect(await dueIn(store)).toEqual(counts);
    const checks = payments.filter(({ due }) => due?.queue === 'check');
    expect(checks.length).toBeGreaterThan(0);
    const nowMs = Math.max(...checks.map(({ due }) => due?.atMs ?? 0));
    const claimed = await store.claim('check', { nowMs, leaseMs: 1, limit: 99 });
    expect(new Set(claimed.map(({ record }) => record.id))).toEqual(
      new Set(checks.map(({ id }) => id)),
    );
  });

  it('has the schema of a new folder afterwards', async () => {
    const { dir } = await folderOf(version);
    const made = await tempFolder();
    for (const one of [dir, made]) await (await openStoreIn(one)).close();
    expect(schemaOf(dir)).toEqual(schemaOf(made));
  });

  it('is found out by audit verify when a hand changed what a payment is searched by', async () => {
    const { dir } = await folderOf(version);
    await (await openStoreIn(dir)).close();
    const database = new DatabaseSync(pathIn(dir, 'paythread.db'));
    database.exec("UPDATE payments SET searched = ' esi '");
    database.close();
    const { places } = await verifyFolder(dir);
    expect(places.join('\n')).toMatch(/what it is searched by differs from the record itself/);
  });
});
