import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { withoutCards } from '../../../src/core/values/card-number.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import type { DeskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { smsSettings } from '../../support/sms-templates.ts';
import { statusOf } from '../../support/stub-gateway.ts';
import {
  DIRECT,
  kofi,
  lastFile,
  lastRows,
  openFileDesk,
  passInSteps,
  sundayMorning,
} from './file-desk.ts';

const FILE = 'number,amount,name\n0244123450,50,Ama Mensah\n0244123451,50,Kofi Boateng';
const CARD = '4111 1111 1111 1111';

let { clock, store, desk } = {} as DeskInHand;
let grants: Record<string, Partial<Grants>>;

beforeEach(async () => {
  grants = {};
  ({ clock, store } = await sundayMorning());
  desk = await openFileDesk(store, clock, ({ id }) => allGrants(grants[id]), {
    settings: smsSettings(),
  });
});

const pass = (seconds: number) => passInSteps(clock, seconds);
const send = async (bytes: string, name = 'dues.csv', words = ''): Promise<Card | undefined> =>
  (await desk.send(ama, { name, bytes }, { words })).at(-1);
const numbers = async () => (await lastRows(desk)).map(({ number = '' }) => number);
const end = (): Card | undefined => desk.posted.at(-1)?.card;
const whole = ['0244123450', '0244123451'];

describe('the result of a file', { tags: ['T63'] }, () => {
  it('is in the audit trail like an export, before it is sent, whoever gets it', async () => {
    await desk.press(ama, await send(FILE), 'Charge 2');
    await pass(60);
    let rowsWhenSent = 0;
    desk.sendsFiles(async () => {
      rowsWhenSent = (await store.auditOf('exports')).length;
      return { ok: true };
    });
    await desk.press(kofi, end(), 'Result');
    expect(rowsWhenSent).toBe(1);
    expect(await numbers()).toEqual(whole);
    grants[kofi.id] = { reveal: false };
    await desk.press(kofi, end(), 'Result');
    expect(await store.auditOf('exports')).toMatchObject([
      { who: { id: kofi.id }, detail: { words: 'result of dues.csv', rows: 2, isWhole: true } },
      { who: { id: kofi.id }, detail: { isWhole: false } },
    ]);
    const [told] = await desk.type(ama, 'audit', 'exports');
    expect(cardText(told)).toContain('kofi · 2 payments, result of dues.csv, numbers whole');
  });

  it('of SMS is there as well', async () => {
    await desk.press(ama, await send('number\n0244123450', 'a.csv', 'sms @ready'), 'Send 1');
    await pass(20);
    await desk.press(kofi, end(), 'Result');
    const [told] = await desk.type(ama, 'audit', 'exports');
    expect(cardText(told)).toContain('kofi · 1 SMS, result of a.csv, numbers whole');
  });
});

describe('a colleague without reveal who asks again', { tags: ['T63'] }, () => {
  const askedAgain = async (of: Card | undefined): Promise<void> => {
    const [question] = await desk.press(kofi, of, 'Ask again');
    await desk.press(kofi, question, 'Charge 2');
    await pass(60);
  };

  beforeEach(async () => {
    grants[kofi.id] = { reveal: false };
    desk.gateway.onStatus = (id) => statusOf(id, 'failed');
    await desk.press(ama, await send(FILE), 'Charge 2');
    await pass(60);
  });

  it('sees the customers shortened, also when they ask for their own run again', async () => {
    await askedAgain(end());
    await desk.press(kofi, end(), 'Result');
    expect(await numbers()).toEqual(['024 *** 3450', '024 *** 3451']);
    await askedAgain(end());
    await desk.press(kofi, end(), 'Result');
    expect(await numbers()).toEqual(['024 *** 3450', '024 *** 3451']);
    expect(await lastFile(desk)).not.toMatch(/Mensah|Boateng/);
    const { payments } = await store.listPayments({ requester: 'slack:U0KOFI' }, { limit: 9 });
    expect(payments.map(({ maskedFrom }) => maskedFrom !== undefined)).toEqual(Array(4).fill(true));
  });

  it('leaves the file whole to the one who sent it', async () => {
    const first = end();
    await askedAgain(first);
    grants[ama.id] = { reveal: false };
    await desk.press(ama, first, 'Result');
    expect(await numbers()).toEqual(whole);
  });
});

describe('a card number', { tags: ['T63'] }, () => {
  it('in the name of a file or in its cells is neither stored nor sent back', async () => {
    const bytes = [
      'number,amount,reference,network,name,notes',
      `0244123456,50,Fee,,Ama ${CARD},${CARD}`,
      `0244123457,50,Fee,${CARD.replaceAll(' ', '')},Yaw,`,
      '0244123458,50,Fee,,Esi,',
    ].join('\n');
    const said: Card[] = [];
    said.push(...(await desk.send(ama, { name: `card ${CARD}.csv`, bytes }, { where: DIRECT })));
    await desk.press(ama, said.at(-1), 'Charge 1', DIRECT);
    await pass(30);
    await desk.press(ama, end(), 'Result', DIRECT);
    const shown = [...said, ...desk.posted.map(({ card }) => card), ...desk.edited].map(cardText);
    const files = await Promise.all(
      desk.files.map(
        async ({ name, title, content }) => `${name} ${title} ${await content.text()}`,
      ),
    );
    const drafts = await store.draftsIn('done');
    const stored = JSON.stringify([drafts, await store.auditOf('exports')]);
    const all = [...shown, ...files, stored].join('\n');
    expect(all.replace(/\D/g, '')).not.toContain('4111111111111111');
    expect(all).toContain('[card number]');
  });

  it.each([
    [`card ${CARD}.csv`, 'card [card number].csv'],
    ['a 4111-1111-1111-1111, b 4000056655665556', 'a [card number], b [card number]'],
    ['dues of 0244123456.csv', 'dues of 0244123456.csv'],
    ['\uff14111111111111111', '[card number]'],
  ])('in %j is replaced, and nothing else', (text, without) => {
    expect(withoutCards(text)).toBe(without);
  });
});
