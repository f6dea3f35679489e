import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import { ChargeFreeze } from '../../../src/core/guards/charge-freeze.ts';
import { bulkRunId, isCharge } from '../../../src/core/records/bulk.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import type { DeskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { storedPayments } from '../../support/stored-payments.ts';
import { statusOf } from '../../support/stub-gateway.ts';
import {
  fileOf,
  kofi,
  lastFile,
  lastRows,
  merchant,
  openFileDesk,
  passInSteps,
  sundayMorning,
} from './file-desk.ts';

let { clock, store, desk } = {} as DeskInHand;
let grants: Record<string, Partial<Grants>>;

beforeEach(async () => {
  grants = {};
  ({ clock, store } = await sundayMorning());
  desk = await openShop();
});

const openShop = (...merchants: readonly string[]) =>
  openFileDesk(store, clock, ({ id }) => allGrants(grants[id]), {
    settings: { merchants: merchants.map(merchant) },
  });

const pass = (seconds: number) => passInSteps(clock, seconds);

const send = (bytes: string, person = ama, name = 'dues.csv') => desk.send(person, { name, bytes });

/** Sends a file of so many rows and confirms it. */
const begin = async (rows: number): Promise<void> => {
  const [question] = await send(fileOf(rows));
  await desk.press(ama, question, `Charge ${rows}`);
};

const runOf = async () => {
  const posted = await store.get('setting', 'unsent-runs');
  const [id = ''] = JSON.parse(posted?.value ?? '[]');
  return store.get('bulk', id);
};

const payments = () => storedPayments(store);

/** The card of the run, as it is now. */
const progress = (): string => cardText(desk.edited.at(-1) ?? desk.posted.at(-1)?.card);

