import { beforeEach, describe, expect, it } from 'vitest';
import { type Card, cardOf, pressButton } from '../../../src/commands/cards/card.ts';
import { type BulkRun, bulkRunId } from '../../../src/core/records/bulk.ts';
import type { Merchant } from '../../../src/core/records/merchants.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import type { Desk, DeskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { smsSettings } from '../../support/sms-templates.ts';
import { statusOf } from '../../support/stub-gateway.ts';
import { kofi, openFileDesk, passInSteps, sundayMorning } from '../bulk/file-desk.ts';

const inOsu = { platform: 'slack', channel: 'C0OSU' };
const inTema = { platform: 'slack', channel: 'C0TEMA' };
const merchants = ['osu', 'tema'].map(
  (name): Merchant => ({
    ...{ name, nickname: `Adjoa ${name}`, senderIds: [name.toUpperCase()] },
    conversations: [`slack:C0${name.toUpperCase()}`],
  }),
);
const FILE = 'number,amount\n0244123451,50';
const FEES = 'number,amount,reference\n0244123451,50,Fees';

let { clock, store, desk } = {} as DeskInHand;
/** What each request for money becomes, in the order they are sent. */
let ends: ('completed' | 'failed' | 'pending')[];

const openShops = async (settings: { merchants: Merchant[] } = { merchants }): Promise<Desk> => {
  const opened = await openFileDesk(store, clock, () => allGrants(), {
    settings: { ...smsSettings(), ...settings },
  });
  opened.gateway.onStatus = (id) => {
    const at = opened.gateway.sent.findIndex(({ transactionId }) => transactionId === id);
    return statusOf(id, ends[at] ?? 'completed');
  };
  return opened;
};

beforeEach(async () => {
  ends = [];
  ({ clock, store } = await sundayMorning());
  desk = await openShops();
});

const pass = (seconds: number) => passInSteps(clock, seconds);

/** Also across desks, whose own events are counted from the first again. */
let files = 0;

const send = async (where = inOsu, bytes = FILE, name = 'dues.csv', person = ama) =>
  (await desk.send(person, { name, bytes }, { where, eventId: `file ${files++}` }))[0];

/** Charges a file there, and returns the card at its end. */
const charged = async (...file: Parameters<typeof send>): Promise<Card | undefined> => {
  await desk.press(file[3] ?? ama, await send(...file), 'Charge', file[0] ?? inOsu);
  await pass(30);
  return desk.posted.at(-1)?.card;
};

const labels = (card: Card | undefined): string[] =>
  (card?.buttons ?? []).map(({ label }) => label);

const texted = () => desk.gateway.texted.map(({ senderId }) => senderId);

