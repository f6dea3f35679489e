import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { ChargeFreeze } from '../../src/core/guards/charge-freeze.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { restoreBackup } from '../../src/core/store/sqlite/restore-backup.ts';
import { takeBackup } from '../../src/core/store/sqlite/take-backup.ts';
import { expectAcknowledged } from '../support/acknowledged.ts';
import { auditedPayments } from '../support/audited-payments.ts';
import { runScript } from '../support/child-script.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { runCommand } from '../support/run-command.ts';
import { silentLog } from '../support/silent-log.ts';
import { contentsOf, filesNamed, openStoreIn, storedIn } from '../support/store-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROUNDS = 5;

/** A store with three payments, and a backup of it. */
const aBackup = async () => {
  const base = await tempFolder();
  const dir = join(base, 'data');
  const to = join(base, 'backup');
  const clock = new ManualClock();
  const store = await openStoreIn(dir, { clock });
  await auditedPayments(store, clock);
  await store.close();
  await takeBackup({ dir, to, clock: systemClock });
  return { base, dir, to };
};

const restored = (from: string, dir: string) =>
  restoreBackup({ from, dir, clock: systemClock, log: silentLog });

describe('npm run backup', () => {
  it(`is consistent under load, ${ROUNDS} times`, async () => {
    const base = await tempFolder();
    const dir = join(base, 'data');
    const child = await runScript('commit-until-killed.ts', [dir]);
    await eventually(async () => expect((await child.lines()).length).toBeGreaterThan(50));
    for (let round = 0; round < ROUNDS; round++) {
      const to = join(base, `backup-${round}`);
      const acknowledged = await child.lines();
      const { code, output } = await runCommand('backup', [to], { DATA_DIR: dir });
      expect(output).toMatch(
        /^Backed up the store in .* rows of the audit trail, \d+ payments: \d+ /,
      );
      expect(code).toBe(0);
      // It goes on when the copy has been looked at, which would take long beside it.
      child.process.kill('SIGSTOP');
      const dataDir = join(base, `restored-${round}`);
      expect(await runCommand('restore', [to], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
      const store = await openStoreIn(dataDir, { clock: systemClock });
      await expectAcknowledged(store, acknowledged);
      expect(await new ChargeFreeze(store).standing()).toBeDefined();
      await store.close();
      child.process.kill('SIGCONT');
    }
    // It went on all the time, and with a lock that nobody touched.
    const before = (await child.lines()).length;
    await eventually(async () => expect((await child.lines()).length).toBeGreaterThan(before));
    expect((await child.lines()).filter((line) => line.startsWith('fatal'))).toEqual([]);
    await child.kill('SIGKILL');
    await expectAcknowledged(await openStoreIn(dir, { clock: systemClock }), await child.lines());
  });

  it('changes nothing in the folder it copies, and is for this user alone', async () => {
    const { base, dir, to } = await aBackup();
    const before = await storedIn(dir);
    await takeBackup({ dir, to: join(base, 'another'), clock: systemClock });
    expect(await storedIn(dir)).toEqual(before);
    for (const name of ['', 'paythread.db', 'backup.json'])
      expect((await stat(join(to, name))).mode & 0o077).toBe(0);
  });

  it.each<[string, (base: string, dir: string) => Promise<string>, RegExp]>([
    [
      'a folder with something in it',
      async (base) => {
        await mkdir(join(base, 'full'));
        await writeFile(join(base, 'full', 'x'), '');
        return join(base, 'full');
      },
      /is not empty\. Name a new one/,
    ],
    ['a folder in the data folder', async (_base, dir) => join(dir, 'b'), /is in the data folder/],
    [
      'a folder that leads into the data folder',
      async (base, dir) => {
        await symlink(dir, join(base, 'link'));
        return join(base, 'link', 'deep', 'b');
      },
      /is in the data folder/,
    ],
    [
      'a file',
      async (base) => {
        await writeFile(join(base, 'file'), '');
        return join(base, 'file');
      },
      /file is not a folder/,
    ],
  ])('refuses %s and leaves it as it is', async (_name, make, why) => {
    const { base, dir } = await aBackup();
    const to = await make(base, dir);
    const before = await contentsOf(dir);
    const { code, output } = await runCommand('backup', [to], { DATA_DIR: dir });
    expect(output).toMatch(why);
    expect(code).toBe(1);
    expect(await contentsOf(dir)).toEqual(before);
    expect(await readdir(join(base, 'full')).catch(() => ['x'])).toEqual(['x']);
  });

  it('says what it needs', async () => {
    const dir = await tempFolder();
    const env = { DATA_DIR: dir };
    expect(await runCommand('backup', [], env)).toMatchObject({
      code: 64,
      output: expect.stringMatching(
        /^Missing required argument 'folder'\.\n[\s\S]*Example:\n.* backup \/backup\//,
      ),
    });
    expect(await runCommand('backup', [join(dir, 'b')], env)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^There is no embedded store in/),
    });
    expect(await readdir(dir)).toEqual([]);
  });

  it('names the record that cannot be read, and makes no backup of it', {
    tags: ['F80'],
  }, async () => {
    const { base, dir } = await aBackup();
    const database = new DatabaseSync(join(dir, 'paythread.db'));
    database.exec("UPDATE payments SET body = 'null'");
    database.close();
    const { code, output } = await runCommand('backup', [join(base, 'new')], { DATA_DIR: dir });
    expect(output).toMatch(
      /did not pass its check: payment \w+: its body is no payment\. .*no backup/,
    );
    expect(code).toBe(1);
  });

  it('leaves nothing behind when the store is broken', async () => {
    const { base, dir } = await aBackup();
    const database = new DatabaseSync(join(dir, 'paythread.db'));
    database.exec('UPDATE payments SET amount_minor = 9000');
    database.close();
    const to = join(base, 'new', 'deeper');
    await expect(takeBackup({ dir, to, clock: systemClock })).rejects.toThrow(
      /did not pass its check: payment \w+: .*there is no backup/,
    );
    expect(await readdir(join(base, 'new'))).toEqual([]);
    await mkdir(to);
    await expect(takeBackup({ dir, to, clock: systemClock })).rejects.toThrow(/its check/);
    expect(await readdir(to)).toEqual([]);
  });
});

