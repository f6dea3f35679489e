import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { ChargeFreeze } from '../../../src/core/guards/charge-freeze.ts';
import type { Merchant } from '../../../src/core/records/merchants.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { ama, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const kofi = { platform: 'slack', id: 'U0KOFI', name: 'kofi' };

const TEMPLATES = {
  due: 'Dear {name}, {amount} is due on {date}. {shop}',
  ready: 'Your order is ready. {shop}',
};

let store: Store;
let clock: ManualClock;
let desk: Desk;
let grants: Record<string, Partial<Grants>>;

beforeEach(async () => {
  grants = {};
  store = await openStore();
  clock = new ManualClock(Date.parse('2026-11-22T10:00:00Z'));
  desk = await openShop();
});

/** The shop's conversation, when it belongs to a merchant. */
const merchant = (name: string): Merchant => ({
  name,
  nickname: name,
  senderIds: ['SHOP'],
  conversations: [`slack:${shop.channel}`],
});

const openShop = async (
  senderIds: readonly string[] = ['SHOP'],
  merchants: readonly Merchant[] = [],
): Promise<Desk> => {
  const templates = new Map(
    Object.entries(TEMPLATES).map(([name, text]) => [name, { name, text }]),
  );
  const opened = openDesk(
    store,
    clock,
    ({ id }) => ({ ...allGrants(), ...grants[id] }),
    undefined,
    undefined,
    {
      settings: {
        ...{ currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra', senderIds, merchants },
        texts: { templates, receipt: 'never', shop: 'Adjoa Stores' },
      },
    },
  );
  onTestFinished(() => opened.engine.stop());
  opened.gateway.onSms = () => ({ kind: 'sent', answer: {}, messageId: 'm1', status: 'ok' });
  await opened.engine.start();
  return opened;
};

/** In steps: what a moment begins is over before the next. */
const pass = async (seconds: number): Promise<void> => {
  for (let step = 0; step < seconds * 5; step++) await clock.advance(200);
};

const fileOf = (rows: number) =>
  [
    'number,name,amount',
    ...Array.from({ length: rows }, (_, row) => `02441234${50 + row},Ama ${row},50`),
  ].join('\n');

const send = (bytes: string, words = 'sms @due', person = ama) =>
  desk.send(person, { name: 'dues.csv', bytes }, { words });

const numbers = () => desk.gateway.texted.flatMap(({ recipients }) => recipients);

const text = (card: Card | undefined): string => (card === undefined ? '' : cardText(card));

/** The card of the run, as it is now. */
const progress = (): string => text(desk.edited.at(-1) ?? desk.posted.at(-1)?.card);

const resultRows = async (): Promise<Record<string, string>[]> =>
  parse(Buffer.from((await desk.files.at(-1)?.content.arrayBuffer()) ?? new ArrayBuffer()), {
    bom: true,
    columns: true,
  });

describe('a file of SMS', { tags: ['T51', 'F61'] }, () => {
  it('is shown before anything is sent, and one press sends each row its own text', async () => {
    const [question] = await send(fileOf(2));
    expect(text(question)).toContain('Send 2 SMS?');
    expect(text(question)).toContain('Dear {name}, {amount} is due on {date}. {shop}');
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
    expect(progress()).toContain('2 of 2 · 2 accepted');
    expect(desk.posted.map(({ card }) => card.title)).toEqual(['Sending 2 SMS', '2 of 2 accepted']);
  });

  it('says its template, its cost and the first text, and that few SMS are left', async () => {
    desk.gateway.onBalance = () => ({ kind: 'balances', sms: '1', payout: '5', answer: {} });
    await desk.type(ama, 'balance', '');
    const [question] = await desk.send(
      ama,
      { name: 'dues.csv', bytes: fileOf(2) },
      { words: '/sms @due', where: { platform: 'slack', channel: 'D1' } },
    );
    const shown = text(question);
    for (const each of ['@due', '2 SMS', 'Only 1 SMS are left', 'Row 2 will read: Dear Ama 0'])
      expect(shown).toContain(each);
  });

  it.each([
    ['without a template', 'sms', fileOf(1), /Name the template: @due, @ready\./],
    ['with another name', 'sms @dew', fileOf(1), /There is no template "@dew"/],
    ['without a column', 'sms @due', 'number\n0244123450', /I miss "name" and "amount"/],
    ['with an empty cell', 'sms @due', 'number,name,amount\n0244123450,,5', /"name" is empty/],
    ['with a formula', 'sms @due', 'number,name,amount\n0244123450,=A1,5', /is a formula/],
    ['with no amount', 'sms @due', 'number,name,amount\n0244123450,Ama,x', /Row 2: .*digits/],
    ['with no number', 'sms @ready', 'number\nabc', /Row 2: .*abc/],
    ['with a card number', 'sms @due', 'number,name,amount\n0244123450,4111111111111111,5', /card/],
    ['which has no header', 'sms @due', '0244123450', /I miss "number", "name" and "amount"/],
  ])('%s is answered with what to do, and nothing is sent', async (_, words, bytes, said) => {
    const shown = await send(bytes, words);
    expect(shown.map(text).join('\n')).toMatch(said);
    await pass(5);
    expect(desk.gateway.texted).toEqual([]);
  });

  it('comes back with the rows that were left out, and counts a row once that stands there twice', async () => {
    const [question] = await send(
      'number;date;other\n0244123450;1 Dec;a\n0244123450;1 Dec;a\n12;;\n0244123450;1 Dec;b',
      'sms @ready',
    );
    const shown = text(question);
    for (const each of [
      'Send 2 SMS?',
      'Left out: row 4',
      'Twice in the file, counted once: row 3',
      '2 rows for 024 *** 3450: rows 2 and 5.',
      'Lines: 5 = 2 rows + 1 left out + 1 twice + 1 header',
    ])
      expect(shown).toContain(each);
    expect(await resultRows()).toMatchObject([{ row: '4', number: '12' }]);
  });

  it('without a good row says why, sends its rows back and asks nothing', async () => {
    const [answer, ...others] = await send('number\n12', 'sms @ready');
    expect(text(answer)).toContain('No row of this file can be sent');
    expect(answer?.buttons).toBeUndefined();
    expect(others).toEqual([]);
    expect(await resultRows()).toMatchObject([{ row: '2', number: '12' }]);
  });

  it('names each amount in the currency of its row, and leaves out what a comma can mean twice', {
    tags: ['F71'],
  }, async () => {
    const rows = ['0244123450;Ama;20;USD', '0244123451;Esi;1,200;', '0244123452;Efua;12,50;'];
    const [question] = await desk.send(
      ama,
      { name: 'dues.csv', bytes: ['number;name;amount;currency', ...rows].join('\n') },
      { words: '/sms @due', where: { platform: 'slack', channel: 'D1' } },
    );
    expect(text(question)).toContain('Row 2 will read: Dear Ama, USD 20.00 is due');
    expect(text(question)).toContain('Row 3: "1,200" can mean 1200 or 1.200 here.');
  });

  it('that is a result of ours is refused, and the way on is said', async () => {
    const [question] = await send(fileOf(1));
    await desk.press(ama, question, 'Send 1 SMS');
    await pass(10);
    await desk.press(ama, desk.edited.at(-1), 'Result');
    const result = Buffer.from(
      (await desk.files.at(-1)?.content.arrayBuffer()) ?? new ArrayBuffer(),
    );
    const [refused] = await send(result.toString(), 'sms @ready');
    expect(text(refused)).toContain('A file of results cannot be sent. Take out its columns');
    await pass(5);
    expect(numbers()).toHaveLength(1);
  });

  it('is sent once however often it comes, by anyone, but with another template it is another file', async () => {
    const [question] = await send(fileOf(1));
    const [twin] = await send(fileOf(1), 'sms @due', kofi);
    await desk.press(ama, question, 'Send 1 SMS');
    const [refused] = await desk.press(kofi, twin, 'Send 1 SMS');
    expect(text(refused)).toContain('This file was sent already');
    await pass(10);
    const [told] = await send(fileOf(1), 'sms @due', kofi);
    expect(text(told)).toContain('1 of 1 · 1 accepted');
    const [late] = await desk.press(ama, question, 'Send 1 SMS');
    expect(text(late)).toContain('Already confirmed');
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
    const [tooMany] = await send(fileOf(6));
    expect(text(tooMany)).toContain('You may send 5 SMS a day');
    const [question] = await send(fileOf(4));
    const [beside] = await send(fileOf(3), 'sms @ready');
    await desk.press(ama, question, 'Send 4 SMS');
    const [refused] = await desk.press(ama, beside, 'Send 3 SMS');
    expect(text(refused)).toContain('4 are held by the running file dues.csv.');
    await clock.advance(200);
    await desk.press(ama, desk.posted[0]?.card, 'Stop');
    const [room] = await send(fileOf(1), 'sms @ready');
    expect(text(room)).toContain('Send 1 SMS?');
  });

  it('waits while it is paused, goes on when it is resumed, and what was stopped is never sent', async () => {
    const [question] = await send(fileOf(30));
    await desk.press(ama, question, 'Send 30 SMS');
    await pass(2);
    const [paused] = await desk.press(kofi, desk.posted[0]?.card, 'Pause');
    expect(text(paused)).toContain('SMS that were sent already cannot be taken back');
    await pass(5);
    const sent = numbers().length;
    expect(sent).toBeGreaterThan(0);
    await pass(60);
    expect(numbers()).toHaveLength(sent);
    expect(progress()).toMatch(/Paused: 30 SMS[\s\S]*By kofi\. \d+ rows are not sent/);
    await desk.press(kofi, desk.edited.at(-1), 'Resume');
    await pass(2);
    expect(numbers().length).toBeGreaterThan(sent);
    await desk.press(ama, desk.posted[0]?.card, 'Stop');
    await pass(60);
    const stopped = numbers().length;
    await pass(600);
    expect(numbers()).toHaveLength(stopped);
    expect(progress()).toContain(`Stopped: ${stopped} of 30 accepted`);
    await desk.press(ama, desk.edited.at(-1), 'Result');
    const states = (await resultRows()).map(({ state }) => state);
    expect(states.filter((state) => state === 'accepted')).toHaveLength(stopped);
    expect(states.filter((state) => state === 'not sent')).toHaveLength(30 - stopped);
  });

  it('and the file of charges have buttons of their own: the right to one is none to the other', async () => {
    const [question] = await send(fileOf(20));
    await desk.press(ama, question, 'Send 20 SMS');
    const [charge] = await send(fileOf(20), '');
    await desk.press(ama, charge, 'Charge 20');
    await pass(1);
    const [sms, charges] = desk.posted.map(({ card }) => card);
    const forged = (card: Card | undefined, verb: string): Card => ({
      title: '',
      parts: [],
      buttons: (card?.buttons ?? []).map((button) =>
        button.kind === 'press' ? { ...button, verb } : button,
      ),
    });
    for (const [card, verb] of [
      [charges, 'sms-stop'],
      [charges, 'sms-result'],
      [sms, 'bulk-stop'],
      [sms, 'bulk-again'],
    ] as const) {
      const [refused] = await desk.press(ama, forged(card, verb), 'Stop');
      expect(text(refused)).toContain('This button is too old');
    }
    const [of] = [question].map((card) => forged(card, 'bulk-charge'));
    expect(text((await desk.press(ama, of, 'Send'))[0])).toContain('Already confirmed');
    await pass(120);
    expect(numbers()).toHaveLength(20);
  });

  it('takes no press with the button of the other kind of question', async () => {
    const [sms] = await send(fileOf(1));
    const [charges] = await send(fileOf(1), '');
    const as = (card: Card | undefined, verb: string): Card => ({
      title: '',
      parts: [],
      buttons: (card?.buttons ?? []).map((button) =>
        button.kind === 'press' ? { ...button, verb } : button,
      ),
    });
    for (const verb of ['bulk-charge', 'bulk-zero', 'charge', 'send', 'approve'])
      expect(text((await desk.press(ama, as(sms, verb), 'Send'))[0])).toMatch(/too old|Another/);
    for (const verb of ['sms-file', 'sms-zero', 'send'])
      expect(text((await desk.press(ama, as(charges, verb), 'Charge'))[0])).toMatch(/too old/);
    await pass(10);
    expect(desk.gateway.texted).toEqual([]);
    expect(desk.gateway.sent).toEqual([]);
  });

  it('is not sent for somebody who may not send SMS any more', async () => {
    const [question] = await send(fileOf(1));
    grants[ama.id] = { may: (command) => command !== 'sms' };
    const [refused] = await desk.press(ama, question, 'Send 1 SMS');
    expect(text(refused)).toMatch(/cannot send SMS|no longer send SMS/);
    await pass(5);
    expect(desk.gateway.texted).toEqual([]);
  });

  it('asks once whether numbers without their leading 0 are read right', async () => {
    const [asked] = await send('number\n244123450\n0244123451', 'sms @ready');
    expect(text(asked)).toContain('Nothing is sent yet');
    const [question] = await desk.press(ama, asked, 'Add the 0');
    expect(text((await desk.press(ama, asked, 'Add the 0'))[0])).toContain('Send 2 SMS?');
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
      answers[Number(number.at(-1))] ?? { kind: 'sent', answer: {}, messageId: 'm1', status: 'ok' };
    const [question] = await send(fileOf(4));
    await desk.press(ama, question, 'Send 4 SMS');
    await pass(20);
    expect(progress()).toContain('4 of 4 · 1 accepted · 1 not clear · 1 refused · 1 not sent');
    await desk.press(ama, desk.edited.at(-1), 'Result');
    expect(await resultRows()).toMatchObject([
      { row: '2', number: '0244123450', state: 'refused', reason: 'It has no credit.' },
      { row: '3', state: 'not clear', reason: 'No answer came.' },
      { row: '4', state: 'not sent' },
      { row: '5', state: 'accepted', message_id: 'm1', text: expect.stringContaining('Ama 3') },
    ]);
    grants[kofi.id] = { reveal: false };
    await desk.press(kofi, desk.edited.at(-1), 'Result');
    const [masked] = await resultRows();
    expect(masked).toMatchObject({ text: '' });
    expect(JSON.stringify(masked)).not.toContain('0244123450');
  });

  it('pauses by itself when several rows in a row are not taken', async () => {
    desk.gateway.onSms = () => ({ kind: 'refused', answer: {}, reason: 'No credit.' });
    const [question] = await send(fileOf(20));
    await desk.press(ama, question, 'Send 20 SMS');
    await pass(40);
    expect(progress()).toContain('5 in a row were not taken');
    expect(numbers().length).toBeLessThan(12);
  });

  it('goes on after the program was stopped, and nobody gets it twice', async () => {
    const [question] = await send(fileOf(12));
    await desk.press(ama, question, 'Send 12 SMS');
    await pass(1);
    await desk.engine.stop();
    const first = numbers();
    expect(first.length).toBeLessThan(12);
    desk = await openShop();
    await pass(30);
    expect([...first, ...numbers()].toSorted()).toEqual(
      Array.from({ length: 12 }, (_, row) => `+2332441234${50 + row}`),
    );
    expect(progress()).toContain('12 of 12 · 12 accepted');
  });

  it('stops in a store that was restored, because its rest may have been sent', async () => {
    const [question] = await send(fileOf(20));
    await desk.press(ama, question, 'Send 20 SMS');
    await pass(1);
    await new ChargeFreeze(store).set(
      { backupAtMs: clock.now(), sinceMs: clock.now() },
      clock.now(),
    );
    const sent = numbers().length;
    await pass(30);
    expect(numbers().length - sent).toBeLessThanOrEqual(1);
    expect(progress()).toContain('The rest may have been sent already');
  });

  it('that was confirmed after a restore is sent, though charges wait', async () => {
    await new ChargeFreeze(store).set(
      { backupAtMs: clock.now(), sinceMs: clock.now() },
      clock.now(),
    );
    await clock.advance(1_000);
    const [question] = await send(fileOf(2));
    await desk.press(ama, question, 'Send 2 SMS');
    await pass(10);
    expect(numbers()).toHaveLength(2);
  });

  it('has its balances asked after 50 SMS, and its rows are removed a day after its end', async () => {
    const [question] = await send(fileOf(50));
    await desk.press(ama, question, 'Send 50 SMS');
    let asked = 0;
    desk.gateway.onBalance = () => {
      asked++;
      return { kind: 'noAnswer', answer: {}, reason: 'not now' };
    };
    await pass(60);
    expect(progress()).toContain('50 of 50 · 50 accepted');
    expect(asked).toBeGreaterThan(0);
    await desk.press(ama, desk.edited.at(-1), 'Result');
    const rows = await resultRows();
    expect(rows).toHaveLength(50);
    await clock.advance(3 * 86_400_000);
    await pass(2);
    await clock.advance(3 * 86_400_000);
    await pass(2);
    await desk.press(ama, desk.edited.at(-1), 'Result');
    expect(await resultRows()).toHaveLength(0);
  });

  it('is not sent when its conversation belongs to another merchant by then', {
    tags: ['T50'],
  }, async () => {
    await desk.engine.stop();
    desk = await openShop(['SHOP'], [merchant('osu')]);
    const [question] = await send(fileOf(1));
    expect(text(question)).toContain('osu');
    await desk.engine.stop();
    desk = await openShop(['SHOP'], [merchant('tema')]);
    const [refused] = await desk.press(ama, question, 'Send 1 SMS');
    expect(text(refused)).toContain('another merchant');
    await pass(10);
    expect(desk.gateway.texted).toEqual([]);
  });

  it('is not taken where SMS are not set up', async () => {
    await desk.engine.stop();
    desk = await openShop([]);
    const [off] = await send(fileOf(1));
    expect(text(off)).toContain('SMS is not set up');
  });
});
