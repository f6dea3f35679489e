import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AuditRow } from '../../../../src/core/records/records.ts';
import { StartError } from '../../../../src/core/runtime/errors.ts';
import { mustBeSafeVersion } from '../../../../src/core/store/sqlite/database-file.ts';
import { lockHolder } from '../../../../src/core/store/sqlite/folder-lock.ts';
import type { Store } from '../../../../src/core/store/store.ts';
import { aPayment } from '../../../support/a-payment.ts';
import { NO_PAYMENTS } from '../../../support/no-payments.ts';
import { contentsOf, filesNamed, openStoreIn } from '../../../support/store-folder.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const putPayment = (store: Store) =>
  store.commit({ put: [{ kind: 'payment', record: aPayment() }] });

/** A folder whose store had one payment when it was closed. */
const aClosedStore = async (): Promise<string> => {
  const dir = await tempFolder();
  const store = await openStoreIn(dir);
  await putPayment(store);
  await store.close();
  return dir;
};

const row: AuditRow = {
  ...{ atMs: 1, kind: 'setting', id: 'x', what: 'set' },
  ...{ before: null, after: null },
};

const changed = (dir: string, sql: string): void => {
  const database = new DatabaseSync(join(dir, 'paythread.db'));
  database.exec(sql);
  database.close();
};

