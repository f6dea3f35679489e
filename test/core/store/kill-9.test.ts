import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/core/store/store.ts';
import { runScript } from '../../support/child-script.ts';
import { eventually } from '../../support/eventually.ts';
import { copyAsAfterCrash, openStoreIn } from '../../support/store-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ROUNDS = 15;
const LONGEST_LIFE_MS = 150;

/** What a process said was stored, before it died: the newest version of each record, or that it is gone. */
const acknowledged = (lines: readonly string[]): Map<string, number | 'gone'> =>
  new Map(
    lines.slice(1).map((line) => {
      const [kind = '', id = '', what] = line.split(' ');
      return [`${kind} ${id}`, what === 'gone' ? 'gone' : Number(what)];
    }),
  );

const expectStored = async (store: Store, key: string, what: number | 'gone'): Promise<void> => {
  const [kind, id = ''] = key.split(' ');
  const record = await store.get(kind === 'payment' ? 'payment' : 'setting', id);
  // A commit may have become durable without anybody having been told.
  if (what === 'gone') expect(record, key).toBeUndefined();
  else if (kind === 'payment') expect(record?.version, key).toBeGreaterThanOrEqual(what);
};

describe('a process that is killed', () => {
  it('has lost nothing it acknowledged, whenever it was killed', async () => {
    const dir = await tempFolder();
    const all = new Map<string, number | 'gone'>();
    for (let round = 0; round < ROUNDS; round++) {
      const child = await runScript('commit-until-killed.ts', [dir]);
      await eventually(async () => expect((await child.lines())[0]).toBe('open'));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_LIFE_MS));
      await child.kill('SIGKILL');
      const said = acknowledged(await child.lines());
      for (const [key, what] of said) all.set(key, what);

      const store = await openStoreIn(await copyAsAfterCrash(dir));
      for (const [key, what] of said) await expectStored(store, key, what);
      await store.close();
    }
    expect(all.size).toBeGreaterThan(ROUNDS * 10);
    const store = await openStoreIn(dir);
    for (const [key, what] of all) await expectStored(store, key, what);
    const ids = await listedIds(store);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  }, 60_000);
});

const listedIds = async (store: Store): Promise<string[]> => {
  const { payments } = await store.listPayments({}, { limit: 1_000_000 });
  return payments.map(({ id }) => id);
};
