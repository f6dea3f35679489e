import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/core/runtime/clock.ts';
import { StartError } from '../../../../src/core/runtime/errors.ts';
import { openPostgresStore } from '../../../../src/core/store/postgres/open-postgres-store.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import { eventually } from '../../../support/eventually.ts';
import { FastClock } from '../../../support/fast-clock.ts';
import { freePort } from '../../../support/free-port.ts';
import { openInstance, startOwnPostgres } from '../../../support/postgres.ts';
import { PASSWORD } from '../../../support/postgres-database.ts';

const postgres = await startOwnPostgres();

/** Tries to open, and gives the refusal; whatever it says and logs must not have the password in it. */
const refusal = async (url: string, clock = systemClock): Promise<StartError> => {
  const { log, entries } = capturedLog();
  const opening = openPostgresStore({ url, clock, log });
  const error = await opening.then(
    ({ store }) => store.close().then(() => new Error('it was opened')),
    (reason: unknown) => reason,
  );
  if (!(error instanceof StartError)) throw error;
  const said = `${error.message} ${String(error.cause)} ${JSON.stringify(entries)}`;
  expect(said).not.toContain(PASSWORD);
  return error;
};

/** The database as the first start leaves it. */
const onlySchema = async (): Promise<void> => {
  await postgres.empty();
  await (await openInstance(postgres.url())).store.close();
};

const expectRefusal = async (url: string, message: RegExp): Promise<void> => {
  const error = await refusal(url);
  expect(error.message).toMatch(message);
  expect(error.exitCode).toBe(78);
};

const put = [{ kind: 'setting', record: { id: 's', version: 1, value: '' } }] as const;

/** A role that may log in and nothing else. */
const aRole = async (name: string): Promise<string> => {
  await postgres.query(`CREATE ROLE ${name} LOGIN PASSWORD '${PASSWORD}'`);
  return postgres.url({ user: name });
};

