import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ForgetRequest } from '../../src/core/privacy/request.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { forgetInFolder } from '../../src/core/store/forget-in-folder.ts';
import { restoreBackup } from '../../src/core/store/restore-backup.ts';
import { seal } from '../../src/core/store/sealed-json.ts';
import type { Store } from '../../src/core/store/store.ts';
import { takeBackup } from '../../src/core/store/take-backup.ts';
import { verifyFolder } from '../../src/core/store/verify-folder.ts';
import { isPseudonym } from '../../src/core/values/pseudonym.ts';
import { ama } from '../support/a-payment.ts';
import { CustomerHistory, EFUA, EFUAS_NAME, KOFI, kofiIn } from '../support/customer-history.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { runCommand } from '../support/run-command.ts';
import { silentLog } from '../support/silent-log.ts';
import { contentsOf, filesNamed, linesOf, openStoreIn } from '../support/store-folder.ts';
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
  forgetInFolder({ dir, clock, log: silentLog }, { ...ask, ...changes });

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
    // What a process left that died while it wrote them.
    await writeFile(join(dir, 'snapshot.json.tmp'), KOFI);
    await writeFile(join(dir, 'journal-2026-01.ndjson.anew'), KOFI);
    const answer = await forget(dir, clock);
    expect(answer).toMatchObject({ kind: 'forgotten', found: { payments: 3, sms: 2 } });
    expect(await tracesIn(dir)).toEqual([]);
    const after = await expectWhole(dir);
    expect(after.stored.isSameAs(before.stored)).toBe(true);
    expect(after.audited.isSameAs(before.audited)).toBe(true);
    const store = await openStoreIn(dir, { clock });
    const { payments } = await store.listPayments({ customerNumber: KOFI }, { limit: 10 });
    expect(payments).toEqual([]);
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
    const before = await contentsOf(dir);
    expect(await forget(dir, clock)).toEqual({ kind: 'unknown' });
    expect(await contentsOf(dir)).toEqual(before);
  });

  it('only looks until it is told to be sure, and changes nothing then', async () => {
    const { dir, clock } = await aShopsLife();
    const before = await contentsOf(dir);
    const answer = await forget(dir, clock, { isSure: false });
    expect(answer).toMatchObject({
      kind: 'found',
      found: { payments: 3, sms: 2, names: ['KOFI MENSAH'] },
    });
    expect(await contentsOf(dir)).toEqual(before);
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
    const before = await contentsOf(dir);
    const answer = await forget(dir, clock);
    expect(answer).toMatchObject({ kind: 'wait', reasons: [{ what: expect.stringMatching(why) }] });
    expect(await contentsOf(dir)).toEqual(before);
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

  it('leaves a journal that stands without its snapshot, a backup of it, and a way back', async () => {
    const { dir, clock } = await aShopsLife();
    await forget(dir, clock);
    const to = join(await tempFolder(), 'backup');
    await takeBackup({ dir, to, clock: systemClock, log: silentLog });
    const back = join(await tempFolder(), 'data');
    await restoreBackup({ from: to, dir: back, clock: systemClock, log: silentLog });
    await expectWhole(back);
    await rm(join(dir, 'snapshot.json'));
    for (const name of await filesNamed(dir, 'archive-')) await rm(join(dir, name));
    const store = await openStoreIn(dir, { clock });
    expect((await store.listPayments({}, { limit: 10 })).payments).toHaveLength(6);
    await store.close();
    await expectWhole(dir);
  });

  it('refuses a trail that is not whole, because what it seals anew is believed afterwards', async () => {
    const { dir, clock } = await aShopsLife();
    const path = join(dir, 'journal-2026-02.ndjson');
    const lines = await linesOf(path);
    lines[4] = lines[4]?.replace('"amountMinor":5000', '"amountMinor":1') ?? '';
    await writeFile(path, lines.map((line) => `${line}\n`).join(''));
    const before = await contentsOf(dir);
    await expect(forget(dir, clock)).rejects.toThrow(
      /is not whole: journal-2026-02\.ndjson, line 5: it was changed after it was written\. Nothing was changed\./,
    );
    expect(await contentsOf(dir)).toEqual(before);
  });
});

/** Seals the lines of a month anew from the first that differs on, as somebody does who knows how. */
const tampered = async (dir: string, name: string, change: (line: string) => string) => {
  const path = join(dir, name);
  let prev: string | undefined;
  const lines = (await linesOf(path)).map((line) => {
    const { hash, ...entry } = JSON.parse(change(line)) as { hash: string; prev: string };
    const sealed = seal(JSON.stringify({ ...entry, prev: prev ?? entry.prev }).slice(0, -1));
    prev = sealed.hash;
    return sealed.text;
  });
  await writeFile(path, lines.map((line) => `${line}\n`).join(''));
};

