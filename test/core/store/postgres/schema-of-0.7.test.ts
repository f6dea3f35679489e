import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/core/runtime/clock.ts';
import { migrateDatabase } from '../../../../src/core/store/postgres/prepare-database.ts';
import { verifyDatabase } from '../../../../src/core/store/postgres/verify-database.ts';
import { auditedPayments } from '../../../support/audited-payments.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { openInstance, startPostgres } from '../../../support/postgres.ts';

const postgres = await startPostgres();

const FIRST_STEP = new URL(
  '../../../../src/core/store/postgres/migrations/0005-records-and-audit.sql',
  import.meta.url,
);

const LATER_COLUMNS = ['settled_ms', 'network', 'payment_option', 'place', 'merchant'];

/** Puts the schema of 0.7 under the rows that are there; returns the payments, newest first. */
const databaseOf07 = async () => {
  await postgres.empty();
  const { store } = await openInstance(postgres.url());
  await auditedPayments(store, new ManualClock(Date.parse('2026-11-22T09:00:00Z')));
  const { payments } = await store.listPayments({}, { limit: 1_000 });
  await store.close();
  const rows = ['records', 'audit', 'audit_details', 'customer_stories'];
  await postgres.query(`
    ALTER SCHEMA paythread RENAME TO made;
    CREATE SCHEMA paythread;
    SET search_path = paythread;
    CREATE TABLE migrations (version integer PRIMARY KEY, file text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
    ${readFileSync(FIRST_STEP, 'utf8')};
    INSERT INTO migrations (version, file) VALUES (5, '0005-records-and-audit.sql');
    ALTER TABLE made.records ${LATER_COLUMNS.map((name) => `DROP COLUMN ${name}`).join(', ')};
    ${rows.map((table) => `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM made.${table};`).join(' ')}
    SELECT setval(pg_get_serial_sequence('audit', 'position'), (SELECT max(position) FROM audit));
    DROP SCHEMA made CASCADE`);
  return payments;
};

const verify = () => verifyDatabase(postgres.url(), { nowMs: Date.parse('2026-11-23T09:00:00Z') });

describe('a database of 0.7', () => {
  it('is verified as it is, and brought up to date with its payments, which are found afterwards', async () => {
    const payments = await databaseOf07();
    expect(payments.length).toBeGreaterThan(2);
    expect(await verify()).toMatchObject({ broken: 0, places: [] });
    await migrateDatabase(postgres.url(), undefined, systemClock);
    expect(await verify()).toMatchObject({ broken: 0, places: [] });
    const { store } = await openInstance(postgres.url());
    expect(await store.listPayments({}, { limit: 1_000 })).toEqual({ payments });
    const search = [{ word: 'kof' }];
    expect(await store.listPayments({ search }, { limit: 1_000 })).toEqual({ payments });
    const { totals } = await store.totalPayments({ search });
    expect(totals.reduce((sum, { count }) => sum + count, 0)).toBe(payments.length);
    await postgres.query("DELETE FROM payment_terms WHERE term = 'kofi'");
    const { places } = await verify();
    expect(places.join('\n')).toMatch(/1 of its \d search terms are missing/);
  });
});