describe('a file of charges', { tags: ['T51', 'F61'] }, () => {
  it('is shown before anything is charged, and one press charges exactly that', async () => {
    const [question] = await send(fileOf(3));
    expect(cardText(question)).toContain('Charge 3 customers: GHS 150.00?');
    expect(cardText(question)).toMatch(/Charges.*3.*Takes.*about \d+ seconds?/s);
    await pass(60);
    expect(desk.gateway.sent).toEqual([]);
    await desk.press(ama, question, 'Charge 3: GHS 150.00');
    await pass(60);
    expect(desk.gateway.sent.map(({ amount }) => amount.amountMinor)).toEqual(Array(3).fill(5_000));
    expect(progress()).toContain('3 of 3 paid');
    expect((await payments()).every(({ bulk }) => bulk !== undefined)).toBe(true);
    // One card, and one message at the end: none for each row.
    expect(desk.posted.map(({ card }) => card.title)).toEqual([
      expect.stringMatching(/^Charging 3 customers/),
      '3 of 3 paid · GHS 150.00',
    ]);
  });

  it('is paced under the rate of the service, and its card is edited every 2 s at most', async () => {
    await begin(20);
    const times: number[] = [];
    desk.gateway.onPayment = () => {
      times.push(clock.now());
      return { kind: 'accepted', answer: {} };
    };
    let edits = 0;
    for (let second = 0; second < 12; second++) {
      await clock.advance(1_000);
      expect(desk.edits.length - edits).toBeLessThanOrEqual(1);
      edits = desk.edits.length;
    }
    expect(times).toHaveLength(20);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(7_000);
    expect(desk.edits.length).toBeLessThanOrEqual(7);
  });

  it('is charged once however often it is sent, by anyone, and tells what became of it', async () => {
    const [question] = await send(fileOf(2));
    const [twin] = await send(fileOf(2), kofi);
    await desk.press(ama, question, 'Charge 2');
    const [refused] = await desk.press(kofi, twin, 'Charge 2');
    expect(cardText(refused)).toContain('This file is being charged');
    await pass(60);
    expect(textOf(await send(fileOf(2), kofi, 'other name.csv'))).toContain('2 of 2 · 2 paid');
    expect(desk.gateway.sent).toHaveLength(2);
  });

  it('waits while it is paused, goes on when it is resumed, and never asks for what was stopped', async () => {
    await begin(10);
    await pass(1.2);
    const card = () => desk.edited.at(-1) ?? desk.posted[0]?.card;
    await desk.press(ama, card(), 'Pause');
    await pass(30);
    const paused = desk.gateway.sent.length;
    expect(paused).toBeGreaterThan(0);
    expect(paused).toBeLessThan(10);
    expect(progress()).toContain(`Paused by ama. ${10 - paused} customers not asked yet.`);
    await desk.press(ama, card(), 'Resume');
    await clock.advance(1_000);
    await desk.press(ama, card(), 'Stop');
    await pass(60);
    const sent = desk.gateway.sent.length;
    expect(sent).toBeGreaterThan(paused);
    expect(sent).toBeLessThan(10);
    expect(progress()).toContain(`Stopped: ${sent} of 10 paid`);
    expect(await payments()).toHaveLength(sent);
    expect(textOf(await desk.press(ama, desk.posted[0]?.card, 'Pause'))).toContain('Stopped');
    // The rest is asked for by a question of its own.
    const [rest] = await desk.press(ama, desk.posted.at(-1)?.card, 'Ask again');
    await desk.press(ama, rest, `Charge ${10 - sent}`);
    await pass(60);
    expect(desk.gateway.sent).toHaveLength(10);
    expect(new Set(desk.gateway.sent.map(({ customerNumber }) => customerNumber)).size).toBe(10);
  });

  it('has the result of each row as a file, and asks again for those that failed', async () => {
    desk.gateway.onStatus = (id) =>
      statusOf(
        id,
        desk.gateway.sent.findIndex((one) => one.transactionId === id) === 1
          ? 'failed'
          : 'completed',
      );
    await begin(3);
    await pass(60);
    expect(progress()).toContain('2 of 3 paid · GHS 100.00 | 1 failed');
    await desk.press(ama, desk.posted.at(-1)?.card, 'Result');
    expect((await lastRows(desk)).map(({ row, number, state }) => [row, number, state])).toEqual([
      ['2', '0244123450', 'completed'],
      ['3', '0244123451', 'failed'],
      ['4', '0244123452', 'completed'],
    ]);
    const [again] = await desk.press(ama, desk.posted.at(-1)?.card, 'Ask again');
    expect(cardText(again)).toContain('Charge 1 customer again: GHS 50.00?');
    desk.gateway.onStatus = (id) => statusOf(id, 'completed');
    await desk.press(ama, again, 'Charge 1');
    await pass(60);
    expect(desk.gateway.sent).toHaveLength(4);
    const [first] = await desk.press(ama, desk.posted.at(-3)?.card, 'Result');
    expect(first).toBeDefined();
    const tries = (await payments()).filter(({ retryOf }) => retryOf !== undefined);
    expect(tries).toHaveLength(1);
    expect(textOf(await send(fileOf(3)))).toContain('1 of 1 · 1 paid');
  });

  it('goes on where it was after the process died, and charges no row twice', async () => {
    await begin(8);
    await pass(1.6);
    await desk.engine.stop();
    const before = desk.gateway.sent.map(({ transactionId }) => transactionId);
    const second = await openShop();
    await pass(120);
    const after = second.gateway.sent.map(({ transactionId }) => transactionId);
    expect(before.length).toBeGreaterThan(0);
    expect(after.length).toBeGreaterThan(0);
    expect(new Set([...before, ...after]).size).toBe(8);
    expect(before.length + after.length).toBe(8);
  });

  it('counts against the limit of the day before its rows are payments', async () => {
    grants[ama.id] = { dailyLimit: { amountMinor: 50_000, currency: 'GHS' } };
    await begin(8);
    const [refused] = await desk.type(ama, 'charge', '0244123456 150');
    expect(cardText(refused)).toContain('GHS 400.00 is held by the running file dues.csv.');
    await pass(60);
    const [still] = await desk.type(ama, 'charge', '0244123456 150');
    expect(cardText(still)).toContain('GHS 400.00 is used today');
    const [larger] = await send(fileOf(3, (row) => `024412349${row},50`));
    expect(cardText(larger)).toContain('GHS 400.00 is used today');
  });

  it('above the limit of one charge is confirmed by an approver as a whole', async () => {
    const approver = { platform: 'slack', id: 'U0EFUA', name: 'efua' };
    grants[ama.id] = { maxCharge: { amountMinor: 10_000, currency: 'GHS' }, approve: false };
    const [question] = await send(fileOf(3, (row) => `024412345${row},${row === 1 ? 200 : 50}`));
    expect(cardText(question)).toContain('Above the limit of GHS 100.00: row 3.');
    const [waiting] = await desk.press(ama, question, 'Charge 3: GHS 300.00');
    expect(cardText(waiting)).toContain('Waiting for approval');
    await clock.advance(1_000);
    const asked = desk.posted.at(-1)?.card;
    expect(cardText(asked)).toContain('asks to charge GHS 300.00');
    expect(desk.gateway.sent).toEqual([]);
    await desk.press(approver, asked, 'Approve GHS 300.00');
    await pass(60);
    expect(desk.gateway.sent).toHaveLength(3);
    expect((await payments()).map((each) => each.approver?.name)).toEqual(['efua', 'efua', 'efua']);
  });

  it('has the limits of the role that grants files, whatever those of single charges are', async () => {
    grants[ama.id] = {
      maxCharge: { amountMinor: 10_000, currency: 'GHS' },
      ofFiles: { charging: [] },
    };
    const [question] = await send(fileOf(2, (row) => `024412345${row},200`));
    expect(cardText(question)).not.toContain('Above the limit');
    await desk.press(ama, question, 'Charge 2: GHS 400.00');
    await pass(60);
    expect(desk.gateway.sent).toHaveLength(2);
  });

  it('is another persons to press for nobody, and its forged or old buttons do nothing', async () => {
    const [question] = await send(fileOf(2));
    const [refused] = await desk.press(kofi, question, 'Charge 2');
    expect(cardText(refused)).toContain('Only ama can press this');
    await desk.press(ama, question, 'Cancel');
    expect(textOf(await desk.press(ama, question, 'Charge 2'))).toContain('Already cancelled');
    await pass(60);
    expect(desk.gateway.sent).toEqual([]);
  });

  it('with rows that were changed in the store after the dry run charges nothing', async () => {
    await begin(2);
    const run = await runOf();
    const page = await store.get('rows', `${run?.draftId}.0`);
    if (page === undefined) throw new Error('there are no rows');
    const rows = page.rows.filter(isCharge).map((row) => ({
      ...row,
      terms: { ...row.terms, amount: { ...row.terms.amount, amountMinor: 900_000 } },
    }));
    await store.commit({ put: [{ kind: 'rows', record: { ...page, version: 2, rows } }] });
    await pass(60);
    expect(desk.gateway.sent).toEqual([]);
    expect((await store.get('bulk', run?.id ?? ''))?.status).toBe('stopped');
  });

  it('is not charged, nor asked again, when its conversation belongs to another merchant by then', {
    tags: ['T50'],
  }, async () => {
    const as = async (name: string) => {
      await desk.engine.stop();
      desk = await openShop(name);
    };
    await as('osu');
    const [question] = await send(fileOf(1));
    await as('tema');
    const [refused] = await desk.press(ama, question, 'Charge 1');
    expect(cardText(refused)).toContain('another merchant');
    await pass(10);
    expect(desk.gateway.sent).toEqual([]);
    await as('osu');
    desk.gateway.onPayment = () => ({ kind: 'refused', answer: {}, reason: 'No.' });
    await desk.press(ama, question, 'Charge 1');
    await pass(30);
    const ended = desk.edited.at(-1);
    await as('tema');
    expect(textOf(await desk.press(ama, ended, 'Ask again'))).toContain('another merchant');
  });

  it('asks once whether numbers without their leading 0 are read right', async () => {
    const [asked] = await send('number,amount\n244123450,50\n244123451,50\n0244123452,50');
    expect(cardText(asked)).toContain('2 numbers have no 0 in front');
    const [question] = await desk.press(ama, asked, 'Add the 0');
    await desk.press(ama, question, 'Charge 3');
    await pass(60);
    expect(desk.gateway.sent.map(({ customerNumber }) => customerNumber)).toEqual([
      '+233244123450',
      '+233244123451',
      '+233244123452',
    ]);
  });

  it('shows ten numbers of those without their leading 0, and how many others there are', {
    tags: ['F71'],
  }, async () => {
    const row = (_: unknown, at: number) => `2441234${at + 10},50`;
    const [asked] = await send(`number,amount\n${Array.from({ length: 12 }, row).join('\n')}`);
    const shown = cardText(asked);
    expect(shown).toContain('12 numbers have no 0 in front');
    expect(shown).toContain('Row 2: 024 412 3410');
    expect(shown).toContain('Row 11: 024 412 3419');
    expect(shown).not.toContain('024 412 3420');
    expect(shown).toContain('And 2 more.');
  });

  it('says what became of each line, and names several rows of one customer together', async () => {
    const again = ['0244123457,1', '0244123457,2', '0244123458,1', '0244123458,2'];
    const more = ['0244123459,1', '0244123459,2', '0244123460,1', '0244123460,2'];
    const [question] = await send(
      `number,amount\n0244123456,50\n0201234567,5\n0244123456,60\n\n12,5\n"0,\n",5\n0244123456,60\n${[...again, ...more].join('\n')}`,
    );
    const shown = cardText(question);
    for (const each of [
      'Lines: 17 = 11 rows + 3 left out + 1 twice + 1 empty + 1 header',
      'Left out: rows 6 and 7 to 8.',
      '2 rows for 024 *** 3456: rows 2 and 4.',
      '2 more customers have several rows.',
    ])
      expect(shown).toContain(each);
  });

  it('that is a result of ours is refused: its rows may be paid by now', async () => {
    await begin(2);
    await pass(60);
    await desk.press(ama, desk.edited.at(-1), 'Result');
    expect(textOf(await send(await lastFile(desk)))).toContain('Press "Ask again" on its card.');
    expect(desk.gateway.sent).toHaveLength(2);
  });

  it('of bad rows alone is sent back bounded, however wide one row is', {
    tags: ['T60'],
  }, async () => {
    const wide = `x${','.repeat(500_000)}`;
    const long = `${'y'.repeat(900)},1\n`.repeat(2_000);
    const [said] = await send(`number,amount\n${wide}\n${'x,1\n'.repeat(2_000)}${long}`);
    expect(cardText(said)).toContain('Row 2: It has more than 100 cells.');
    const file = await lastFile(desk);
    expect(file.length).toBeLessThan(600_000);
    const rows = file.trim().split('\r\n');
    expect(rows[0]).toBe('row,problem,number,amount');
    expect(rows[2]).toMatch(/^3,[^,]+,x,1$/);
    const told = Number(/And ([\d,]+) more rows\./.exec(rows.at(-1) ?? '')?.[1]?.replace(',', ''));
    expect(rows.length - 2 + told).toBe(4_001);
  });

  it('leaves bad rows out, and sends them back with their reasons', async () => {
    const [question] = await send('number,amount\n0244123450,50\n12,50\n0244123450,50');
    expect(cardText(question)).toContain('Left out: row 3.');
    expect(cardText(question)).toContain('Twice in the file, charged once: row 4.');
    expect((await lastRows(desk)).map(({ row, problem }) => [row, problem])).toEqual([
      ['3', expect.stringContaining('12')],
    ]);
  });

  it('without a good row says why, sends its rows back and asks nothing', async () => {
    const [answer, ...others] = await send('number,amount\n12,50\n0244123450,x');
    expect(cardText(answer)).toContain('No row of this file can be charged');
    expect(cardText(answer)).toContain('Row 2: ');
    expect(answer?.buttons).toBeUndefined();
    expect(others).toEqual([]);
    expect((await lastRows(desk)).map(({ row }) => row)).toEqual(['2', '3']);
  });

  it('pauses by itself when several rows in a row are not taken', async () => {
    desk.gateway.onPayment = () => ({ kind: 'notSent', reason: 'The service is away.' });
    await begin(30);
    await pass(120);
    expect(desk.gateway.sent.length).toBeLessThanOrEqual(10);
    expect(progress()).toContain('Paused: 30 customers');
    desk.gateway.onPayment = () => ({ kind: 'accepted', answer: {} });
    await desk.press(ama, desk.edited.at(-1), 'Resume');
    await pass(120);
    expect((await payments()).filter(({ state }) => state === 'completed').length).toBeGreaterThan(
      19,
    );
  });

  it('of a person who was stopped waits', async () => {
    await begin(10);
    await clock.advance(1_000);
    await desk.type(kofi, 'suspend', ama.id);
    await pass(60);
    expect(desk.gateway.sent.length).toBeLessThan(10);
    expect(progress()).toContain('ama is stopped and cannot charge any more');
  });

  it('stops in a store that was restored, because its rest may have been charged after the backup', async () => {
    await begin(8);
    await pass(2);
    const sent = desk.gateway.sent.length;
    const freeze = new ChargeFreeze(store);
    const mark = { sinceMs: clock.now(), backupAtMs: clock.now() };
    await freeze.set(mark, clock.now());
    await freeze.lift(mark, clock.now(), {});
    await pass(120);
    expect(sent).toBeGreaterThan(0);
    expect(desk.gateway.sent.length).toBeLessThanOrEqual(sent + 1);
    expect(progress()).toContain('Paythread was restored from a backup');
    expect(textOf(await send(fileOf(8), kofi))).toContain('This file was charged already');
  });

  it('has one run for its hash, whatever it is called', () => {
    expect(bulkRunId({ sha256: 'a' })).toBe(bulkRunId({ sha256: 'a' }));
    expect(bulkRunId({ sha256: 'a' })).not.toBe(bulkRunId({ sha256: 'b' }));
  });
});