describe('of two merchants', { tags: ['T69'] }, () => {
  it('the file of one is not named to the other, nor is what became of it', async () => {
    await charged(inTema, FEES, 'tema-loans.csv', kofi);
    const question = await send();
    expect(labels(question)[0]).toBe('Charge 1: GHS 50.00');
    expect(cardText(question)).not.toMatch(/repeat|tema|kofi|completed/);
    // Its own is, as before.
    expect(labels(await send(inTema))[0]).toBe('Charge 1 again: GHS 50.00');
  });

  it('a charge of one is not named where the same is typed for the other', async () => {
    ends = ['pending', 'pending'];
    const [question] = await desk.type(kofi, 'charge', '0244123451 50', undefined, inTema);
    await desk.press(kofi, question, 'Charge', inTema);
    await pass(5);
    for (const amount of ['50', '60']) {
      const words = `0244123451 ${amount}`;
      const [theirs] = await desk.type(ama, 'charge', words, undefined, inOsu);
      expect(cardText(theirs)).not.toMatch(/Already|earlier|still/);
      expect(labels(theirs)[0]).toBe(`Charge GHS ${amount}.00`);
      const [own] = await desk.type(ama, 'charge', words, undefined, inTema);
      expect(cardText(own)).toMatch(/Already asked|An earlier charge/);
    }
  });

  it('each is asked for its own while the file of one is under way', async () => {
    await desk.press(ama, await send(), 'Charge', inOsu);
    const [typed] = await desk.type(kofi, 'charge', '0244123451 50', undefined, inTema);
    expect(cardText(typed)).not.toContain('Waiting in a file');
    await desk.press(kofi, typed, 'Charge', inTema);
    await pass(30);
    expect(desk.gateway.sent.map(({ merchant }) => merchant).toSorted()).toEqual(['osu', 'tema']);
  });

  it('the same bytes are a file of each, and a file of either only once', async () => {
    await charged();
    const question = await send(inTema);
    expect(cardText(question)).not.toContain('charged already');
    await desk.press(ama, question, 'Charge', inTema);
    await pass(30);
    expect(desk.gateway.sent).toHaveLength(2);
    for (const where of [inOsu, inTema])
      expect(cardText(await send(where))).toContain('This file was charged already');
  });

  it('a file that one charged before each had its own is not charged by it again', async () => {
    const end = await charged();
    const run = await oneRun(end);
    const { merchant: _, ...older } = run.terms;
    await desk.engine.stop();
    // As it was stored when the files of all merchants had one key.
    await store.commit({ remove: [{ kind: 'bulk', id: run.id, version: run.version }] });
    const stored = { ...run, id: bulkRunId(older), version: 1 };
    await store.commit({ put: [{ kind: 'bulk', record: stored }] });
    desk = await openShops();
    expect(cardText(await send(inOsu))).toContain('This file was charged already');
    expect(labels(await send(inTema))[0]).toBe('Charge 1: GHS 50.00');
  });

  it('a file from before there were merchants is charged by none of them again', async () => {
    await desk.engine.stop();
    desk = await openShops({ merchants: [] });
    await charged();
    await desk.engine.stop();
    desk = await openShops();
    for (const where of [inOsu, inTema])
      expect(cardText(await send(where))).toContain('This file was charged already');
  });

  it('who paid the other is reminded of what they owe to this one', async () => {
    ends = ['failed'];
    const end = await charged();
    await charged(inTema, FEES, 'tema-loans.csv', kofi);
    const [question] = await desk.press(ama, end, 'Remind 1', inOsu);
    expect(cardText(question)).toContain('Send 1 SMS?');
    await desk.press(ama, question, 'Send 1 SMS', inOsu);
    await pass(20);
    expect(texted()).toEqual(['OSU']);
  });

  it('a reminder of one does not take the day of the other, from a file or from a card', async () => {
    ends = ['failed', 'failed', 'failed', 'pending'];
    const remind = async (card: Card | undefined, where: typeof inOsu) => {
      const [question] = await desk.press(ama, card, 'Remind 1', where);
      await desk.press(ama, question, 'Send 1 SMS', where);
      await pass(20);
    };
    await remind(await charged(), inOsu);
    await remind(await charged(inTema), inTema);
    expect(texted()).toEqual(['OSU', 'TEMA']);
    clock.jump(24 * 3_600_000);
    await remind(await charged(inOsu, FEES), inOsu);
    expect(texted()).toEqual(['OSU', 'TEMA', 'OSU']);
    const [typed] = await desk.type(ama, 'charge', '0244123451 70', undefined, inTema);
    await desk.press(ama, typed, 'Charge', inTema);
    await pass(20);
    const id = desk.gateway.sent.at(-1)?.transactionId ?? '';
    const card = cardOf('', [], { buttons: [pressButton('Reminder', 'remind', id)] });
    await desk.press(ama, card, 'Reminder', inTema);
    await pass(20);
    expect(texted()).toEqual(['OSU', 'TEMA', 'OSU', 'TEMA']);
  });

  it('an SMS of one is not named to the other', async () => {
    for (const where of [inOsu, inTema]) {
      const [preview] = await desk.type(ama, 'sms', '0244123451 Ready', undefined, where);
      expect(cardText(preview)).not.toContain('already');
      await desk.press(ama, preview, 'Send', where);
      await pass(10);
    }
    expect(texted()).toEqual(['OSU', 'TEMA']);
    const [again] = await desk.type(ama, 'sms', '0244123451 Ready', undefined, inOsu);
    expect(labels(again).join()).toContain('again');
  });
});

const oneRun = async (end: Card | undefined): Promise<BulkRun> => {
  const [button] = end?.buttons ?? [];
  const run = button?.kind === 'press' ? await store.get('bulk', button.id) : undefined;
  if (run === undefined) throw new Error(`no run behind ${textOf(end ? [end] : [])}`);
  return run;
};
