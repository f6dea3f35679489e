import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import { referenceFor } from '../../../src/commands/bulk/next-month.ts';
import { type Card, cardOf, pressButton } from '../../../src/commands/cards/card.ts';
import { ChargeFreeze } from '../../../src/core/guards/charge-freeze.ts';
import { isCharge, pageId } from '../../../src/core/records/bulk.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import type { Desk, DeskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { changePayment } from '../../support/stored-payments.ts';
import { statusOf } from '../../support/stub-gateway.ts';
import {
  fileOf,
  kofi,
  lastRows,
  merchant,
  openFileDesk,
  passInSteps,
  sundayMorning,
} from './file-desk.ts';

const DAY_MS = 24 * 3_600_000;

let { clock, store, desk } = {} as DeskInHand;
let grants: Record<string, Partial<Grants>>;

const openShop = (...merchants: readonly string[]): Promise<Desk> =>
  openFileDesk(store, clock, ({ id }) => allGrants(grants[id]), {
    settings: { merchants: merchants.map(merchant) },
  });

beforeEach(async () => {
  grants = {};
  // On 22 November.
  ({ clock, store } = await sundayMorning());
  desk = await openShop();
});

const pass = (seconds: number) => passInSteps(clock, seconds);

const send = (bytes: string, person = ama) => desk.send(person, { name: 'dues.csv', bytes });

const labels = (card: Card | undefined): string[] =>
  (card?.buttons ?? []).map(({ label }) => label);

/** Charges a file, and waits for the message at its end. */
const charged = async (bytes = fileOf(3)): Promise<Card | undefined> => {
  const [question] = await send(bytes);
  await desk.press(ama, question, 'Charge');
  await pass(30);
  return desk.posted.at(-1)?.card;
};

/** Charges nine rows, stops them after a second, and waits for the message at their end. */
const stopped = async (question: Card | undefined): Promise<Card | undefined> => {
  await desk.press(ama, question, 'Charge 9');
  await clock.advance(1_000);
  await desk.press(ama, desk.posted.at(-1)?.card, 'Stop');
  await pass(30);
  return desk.posted.at(-1)?.card;
};

/** The number of a customer who was erased. */
const ERASED = 'forgotten-7f3a9c21b04d';

const requestsTo = (number: string): number =>
  desk.gateway.sent.filter(({ customerNumber }) => customerNumber === number).length;

