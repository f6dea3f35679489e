import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import { ChargeFreeze } from '../../../src/core/guards/charge-freeze.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import type { Desk, DeskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import {
  DIRECT,
  kofi,
  lastFile,
  lastRows,
  merchant,
  openFileDesk,
  passInSteps,
  SMS_ACCEPTED,
  sundayMorning,
  tableOf,
} from './file-desk.ts';

const TEMPLATES = {
  due: 'Dear {name}, {amount} is due on {date}. {shop}',
  ready: 'Your order is ready. {shop}',
};

let { clock, store, desk } = {} as DeskInHand;
let grants: Record<string, Partial<Grants>>;

beforeEach(async () => {
  grants = {};
  ({ clock, store } = await sundayMorning());
  desk = await openShop();
});

const openShop = async (
  senderIds: readonly string[] = ['SHOP'],
  ...merchants: readonly string[]
): Promise<Desk> => {
  const templates = new Map(
    Object.entries(TEMPLATES).map(([name, text]) => [name, { name, text }]),
  );
  const texts = { templates, receipt: 'never', shop: 'Adjoa Stores' } as const;
  return openFileDesk(store, clock, ({ id }) => allGrants(grants[id]), {
    settings: { senderIds, merchants: merchants.map(merchant), texts },
  });
};
/** A new process, with other settings. */
const openAgain = async (...settings: Parameters<typeof openShop>): Promise<void> => {
  await desk.engine.stop();
  desk = await openShop(...settings);
};

const pass = (seconds: number) => passInSteps(clock, seconds);

const fileOf = (rows: number) =>
  tableOf('number,name,amount', rows, (row) => `02441234${50 + row},Ama ${row},50`);

const send = (bytes: string, words = 'sms @due', person = ama) =>
  desk.send(person, { name: 'dues.csv', bytes }, { words });

/** Sends a file of so many rows and confirms it. */
const begin = async (rows: number): Promise<void> => {
  const [question] = await send(fileOf(rows));
  await desk.press(ama, question, `Send ${rows} SMS`);
};

const numbers = () => desk.gateway.texted.flatMap(({ recipients }) => recipients);

/** The card of the run, as it is now. */
const progress = (): string => cardText(desk.edited.at(-1) ?? desk.posted.at(-1)?.card);

/** The store was restored from a backup of this moment. */
const restored = () =>
  new ChargeFreeze(store).set({ backupAtMs: clock.now(), sinceMs: clock.now() }, clock.now());

