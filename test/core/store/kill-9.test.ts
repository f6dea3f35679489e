import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/core/store/store.ts';
import { expectAcknowledged } from '../../support/acknowledged.ts';
import { runScript } from '../../support/child-script.ts';
import { eventually } from '../../support/eventually.ts';
import { copyAsAfterCrash, openStoreIn } from '../../support/store-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ROUNDS = 15;
/** A life is counted by what it acknowledged, so that a slow machine commits as much. */
const LONGEST_LIFE_LINES = 200;

describe('a process that is killed', () => {
  it('has lost nothing it acknowledged, whenever it was killed', async () => {
    const dir = await tempFolder();
    const all: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const child = await runScript('commit-until-killed.ts', [dir]);
      const life = (round * LONGEST_LIFE_LINES) / ROUNDS;
      await eventually(async () => expect((await child.lines()).length).toBeGreaterThan(life));
      await child.kill('SIGKILL');
      const lines = await child.lines();
      all.push(...lines);
      const store = await openStoreIn(await copyAsAfterCrash(dir));
      await expectAcknowledged(store, lines);
      await store.close();
    }
    expect(all.length).toBeGreaterThan(ROUNDS * 10);
    const store = await openStoreIn(dir);
    await expectAcknowledged(store, all);
    const ids = await listedIds(store);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
  });
});

const listedIds = async (store: Store): Promise<string[]> => {
  const { payments } = await store.listPayments({}, { limit: 1_000_000 });
  return payments.map(({ id }) => id);
};
