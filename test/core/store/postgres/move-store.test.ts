import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Payment } from '../../../../src/core/records/payment.ts';
import type { AuditRow, Put } from '../../../../src/core/records/records.ts';
import { systemClock } from '../../../../src/core/runtime/clock.ts';
import { moveStore } from '../../../../src/core/store/postgres/move-store.ts';
import { verifyDatabase } from '../../../../src/core/store/postgres/verify-database.ts';
import type { Store } from '../../../../src/core/store/store.ts';
import {
  aBatch,
  aForm,
  CONTRACT_NOW_MS,
  draft,
  HOUR_MS,
  notice,
  payment,
  paymentAt,
  setting,
} from '../../../contracts/store/records.ts';
import { commandEnv } from '../../../support/command-env.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { openInstance, startPostgres } from '../../../support/postgres.ts';
import { PASSWORD } from '../../../support/postgres-database.ts';
import { PostgresProxy } from '../../../support/postgres-proxy.ts';
import { openStoreIn } from '../../../support/store-folder.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const postgres = await startPostgres();

const MAIN = new URL('../../../../src/main.js', import.meta.url).pathname;

const auditRow = (
  { id, version, state, flag }: Payment,
  what: string,
  changes: Partial<AuditRow> = {},
): AuditRow => ({
  ...{ atMs: 1, kind: 'payment', id, what, before: null, after: state, version },
  ...(flag === undefined ? {} : { flag }),
  detail: { body: `NUL \0, half \ud83d, ${what}` },
  ...changes,
});

/** What was told of a payment, which has rows of its own. */
const told = (one: Payment): AuditRow =>
  auditRow(one, 'delivered', { kind: 'notice', id: `${one.id}.outcome` });

/** 1,200 payments, some months of them history, one of which is live again; and one of everything else. */
const fill = async (
  store: Store,
  clock: ManualClock,
): Promise<{ payments: Payment[]; others: Put[] }> => {
  const payments = Array.from({ length: 1_200 }, (_, n) =>
    paymentAt(CONTRACT_NOW_MS - n * HOUR_MS, {
      ...(n % 7 === 0 ? { state: 'failed' } : {}),
      terms: {
        ...paymentAt(0).terms,
        amount: { amountMinor: 100 + n, currency: n % 3 === 0 ? 'USD' : 'GHS' },
      },
    }),
  );
  for (const one of payments)
    void store.commit({
      put: [payment(one)],
      audit: [auditRow(one, 'confirmed'), told(one)],
    });
  // A checkpoint puts into the archive what ended long ago.
  await clock.advance(10 * 60_000);
  await expect
    .poll(() => store.listPayments({}, { limit: 2_000 }))
    .toMatchObject({ payments: { length: 1_200 } });
  const open: Payment = {
    ...paymentAt(CONTRACT_NOW_MS + 1),
    state: 'pending',
    due: { queue: 'check', atMs: 5 },
  };
  const reopened: Payment = { ...(payments[900] ?? open), version: 2, flag: 'conflict' };
  payments[900] = reopened;
  const others: Put[] = [
    draft(),
    { kind: 'sms', record: aBatch() },
    notice({ due: { queue: 'notice', atMs: 7 } }),
    { kind: 'form', record: aForm({ answers: { text: 'NUL \0, half \ud83d' } }) },
    setting({ id: 'callback-secret', version: 1, value: 'keep-me' }),
  ];
  await store.commit({
    put: [payment(reopened), payment(open), ...others],
    audit: [
      auditRow(reopened, 'conflict', { before: reopened.state }),
      auditRow(open, 'confirmed'),
    ],
  });
  return { payments: [...payments, open], others };
};

const aFolder = async () => {
  await postgres.emptyTables();
  await (await openInstance(postgres.url())).store.close();
  const dir = await tempFolder();
  const clock = new ManualClock(CONTRACT_NOW_MS + HOUR_MS);
  const store = await openStoreIn(dir, { clock });
  const stored = await fill(store, clock);
  await store.close();
  return { dir, ...stored };
};

const move = (dir: string, url = postgres.url()) => moveStore({ dir, url, clock: systemClock });