describe('a month that was made anew', () => {
  const forgotten = async () => {
    const shop = await aShop(async (history) => {
      await history.paid({ customerNumber: KOFI });
      await history.nextMonth();
      await history.cancelled({ customerNumber: EFUA, customerName: EFUAS_NAME });
    });
    const { head } = await verifyFolder(shop.dir);
    const second = await contentsOf(shop.dir);
    expect(await forget(shop.dir, shop.clock)).toMatchObject({ kind: 'forgotten', sealedAnew: 1 });
    return { ...shop, head, second: second['journal-2026-02.ndjson'] ?? '' };
  };

  it('is told by the trail, and the month behind it stays byte by byte', async () => {
    const { dir, head, second } = await forgotten();
    const now = (await contentsOf(dir))['journal-2026-02.ndjson'] ?? '';
    expect(now.startsWith(second)).toBe(true);
    expect(now.slice(second.length)).toMatch(
      /"files":\[\{"file":"journal-2026-01\.ndjson","was":"/,
    );
    // The noted head is in the month that stayed.
    expect(await verifyFolder(dir, head)).toMatchObject({ broken: 0, hasNoted: true });
  });

  it('is not believed when it ends otherwise than the trail tells', { tags: ['T27'] }, async () => {
    const { dir, clock } = await forgotten();
    await tampered(dir, 'journal-2026-01.ndjson', (line) =>
      line.replaceAll('"code":"200"', '"code":"201"'),
    );
    expect((await verifyFolder(dir)).places.join('\n')).toMatch(
      /journal-2026-02\.ndjson, line 1: it does not follow the line before/,
    );
    await expect(openStoreIn(dir, { clock })).rejects.toThrow(
      /journal-2026-01\.ndjson cannot be trusted: what comes behind it does not follow/,
    );
  });

  it('is not believed when what tells of it is taken away', async () => {
    const { dir, clock } = await forgotten();
    const path = join(dir, 'journal-2026-02.ndjson');
    const lines = await linesOf(path);
    await writeFile(
      path,
      lines
        .slice(0, -2)
        .map((line) => `${line}\n`)
        .join(''),
    );
    await rm(join(dir, 'snapshot.json'));
    expect((await verifyFolder(dir)).places.join('\n')).toMatch(
      /journal-2026-02\.ndjson, line 1: it does not follow the line before/,
    );
    await expect(openStoreIn(dir, { clock })).rejects.toThrow(/cannot be trusted/);
  });

  it('may be made anew again, for another customer', async () => {
    const { dir, clock } = await forgotten();
    expect(await forget(dir, clock, { number: EFUA })).toMatchObject({ kind: 'forgotten' });
    await expectWhole(dir);
    const store = await openStoreIn(dir, { clock });
    await store.close();
    await expectWhole(dir);
  });

  it('goes on in a new month', async () => {
    const { dir, clock } = await aShop((history) => history.paid({ customerNumber: KOFI }));
    clock.jump(40 * 24 * 3_600_000);
    await forget(dir, clock);
    expect(await filesNamed(dir, 'journal-')).toEqual([
      'journal-2026-01.ndjson',
      'journal-2026-02.ndjson',
    ]);
    await expectWhole(dir);
    const store = await openStoreIn(dir, { clock });
    await new CustomerHistory(store, clock).paid({ customerNumber: KOFI });
    await store.close();
    await expectWhole(dir);
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

  it.each([
    ['no', 'Nothing was changed.', false],
    ['', 'Nothing was changed.', false],
    ['Yes', 'Erased 024 *** 3456', true],
  ])('asks a person at a terminal, who answers %j', async (answer, said, isErased) => {
    const { dir } = await aShopsLife();
    const command = `${process.execPath} ${join(import.meta.dirname, '../../src/main.js')} forget 0244123456`;
    const terminal = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, DATA_DIR: dir },
    });
    let screen = '';
    terminal.stdout.on('data', (data: Buffer) => {
      const isAsked = screen.includes('Type yes:');
      screen += data.toString();
      if (!isAsked && screen.includes('Type yes:')) terminal.stdin.write(`${answer}\n`);
    });
    await once(terminal, 'close');
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
      output: expect.stringMatching(
        /^Missing required argument 'number'\.\n[\s\S]* forget 0244123456\n$/,
      ),
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

  it('tells that a head noted before may be gone for this reason', async () => {
    const { dir } = await aShopsLife();
    const { head } = await verifyFolder(dir);
    await run(dir, '0244123456', '--yes');
    const { code, output } = await runCommand('audit', ['verify', '--from', head], {
      DATA_DIR: dir,
    });
    expect(code).toBe(1);
    expect(output).toMatch(
      /Customers were forgotten, the last time on .* may be gone for that reason/,
    );
  });
});