describe('a file asked again for the next month', { tags: ['F110'] }, () => {
  it('is a dry run of its own, with new ids and references, and charges each customer once more', async () => {
    const end = await charged(
      'number,amount,reference\n0244123450,50,Dues Nov\n0244123451,50,\n0244123452,50,Room 12',
    );
    expect(labels(end)).toContain('Ask these 3 again for December');
    clock.jump(10 * DAY_MS);
    const [question] = await desk.press(ama, end, 'Ask these 3 again for December');
    expect(cardText(question)).toContain('December: charge 3 customers?');
    expect(labels(question)[0]).toBe('Charge 3: GHS 150.00');
    await pass(20);
    expect(desk.gateway.sent).toHaveLength(3);
    await desk.press(ama, question, 'Charge 3');
    await pass(30);
    const sent = desk.gateway.sent.toSorted((a, b) =>
      a.customerNumber < b.customerNumber ? -1 : 1,
    );
    expect(new Set(sent.map(({ transactionId }) => transactionId)).size).toBe(6);
    const references = sent.map(({ reference, transactionId }) =>
      reference === transactionId ? 'its id' : reference,
    );
    expect(references).toEqual([
      ...['Dues Nov', 'Dues Dec'],
      ...['its id', 'its id'],
      ...['Room 12', 'Room 12 Dec'],
    ]);
    expect(labels(desk.posted.at(-1)?.card)).toContain('Ask these 3 again for January');
  });

  it('has one run a month, however often and from whichever card it is asked', async () => {
    const end = await charged();
    clock.jump(10 * DAY_MS);
    const [one] = await desk.press(ama, end, 'Ask these 3');
    const [two] = await desk.press(kofi, end, 'Ask these 3');
    await desk.press(ama, one, 'Charge 3');
    const [refused] = await desk.press(kofi, two, 'Charge 3');
    expect(cardText(refused)).toContain('This file is being charged');
    await pass(30);
    expect(desk.gateway.sent).toHaveLength(6);
    const december = desk.posted.at(-1)?.card;
    const [known] = await desk.press(ama, end, 'Ask these 3');
    expect(cardText(known)).toContain('This file was charged already');
    clock.jump(31 * DAY_MS);
    const [january] = await desk.press(ama, end, 'Ask these 3');
    const [same] = await desk.press(ama, december, 'Ask these 3');
    expect(cardText(january)).toContain('January: charge');
    await desk.press(ama, january, 'Charge 3');
    await desk.press(ama, same, 'Charge 3');
    await pass(30);
    expect(desk.gateway.sent).toHaveLength(9);
  });

  it('names what repeats a charge of this month or one that is open, and says again', async () => {
    const end = await charged();
    clock.jump(2 * DAY_MS);
    const [early] = await desk.press(ama, end, 'Ask these 3');
    expect(cardText(early)).toMatch(/Rows 2, 3 and 4 repeat dues\.csv of ama, .*: completed\./);
    expect(labels(early)[0]).toBe('Charge 3 again: GHS 150.00');
    desk.gateway.onStatus = (id) => statusOf(id, 'pending');
    const [typed] = await desk.type(kofi, 'charge', '0244123451 50');
    await desk.press(kofi, typed, 'Charge');
    clock.jump(8 * DAY_MS);
    const [question] = await desk.press(ama, end, 'Ask these 3');
    expect(labels(question)[0]).toBe('Charge 3, 1 again: GHS 150.00');
    // Once more at the press, for a charge that came after the dry run.
    const [other] = await desk.type(kofi, 'charge', '0244123450 50');
    await desk.press(kofi, other, 'Charge');
    const [asked] = await desk.press(ama, question, 'Charge 3');
    expect(labels(asked)[0]).toBe('Charge 3, 2 again: GHS 150.00');
    await pass(10);
    // In November, and the typed one.
    expect(requestsTo('+233244123450')).toBe(2);
  });

  it('has the rows that were never asked for as well, and not those of another try', async () => {
    const [question] = await send(fileOf(9));
    const end = await stopped(question);
    const sofar = desk.gateway.sent.length;
    expect(sofar).toBeGreaterThan(0);
    expect(sofar).toBeLessThan(9);
    const [rest] = await desk.press(ama, end, 'Ask again');
    await desk.press(ama, rest, 'Charge');
    await pass(30);
    const tried = desk.posted.at(-1)?.card;
    expect(labels(tried).join()).not.toContain('for December');
    // Days in which what is not needed any more is removed.
    clock.jump(2 * DAY_MS);
    await pass(180);
    clock.jump(8 * DAY_MS);
    const [december] = await desk.press(ama, end, 'Ask these 9');
    expect(labels(december)[0]).toBe('Charge 9: GHS 450.00');
    // The button of the file under the card of the other try asks for the file.
    const [shown] = tried?.buttons ?? [];
    const id = shown?.kind === 'press' ? shown.id : '';
    const button = pressButton('December', 'bulk-round', id);
    const [same] = await desk.press(ama, cardOf('', [], { buttons: [button] }), 'December');
    expect(labels(same)[0]).toBe('Charge 9: GHS 450.00');
  });

  it('has the rows that a restore kept from being asked for', async () => {
    const [question] = await send(fileOf(9));
    await desk.press(ama, question, 'Charge 9');
    await clock.advance(1_000);
    const freeze = new ChargeFreeze(store);
    const mark = { sinceMs: clock.now(), backupAtMs: clock.now() };
    await freeze.set(mark, clock.now());
    await freeze.lift(mark, clock.now(), {});
    await pass(30);
    const end = desk.posted.at(-1)?.card;
    expect(labels(end)).not.toContain('Ask again');
    clock.jump(2 * DAY_MS);
    await pass(180);
    clock.jump(8 * DAY_MS);
    const [december] = await desk.press(ama, end, 'Ask these 9');
    expect(labels(december)[0]).toBe('Charge 9: GHS 450.00');
  });

  it('names how many rows it is without, and has those that another try asked for', async () => {
    const [question] = await send(fileOf(9));
    const end = await stopped(question);
    const done = desk.gateway.sent.length;
    const verb = end?.buttons?.find(({ label }) => label === 'Ask again');
    const run = await store.get('bulk', verb?.kind === 'press' ? verb.id : '');
    // A customer of the page was erased: it is not what was confirmed any more.
    const page = await store.get('rows', pageId(String(run?.draftId), 0));
    if (page === undefined) throw new Error('there are no rows');
    const erased = page.rows.map((row) =>
      row.row === 10 && isCharge(row)
        ? { ...row, terms: { ...row.terms, customerNumber: ERASED } }
        : row,
    );
    const withErased = { ...page, version: page.version + 1, rows: erased };
    const [rest] = await desk.press(ama, end, 'Ask again');
    await store.commit({ put: [{ kind: 'rows', record: withErased }] });
    clock.jump(10 * DAY_MS);
    const [few] = await desk.press(ama, end, 'Ask these 9');
    expect(cardText(few)).toContain(`Left out: ${9 - done} of 9 rows.`);
    clock.jump(-10 * DAY_MS);
    await desk.press(ama, rest, 'Charge');
    await pass(30);
    clock.jump(10 * DAY_MS);
    const [december] = await desk.press(ama, end, 'Ask these 9');
    expect(cardText(december)).not.toContain('Left out');
    expect(labels(december)[0]).toBe('Charge 9: GHS 450.00');
  });

  it('has a customer who was erased in the first try and is known in a later one', async () => {
    desk.gateway.onStatus = (id) => statusOf(id, 'failed');
    const end = await charged();
    desk.gateway.onStatus = (id) => statusOf(id, 'completed');
    const [rest] = await desk.press(ama, end, 'Ask again');
    await desk.press(ama, rest, 'Charge');
    await pass(30);
    for (const { transactionId } of desk.gateway.sent.slice(0, 2)) {
      const payment = await store.get('payment', transactionId);
      if (payment === undefined) throw new Error('no such payment');
      const terms = { ...payment.terms, customerNumber: ERASED };
      await changePayment(store, payment.id, { terms });
    }
    clock.jump(10 * DAY_MS);
    const [december] = await desk.press(ama, end, 'Ask these 3');
    expect(labels(december)[0]).toBe('Charge 3: GHS 150.00');
  });

  it('has all rows where its question was open when files got keys of merchants', async () => {
    const [question] = await send(fileOf(9));
    const [button] = question?.buttons ?? [];
    const [draft = ''] = button?.kind === 'press' ? button.id.split('.') : [];
    const page = await store.get('rows', pageId(draft, 0));
    if (page === undefined) throw new Error('there are no rows');
    const record = { ...page, version: page.version + 1, run: 'a key of before' };
    await store.commit({ put: [{ kind: 'rows', record }] });
    const end = await stopped(question);
    for (let days = 0; days < 3; days++) {
      clock.jump(DAY_MS + 60_000);
      await pass(180);
    }
    clock.jump(7 * DAY_MS);
    const [december] = await desk.press(ama, end, 'Ask these 9');
    expect(labels(december)[0]).toBe('Charge 9: GHS 450.00');
  });

  it('offers on its button the month that it asks for', async () => {
    await charged();
    clock.jump(40 * DAY_MS);
    const [same] = await send(fileOf(3));
    expect(labels(same)).toContain('Ask these 3 again for January');
    const [question] = await desk.press(ama, same, 'Ask these 3');
    expect(cardText(question)).toContain('January: charge 3 customers?');
  });

  it('asked again in part names what its own question named', async () => {
    const end = await charged(fileOf(2));
    clock.jump(11 * DAY_MS);
    const [typed] = await desk.type(kofi, 'charge', '0244123450 50');
    await desk.press(kofi, typed, 'Charge');
    await pass(30);
    clock.jump(7 * DAY_MS);
    const paid = desk.gateway.sent.map(({ transactionId }) => transactionId);
    desk.gateway.onStatus = (id) => statusOf(id, paid.includes(id) ? 'completed' : 'failed');
    const [december] = await desk.press(ama, end, 'Ask these 2');
    expect(labels(december)[0]).toBe('Charge 2, 1 again: GHS 100.00');
    await desk.press(ama, december, 'Charge 2');
    await pass(30);
    clock.jump(DAY_MS);
    const [again] = await desk.press(ama, desk.posted.at(-1)?.card, 'Ask again');
    expect(cardText(again)).toContain('Row 2 repeats a charge of kofi, Thu 3 Dec');
    expect(labels(again)[0]).toBe('Charge 2, 1 again: GHS 100.00');
  });

  it('is refused in the conversation of another merchant, and while charges are frozen', async () => {
    await desk.engine.stop();
    desk = await openShop('osu');
    const end = await charged();
    clock.jump(10 * DAY_MS);
    await desk.engine.stop();
    desk = await openShop('tema');
    expect(textOf(await desk.press(ama, end, 'Ask these 3'))).toContain('another merchant');
    await desk.engine.stop();
    desk = await openShop('osu');
    await new ChargeFreeze(store).set({ backupAtMs: 1, sinceMs: 1 }, clock.now());
    expect(textOf(await desk.press(ama, end, 'Ask these 3'))).toContain('Nothing is charged now');
    expect(desk.gateway.sent).toHaveLength(0);
  });

  it('does not make one row of two, and names the rows of one customer', async () => {
    const end = await charged(
      'number,amount,reference\n0244123450,50,Dues Oct\n0244123450,50,Dues Nov',
    );
    clock.jump(10 * DAY_MS);
    const [question] = await desk.press(ama, end, 'Ask these 2');
    expect(cardText(question)).toContain('2 rows for 024 *** 3450: rows 2 and 3.');
    await desk.press(ama, question, 'Charge');
    await pass(30);
    const references = desk.gateway.sent.slice(2).map(({ reference }) => reference);
    expect(references.sort()).toEqual(['Dues Dec', 'Dues Oct Dec']);
  });

  it('keeps the customers of a colleague shortened', async () => {
    grants = { [kofi.id]: { reveal: false } };
    const end = await charged();
    clock.jump(10 * DAY_MS);
    const [question] = await desk.press(kofi, end, 'Ask these 3');
    await desk.press(kofi, question, 'Charge 3');
    await pass(30);
    await desk.press(kofi, desk.posted.at(-1)?.card, 'Result');
    expect((await lastRows(desk)).map(({ number }) => number)).toEqual(
      ['450', '451', '452'].map(() => expect.stringContaining('***')),
    );
  });
});

