import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type ForgetRequest, forget as forgetCustomer } from '../../src/core/privacy/forget.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { readHead } from '../../src/core/store/sql/audit-head.ts';
import { eraseInFolder } from '../../src/core/store/sqlite/open-sqlite-store.ts';
import { restoreBackup } from '../../src/core/store/sqlite/restore-backup.ts';
import { takeBackup } from '../../src/core/store/sqlite/take-backup.ts';
import { verifyFolder } from '../../src/core/store/sqlite/verify-folder.ts';
import type { Store } from '../../src/core/store/store.ts';
import { isPseudonym } from '../../src/core/values/pseudonym.ts';
import { ama } from '../support/a-payment.ts';
import { CustomerHistory, EFUA, EFUAS_NAME, KOFI, kofiIn } from '../support/customer-history.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { runCommand } from '../support/run-command.ts';
import { silentLog } from '../support/silent-log.ts';
import { contentsOf, copyAsAfterCrash, openStoreIn, storedIn } from '../support/store-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ask: ForgetRequest = { number: KOFI, who: ama, isSure: true };

/** A folder, closed, in which this happened. */
const aShop = async <T>(happened: (history: CustomerHistory, store: Store) => Promise<T>) => {
  const dir = await tempFolder();
  const clock = new ManualClock();
  const store = await openStoreIn(dir, { clock });
  const ids = await happened(new CustomerHistory(store, clock), store);
  await store.close();
  return { dir, clock, ids };
};

const aShopsLife = () => aShop((history) => history.lived());

const forget = (dir: string, clock: ManualClock, changes: Partial<ForgetRequest> = {}) =>
  forgetCustomer(eraseInFolder({ dir, log: silentLog }), { ...ask, ...changes }, clock);

const tracesIn = async (dir: string): Promise<string[]> =>
  Object.entries(await contentsOf(dir)).flatMap(([name, text]) =>
    kofiIn(text).map((trace) => `${name}: ${trace}`),
  );

const termsOf = async (store: Store, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await store.get('payment', id))?.terms));

const expectWhole = async (dir: string) => {
  const verdict = await verifyFolder(dir);
  expect(verdict.places).toEqual([]);
  return verdict;
};

