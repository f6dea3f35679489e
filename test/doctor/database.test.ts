import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { examined, healthyEnv } from '../support/examined.ts';
import { PASSWORD, TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await TestPostgres.start();
});
afterAll(() => server.stop());

const env = async (changes: Parameters<TestPostgres['url']>[0] = {}) => ({
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
});