describe('the PostgreSQL store refuses to start', () => {
  it.each([
    ['mysql://paythread@localhost/x', /does not begin with postgres/],
    [`postgres://u:${PASSWORD}@host:port/x`, /is not an address/],
    [`postgres://u:${PASSWORD}@localhost:99999/x`, /is not an address/],
    [`postgres://u:${PASSWORD}@localhost/x?sslrootcert=/no/such/file`, /no such file/],
  ])('on the address %s', async (url, message) => {
    await expectRefusal(url, message);
  });

  it('when nobody answers there for some seconds', async () => {
    const clock = new FastClock(10);
    const startedMs = clock.now();
    const { message, exitCode } = await refusal(postgres.url({ port: await freePort() }), clock);
    expect(message).toMatch(
      /^The database postgres on 127.0.0.1:\d+ cannot be reached: ECONNREFUSED/,
    );
    expect(exitCode).toBe(1);
    expect(clock.now() - startedMs).toBeGreaterThan(9_000);
  });

  it('not when the server starts within these seconds', async () => {
    await postgres.empty();
    await postgres.crash('SIGQUIT');
    const opening = openInstance(postgres.url());
    await postgres.restart();
    expect(await (await opening).store.get('setting', 'x')).toBeUndefined();
  });

  it('with a wrong password, a missing one, and where there is no such database', async () => {
    await expectRefusal(postgres.url({ password: `${PASSWORD}x` }), /password authentication/);
    await expectRefusal(postgres.url({ password: '' }), /asks for a password, and there is none/);
    await expectRefusal(
      postgres.url({ database: 'nowhere' }),
      /^The database nowhere on .* does not exist/,
    );
  });

  it.each(['fsync', 'full_page_writes', 'synchronous_commit'])(
    'with %s=off',
    { tags: ['F40'] },
    async (setting) => {
      await postgres.configure(setting, 'off');
      await expectRefusal(postgres.url(), new RegExp(`${setting} is off there`));
    },
  );

  it('where this role alone loses what was acknowledged, or may not write', async () => {
    const url = await aRole('careless');
    await postgres.query('ALTER ROLE careless SET synchronous_commit = off');
    await expectRefusal(url, /synchronous_commit is off/);
    await postgres.query('ALTER ROLE careless RESET synchronous_commit');
    await postgres.query('ALTER ROLE careless SET default_transaction_read_only = on');
    await expectRefusal(url, /read-only/);
  });

  it('on a replica', { tags: ['F40'] }, async () => {
    await postgres.becomeReplica();
    await expectRefusal(postgres.url(), /is a replica/);
    await postgres.promote();
    await eventually(async () => void (await openInstance(postgres.url())));
  });

  it('in a database of another encoding', async () => {
    await postgres.query(
      `CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
    );
    await expectRefusal(postgres.url({ database: 'latin' }), /encoding is LATIN1/);
  });

  it('on a schema that a newer program made, and changes nothing', { tags: ['F42'] }, async () => {
    await onlySchema();
    await postgres.query(`INSERT INTO migrations (version, file) VALUES (99, '0099-later.sql')`);
    await expectRefusal(postgres.url(), /newer Paythread.* has version 99, this program knows \d+/);
    await postgres.empty();
  });

  it('on a schema of 0.6, and changes nothing', async () => {
    await onlySchema();
    await postgres.query('DELETE FROM migrations WHERE version > 5');
    await postgres.query('UPDATE migrations SET version = 4');
    await expectRefusal(postgres.url(), /Paythread 0\.6 or older .* Start that version on it, or/);
    expect(await postgres.query('SELECT version FROM migrations')).toEqual([{ version: 4 }]);
    await postgres.empty();
  });

  it('without the rights it needs, until it gets them', { tags: ['T24'] }, async () => {
    await postgres.empty();
    const url = await aRole('guest');
    await expectRefusal(
      url,
      /lacks a right in the database postgres .*permission denied for database/,
    );
    await (await openInstance(postgres.url())).store.close();
    await postgres.query(
      'GRANT USAGE ON SCHEMA paythread TO guest; GRANT SELECT ON migrations TO guest',
    );
    const { message } = await refusal(url);
    const grants = /can give them: (.*)\.$/.exec(message)?.[1]?.split('; ') ?? [];
    expect(grants).toContain('GRANT SELECT, INSERT ON paythread.audit');
    for (const grant of grants) await postgres.query(`${grant} TO guest`);
    const { store } = await openInstance(url);
    const row = { kind: 'setting', id: 's', what: 'x', before: null, after: null } as const;
    const audit = [{ atMs: 0, ...row }];
    expect(await store.commit({ put, audit })).toBe(true);
  });
});

describe('a schema of its own', () => {
  it('that somebody else made for a role without rights is enough', async () => {
    await postgres.empty();
    const url = await aRole('owner');
    await postgres.query('CREATE SCHEMA paythread AUTHORIZATION owner');
    const { store } = await openInstance(url);
    expect(await store.commit({ put })).toBe(true);
    expect(await postgres.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });

  it('is left as it was by a step that fails half-way', { tags: ['F42'] }, async () => {
    await postgres.empty();
    // In the way of the first step's last table.
    await postgres.query('CREATE SCHEMA paythread; CREATE TABLE paythread.moved_from (x int)');
    const error = await refusal(postgres.url());
    expect(error.message).toMatch(/relation "moved_from" already exists/);
    const tables = await postgres.query<{ tablename: string }>(
      `SELECT tablename FROM pg_tables WHERE schemaname = 'paythread' ORDER BY tablename`,
    );
    expect(tables.map(({ tablename }) => tablename)).toEqual(['migrations', 'moved_from']);
    await postgres.query('DROP TABLE moved_from');
    await openInstance(postgres.url());
  });
});

describe('a server that comes back otherwise than it went', () => {
  it('ends the program when it must not keep payments any more', { tags: ['F40'] }, async () => {
    await postgres.empty();
    const fatal: Error[] = [];
    const { store } = await openInstance(postgres.url(), { onFatal: (error) => fatal.push(error) });
    await store.nextDueMs('tidy');
    await postgres.configure('fsync', 'off');
    // As a restart does.
    await postgres.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'paythread'`,
    );
    const said = async () => {
      await store.nextDueMs('tidy').catch(() => undefined);
      return fatal.map(({ message }) => message);
    };
    await expect.poll(said).toContainEqual(expect.stringMatching(/fsync is off/));
  });
});