describe('a file of SMS', { tags: ['T51', 'F61'] }, () => {
  it('is shown before anything is sent, and one press sends each row its own text', async () => {
    const [question] = await send(fileOf(2));
    expect(cardText(question)).toContain('Send 2 SMS?');
    expect(cardText(question)).toContain('Dear {name}, {amount} is due on {date}. {shop}');
    await pass(20);
    expect(desk.gateway.texted).toEqual([]);
    await desk.press(ama, question, 'Send 2 SMS');
    await pass(20);
    expect(desk.gateway.texted).toMatchObject([
      {
        recipients: ['+233244123450'],
        text: 'Dear Ama 0, GHS 50.00 is due on 22 Nov 2026. Adjoa Stores',
        senderId: 'SHOP',
        isOfFile: true,
      },
      { recipients: ['+233244123451'] },
    ]);
    expect(progress()).toContain('2 of 2 sent');
    expect(desk.posted.map(({ card }) => card.title)).toEqual(['Sending 2 SMS', '2 of 2 sent']);
  });

  it('says its template, its cost and the first text, and that few SMS are left', async () => {
    desk.gateway.onBalance = () => ({ kind: 'balances', sms: '1', payout: '5', answer: {} });
    await desk.type(ama, 'balance', '');
    const [question] = await desk.send(
      ama,
      { name: 'dues.csv', bytes: fileOf(2) },
      { words: '/sms @due', where: DIRECT },
    );
    const shown = cardText(question);
    for (const each of ['@due', '2 SMS', 'SMS left: 1.', 'Row 2 will read: Dear Ama 0'])
      expect(shown).toContain(each);
  });

  it.each([
    ['without a template', 'sms', fileOf(1), /Name the template: @due, @ready\./],
    ['with another name', 'sms @dew', fileOf(1), /There is no template "@dew"/],
    [
      'without a column',
      'sms @due',
      'number\n0244123450',
      /I need the columns "name" and "amount"/,
    ],
    ['with an empty cell', 'sms @due', 'number,name,amount\n0244123450,,5', /"name" is empty/],
    ['with a formula', 'sms @due', 'number,name,amount\n0244123450,=A1,5', /is a formula/],
    ['with no amount', 'sms @due', 'number,name,amount\n0244123450,Ama,x', /Row 2: .*digits/],
    ['with no number', 'sms @ready', 'number\nabc', /Row 2: .*abc/],
    ['with a card number', 'sms @due', 'number,name,amount\n0244123450,4111111111111111,5', /card/],
    [
      'which has no header',
      'sms @due',
      '0244123450',
      /I need the columns "number", "name" and "amount"/,
    ],
  ])('%s is answered with what to do, and nothing is sent', async (_, words, bytes, said) => {
    const shown = await send(bytes, words);
    expect(shown.map(cardText).join('\n')).toMatch(said);
    await pass(5);
    expect(desk.gateway.texted).toEqual([]);
  });

  it('comes back with the rows that were left out, and counts a row once that stands there twice', async () => {
    const [question] = await send(
      'number;date;other\n0244123450;1 Dec;a\n0244123450;1 Dec;a\n12;;\n0244123450;1 Dec;b',
      'sms @ready',
    );
    const shown = cardText(question);
    for (const each of [
      'Send 2 SMS?',
      'Left out: row 4',
      'Twice in the file, sent once: row 3',
      '2 rows for 024 *** 3450: rows 2 and 5.',
      'Lines: 5 = 2 rows + 1 left out + 1 twice + 1 header',
    ])
      expect(shown).toContain(each);
    expect(await lastRows(desk)).toMatchObject([{ row: '4', number: '12' }]);
  });

  it('without a good row says why, sends its rows back and asks nothing', async () => {
    const [answer, ...others] = await send('number\n12', 'sms @ready');
    expect(cardText(answer)).toContain('No row of this file can be sent');
    expect(answer?.buttons).toBeUndefined();
    expect(others).toEqual([]);
    expect(await lastRows(desk)).toMatchObject([{ row: '2', number: '12' }]);
  });

  it('names each amount in the currency of its row, and leaves out what a comma can mean twice', {
    tags: ['F71'],
  }, async () => {
    const rows = ['0244123450;Ama;20;USD', '0244123451;Esi;1,200;', '0244123452;Efua;12,50;'];
    const [question] = await desk.send(
      ama,
      { name: 'dues.csv', bytes: ['number;name;amount;currency', ...rows].join('\n') },
      { words: '/sms @due', where: DIRECT },
    );
    expect(cardText(question)).toContain('Row 2 will read: Dear Ama, USD 20.00 is due');
    expect(cardText(question)).toContain('Row 3: "1,200" can mean 1200 or 1.200 here.');
  });

  it('that is a result of ours is refused, and the way on is said', async () => {
    await begin(1);
    await pass(10);
    await desk.press(ama, desk.edited.at(-1), 'Result');
    const [refused] = await send(await lastFile(desk), 'sms @ready');
    expect(cardText(refused)).toContain('A file of results cannot be sent. Take out its columns');
    await pass(5);
    expect(numbers()).toHaveLength(1);
  });

  it('is sent once however often it comes, by anyone, but with another template it is another file', async () => {
    const [question] = await send(fileOf(1));
    const [twin] = await send(fileOf(1), 'sms @due', kofi);
    await desk.press(ama, question, 'Send 1 SMS');
    const [refused] = await desk.press(kofi, twin, 'Send 1 SMS');
    expect(cardText(refused)).toContain('This file is being sent');
    await pass(10);
    expect(textOf(await send(fileOf(1), 'sms @due', kofi))).toContain('1 of 1 · 1 sent');
    expect(textOf(await desk.press(ama, question, 'Send 1 SMS'))).toContain('Already confirmed');
    expect(numbers()).toEqual(['+233244123450']);
    const [other] = await send(fileOf(1), 'sms @ready');
    await desk.press(ama, other, 'Send 1 SMS');
    await pass(10);
    expect(numbers()).toHaveLength(2);
  });

  it('that is delivered twice by the chat is shown once', async () => {
    const event = { words: 'sms @due', eventId: 'the same' };
    const file = { name: 'dues.csv', bytes: fileOf(1) };
    expect(await desk.send(ama, file, event)).toHaveLength(1);
    expect(await desk.send(ama, file, event)).toHaveLength(0);
  });

  it('counts with all its rows in the daily limit from the press on, and when stopped with those that went out', async () => {
    grants[ama.id] = { dailySms: 5 };
    expect(textOf(await send(fileOf(6)))).toContain('You may send 5 SMS a day');
    const [question] = await send(fileOf(4));
    const [beside] = await send(fileOf(3), 'sms @ready');
    await desk.press(ama, question, 'Send 4 SMS');
    const [refused] = await desk.press(ama, beside, 'Send 3 SMS');
    expect(cardText(refused)).toContain('Not used yet: 4, held by the running file dues.csv.');
    await clock.advance(200);
    await desk.press(ama, desk.posted[0]?.card, 'Stop');
    expect(textOf(await send(fileOf(1), 'sms @ready'))).toContain('Send 1 SMS?');
  });

  it('waits while it is paused, goes on when it is resumed, and what was stopped is never sent', async () => {
    await begin(30);
    await pass(2);
    const [paused] = await desk.press(kofi, desk.posted[0]?.card, 'Pause');
    expect(cardText(paused)).toContain('SMS that were sent already cannot be taken back');
    await pass(5);
    const sent = numbers().length;
    expect(sent).toBeGreaterThan(0);
    await pass(60);
    expect(numbers()).toHaveLength(sent);
    expect(progress()).toMatch(
      /Paused: 30 SMS[\s\S]*Paused by kofi\. \d+ customers not written to yet/,
    );
    await desk.press(kofi, desk.edited.at(-1), 'Resume');
    await pass(2);
    expect(numbers().length).toBeGreaterThan(sent);
    await desk.press(ama, desk.posted[0]?.card, 'Stop');
    await pass(60);
    const stopped = numbers().length;
    await pass(600);
    expect(numbers()).toHaveLength(stopped);
    expect(progress()).toContain(`Stopped: ${stopped} of 30 sent`);
    await desk.press(ama, desk.edited.at(-1), 'Result');
    const states = (await lastRows(desk)).map(({ state }) => state);
    expect(states.filter((state) => state === 'sent')).toHaveLength(stopped);
    expect(states.filter((state) => state === 'not sent')).toHaveLength(30 - stopped);
  });

  it('is not sent for somebody who may not send SMS any more', async () => {
    const [question] = await send(fileOf(1));
    grants[ama.id] = { may: (command) => command !== 'sms' };
    const [refused] = await desk.press(ama, question, 'Send 1 SMS');
    expect(cardText(refused)).toMatch(/cannot send SMS|no longer send SMS/);
    await pass(5);
    expect(desk.gateway.texted).toEqual([]);
  });

  it('asks once whether numbers without their leading 0 are read right', async () => {
    const [asked] = await send('number\n244123450\n0244123451', 'sms @ready');
    expect(cardText(asked)).toContain('Nothing is sent yet');
    const [question] = await desk.press(ama, asked, 'Add the 0');
    expect(textOf(await desk.press(ama, asked, 'Add the 0'))).toContain('Send 2 SMS?');
    await desk.press(ama, question, 'Send 2 SMS');
    await pass(10);
    expect(numbers()).toEqual(['+233244123450', '+233244123451']);
  });

  it('tells refused and unclear rows, in its card and in the file, and to others without the numbers', async () => {
    const answers = [
      { kind: 'refused', answer: { code: '107' }, reason: 'It has no credit.' },
      { kind: 'unknown', answer: {}, reason: 'No answer came.' },
      { kind: 'notSent', reason: 'The payment service cannot be reached.' },
    ] as const;
    desk.gateway.onSms = ({ recipients: [number = ''] }) =>
      answers[Number(number.at(-1))] ?? SMS_ACCEPTED;
    await begin(4);
    await pass(20);
    expect(progress()).toContain('1 of 4 sent | 1 not clear · 1 refused · 1 not sent');
    await desk.press(ama, desk.edited.at(-1), 'Result');
    expect(await lastRows(desk)).toMatchObject([
      { row: '2', number: '0244123450', state: 'refused', reason: 'It has no credit.' },
      { row: '3', state: 'not clear', reason: 'No answer came.' },
      { row: '4', state: 'not sent' },
      { row: '5', state: 'sent', message_id: 'm1', text: expect.stringContaining('Ama 3') },
    ]);
    grants[kofi.id] = { reveal: false };
    await desk.press(kofi, desk.edited.at(-1), 'Result');
    const [masked] = await lastRows(desk);
    expect(masked).toMatchObject({ text: '' });
    expect(JSON.stringify(masked)).not.toContain('0244123450');
  });

  it('pauses by itself when several rows in a row are not taken', async () => {
    desk.gateway.onSms = () => ({ kind: 'refused', answer: {}, reason: 'No credit.' });
    await begin(20);
    await pass(40);
    expect(progress()).toContain('5 SMS in a row could not be sent');
    expect(numbers().length).toBeLessThan(12);
  });

  it('goes on after the program was stopped, and nobody gets it twice', async () => {
    await begin(12);
    await pass(1);
    await desk.engine.stop();
    const first = numbers();
    expect(first.length).toBeLessThan(12);
    desk = await openShop();
    await pass(30);
    expect([...first, ...numbers()].toSorted()).toEqual(
      Array.from({ length: 12 }, (_, row) => `+2332441234${50 + row}`),
    );
    expect(progress()).toContain('12 of 12 sent');
  });

  it('stops in a store that was restored, because its rest may have been sent', async () => {
    await begin(20);
    await pass(1);
    await restored();
    const sent = numbers().length;
    await pass(30);
    expect(numbers().length - sent).toBeLessThanOrEqual(1);
    expect(progress()).toContain('The rest may have been sent already');
  });

  it('that was confirmed after a restore is sent, though charges wait', async () => {
    await restored();
    await clock.advance(1_000);
    await begin(2);
    await pass(10);
    expect(numbers()).toHaveLength(2);
  });

  it('has its balances asked after 50 SMS, and its rows are removed a day after its end', async () => {
    await begin(50);
    let asked = 0;
    desk.gateway.onBalance = () => {
      asked++;
      return { kind: 'noAnswer', answer: {}, reason: 'not now' };
    };
    await pass(60);
    expect(progress()).toContain('50 of 50 sent');
    expect(asked).toBeGreaterThan(0);
    await desk.press(ama, desk.edited.at(-1), 'Result');
    const rows = await lastRows(desk);
    expect(rows).toHaveLength(50);
    await clock.advance(3 * 86_400_000);
    await pass(2);
    await clock.advance(3 * 86_400_000);
    await pass(2);
    await desk.press(ama, desk.edited.at(-1), 'Result');
    expect(await lastRows(desk)).toHaveLength(0);
  });

  it('is not sent when its conversation belongs to another merchant by then', {
    tags: ['T50'],
  }, async () => {
    await openAgain(['SHOP'], 'osu');
    const [question] = await send(fileOf(1));
    expect(cardText(question)).toContain('osu');
    await openAgain(['SHOP'], 'tema');
    expect(textOf(await desk.press(ama, question, 'Send 1 SMS'))).toContain('another merchant');
    await pass(10);
    expect(desk.gateway.texted).toEqual([]);
  });

  it('is not taken where SMS are not set up', async () => {
    await openAgain([]);
    expect(textOf(await send(fileOf(1)))).toContain('SMS is not set up');
  });
});