describe('opening the SQLite store', () => {
  it('makes the folder and its files for this user alone', { tags: ['T14'] }, async () => {
    const dir = join(await tempFolder(), 'new', 'data');
    const store = await openStoreIn(dir);
    await putPayment(store);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
    for (const name of await filesNamed(dir))
      expect([name, (await stat(join(dir, name))).mode & 0o777]).toEqual([name, 0o600]);
    await store.close();
    expect(await filesNamed(dir)).toEqual(['paythread-lock.db', 'paythread.db']);
  });

  it('goes on over a first start that was killed while it made the database', async () => {
    const dir = await tempFolder();
    for (const suffix of ['', '-wal', '-shm', '-journal'])
      await writeFile(join(dir, `paythread.db.unfinished${suffix}`), 'half of it');
    await writeFile(join(dir, 'paythread-lock.db'), '');
    const store = await openStoreIn(dir);
    expect(await putPayment(store)).toBe(true);
    expect(await filesNamed(dir, 'paythread.db.unfinished')).toEqual([]);
  });

  /** Opening is refused for this reason, and every file is as it was. */
  const expectRefusal = async (dir: string, why: RegExp): Promise<void> => {
    const before = await contentsOf(dir);
    await expect(openStoreIn(dir)).rejects.toThrow(why);
    expect(await contentsOf(dir)).toEqual(before);
  };

  it.each<[string, string, string, RegExp]>([
    [
      'the journal of 0.6',
      'journal-2026-01.ndjson',
      '{}\n',
      /has the store of Paythread 0\.5 or 0\.6 \(journal-2026-01\.ndjson\)/,
    ],
    [
      'a snapshot of 0.5',
      'snapshot.json',
      '{}\n',
      /has the store of Paythread 0\.5 or 0\.6 \(snapshot\.json\)/,
    ],
    [
      'the mark of a move to PostgreSQL',
      'moved-to-postgresql.txt',
      'moved',
      /were moved to PostgreSQL/,
    ],
    ['half of a restore', 'paythread.db.restoring', 'half', /A restore into .* was cut off/],
    ['an empty database that somebody put there', 'paythread.db', '', /paythread\.db is empty/],
    [
      'a file that is no database',
      'paythread.db',
      'hello '.repeat(1_000),
      /paythread\.db is not a database of Paythread/,
    ],
    [
      'the log of a database without the database',
      'paythread.db-wal',
      '',
      /has the log of a database \(paythread\.db-wal\) and not the database/,
    ],
  ])('refuses a folder with %s, and changes nothing', async (_, name, content, why) => {
    const dir = await tempFolder();
    await writeFile(join(dir, name), content);
    await expectRefusal(dir, why);
  });

  it.each<[string, (dir: string) => unknown, RegExp]>([
    [
      'another program’s SQLite database',
      (dir) => changed(dir, 'PRAGMA application_id = 1'),
      /is not a database of Paythread/,
    ],
    [
      'a database of a newer version',
      (dir) => changed(dir, 'PRAGMA user_version = 99'),
      /made by a newer Paythread \(its schema has version 99, this program knows \d+\)/,
    ],
    [
      'a truncated database',
      (dir) => truncate(join(dir, 'paythread.db'), 8_192),
      /is damaged or cut off: database disk image is malformed/,
    ],
  ])('refuses %s, and changes nothing', async (_, prepare, why) => {
    const dir = await aClosedStore();
    await prepare(dir);
    await expectRefusal(dir, why);
  });

  it('goes on over a checkpoint that was cut off, when the header was written and pages were not', async () => {
    const dir = await tempFolder();
    const store = await openStoreIn(dir);
    const long = { ...aPayment(), reason: 'x'.repeat(200_000) };
    await store.commit({ put: [{ kind: 'payment', record: long }] });
    const path = join(dir, 'paythread.db');
    const [short, log] = [await readFile(path), await readFile(`${path}-wal`)];
    await store.close();
    const whole = await readFile(path);
    expect(whole.length).toBeGreaterThan(short.length);
    await writeFile(path, whole.subarray(0, short.length));
    await writeFile(`${path}-wal`, log);
    expect(await (await openStoreIn(dir)).get('payment', long.id)).toEqual(long);
  });

  it.each([...NO_PAYMENTS, '{"id":"x","version":1,"due":{"queue":"x","atMs":1}}'])(
    'names a record whose body is %s, says what helps, and lets go of the folder',
    { tags: ['F83'] },
    async (body) => {
      const dir = await aClosedStore();
      changed(dir, `INSERT INTO records VALUES ('setting', 'x', 1, '${body}', NULL, NULL)`);
      const refusal = await openStoreIn(dir).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StartError);
      expect(String(refusal)).toMatch(
        /^StartError: The setting x in paythread\.db cannot be read\. .*npm run restore/,
      );
      expect(await filesNamed(dir)).toEqual(['paythread-lock.db', 'paythread.db']);
      expect(lockHolder(dir)).toBeUndefined();
      changed(dir, `DELETE FROM records WHERE id = 'x'`);
      expect(await (await openStoreIn(dir)).get('payment', aPayment().id)).toBeDefined();
    },
  );

  it('names a payment that is due and cannot be read', { tags: ['F83'] }, async () => {
    const dir = await aClosedStore();
    const { id } = aPayment();
    changed(
      dir,
      `UPDATE payments SET queue = 'check', due_ms = 1, body = '{"id":"${id}","version":1}'`,
    );
    await expect(openStoreIn(dir)).rejects.toThrow(`The payment ${id} in paythread.db cannot`);
  });

  it('refuses a path that is a file, with the folder’s name', async () => {
    const dir = join(await tempFolder(), 'file');
    await writeFile(dir, '');
    await expect(openStoreIn(dir)).rejects.toThrow(`The data folder ${dir} cannot be used`);
  });

  it('refuses a second opener and names the process that has the folder', {
    tags: ['F44'],
  }, async () => {
    const dir = await tempFolder();
    const store = await openStoreIn(dir);
    await expect(openStoreIn(dir)).rejects.toThrow(
      `The data folder ${dir} is in use by process ${process.pid} on ${hostname()}.`,
    );
    expect(await putPayment(store)).toBe(true);
    await store.close();
    expect(await (await openStoreIn(dir)).get('payment', aPayment().id)).toEqual(aPayment());
  });

  it('takes over at once from a process that was killed, and refuses while it lives', {
    tags: ['F44'],
  }, async () => {
    const dir = await aClosedStore();
    const holder = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { openSqliteStore } = await import('${join(import.meta.dirname, '../../../../src/core/store/sqlite/open-sqlite-store.ts')}');
        const log = { info() {} };
        const { store } = await openSqliteStore({ dir: ${JSON.stringify(dir)}, log, onFatal() {} });
        await store.commit({ put: [{ kind: 'setting', record: { id: 'a', version: 1, value: 'kept' } }] });
        console.log('open'); setInterval(() => store, 1000);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const ended = once(holder, 'exit');
    onTestFinished(() => void holder.kill('SIGKILL'));
    await once(holder.stdout, 'data');
    await expect(openStoreIn(dir)).rejects.toThrow(`in use by process ${holder.pid} on`);
    holder.kill('SIGKILL');
    await ended;
    const store = await openStoreIn(dir);
    expect((await store.get('setting', 'a'))?.value).toBe('kept');
  });

  it('keeps the audit chain whole when a commit of the same turn fails', async () => {
    const dir = await tempFolder();
    const store = await openStoreIn(dir);
    const bad = { ...aPayment(), confirmedAtMs: 0.5 };
    const results = await Promise.allSettled([
      store.commit({ audit: [row] }),
      store.commit({ put: [{ kind: 'payment', record: bad }], audit: [row] }),
      store.commit({ audit: [row] }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await store.close();
    const database = new DatabaseSync(join(dir, 'paythread.db'), { readOnly: true });
    const rows = database.prepare('SELECT seq FROM audit ORDER BY position').all();
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2]);
    database.close();
  });

  it('refuses to change or delete what is in the audit', async () => {
    const dir = await tempFolder();
    const store = await openStoreIn(dir);
    await store.commit({ audit: [{ ...row, detail: { body: 'text' } }] });
    await store.close();
    for (const sql of [
      "UPDATE audit SET entry = '{}'",
      'DELETE FROM audit',
      "UPDATE audit_details SET detail = '{}'",
    ])
      expect(() => changed(dir, sql)).toThrow(/never (changed|deleted)/);
  });

  it.each([
    ['3.51.2', true],
    ['3.50.9', true],
    ['3.51.3', false],
    ['3.52.0', false],
    ['4.0.0', false],
  ])('SQLite %s is refused: %s', (version, isRefused) => {
    const ask = expect(() => mustBeSafeVersion(version));
    if (isRefused) ask.toThrow(`This Node brings SQLite ${version}`);
    else ask.not.toThrow();
  });
});