describe('npm run restore', () => {
  it('refuses a folder without a whole backup, and touches nothing', async () => {
    const { base, to } = await aBackup();
    const target = join(base, 'target');
    const path = join(to, 'paythread.db');
    const damages: [string, () => Promise<unknown>, RegExp][] = [
      ['changed', () => appendFile(path, ' '), /paythread\.db has another content/],
      ['missing', () => rename(path, join(to, 'x')), /paythread\.db is missing/],
      ['book cut', () => truncate(join(to, 'backup.json'), 60), /backup\.json was changed or cut/],
      ['no book', () => rm(join(to, 'backup.json')), /has no backup\.json/],
    ];
    for (const [name, damage, why] of damages) {
      await damage();
      await expect(restored(to, target), name).rejects.toThrow(why);
      expect(await readdir(base), name).not.toContain('target');
    }
  });

  it('refuses to write over a store, in use or not', async () => {
    const { dir, to } = await aBackup();
    const before = await contentsOf(dir);
    await expect(restored(to, dir)).rejects.toThrow(/There is a store in .* move the files/);
    expect(await contentsOf(dir)).toEqual(before);
    const store = await openStoreIn(dir, { clock: systemClock });
    await expect(restored(to, dir)).rejects.toThrow(/in use by process/);
    await store.close();
  });

  it.each(['paythread.db.restoring', 'paythread.db.restoring-wal'])(
    'that was cut off and left %s lets nothing start, and is ended by running it again',
    async (left) => {
      const { base, to } = await aBackup();
      const target = join(base, 'target');
      await mkdir(target);
      await writeFile(join(target, left), 'half of it');
      await expect(openStoreIn(target)).rejects.toThrow(/A restore into .* was cut off/);
      await restored(to, target);
      expect(await filesNamed(target, 'paythread.db.restoring')).toEqual([]);
      const store = await openStoreIn(target, { clock: systemClock });
      expect(await new ChargeFreeze(store).standing()).toBeDefined();
      await store.close();
    },
  );

  it('has the mark that freezes charges in the database before that has its name', async () => {
    const { base, to } = await aBackup();
    const target = join(base, 'target');
    const { mark } = await restored(to, target);
    const { takenAtMs } = JSON.parse(await readFile(join(to, 'backup.json'), 'utf8'));
    expect(mark.backupAtMs).toBe(takenAtMs);
    // No start has come in between.
    const database = new DatabaseSync(join(target, 'paythread.db'), { readOnly: true });
    const row = database.prepare("SELECT body FROM records WHERE id = 'restored'").get();
    expect(JSON.parse(JSON.parse(String(row?.['body'])).value)).toEqual(mark);
    database.close();
  });
});