describe('npm run forget, on a data folder', () => {
  it('leaves neither number nor name in any file, and the money as it was', {
    tags: ['T27'],
  }, async () => {
    const { dir, clock, ids } = await aShopsLife();
    const before = await expectWhole(dir);
    expect((await tracesIn(dir)).length).toBeGreaterThan(50);
    const answer = await forget(dir, clock);
    expect(answer).toMatchObject({ kind: 'forgotten', found: { payments: 3, sms: 2 } });
    expect(await tracesIn(dir)).toEqual([]);
    const after = await expectWhole(dir);
    expect(after.stored.isSameAs(before.stored)).toBe(true);
    expect(after.audited.isSameAs(before.audited)).toBe(true);
    const noted = readHead(before.head);
    expect(await verifyFolder(dir, noted)).toMatchObject({ broken: 0, hasNoted: true });
    const store = await openStoreIn(dir, { clock });
    const { payments } = await store.listPayments({ customerNumber: KOFI }, { limit: 10 });
    expect(payments).toEqual([]);
    for (const search of [[{ word: 'kofi' }], [{ lastDigits: KOFI.slice(-4) }]])
      expect(await store.listPayments({ search }, { limit: 10 })).toEqual({ payments: [] });
    const kofis = await termsOf(store, ids.kofis);
    expect(new Set(kofis.map((terms) => terms?.customerNumber)).size).toBe(1);
    expect(kofis.every((terms) => isPseudonym(terms?.customerNumber ?? ''))).toBe(true);
    expect(kofis.map((terms) => terms?.customerName)).toEqual(Array(3).fill('forgotten'));
    for (const terms of await termsOf(store, ids.efuas))
      expect(terms).toMatchObject({ customerNumber: EFUA, customerName: EFUAS_NAME });
    const told = (await store.auditOf(ids.kofis[0] ?? '')).at(-1);
    expect(told).toMatchObject({ what: 'forgotten', who: ama, before: 'completed' });
  });

  it('says that nothing is stored about a number, and changes nothing', async () => {
    const { dir, clock } = await aShop((history) => history.cancelled({ customerNumber: EFUA }));
    const before = await storedIn(dir);
    expect(await forget(dir, clock)).toEqual({ kind: 'unknown' });
    expect(await storedIn(dir)).toEqual(before);
  });

  it('only looks until it is told to be sure, and changes nothing then', async () => {
    const { dir, clock } = await aShopsLife();
    const before = await storedIn(dir);
    const answer = await forget(dir, clock, { isSure: false });
    expect(answer).toMatchObject({
      kind: 'found',
      found: { payments: 3, sms: 2, names: ['KOFI MENSAH'] },
    });
    expect(await storedIn(dir)).toEqual(before);
  });

  it('finds nothing the second time, and gives what comes later the same pseudonym', async () => {
    const { dir, clock, ids } = await aShopsLife();
    const first = await forget(dir, clock);
    expect(await forget(dir, clock)).toEqual({ kind: 'unknown' });
    const store = await openStoreIn(dir, { clock });
    const history = new CustomerHistory(store, clock);
    const again = await history.paid({ customerNumber: KOFI, customerName: 'KOFI MENSAH' });
    const { payments } = await store.listPayments({ customerNumber: KOFI }, { limit: 10 });
    expect(payments.map(({ id }) => id)).toEqual([again]);
    await store.close();
    expect(await forget(dir, clock)).toMatchObject({
      kind: 'forgotten',
      found: { payments: 1, sms: 0 },
      pseudonym: first.kind === 'forgotten' ? first.pseudonym : '',
    });
    expect(await tracesIn(dir)).toEqual([]);
    await expectWhole(dir);
    const reopened = await openStoreIn(dir, { clock });
    const numbers = (await termsOf(reopened, [...ids.kofis, again])).map(
      (terms) => terms?.customerNumber,
    );
    expect(new Set(numbers).size).toBe(1);
  });

  it('makes pseudonyms with a key of the store’s own, or with the one it is given', async () => {
    const pseudonyms = [];
    for (const key of [undefined, undefined, 'a key', 'a key']) {
      const { dir, clock } = await aShopsLife();
      const answer = await forget(dir, clock, key === undefined ? {} : { key });
      pseudonyms.push(answer.kind === 'forgotten' ? answer.pseudonym : '');
    }
    expect(new Set(pseudonyms).size).toBe(3);
    expect(pseudonyms[3]).toBe(pseudonyms[2]);
  });

  it.each<[string, (history: CustomerHistory, store: Store) => Promise<unknown>, RegExp]>([
    [
      'a payment without an outcome',
      (history) => history.sent({ customerNumber: KOFI }),
      /^payment \w+ \(GHS 50\.00\) has no outcome yet$/,
    ],
    [
      'a question that can be confirmed',
      (history) => history.shown({ customerNumber: KOFI }),
      /^charge \w+ is shown for confirmation$/,
    ],
    [
      'an SMS on its way',
      (history) => history.texted('sms-1', [KOFI, EFUA], 'Hello', { queue: 'sms', atMs: 0 }),
      /^SMS sms-1 is being sent$/,
    ],
    [
      'somebody else’s open payment that mentions the number',
      (history) => history.sent({ customerNumber: EFUA, reference: 'for 0244123456' }),
      /has no outcome yet$/,
    ],
  ])('waits for %s, and changes nothing', async (_name, happened, why) => {
    const { dir, clock } = await aShop(async (history, store) => {
      await history.paid({ customerNumber: KOFI });
      await happened(history, store);
    });
    const before = await storedIn(dir);
    const answer = await forget(dir, clock);
    expect(answer).toMatchObject({ kind: 'wait', reasons: [{ what: expect.stringMatching(why) }] });
    expect(await storedIn(dir)).toEqual(before);
  });

  it('takes the customer out of a payment that is still looked at, and the looking goes on', async () => {
    const { dir, clock } = await aShop((history) =>
      history.paid({ customerNumber: KOFI }, { isOver: false }),
    );
    expect(await forget(dir, clock)).toMatchObject({ kind: 'forgotten' });
    expect(await tracesIn(dir)).toEqual([]);
    const store = await openStoreIn(dir, { clock });
    const [payment] = (await store.listPayments({}, { limit: 5 })).payments;
    const id = payment?.id ?? '';
    expect(await store.get('watch', id)).toBeDefined();
    await new CustomerHistory(store, clock).askedAgain(id);
    expect(isPseudonym((await store.get('payment', id))?.terms.customerNumber ?? '')).toBe(true);
    await store.close();
    await expectWhole(dir);
  });

  it('leaves a backup of it, and a way back', async () => {
    const { dir, clock } = await aShopsLife();
    await forget(dir, clock);
    const to = join(await tempFolder(), 'backup');
    await takeBackup({ dir, to, clock: systemClock });
    expect(await tracesIn(to)).toEqual([]);
    const back = join(await tempFolder(), 'data');
    await restoreBackup({ from: to, dir: back, clock: systemClock, log: silentLog });
    await expectWhole(back);
    const store = await openStoreIn(back, { clock });
    expect((await store.listPayments({}, { limit: 10 })).payments).toHaveLength(6);
  });

  it('leaves nothing in the log of a store that was killed', async () => {
    const { dir, clock } = await aShop(async (history) => {
      await history.paid({ customerNumber: KOFI, customerName: 'KOFI MENSAH' });
    });
    const killed = await openStoreIn(dir, { clock });
    await new CustomerHistory(killed, clock).paid({ customerNumber: KOFI });
    const copy = await copyAsAfterCrash(dir);
    expect((await tracesIn(copy)).some((trace) => trace.startsWith('paythread.db-wal'))).toBe(true);
    expect(await forget(copy, clock)).toMatchObject({ kind: 'forgotten', found: { payments: 2 } });
    expect(await tracesIn(copy)).toEqual([]);
    await expectWhole(copy);
  });

  it('lets the details go that are about the customer, and no others', async () => {
    const { dir, clock, ids } = await aShopsLife();
    await forget(dir, clock);
    const store = await openStoreIn(dir, { clock });
    const bodies = async (id: string) =>
      (await store.auditOf(id))
        .filter(({ what }) => what === 'callback')
        .map(({ detail }) => detail !== undefined);
    expect(await bodies(ids.kofis[0] ?? '')).toEqual([false, false, false, false, false]);
    // What the service wrote on behalf of Kofi goes from Efua's payment as well.
    expect(await bodies(ids.efuas[0] ?? '')).toEqual([false]);
    const answers = JSON.stringify(await store.auditOf(ids.efuas[0] ?? ''));
    expect(answers).toContain('{"code":"200","message":"Paid"}');
  });

  it('is told from details that somebody took away', { tags: ['T27'] }, async () => {
    const { dir, clock } = await aShopsLife();
    await forget(dir, clock);
    const store = await openStoreIn(dir, { clock });
    const id = await new CustomerHistory(store, clock).paid({ customerNumber: EFUA });
    await store.close();
    await expectWhole(dir);
    const database = new DatabaseSync(join(dir, 'paythread.db'));
    database.exec(`DELETE FROM audit_details WHERE position =
      (SELECT min(position) FROM audit JOIN audit_details USING (position) WHERE id = '${id}')`);
    database.close();
    expect((await verifyFolder(dir)).places).toEqual([
      expect.stringMatching(/: its detail is gone, and no customer was forgotten since$/),
    ]);
  });
});

