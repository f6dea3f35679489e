import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { moveStore } from '../../../src/core/store/postgres/move-store.ts';
import { examined, healthyEnv } from '../../support/examined.ts';
import { openInstance, startOwnPostgres, type TestPostgres } from '../../support/postgres.ts';
import { PASSWORD } from '../../support/postgres-database.ts';
import { openStoreIn } from '../../support/store-folder.ts';

const server = await startOwnPostgres();

const env = async (
  changes: Parameters<TestPostgres['url']>[0] = {},
): Promise<Record<string, string>> => ({
  ...(await healthyEnv()),
  DATABASE_URL: server.url(changes),
});

describe('the database', () => {
  it('is fine as it comes, and nothing is made in it', async () => {
    const { findings, text } = await examined(await env());
    expect(findings).toEqual([]);
    expect(text).toMatch(/Connected to the database \S+ on 127\.0\.0\.1:\d+/);
    expect(text).not.toContain(PASSWORD);
    const made = await server.query(`SELECT FROM pg_namespace WHERE nspname = 'paythread'`);
    expect(made).toEqual([]);
  });

  it('that could lose what was acknowledged is a finding', async () => {
    await server.configure('synchronous_commit', 'off');
    const { of, text } = await examined(await env());
    expect(of('Database')).toEqual([expect.stringContaining('synchronous_commit is off')]);
    expect(text).toContain('    Turn it on.');
  });

  it('that does not let us in is a finding without the password', async () => {
    const { of, text } = await examined(await env({ password: 'canary-wrong' }));
    expect(of('Database')).toEqual([expect.stringContaining('refused to let Paythread into')]);
    expect(text).not.toContain('canary');
  });

  it('with another time is a finding', async () => {
    const late = { ...systemClock, now: () => systemClock.now() - 60_000 };
    const { of } = await examined(await env(), late);
    expect(of('Database')).toEqual([expect.stringContaining('60 s apart')]);
  });

  it('that this role may not write is a finding', async () => {
    await server.empty();
    await server.query(`DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN PASSWORD '${PASSWORD}'`);
    const settings = await env({ user: 'guest' });
    const before = await examined(settings);
    expect(before.of('Database')).toEqual([expect.stringContaining('may neither make nor use')]);
    expect(before.text).toContain('    Make it the owner of the database, or of a schema');
    await (await openInstance(server.url())).store.close();
    expect((await examined(settings)).of('Database')).toEqual([
      expect.stringContaining('may neither make nor use'),
    ]);
    await server.query('GRANT USAGE ON SCHEMA paythread TO guest');
    const { text } = await examined(settings);
    expect(text).toContain('lacks rights in the database');
    expect(text).toContain('GRANT SELECT, INSERT ON paythread.audit');
    expect((await examined(await env())).findings).toEqual([]);
    await server.query('DROP OWNED BY guest; DROP ROLE guest');
    await server.empty();
  });

  it('is a finding while a folder holds what should have been moved to it', async () => {
    await server.empty();
    const settings = await env();
    const dir = settings['DATA_DIR'] ?? '';
    const store = await openStoreIn(dir);
    await store.commit({ put: [{ kind: 'setting', record: { id: 's', version: 1, value: '' } }] });
    await store.close();
    const { of, text } = await examined(settings);
    expect(of('Database')).toEqual([expect.stringContaining('was not moved')]);
    expect(text).toContain('    Run "npm run migrate-store"');
    await moveStore({ dir, url: server.url(), clock: systemClock });
    expect((await examined(settings)).findings).toEqual([]);
    const { DATABASE_URL: _, ...without } = settings;
    expect((await examined(without)).of('Data folder')).toEqual([
      expect.stringContaining('were moved to PostgreSQL'),
    ]);
    await server.empty();
  });
});
