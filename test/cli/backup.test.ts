import {
  appendFile,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ChargeFreeze } from '../../src/core/guards/charge-freeze.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { restoreBackup } from '../../src/core/store/restore-backup.ts';
import { takeBackup } from '../../src/core/store/take-backup.ts';
import { aPayment } from '../support/a-payment.ts';
import { expectAcknowledged } from '../support/acknowledged.ts';
import { capturedLog } from '../support/captured-log.ts';
import { runScript } from '../support/child-script.ts';
import { eventually } from '../support/eventually.ts';
import { runCommand } from '../support/run-command.ts';
import { silentLog } from '../support/silent-log.ts';
import { contentsOf, filesNamed, openStoreIn } from '../support/store-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROUNDS = 5;
const surroundings = { clock: systemClock, log: silentLog };

/** A store with one payment, and a backup of it. */
const aBackup = async () => {
  const base = await tempFolder();
  const dir = join(base, 'data');
  const to = join(base, 'backup');
  const store = await openStoreIn(dir, { clock: systemClock });
  await store.commit({ put: [{ kind: 'payment', record: aPayment({ state: 'pending' }) }] });
  await store.close();
  await takeBackup({ dir, to, ...surroundings });
  return { base, dir, to };
};

const restored = (from: string, dir: string) => restoreBackup({ from, dir, ...surroundings });

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
      expect(output).toMatch(/^Backed up the store in .* commits, \d+ payments: \d+ /);
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

  it('changes nothing in the folder it copies', async () => {
    const { base, dir } = await aBackup();
    await writeFile(join(dir, 'paythread.lock'), '{"pid":1,"host":"elsewhere"}\n');
    const before = await contentsOf(dir);
    await takeBackup({ dir, to: join(base, 'another'), ...surroundings });
    expect(await contentsOf(dir)).toEqual(before);
  });

  it('leaves out a last line that is not whole', async () => {
    const { base, dir } = await aBackup();
    const [journal = ''] = await filesNamed(dir, 'journal-');
    await appendFile(join(dir, journal), '{"format":1,"seq":2,"atMs":17');
    const { log, entries } = capturedLog();
    const to = join(base, 'torn');
    const { position } = await takeBackup({ dir, to, clock: systemClock, log });
    expect(position.seq).toBe(1);
    expect(entries, 'nothing had to be cut off afterwards').toEqual([]);
    await restored(join(base, 'torn'), join(base, 'again'));
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
    await expect(takeBackup({ dir, to, ...surroundings })).rejects.toThrow(why);
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

  it('leaves nothing behind when the store is broken', async () => {
    const { base, dir } = await aBackup();
    const [journal = ''] = await filesNamed(dir, 'journal-');
    const whole = await readFile(join(dir, journal), 'utf8');
    await writeFile(join(dir, journal), whole.replace('"amountMinor":5000', '"amountMinor":9000'));
    const to = join(base, 'new', 'deeper');
    await expect(takeBackup({ dir, to, ...surroundings })).rejects.toThrow(
      /did not pass its check: .*line 1.*there is no backup/,
    );
    expect(await readdir(join(base, 'new'))).toEqual([]);
    await mkdir(to);
    await expect(takeBackup({ dir, to, ...surroundings })).rejects.toThrow(/its check/);
    expect(await readdir(to)).toEqual([]);
  });

  it('notices an archive that lacks a payment', async () => {
    const { base, dir, to } = await aBackup();
    const store = await openStoreIn(join(base, 'second'), { clock: systemClock });
    await store.close();
    const [snapshot = ''] = await filesNamed(to, 'snapshot');
    const text = await readFile(join(to, snapshot), 'utf8');
    expect(text).toContain('"kind":"payment"');
    await rm(join(dir, 'snapshot.json'));
    await copyFile(join(to, snapshot), join(dir, 'snapshot.json'));
    await truncate(join(dir, 'snapshot.json'), 40);
    await expect(takeBackup({ dir, to: join(base, 'b'), ...surroundings })).rejects.toThrow(
      /did not pass its check/,
    );
  });
});

describe('npm run restore', () => {
  it('refuses a folder without a whole backup, and touches nothing', async () => {
    const { base, to } = await aBackup();
    const target = join(base, 'target');
    const [journal = ''] = await filesNamed(to, 'journal-');
    const damages: [string, () => Promise<unknown>, RegExp][] = [
      ['changed', () => appendFile(join(to, journal), ' '), /has \d+ bytes instead of \d+/],
      ['missing', () => rename(join(to, journal), join(to, 'x')), /journal-.* is missing/],
      ['book cut', () => truncate(join(to, 'backup.json'), 60), /backup\.json was changed or cut/],
      ['no book', () => rm(join(to, 'backup.json')), /has no backup\.json/],
    ];
    for (const [name, damage, why] of damages) {
      await damage();
      await expect(restored(to, target), name).rejects.toThrow(why);
      expect(await readdir(base), name).not.toContain('target');
    }
  });

  it('notices a byte that changed', async () => {
    const { base, to } = await aBackup();
    const [journal = ''] = await filesNamed(to, 'journal-');
    const text = await readFile(join(to, journal), 'utf8');
    await writeFile(join(to, journal), text.replace('KOFI', 'KOFA'));
    await expect(restored(to, join(base, 'target'))).rejects.toThrow(/another content/);
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

  it('that was cut off lets nothing start, and is ended by running it again', async () => {
    const { base, to } = await aBackup();
    const target = join(base, 'target');
    await mkdir(target);
    const note = { isCopied: false, mark: { sinceMs: 1, backupAtMs: 1 } };
    await writeFile(join(target, 'restore.json'), JSON.stringify(note));
    await copyFile(join(to, 'snapshot.json'), join(target, 'snapshot.json'));
    await writeFile(join(target, 'journal-2026-11.ndjson.tmp'), 'half');
    await expect(openStoreIn(target)).rejects.toThrow(/A restore into .* was cut off/);
    await restored(to, target);
    expect(await filesNamed(target, 'restore')).toEqual([]);
    const store = await openStoreIn(target, { clock: systemClock });
    expect(await new ChargeFreeze(store).standing()).toBeDefined();
    await store.close();
  });

  it('that was cut off before the store was told is told at the next start', async () => {
    const { dir } = await aBackup();
    const mark = { sinceMs: 5, backupAtMs: 4 };
    await writeFile(join(dir, 'restore.json'), JSON.stringify({ isCopied: true, mark }));
    const store = await openStoreIn(dir, { clock: systemClock });
    expect(await new ChargeFreeze(store).standing()).toEqual(mark);
    expect(await filesNamed(dir, 'restore')).toEqual([]);
    await store.close();
  });
});
