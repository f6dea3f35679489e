import { beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import type { DeskInHand } from '../../support/desk.ts';
import { smsSettings } from '../../support/sms-templates.ts';
import { kofi, openFileDesk, passInSteps, sundayMorning } from '../bulk/file-desk.ts';

let { clock, store, desk } = {} as DeskInHand;

const open = () => openFileDesk(store, clock, undefined, { settings: smsSettings() });

beforeEach(async () => {
  ({ clock, store } = await sundayMorning());
  desk = await open();
});

const pass = (seconds: number) => passInSteps(clock, seconds);
const fileOf = (...ends: readonly number[]) =>
  ['number', ...ends.map((end) => `02441234${end}`)].join('\n');
const send = async (bytes: string, of = desk, person = ama): Promise<Card | undefined> =>
  (await of.send(person, { name: 'a.csv', bytes }, { words: 'sms @ready' })).at(-1);
const type = async (words: string, person = ama): Promise<Card | undefined> =>
  (await desk.type(person, 'sms', words))[0];
const label = (card: Card | undefined) => card?.buttons?.[0]?.label;
const recipients = (of = desk) => of.gateway.texted.flatMap(({ recipients: numbers }) => numbers);

describe('the same SMS to the same customer on one day', { tags: ['F73'] }, () => {
  it('is named in a list that was saved again, whoever sends it, with a button that says again', async () => {
    const first = await send(fileOf(50, 51, 52));
    expect(label(first)).toBe('Send 3 SMS');
    await desk.press(ama, first, 'Send 3');
    await pass(20);
    const saved = `${fileOf(50, 51, 53)}\n`;
    const again = await send(saved, desk, kofi);
    expect(cardText(again)).toContain(
      'The same text went out today, or waits in a file: rows 2 and 3.',
    );
    expect(label(again)).toBe('Send 3 SMS again');
    await desk.press(kofi, again, 'Send 3 SMS again');
    await pass(20);
    expect(recipients()).toHaveLength(6);
  });

  it('is named while the rows of the first list are still to be sent', async () => {
    await desk.press(ama, await send(fileOf(50, 51, 52)), 'Send 3');
    const again = await send(`${fileOf(50, 51, 52)}\n`, desk, kofi);
    expect(label(again)).toBe('Send 3 SMS again');
    expect(label(await type('0244123452 Your order is ready. Adjoa Stores'))).toBe(
      'Send 1 SMS again',
    );
  });

  it('is named when it is typed: after a list, and after it was typed before', async () => {
    await desk.press(ama, await send(fileOf(50)), 'Send 1');
    await pass(10);
    const typed = await type('0244123450,0244123459 Your order is ready. Adjoa Stores');
    expect(cardText(typed)).toContain(
      'The same text went out today, or waits in a file: 1 person.',
    );
    await desk.press(ama, typed, 'Send 2 SMS again');
    await pass(10);
    expect(label(await type('@ready 0244123459', kofi))).toBe('Send 1 SMS again');
    expect(label(await type('0244123459 Another text'))).toBe('Send 1 SMS');
  });

  it('is looked for once more at the press, and shown before it counts', async () => {
    const list = await send(fileOf(50, 51));
    const typed = await type('@ready 0244123450');
    await desk.press(ama, typed, 'Send 1 SMS');
    await pass(5);
    const [shown] = await desk.press(ama, list, 'Send 2 SMS');
    expect(label(shown)).toBe('Send 2 SMS again');
    expect(cardText(shown)).toContain('waits in a file: row 2.');
    await desk.press(ama, list, 'Send 2 SMS');
    await pass(10);
    expect(recipients()).toHaveLength(1);
    await desk.press(ama, shown, 'Send 2 SMS again');
    await pass(10);
    expect(recipients()).toHaveLength(3);
  });

  it('typed twice and pressed at one moment, on two instances, goes out once unwarned', async () => {
    const other = await open();
    const one = await type('@ready 0244123450');
    const [two] = await other.type(kofi, 'sms', '@ready 0244123450', 'another event');
    const answers = await Promise.all([
      desk.press(ama, one, 'Send 1 SMS'),
      other.press(kofi, two, 'Send 1 SMS'),
    ]);
    await pass(10);
    expect([...recipients(), ...recipients(other)]).toHaveLength(1);
    expect(answers.flat().map(label)).toContain('Send 1 SMS again');
  });

  it('is none where the first was refused, was on another day, or has another text', async () => {
    desk.gateway.onSms = () => ({ kind: 'refused', answer: {}, reason: 'No.' });
    await desk.press(ama, await type('@ready 0244123450'), 'Send 1 SMS');
    await pass(5);
    expect(label(await type('@ready 0244123450'))).toBe('Send 1 SMS');
    desk.gateway.onSms = () => ({ kind: 'sent', answer: {}, messageId: 'm1', status: 'ok' });
    await desk.press(ama, await type('@ready 0244123450'), 'Send 1 SMS');
    await pass(5);
    expect(label(await type('@ready 0244123450'))).toBe('Send 1 SMS again');
    clock.jump(86_400_000);
    await pass(1);
    expect(label(await type('@ready 0244123450'))).toBe('Send 1 SMS');
  });
});
