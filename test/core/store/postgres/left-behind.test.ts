import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mustNotBeLeftBehind } from '../../../../src/core/store/postgres/left-behind.ts';
import { markAsMoved } from '../../../../src/core/store/sqlite/store-folder.ts';
import { runApp } from '../../../support/run-app.ts';
import { openStoreIn } from '../../../support/store-folder.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

describe('a folder whose store should have been moved', () => {
  it('is a reason not to start, until it is moved', async () => {
    const dir = await tempFolder();
    await (await openStoreIn(dir)).close();
    await expect(mustNotBeLeftBehind(dir)).resolves.toBeUndefined();
    const store = await openStoreIn(dir);
    await store.commit({ put: [{ kind: 'setting', record: { id: 's', version: 1, value: '' } }] });
    await store.close();
    await expect(mustNotBeLeftBehind(dir)).rejects.toMatchObject({
      message: expect.stringContaining('npm run migrate-store'),
      exitCode: 78,
    });
    // Before the database is asked: in this one nobody listens.
    const env = { DATA_DIR: dir, DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x', PORT: '0' };
    await expect(runApp(env, { dir })).rejects.toThrow(/was not moved to the database/);
    markAsMoved(dir);
    await expect(mustNotBeLeftBehind(dir)).resolves.toBeUndefined();
  });

  it('is none that is empty, not there, or no folder at all', async () => {
    const dir = await tempFolder();
    await mustNotBeLeftBehind(dir);
    await mustNotBeLeftBehind(join(dir, 'none'));
    await mustNotBeLeftBehind(import.meta.filename);
  });
});
