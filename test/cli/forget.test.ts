import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { eraseInFolder } from '../../src/core/store/sqlite/open-sqlite-store.ts';
import { restoreBackup } from '../../src/core/store/sqlite/restore-backup.ts';
import { takeBackup } from '../../src/core/store/sqlite/take-backup.ts';
import { verifyFolder } from '../../src/core/store/sqlite/verify-folder.ts';
import { isPseudonym } from '../../src/core/values/pseudonym.ts';
import {
  aShopsLife,
  forget,
  forgettingCases,
  inHistory,
  termsOf,
  tracesIn,
} from '../contracts/forgetting.ts';
import { CustomerHistory, EFUA, KOFI, kofiIn } from '../support/customer-history.ts';
import { keptFolder } from '../support/kept-store.ts';
import { runCommand } from '../support/run-command.ts';
import { silentLog } from '../support/silent-log.ts';
import { contentsOf, copyAsAfterCrash, openStoreIn } from '../support/store-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A folder, closed, in which this happened. */
const aShop = async (happened: (history: CustomerHistory) => Promise<unknown>) => {
  const kept = await keptFolder();
  await inHistory(kept, happened);
  return kept;
};

const tracesInFolder = async (dir: string): Promise<string[]> =>
  Object.values(await contentsOf(dir)).flatMap(kofiIn);

const expectWhole = async (dir: string) => expect((await verifyFolder(dir)).places).toEqual([]);

describe('npm run forget, on a data folder', () => {
  describe('as in every store', { tags: ['T27'] }, () => forgettingCases(keptFolder));

  it('says that nothing is stored about the customer of a cancelled question', async () => {
    const kept = await aShop((history) => history.cancelled({ customerNumber: EFUA }));
    const before = await kept.stored();
    expect(await forget(kept)).toEqual({ kind: 'unknown' });
    expect(await kept.stored()).toEqual(before);
  });

  it('makes pseudonyms with a key of the store’s own, or with the one it is given', async () => {
    const pseudonyms = [];
    for (const key of [undefined, undefined, 'a key', 'a key']) {
      const { kept } = await aShopsLife(keptFolder);
      const answer = await forget(kept, key === undefined ? {} : { key });
      pseudonyms.push(answer.kind === 'forgotten' ? answer.pseudonym : '');
    }
    expect(new Set(pseudonyms).size).toBe(3);
    expect(pseudonyms[3]).toBe(pseudonyms[2]);
  });

  it('takes the customer out of a payment that is still looked at, and the looking goes on', async () => {
    const kept = await aShop((history) =>
      history.paid({ customerNumber: KOFI }, { isOver: false }),
    );
    expect(await forget(kept)).toMatchObject({ kind: 'forgotten' });
    expect(await tracesIn(kept)).toEqual([]);
    await kept.within(async (store) => {
      const [payment] = (await store.listPayments({}, { limit: 5 })).payments;
      const id = payment?.id ?? '';
      expect(await store.get('watch', id)).toBeDefined();
      await new CustomerHistory(store, kept.clock).askedAgain(id);
      const [terms] = await termsOf(store, [id]);
      expect(isPseudonym(terms?.customerNumber ?? '')).toBe(true);
    });
    await expectWhole(kept.dir);
  });

  it('leaves a backup of it, and a way back', async () => {
    const { kept } = await aShopsLife(keptFolder);
    await forget(kept);
    const to = join(await tempFolder(), 'backup');
    await takeBackup({ dir: kept.dir, to, clock: systemClock });
    expect(await tracesInFolder(to)).toEqual([]);
    const back = join(await tempFolder(), 'data');
    await restoreBackup({ from: to, dir: back, clock: systemClock, log: silentLog });
    await expectWhole(back);
    const store = await openStoreIn(back, { clock: kept.clock });
    expect((await store.listPayments({}, { limit: 10 })).payments).toHaveLength(6);
  });

  it('leaves nothing in the log of a store that was killed', async () => {
    const { dir, clock } = await aShop((history) =>
      history.paid({ customerNumber: KOFI, customerName: 'KOFI MENSAH' }),
    );
    const killed = await openStoreIn(dir, { clock });
    await new CustomerHistory(killed, clock).paid({ customerNumber: KOFI });
    const copy = await copyAsAfterCrash(dir);
    expect(kofiIn((await contentsOf(copy))['paythread.db-wal'] ?? '')).not.toEqual([]);
    const inErasure = eraseInFolder({ dir: copy, log: silentLog });
    expect(await forget({ inErasure, clock })).toMatchObject({
      kind: 'forgotten',
      found: { payments: 2 },
    });
    expect(await tracesInFolder(copy)).toEqual([]);
    await expectWhole(copy);
  });

  it('lets the details go that are about the customer, and no others', async () => {
    const { kept, kofis, efuas } = await aShopsLife(keptFolder);
    await forget(kept);
    await kept.within(async (store) => {
      const bodies = async (id: string) =>
        (await store.auditOf(id))
          .filter(({ what }) => what === 'callback')
          .map(({ detail }) => detail !== undefined);
      expect(await bodies(kofis[0] ?? '')).toEqual([false, false, false, false, false]);
      // What the service wrote on behalf of Kofi goes from Efua's payment as well.
      expect(await bodies(efuas[0] ?? '')).toEqual([false]);
      const answers = JSON.stringify(await store.auditOf(efuas[0] ?? ''));
      expect(answers).toContain('{"code":"200","message":"Paid"}');
    });
  });
});

