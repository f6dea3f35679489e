import { describe, expect, it } from 'vitest';
import { ChargeFreeze } from '../../../src/core/guards/charge-freeze.ts';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { examined, healthyEnv } from '../../support/examined.ts';
import { openInstance, startPostgres } from '../../support/postgres.ts';
import { openStoreIn } from '../../support/store-folder.ts';

const postgres = await startPostgres();

const embedded = async () => {
  const env = await healthyEnv();
  return { env, store: await openStoreIn(env['DATA_DIR'] ?? '', { clock: systemClock }) };
};

const shared = async () => {
  const env = { ...(await healthyEnv()), DATABASE_URL: postgres.url() };
  return { env, store: (await openInstance(postgres.url())).store };
};

describe('a store that was restored', () => {
  it.each<[string, () => Promise<{ env: Record<string, string>; store: Store }>, string]>([
    ['embedded', embedded, 'Data folder'],
    ['PostgreSQL', shared, 'Database'],
  ])('is a finding until it was reconciled: %s', async (_name, open, area) => {
    const { env, store } = await open();
    const freeze = new ChargeFreeze(store);
    const mark = { sinceMs: 2_000, backupAtMs: Date.UTC(2026, 10, 21, 9, 30) };
    expect((await examined(env)).of(area)).toEqual([]);
    await freeze.set(mark, systemClock.now());
    // With whoever works with it still there.
    const { of, text } = await examined(env);
    expect(of(area)).toEqual([
      'The store was restored from a backup of 21 Nov 2026, 09:30, so nothing is charged.',
    ]);
    expect(text).toContain('Run "npm run reconcile"');
    await freeze.lift(mark, systemClock.now(), {});
    expect((await examined(env)).of(area)).toEqual([]);
    await store.close();
    expect((await examined(env)).of(area)).toEqual([]);
  });
});