describe('a reference for another month', () => {
  const month = (text: string) => Date.parse(text) / DAY_MS;
  const [november, december, january] = [month('2026-11'), month('2026-12'), month('2027-01')];

  it.each([
    ['Dues Nov', 'Dues Dec'],
    ['dues november 2B', 'dues December 2B'],
    ['Dues Nov 2026', 'Dues Dec 2026'],
    ['Room 12', 'Room 12 Dec'],
    ['Novotel', 'Novotel Dec'],
    ['R'.repeat(60), `${'R'.repeat(56)} Dec`],
    ['Dues Dec', 'Dues Dec Dec'],
    ['Dues Oct', 'Dues Oct Dec'],
    ['Nov-Dec', 'Nov-Dec Dec'],
    ['Oct - Nov', 'Oct - Nov Dec'],
  ])('of November, %s becomes %s', (reference, next) => {
    expect(referenceFor(reference, november, december)).toBe(next);
  });

  it.each([
    ['Dues Dec 2026', 'Dues Jan 2027'],
    ['2026-Dec room 4', '2027-Jan room 4'],
    ['December, 2026', 'January, 2027'],
    ['Dues 2025 Dec', 'Dues 2025 Jan'],
    ['April Mensah room 4', 'April Mensah room 4 Jan'],
    ['May Adjei Dec', 'May Adjei Jan'],
  ])('of December, %s becomes %s', (reference, next) => {
    expect(referenceFor(reference, december, january)).toBe(next);
  });
});
