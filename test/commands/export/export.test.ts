import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EngineOptions } from '../../../src/app/engine-options.ts';
import { platforms } from '../../../src/bots/all-platforms.ts';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { FileDelivery } from '../../../src/commands/inbound.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { observedStore } from '../../../src/core/telemetry/observer.ts';
import { ama, aPayment, shop } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import { runScript } from '../../support/child-script.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { eventually } from '../../support/eventually.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const COLUMNS =
  'confirmed_at,settled_at,transaction_id,state,amount,currency,payment_option,network,customer_number,customer_name,reference,requested_by,approved_by,conversation,branch,merchant,reason,given_back,local_date,local_time';

let store: Store;
let desk: Desk;
let grants: Partial<Grants>;
let delivery: FileDelivery;

beforeEach(async () => {
  grants = { reveal: false };
  delivery = { ok: true };
  store = await openStore();
  const clock = new ManualClock(Date.parse('2026-11-22T16:00:00Z'));
  const branches = [
    { name: 'Osu', conversations: [`${shop.platform}:${shop.channel}`], members: [] },
  ];
  desk = openDesk(store, clock, () => ({ ...allGrants(), ...grants }), undefined, undefined, {
    access: {
      grantsOf: async () => ({ ...allGrants(), ...grants }),
      toldRules: () => ({ notify: [], branches }),
    },
    settings: {
      ...{ currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra', senderIds: [] },
      texts: { templates: new Map(), receipt: 'ask', shop: 'Adwoa Stores' },
    },
  });
  desk.sendsFiles(async () => delivery);
});

const stored = async (id: string, confirmedAt: string, changes: Partial<Payment> = {}) => {
  const record: Payment = {
    ...aPayment({ state: 'completed' }),
    id,
    confirmedAtMs: Date.parse(confirmedAt),
    ...changes,
  };
  await store.commit({ put: [{ kind: 'payment', record }] });
};

const typed = async (words: string, command = 'export') =>
  (await desk.type(ama, command, words)).map(cardText);

const bytesOf = async (file: Desk['files'][number] | undefined): Promise<Buffer> =>
  Buffer.from((await file?.content.arrayBuffer()) ?? new ArrayBuffer());

/** The rows of the last file, as another reader reads them. */
const rows = async (): Promise<Record<string, string>[]> =>
  parse(await bytesOf(desk.files.at(-1)), { bom: true, columns: true, record_delimiter: '\r\n' });

/** Its store lists these payments. */
const deskOn = (listPayments: Store['listPayments'], more: Partial<EngineOptions> = {}) =>
  openDesk(
    { ...observedStore(store, () => () => {}), listPayments },
    new ManualClock(Date.parse('2026-11-22T16:00:00Z')),
    () => ({ ...allGrants(), ...grants }),
    undefined,
    undefined,
    more,
  );

const exportsOnDisk = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('paythread-export-'));