describe('npm run forget, as a command', () => {
  const run = (dir: string, ...args: string[]) => runCommand('forget', args, { DATA_DIR: dir });

  it('does it, or only looks; it never shows the number', async () => {
    const { dir } = await aShopsLife();
    const books = join(dir, 'sandbox.json');
    await writeFile(books, '{"payments":[{"customerNumber":"0244123456","amount":50}]}');
    const looked = await run(dir, '024', '412', '3456', '--look');
    expect(looked).toMatchObject({ code: 0 });
    expect(looked.output).toMatch(
      /^Stored about 024 \*\*\* 3456 \(Kofi M\.\): 3 payments from \d+ Jan 2026 to \d+ Mar 2026 \(GHS 150\.00\), 2 SMS, and what else mentions the number\./,
    );
    expect(looked.output).toContain('Nothing was changed.');
    expect(await tracesIn(dir)).not.toEqual([]);
    const done = await run(dir, '0244123456');
    expect(done.output).toMatch(/^Erased 024 \*\*\* 3456 \(Kofi M\.\): 3 payments/);
    expect(done.output).toContain('Delete the backups.');
    expect(done.code).toBe(0);
    expect(await tracesIn(dir)).toEqual([]);
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
    const { dir } = await aShopsLife();
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
    expect(await tracesIn(dir)).toEqual([]);
  });

  it.each([
    ['no', 'Nothing was changed.', false],
    ['', 'Nothing was changed.', false],
    ['Yes', 'Erased 024 *** 3456', true],
  ])('asks a person at a terminal, who answers %j', async (answer, said, isErased) => {
    const { dir } = await aShopsLife();
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
    expect((await tracesIn(dir)).length === 0).toBe(isErased);
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
    const { dir, clock } = await aShopsLife();
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
    const { dir } = await aShopsLife();
    const { head } = await verifyFolder(dir);
    await run(dir, '0244123456', '--yes');
    expect(await runCommand('audit', ['verify', '--from', head], { DATA_DIR: dir })).toMatchObject({
      code: 0,
      output: expect.stringContaining('is part of it'),
    });
  });
});
