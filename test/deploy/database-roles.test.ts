import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { forget } from '../../src/core/privacy/forget.ts';
import { retire } from '../../src/core/privacy/retention.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { eraseInDatabase } from '../../src/core/store/postgres/erase-in-database.ts';
import { migrateDatabase } from '../../src/core/store/postgres/prepare-database.ts';
import { verifyDatabase } from '../../src/core/store/postgres/verify-database.ts';
import { CONTRACT_NOW_MS, DAY_MS } from '../contracts/store/records.ts';
import { aCharge, aPayment } from '../support/a-payment.ts';
import { CustomerHistory, KOFI } from '../support/customer-history.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openInstance, startPostgres } from '../support/postgres.ts';
import { PASSWORD } from '../support/postgres-database.ts';
import { runCommand } from '../support/run-command.ts';

const postgres = await startPostgres();

/** The roles as deploy/database-roles.sh makes them, in an empty database. */
const makeRoles = async (): Promise<void> => {
  const script = readFileSync('deploy/database-roles.sh', 'utf8');
  const [, sql = ''] = /<<SQL\n(.+)\nSQL\n/s.exec(script) ?? [];
  expect(sql).toContain('CREATE ROLE paythread_app ');
  await postgres.query('DROP SCHEMA IF EXISTS paythread CASCADE');
  await postgres.query('DROP ROLE IF EXISTS paythread_owner, paythread_app');
  await postgres.query(sql.replace(/\$DATABASE_(OWNER_)?PASSWORD/g, PASSWORD));
};

it('the rights that the owner gives are all that an instance needs to make, change and remove records', async () => {
  await makeRoles();
  await migrateDatabase(postgres.url({ user: 'paythread_owner' }), 'paythread_app', systemClock);
  const { store } = await openInstance(postgres.url({ user: 'paythread_app' }));
  const draft = aCharge();
  const { id } = draft;
  const entry = { atMs: 0, kind: 'draft', id, before: null, after: null } as const;
  expect(
    await store.commit({
      put: [{ kind: 'draft', record: draft }],
      audit: [{ ...entry, what: 'made' }],
    }),
  ).toBe(true);
  const changed = aCharge({ version: 2, expiresAtMs: 700_000 });
  expect(
    await store.commit({
      put: [{ kind: 'draft', record: changed }],
      audit: [{ ...entry, what: 'changed' }],
    }),
  ).toBe(true);
  expect(await store.get('draft', id)).toEqual(changed);
  expect(
    await store.commit({
      remove: [{ kind: 'draft', id, version: 2 }],
      audit: [{ ...entry, what: 'removed' }],
    }),
  ).toBe(true);
  expect(await store.get('draft', id)).toBeUndefined();
  for (const sql of [`UPDATE audit SET entry = '{}'`, 'DELETE FROM audit', 'TRUNCATE audit'])
    await expect(
      postgres.query(`SET ROLE paythread_app; SET search_path = paythread; ${sql}`),
      sql,
    ).rejects.toThrow('permission denied for table audit');
  const story = await store.auditOf(id);
  expect(story.map(({ what }) => what)).toEqual(['made', 'changed', 'removed']);
});

it('the instances of compose.yaml keep payments with a role that cannot change the audit trail', async () => {
  await makeRoles();
  const [owner, clerk] = ['paythread_owner', 'paythread_app'].map((user) => postgres.url({ user }));
  expect(
    await runCommand('migrate', ['--grant', 'paythread_app'], { DATABASE_URL: owner ?? '' }),
  ).toEqual({ code: 0, output: 'The tables are there, and paythread_app may work with them.\n' });
  const { store } = await openInstance(clerk ?? '');
  const record = aPayment();
  const audit = [
    {
      atMs: 0,
      kind: 'payment',
      id: record.id,
      what: 'x',
      before: null,
      after: 'confirmed',
      version: 1,
    },
  ] as const;
  expect(await store.commit({ put: [{ kind: 'payment', record }], audit })).toBe(true);
  for (const sql of [
    `UPDATE audit SET entry = '{}'`,
    'DELETE FROM audit',
    'TRUNCATE audit',
    'ALTER TABLE audit DISABLE TRIGGER ALL',
    'DROP TABLE audit',
    'CREATE TABLE paythread.mine (x int)',
    'CREATE ROLE another',
  ]) {
    const asClerk = `SET ROLE paythread_app; SET search_path = paythread; ${sql}`;
    await expect(postgres.query(asClerk), sql).rejects.toThrow(/permission denied|must be owner/);
  }
  await expect(
    postgres.query(
      `SET ROLE paythread_app; SET search_path = paythread; UPDATE audit_details SET detail = '{}'`,
    ),
  ).rejects.toThrow('permission denied for table audit_details');
  // A later start of the owner's finds everything in its place.
  await migrateDatabase(owner ?? '', 'paythread_app', systemClock);
  expect(await store.auditOf(record.id)).toHaveLength(1);
});

it('instances forget a customer, and take out what is older than RETAIN, as the role of compose.yaml', async () => {
  await makeRoles();
  await migrateDatabase(postgres.url({ user: 'paythread_owner' }), 'paythread_app', systemClock);
  const url = postgres.url({ user: 'paythread_app' });
  const clock = new ManualClock(CONTRACT_NOW_MS);
  const { store } = await openInstance(url, { clock, isTimeGiven: true });
  await new CustomerHistory(store, clock).lived();
  const erasure = eraseInDatabase({ url, clock });
  const who = { platform: 'terminal', id: 'root', name: 'root' };
  expect(await forget(erasure, { number: KOFI, who, isSure: true }, clock)).toMatchObject({
    kind: 'forgotten',
  });
  clock.jump(90 * DAY_MS);
  expect(await retire(erasure, { beforeMs: clock.now() - DAY_MS }, clock)).toEqual({ payments: 2 });
  expect((await verifyDatabase(url, { nowMs: clock.now() })).places).toEqual([]);
});

it('what a superuser made goes to the owner as docs/operations.md says', async () => {
  await postgres.query('DROP SCHEMA IF EXISTS paythread CASCADE');
  await (await openInstance(postgres.url())).store.close();
  const docs = readFileSync('docs/operations.md', 'utf8');
  const selects = [...docs.matchAll(/^(SELECT format\(.+) \\gexec$/gm)].map(([, sql = '']) => sql);
  expect(selects).toHaveLength(2);
  await postgres.query('ALTER SCHEMA paythread OWNER TO paythread_owner');
  for (const select of selects)
    for (const { format } of await postgres.query<{ format: string }>(select))
      await postgres.query(format);
  await migrateDatabase(postgres.url({ user: 'paythread_owner' }), 'paythread_app', systemClock);
  const { store } = await openInstance(postgres.url({ user: 'paythread_app' }));
  const put = [{ kind: 'setting', record: { id: 's', version: 1, value: '' } }] as const;
  expect(await store.commit({ put })).toBe(true);
});

it('the tables are made by the owner alone, who is told what is missing', async () => {
  const unset = await runCommand('migrate', [], {});
  expect([unset.code, unset.output]).toEqual([78, expect.stringContaining('Set DATABASE_URL')]);
  const wrong = await runCommand('migrate', ['--grant'], {});
  expect([wrong.code, wrong.output]).toEqual([64, expect.stringContaining('--grant <role>')]);
});
