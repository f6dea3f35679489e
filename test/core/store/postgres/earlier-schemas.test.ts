import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/core/runtime/clock.ts';
import { migrateDatabase } from '../../../../src/core/store/postgres/prepare-database.ts';
import { verifyDatabase } from '../../../../src/core/store/postgres/verify-database.ts';
import { auditedPayments } from '../../../support/audited-payments.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { openInstance, startPostgres } from '../../../support/postgres.ts';

const postgres = await startPostgres();

const MIGRATIONS = new URL('../../../../src/core/store/postgres/migrations/', import.meta.url);
const GIVEN_BACK = ['given_minor'];
const SEARCHED = ['searched', 'run', ...GIVEN_BACK];
/** What the steps of 0.12 made besides: the terms of its searches, and columns that were always filled. */
const MORE = `CREATE TABLE payment_terms (term text, confirmed_ms bigint, id text);
  ALTER TABLE payments ALTER network SET NOT NULL, ALTER payment_option SET NOT NULL, ALTER place SET NOT NULL`;
/** What the program did at the end of step 9. */
const FILLED = `ALTER TABLE payments ALTER network SET NOT NULL, ALTER payment_option SET NOT NULL, ALTER place SET NOT NULL;
  CREATE INDEX ON payments (confirmed_ms, id) INCLUDE (searched, state, currency, amount_minor) WHERE searched IS NOT NULL`;
/** By version: its schema, and the columns that came after it. */
const SCHEMAS = {
  '0.7': {
    steps: ['0005-records-and-audit.sql'],
    more: '',
    later: ['settled_ms', 'network', 'payment_option', 'place', 'merchant', ...SEARCHED],
  },
  '0.12': {
    steps: ['0005-records-and-audit.sql', '0006-search.sql', '0007-reports.sql'],
    more: MORE,
    later: SEARCHED,
  },
  '0.15': {
    steps: [
      '0005-records-and-audit.sql',
      '0006-search.sql',
      '0007-reports.sql',
      '0008-retain.sql',
      '0009-searched.sql',
    ],
    more: FILLED,
    later: GIVEN_BACK,
  },
};

/** Puts the schema of that version under the rows that are there; returns the payments, newest first. */
const databaseOf = async (version: keyof typeof SCHEMAS) => {
  const { steps, more, later } = SCHEMAS[version];
  await postgres.empty();
  const { store } = await openInstance(postgres.url());
  await auditedPayments(store, new ManualClock(Date.parse('2026-11-22T09:00:00Z')));
  const { payments } = await store.listPayments({}, { limit: 1_000 });
  await store.close();
  const schema = await schemaOf();
  const client = await postgres.connect();
  await client.query(`BEGIN;
    ALTER SCHEMA paythread RENAME TO made;
    CREATE SCHEMA paythread;
    SET LOCAL search_path = paythread;
    CREATE TABLE migrations (version integer PRIMARY KEY, file text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  for (const [at, file] of steps.entries()) {
    await client.query(readFileSync(new URL(file, MIGRATIONS), 'utf8'));
    await client.query('INSERT INTO migrations (version, file) VALUES ($1, $2)', [5 + at, file]);
  }
  await client.query(more);
  const rows = ['records', 'audit', 'audit_details', 'customer_stories'];
  await client.query(`
    ALTER TABLE made.records ${later.map((name) => `DROP COLUMN ${name}`).join(', ')};
    ${rows.map((table) => `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM made.${table};`).join(' ')}
    SELECT setval(pg_get_serial_sequence('audit', 'position'), (SELECT max(position) FROM audit));
    DROP SCHEMA made CASCADE;
    COMMIT`);
  return { payments, schema };
};

/** The columns, indexes and functions of the schema, by name. */
const schemaOf = async (): Promise<unknown[]> => [
  ...(await postgres.query(`SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = 'paythread' ORDER BY table_name, column_name`)),
  ...(await postgres.query(`SELECT tablename, indexname, indexdef FROM pg_indexes
    WHERE schemaname = 'paythread' ORDER BY indexname`)),
  ...(await postgres.query(`SELECT proname, prosrc FROM pg_proc
    WHERE pronamespace = 'paythread'::regnamespace ORDER BY proname`)),
];

const verify = () => verifyDatabase(postgres.url(), { nowMs: Date.parse('2026-11-23T09:00:00Z') });

describe.each(['0.7', '0.12', '0.15'] as const)('a database of %s', (version) => {
  it('is verified as it is, and brought up to date with its payments, which are found afterwards', async () => {
    const { payments, schema } = await databaseOf(version);
    expect(payments.length).toBeGreaterThan(2);
    expect(await verify()).toMatchObject({ broken: 0, places: [] });
    await migrateDatabase(postgres.url(), undefined, systemClock);
    expect(await verify()).toMatchObject({ broken: 0, places: [] });
    // As if it had been made by this version.
    expect(await schemaOf()).toEqual(schema);
    const { store } = await openInstance(postgres.url());
    expect(await store.listPayments({}, { limit: 1_000 })).toEqual({ payments });
    const search = [{ word: 'kof' }];
    expect(await store.listPayments({ search }, { limit: 1_000 })).toEqual({ payments });
    const { totals } = await store.totalPayments({ search });
    expect(totals.reduce((sum, { count }) => sum + count, 0)).toBe(payments.length);
    await postgres.query("UPDATE payments SET searched = ' esi '");
    const { places } = await verify();
    expect(places.join('\n')).toMatch(/what it is searched by differs/);
  });
});