/** The script in a process of its own, and all that it wrote. */
const runScript = async (
  env: Record<string, string>,
): Promise<{ code: unknown; output: string }> => {
  const child = spawn(process.execPath, [MAIN, 'migrate-store'], {
    cwd: await tempFolder(),
    env: { ...commandEnv(), ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString();
    });
  const [code] = await once(child, 'close');
  return { code, output };
};

const expectNothingMoved = async (dir: string): Promise<void> => {
  expect(await postgres.query(`SELECT FROM records WHERE id <> 'home'`)).toEqual([]);
  expect(await postgres.query('SELECT FROM audit')).toEqual([]);
  await (await openStoreIn(dir)).close();
};

describe('npm run migrate-store', () => {
  it('moves everything, proves it, and nothing starts from the folder any more', async () => {
    const { dir, payments, others } = await aFolder();
    const { code, output } = await runScript({ DATA_DIR: dir, DATABASE_URL: postgres.url() });
    expect(output).toMatch(/^ +folder +database +amount$/m);
    expect(output).toMatch(/^audit rows +2402 +2402$/m);
    expect(output).toMatch(/^payment failed +114 +114 +GHS [\d,]+\.\d\d$/m);
    expect(output).toMatch(/^payment failed +58 +58 +USD [\d,]+\.\d\d$/m);
    expect(output).toMatch(/^setting +1 +1$/m);
    expect(output).toContain('both sides agree');
    expect(output).not.toContain(PASSWORD);
    expect(code).toBe(0);

    const { store } = await openInstance(postgres.url());
    const listed = await store.listPayments({}, { limit: 2_000 });
    expect(listed.payments).toEqual(payments.toSorted((a, b) => (a.id < b.id ? 1 : -1)));
    for (const { kind, record } of others) expect(await store.get(kind, record.id)).toEqual(record);
    const due = await store.claim('check', { nowMs: 0, leaseMs: 1, limit: 9 });
    expect(due.map(({ record }) => record.id)).toEqual([payments.at(-1)?.id]);
    const audit = await store.auditOf(payments[900]?.id ?? '');
    expect((await verifyDatabase(postgres.url(), { nowMs: 0 })).places).toEqual([]);
    const reopened = payments[900] ?? paymentAt(0);
    const { flag: _, ...before } = { ...reopened, version: 1 };
    expect(audit.filter(({ kind }) => kind === 'payment')).toEqual([
      auditRow(before, 'confirmed'),
      auditRow(reopened, 'conflict', { before: reopened.state }),
    ]);
    await expect(openStoreIn(dir)).rejects.toThrow(/were moved to PostgreSQL.*Set DATABASE_URL/);

    const again = await runScript({ DATA_DIR: dir, DATABASE_URL: postgres.url() });
    expect(again.output).toMatch(/had been moved before/);
    expect(again.code).toBe(0);
  });

  it('says what is missing', async () => {
    const dir = await tempFolder();
    const withoutUrl = await runScript({ DATA_DIR: dir });
    expect(withoutUrl).toMatchObject({
      code: 78,
      output: expect.stringMatching(/^DATABASE_URL is not set/),
    });
    const withoutStore = await runScript({
      DATA_DIR: join(dir, 'none'),
      DATABASE_URL: postgres.url(),
    });
    expect(withoutStore).toMatchObject({
      code: 1,
      output: expect.stringMatching(/no embedded store in/),
    });
  });
});

describe('moving a store', () => {
  it('is refused when the database has something in it', async () => {
    const { dir } = await aFolder();
    const { store } = await openInstance(postgres.url());
    await store.commit({ put: [setting({ id: 'callback-secret', value: 'another' })] });
    await expect(move(dir)).rejects.toThrow(/is not empty/);
    expect(await postgres.query(`SELECT FROM records WHERE id <> 'home'`)).toHaveLength(1);
    await (await openStoreIn(dir)).close();
  });

  it('is refused while Paythread runs', async () => {
    const { dir } = await aFolder();
    const store = await openStoreIn(dir);
    await expect(move(dir)).rejects.toThrow(/is in use by process/);
    await store.close();
  });

  it('is refused when the audit trail is broken, however long ago', async () => {
    const { dir } = await aFolder();
    const changed = (amountMinor: number) => {
      const database = new DatabaseSync(join(dir, 'paythread.db'));
      database
        .prepare('UPDATE payments SET amount_minor = ? WHERE id = (SELECT min(id) FROM payments)')
        .run(amountMinor);
      database.close();
    };
    changed(900);
    await expect(move(dir)).rejects.toThrow(/The audit trail in .* is not whole: payment \w+: /);
    changed(100);
    await expectNothingMoved(dir);
  });

  it('names a record that cannot be read, and moves nothing', { tags: ['F80'] }, async () => {
    const { dir } = await aFolder();
    const database = new DatabaseSync(join(dir, 'paythread.db'));
    const { body } = database.prepare('SELECT body FROM payments ORDER BY id LIMIT 1').get() ?? {};
    const put = (text: string) =>
      database
        .prepare('UPDATE payments SET body = ? WHERE id = (SELECT min(id) FROM payments)')
        .run(text);
    put('{}');
    await expect(move(dir)).rejects.toThrow(
      /not whole: payment \w+: its body is no payment\. Nothing/,
    );
    put(String(body));
    database.exec(`UPDATE records SET body = 'null' WHERE kind = 'setting'`);
    await expect(move(dir)).rejects.toThrow(
      /not whole: setting \S+: its body is no setting\. Nothing/,
    );
    database.close();
    await postgres.emptyTables();
  });

  it('leaves nothing behind when it is cut half-way, and can be run again', async () => {
    const { dir } = await aFolder();
    const proxy = await PostgresProxy.start(postgres.port);
    for (const from of [
      'INSERT INTO records',
      'INSERT INTO audit (',
      'INSERT INTO audit_details',
      'INSERT INTO moved_from',
    ]) {
      proxy.cutOnce({ from, side: 'server', message: 3 });
      await expect(move(dir, postgres.url({ port: proxy.port })), from).rejects.toThrow(
        /cannot be reached/,
      );
      await expectNothingMoved(dir);
    }
    expect(await move(dir)).toMatchObject({ now: true });
  });

  it('knows that it had moved everything when it was cut at the very end', async () => {
    const { dir, payments } = await aFolder();
    const proxy = await PostgresProxy.start(postgres.port);
    proxy.cutOnce({ from: 'COMMIT\0', side: 'client', message: 1 });
    await expect(move(dir, postgres.url({ port: proxy.port }))).rejects.toThrow(
      /cannot be reached/,
    );
    await expect.poll(() => postgres.query('SELECT FROM payments')).toHaveLength(payments.length);
    expect(await move(dir)).toMatchObject({ now: false });
    await expect(openStoreIn(dir)).rejects.toThrow(/were moved to PostgreSQL/);
  });
});