// Other tests write exports at the same time.
beforeEach(async () => {
  vi.stubEnv('TMPDIR', await tempFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
});

describe('/export', () => {
  it('sends a file with every column in order, UTF-8 with a mark, and CRLF', async () => {
    await stored('P1', '2026-11-20T09:00:00Z', {
      settledAtMs: Date.parse('2026-11-20T09:01:00.250Z'),
      approver: { ...ama, name: 'Kojo' },
      terms: { ...aPayment().terms, amount: { amountMinor: 120_050, currency: 'GHS' } },
    });
    await typed('');
    const bytes = await bytesOf(desk.files[0]);
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [header, line, end] = bytes.subarray(3).toString().split('\r\n');
    expect(header).toBe(COLUMNS);
    expect(line).toBe(
      '2026-11-20T09:00:00.000Z,2026-11-20T09:01:00.250Z,P1,completed,1200.50,GHS,MOM,MTN,024 *** 3456,Kofi M.,01JD2M4X9QK7T3VB,ama,Kojo,slack:C0SALES,Osu,Adwoa Stores,,,2026-11-20,09:00:00',
    );
    expect(end).toBe('');
    expect(desk.files[0]).toMatchObject({ name: 'payments-20261122160000000.csv' });
  });

  it('names the merchant as payers see it, one that is gone as its file did, and the shop from before', async () => {
    for (const [at, merchant] of ['osu', 'gone', undefined].entries())
      await stored(`P${at}`, `2026-11-20T09:0${at}:00Z`, {
        terms: { ...aPayment().terms, ...(merchant === undefined ? {} : { merchant }) },
      });
    desk = deskOn((...asked) => store.listPayments(...asked), {
      settings: {
        ...{ currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra', senderIds: [] },
        texts: { templates: new Map(), receipt: 'ask', shop: 'Adwoa Stores' },
        merchants: [
          { name: 'osu', nickname: 'Adwoa Stores Osu', senderIds: [], conversations: [] },
        ],
      },
    });
    await typed('');
    expect((await rows()).map(({ merchant }) => merchant)).toEqual([
      'Adwoa Stores',
      'gone',
      'Adwoa Stores Osu',
    ]);
  });

  it('has the local date and time at its end, as spreadsheets take them for a date and a time', async () => {
    desk = deskOn((...asked) => store.listPayments(...asked), {
      settings: {
        ...{ currency: 'GHS', country: 'GH', timeZone: 'Asia/Kolkata', senderIds: [] },
        texts: { templates: new Map(), receipt: 'ask', shop: 'Adwoa Stores' },
      },
    });
    await stored('P1', '2026-11-20T22:05:09.900Z');
    await typed('');
    const local = { local_date: '2026-11-21', local_time: '03:35:09' };
    expect((await rows())[0]).toMatchObject({ confirmed_at: '2026-11-20T22:05:09.900Z', ...local });
    expect(Object.keys((await rows())[0] ?? {}).slice(-2)).toEqual(Object.keys(local));
  });

  it('has whole numbers and names for a role with reveal alone', async () => {
    await stored('P1', '2026-11-20T09:00:00Z');
    await typed('');
    const masked = { customer_number: '024 *** 3456', customer_name: 'Kofi M.' };
    expect((await rows())[0]).toMatchObject(masked);
    grants = { reveal: true };
    await typed('');
    const whole = { customer_number: '0244123456', customer_name: 'KOFI MENSAH' };
    expect((await rows())[0]).toMatchObject(whole);
  });

  it('shortens name and number also in what the payment service wrote', {
    tags: ['T76'],
  }, async () => {
    const reason = 'The payment service refused: "Wallet 1244123456 of Mensah, Kofi may not pay".';
    await stored('P1', '2026-11-20T09:00:00Z', { state: 'refused', reason });
    await typed('');
    expect((await rows())[0]).toMatchObject({
      reason: 'The payment service refused: "Wallet 1••••• of Kofi M. may not pay".',
    });
    grants = { reveal: true };
    await typed('');
    expect((await rows())[0]).toMatchObject({ reason });
  });

  it('writes no formula that a customer or a member of the staff made up', {
    tags: ['T17'],
  }, async () => {
    const formula = '=HYPERLINK("http://x","Pay")';
    await stored('P1', '2026-11-20T09:00:00Z', {
      reason: '@SUM(1)',
      requester: { ...ama, name: '+1' },
      terms: { ...aPayment().terms, reference: formula, customerName: '-2+3' },
    });
    grants = { reveal: true };
    await typed('');
    expect((await rows())[0]).toMatchObject({
      reference: `'${formula}`,
      customer_name: "'-2+3",
      requested_by: "'+1",
      reason: "'@SUM(1)",
    });
  });

  it('has the payments of the days and the state that were typed, newest first, more than a page of them', async () => {
    const put = Array.from({ length: 520 }, (_, at) => {
      const confirmedAtMs = Date.UTC(2026, 10, 20, 9, 0, at);
      const record = { ...aPayment({ state: 'completed', confirmedAtMs }), id: `P${at}` };
      return { kind: 'payment' as const, record };
    });
    await store.commit({ put });
    await stored('OLD', '2026-11-01T09:00:00Z', { state: 'failed' });
    await typed('15-20 Nov completed');
    const ids = (await rows()).map(({ transaction_id: id }) => id);
    expect(ids).toEqual(Array.from({ length: 520 }, (_, at) => `P${519 - at}`));
    await typed('failed');
    expect((await rows()).map(({ transaction_id: id }) => id)).toEqual(['OLD']);
  });

  it('is in the audit trail before it leaves, with who, what, how many and the digest', async () => {
    await stored('P1', '2026-11-20T09:00:00Z');
    let told: unknown;
    desk.sendsFiles(async () => {
      told = (await store.auditOf('exports'))[0];
      return { ok: true };
    });
    const [said] = await typed('20 Nov completed');
    const bytes = await bytesOf(desk.files[0]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(told).toMatchObject({
      what: 'exported',
      who: ama,
      where: shop,
      detail: { words: '20 Nov 2026, completed', rows: 1, isWhole: false, sha256 },
    });
    expect(said).not.toContain(sha256);
    expect(said).toContain('Numbers and names are shortened.');
    const [list] = await typed('exports', 'audit');
    expect(list).toContain('ama · 1 payment, 20 Nov 2026, completed, numbers shortened');
    expect(list).toContain(sha256);
  });

  it('says so when there is nothing to export, and leaves no row in the audit trail', async () => {
    expect(await typed('today')).toEqual([expect.stringContaining('There is nothing to export')]);
    expect(desk.files).toEqual([]);
    expect(await typed('exports', 'audit')).toEqual(['There are no exports yet']);
  });

  it.each([
    ['Adwoa', 'I do not know "Adwoa"'],
    ['31 Feb', 'There is no 31 Feb'],
    ['today 0244123456', 'I do not know "0244123456"'],
  ])('does nothing with "%s" and says what can be typed', async (words, why) => {
    const [said] = await typed(words);
    expect(said).toContain(why);
    expect(said).toContain('/export 1-15 Nov completed');
    expect(desk.files).toEqual([]);
  });

  it.each([
    ['paid last month', ['OCT'], '1 to 31 Oct 2026, completed'],
    ['waiting', ['SUN'], 'pending'],
    ['October', ['OCT'], '1 to 31 Oct 2026'],
    ['failed 28 Oct to 3 Nov', ['NOV'], '28 Oct to 3 Nov 2026, failed'],
    ['completed failed 28 Oct - 3 Nov', ['NOV', 'OCT'], '28 Oct to 3 Nov 2026, completed, failed'],
  ])('understands days and states as people write them: %s', async (words, ids, said) => {
    await stored('OCT', '2026-10-30T09:00:00Z');
    await stored('NOV', '2026-11-03T09:00:00Z', { state: 'failed' });
    await stored('SUN', '2026-11-22T09:00:00Z', { state: 'pending' });
    expect(await typed(words)).toEqual([expect.stringContaining(said)]);
    expect((await rows()).map((row) => row['transaction_id'])).toEqual(ids);
  });

  it('has days that it knows as buttons where it does not know what was typed', async () => {
    await stored('P1', '2026-11-21T09:00:00Z');
    const [problem] = await desk.type(ama, 'export', 'yesturday');
    expect(textOf(await desk.press(ama, problem, 'Yesterday'))).toContain('1, 21 Nov 2026');
  });

  it('says what to do when the file cannot be sent', async () => {
    await stored('P1', '2026-11-20T09:00:00Z');
    delivery = { ok: false, remedy: 'Press Start first.' };
    expect(await typed('')).toEqual([expect.stringContaining('I could not send the file')]);
  });

  it('tells where the file is on a platform that saves it', async () => {
    await stored('P1', '2026-11-20T09:00:00Z');
    delivery = { ok: true, savedAs: '/data/files/payments.csv' };
    const [said] = await typed('');
    expect(said).toContain('The file is saved');
    expect(said).toContain('/data/files/payments.csv');
  });

  it('writes one file at a time for a person', async () => {
    await stored('P1', '2026-11-20T09:00:00Z');
    const sent = Promise.withResolvers<FileDelivery>();
    desk.sendsFiles(() => sent.promise);
    const first = typed('');
    const [refused] = await typed('');
    expect(refused).toContain('Your last file is not ready yet');
    sent.resolve({ ok: true });
    await first;
    expect(await typed('')).toEqual([expect.stringContaining('The file is in our private chat')]);
  });

  it('has no name on the disk while it is sent, so that nothing is left of it', {
    tags: ['F60'],
  }, async () => {
    await stored('P1', '2026-11-20T09:00:00Z');
    let named: unknown;
    desk.sendsFiles(async () => {
      named = exportsOnDisk();
      return { ok: true };
    });
    await typed('');
    expect(await rows()).toHaveLength(1);
    expect(named).toEqual([]);
  });

  it('leaves nothing on the disk when the process is killed while it is written', {
    tags: ['F60'],
  }, async () => {
    const folder = await tempFolder();
    const child = await runScript('export-until-killed.ts', [], { env: { TMPDIR: folder } });
    await eventually(async () => expect(await child.lines()).toEqual(['1 written']));
    await child.kill('SIGKILL');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('sends nothing and leaves nothing when the payments cannot be read to the end', {
    tags: ['F60'],
  }, async () => {
    let pages = 0;
    const desk = deskOn(async () => {
      if (++pages > 1) throw new Error('the store is gone');
      return { payments: [aPayment()], next: 'P' };
    });
    await desk.type(ama, 'export', '');
    expect(pages).toBe(2);
    expect(desk.files).toEqual([]);
    expect(exportsOnDisk()).toEqual([]);
    expect(await store.auditOf('exports')).toEqual([]);
  });

  it('is several files where the platform takes only so many bytes, each with the header and its own row in the trail', async () => {
    const page = Array.from({ length: 3 }, (_, at) => ({ ...aPayment(), id: `P${at}` }));
    const desk = deskOn(
      async (_, { after }) =>
        after === undefined ? { payments: page, next: 'P' } : { payments: [aPayment()] },
      { platforms: platforms.map((each) => ({ ...each, mostFileBytes: 700 })) },
    );
    const said = (await desk.type(ama, 'export', '')).map(cardText);
    expect(desk.files.map(({ name, title }) => [name, title])).toEqual([
      ['payments-20261122160000000-1-of-2.csv', 'Payments: all, file 1 of 2'],
      ['payments-20261122160000000-2-of-2.csv', 'Payments: all, file 2 of 2'],
    ]);
    const bytes = await Promise.all(desk.files.map(({ content }) => content.bytes()));
    // Decoding takes the mark away.
    const texts = bytes.map((each) => new TextDecoder().decode(each));
    expect(texts.map((text) => text.split('\r\n').length)).toEqual([5, 3]);
    expect(texts.every((text) => text.startsWith(COLUMNS))).toBe(true);
    expect(bytes.every(({ length }) => length <= 700)).toBe(true);
    expect(said.join()).toMatch(/2 files are in our private chat[\s\S]*at most 0.0007 MB/);
    const digests = bytes.map((each) => createHash('sha256').update(each).digest('hex'));
    desk.sendsFiles(async ({ name }) =>
      name.includes('2-of-2') ? { ok: false, remedy: 'Try again.' } : { ok: true },
    );
    expect((await desk.type(ama, 'export', '')).map(cardText)).toEqual([
      'I could not send payments-20261122160000000-2-of-2.csv | Try again.',
    ]);
    expect((await store.auditOf('exports')).slice(0, 2)).toMatchObject([
      { detail: { words: 'all, file 1 of 2', rows: 3, sha256: digests[0] } },
      { detail: { words: 'all, file 2 of 2', rows: 1, sha256: digests[1] } },
    ]);
  });

  it('has its exports told in pages, newest first, to people who may see them at the press', async () => {
    for (let n = 10; n < 22; n++) {
      await stored(`P${n}`, `2026-11-22T09:${n}:00Z`);
      await typed('');
    }
    const [newest] = await desk.type(ama, 'audit', 'exports');
    expect(cardText(newest)).toMatch(/^Exports \| .* · 12 payments, all, .* · 3 payments, all, /);
    const [older] = await desk.press(ama, newest, 'Older');
    expect(cardText(older)).toMatch(/^Exports \| .* · 2 payments, all, .* · 1 payment, all, /);
    expect(older?.buttons ?? []).toEqual([]);
    grants = { may: (command) => command !== 'audit' };
    const [refused] = await desk.press(ama, newest, 'Older');
    expect(refused?.title).toBe('You cannot see payment histories yet');
  });

  it('tells how far it is after every 100,000 payments', async () => {
    const page = Array.from({ length: 50_000 }, () => aPayment());
    let pages = 0;
    const large = deskOn(async () =>
      ++pages < 3 ? { payments: page, next: 'P' } : { payments: [aPayment()] },
    );
    const said = (await large.type(ama, 'export', '')).map(cardText);
    expect(said).toEqual([
      '100,000 payments so far',
      '100,001 payments are ready',
      expect.stringContaining('100,001, all'),
    ]);
  });
});