describe('npm run forget, as a command', () => {
  const run = (dir: string, ...args: string[]) => runCommand('forget', args, { DATA_DIR: dir });

  it('does it, or only looks; it never shows the number', async () => {
    const { dir } = (await aShopsLife(keptFolder)).kept;
    const books = join(dir, 'sandbox.json');
    await writeFile(books, '{"payments":[{"customerNumber":"0244123456","amount":50}]}');
    const looked = await run(dir, '024', '412', '3456', '--look');
    expect(looked).toMatchObject({ code: 0 });
    expect(looked.output).toMatch(
      /^Stored about 024 \*\*\* 3456 \(Kofi M\.\): 3 payments from \d+ Jan 2026 to \d+ Mar 2026 \(GHS 150\.00\), 2 SMS, and everything else with the number\./,
    );
    expect(looked.output).toContain('Nothing was changed.');
    expect(await tracesInFolder(dir)).not.toEqual([]);
    const done = await run(dir, '0244123456');
    expect(done.output).toMatch(/^Erased 024 \*\*\* 3456 \(Kofi M\.\): 3 payments/);
    expect(done.output).toContain('Delete the backups.');
    expect(done.code).toBe(0);
    expect(await tracesInFolder(dir)).toEqual([]);
    expect(await readFile(books, 'utf8')).toMatch(/"forgotten-[0-9a-f]{12}-56","amount":50/);
    const again = await run(dir, '+233244123456', '--yes');
    expect(again).toEqual({
      code: 0,
      output: `Nothing about 024 *** 3456 is stored in ${dir}.\n`,
    });
    for (const { output } of [looked, done, again]) expect(kofiIn(output)).toEqual([]);
    const verified = await runCommand('audit', ['verify'], { DATA_DIR: dir });
    expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('is whole') });
  });

  it('reads the number from standard input, so that neither npm nor a shell keeps it', {
    tags: ['T79'],
  }, async () => {
    const { dir } = (await aShopsLife(keptFolder)).kept;
    const cache = await tempFolder();
    const env = { ...process.env, DATA_DIR: dir, npm_config_cache: cache };
    for (const [input, said] of [
      ['0244123456\n', /^Stored about 024 \*\*\* 3456/],
      ['+233 24 412 3456', /^Stored about 024 \*\*\* 3456/],
      ['024412345\n0244123456\n', /too short/],
      ['', /Please give the customer's number/],
    ] as const)
      expect((await runCommand('forget', ['--look'], { DATA_DIR: dir }, input)).output).toMatch(
        said,
      );
    const npm = spawn('npm', ['run', '--silent', 'forget'], { env });
    let output = '';
    for (const stream of [npm.stdout, npm.stderr])
      stream.on('data', (data: Buffer) => {
        output += data.toString();
      });
    npm.stdin.end('0244123456\n');
    await once(npm, 'close');
    expect(output).toMatch(/^Erased 024 \*\*\* 3456/);
    const logs = await contentsOf(join(cache, '_logs'));
    expect(Object.keys(logs).length).toBeGreaterThan(0);
    expect(Object.values(logs).join('').replace(/\D/g, '')).not.toContain('244123456');
    expect(await tracesInFolder(dir)).toEqual([]);
  });

  it.each([
    ['no', 'Nothing was changed.', false],
    ['', 'Nothing was changed.', false],
    ['Yes', 'Erased 024 *** 3456', true],
  ])('asks a person at a terminal, who answers %j', async (answer, said, isErased) => {
    const { dir } = (await aShopsLife(keptFolder)).kept;
    const command = `${process.execPath} ${join(import.meta.dirname, '../../src/main.js')} forget`;
    const terminal = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, DATA_DIR: dir },
    });
    let screen = '';
    terminal.stdout.on('data', (data: Buffer) => {
      const before = screen;
      screen += data.toString();
      const isNew = (asked: string) => !before.includes(asked) && screen.includes(asked);
      if (isNew("customer's number: ")) terminal.stdin.write('0244123456\n');
      if (isNew('Type yes:')) terminal.stdin.write(`${answer}\n`);
    });
    await once(terminal, 'close');
    // What was typed is the terminal's own.
    screen = screen.replace('0244123456\r\n', '');
    expect(screen).toContain('3 payments');
    expect(screen).toContain(said);
    expect(kofiIn(screen)).toEqual([]);
    expect((await tracesInFolder(dir)).length === 0).toBe(isErased);
  });

  it('says what it waits for', async () => {
    const { dir } = await aShop((history) => history.sent({ customerNumber: KOFI }));
    const { code, output } = await run(dir, '0244123456', '--yes');
    expect(code).toBe(1);
    expect(output).toMatch(
      /^024 \*\*\* 3456 is still needed, so nothing was changed:\n {2}payment \w+ \(GHS 50\.00\) has no outcome yet/,
    );
    expect(output).toMatch(/Let Paythread run, and come back /);
  });

  it('says what is wrong with what was typed, and where there is no store', async () => {
    const { dir, clock } = (await aShopsLife(keptFolder)).kept;
    expect(await run(dir)).toMatchObject({
      code: 64,
      output: "Please give the customer's number. It looks like 0244123456.\n",
    });
    expect(await run(dir, '12345')).toMatchObject({
      code: 64,
      output: expect.stringContaining('0244123456'),
    });
    expect(await run(await tempFolder(), '0244123456')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^There is no embedded store in /),
    });
    await openStoreIn(dir, { clock });
    expect(await run(dir, '0244123456')).toMatchObject({
      code: 1,
      output: expect.stringMatching(/is in use by process \d+ .* Stop it first/),
    });
  });

  it('leaves a head that was noted before part of the trail', async () => {
    const { dir } = (await aShopsLife(keptFolder)).kept;
    const { head } = await verifyFolder(dir);
    await run(dir, '0244123456', '--yes');
    expect(await runCommand('audit', ['verify', '--from', head], { DATA_DIR: dir })).toMatchObject({
      code: 0,
      output: expect.stringContaining('is part of it'),
    });
  });
});
