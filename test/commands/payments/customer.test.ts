import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Conversation } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, shop } from '../../support/a-payment.ts';
import { cardText, listedIds } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

let store: Store;
let desk: Desk;
let grants: () => Grants;

beforeEach(async () => {
  grants = () => allGrants();
  store = await openStore();
  desk = openDesk(store, new ManualClock(Date.parse('2026-11-22T16:00:00Z')), () => grants());
});

const stored = async (
  id: string,
  confirmedAt: string,
  changes: Partial<Payment> = {},
  terms: Partial<Payment['terms']> = {},
): Promise<void> => {
  const record: Payment = {
    ...aPayment({ state: 'completed' }),
    ...changes,
    id,
    terms: { ...aPayment().terms, ...terms },
    confirmedAtMs: Date.parse(confirmedAt),
  };
  await store.commit({ put: [{ kind: 'payment', record }] });
};

const customer = async (words: string, where: Conversation = shop): Promise<Card> => {
  const [card] = await desk.type(ama, 'customer', words, undefined, where);
  if (card === undefined) throw new Error('nothing was shown');
  return card;
};

describe('/customer', () => {
  it("shows a customer's totals, last outcome and payments, masked where others read", async () => {
    await stored('P1', '2026-11-20T09:00:00Z');
    await stored('P2', '2026-11-21T09:00:00Z', {
      state: 'failed',
      reason: 'The customer has not enough money.',
      settledAtMs: Date.parse('2026-11-21T09:01:00Z'),
    });
    await stored('P3', '2026-11-22T09:00:00Z', { state: 'pending' });
    await stored('OTHER', '2026-11-22T09:00:00Z', {}, { customerNumber: '+233201112223' });
    const card = await customer('024 412 3456');
    expect(card.title).toBe('Kofi M. · 024 *** 3456');
    expect(card.parts.slice(0, 2)).toEqual([
      { kind: 'text', text: '1 completed · GHS 50.00 · 1 pending · 1 failed' },
      {
        kind: 'text',
        text: 'Last outcome: GHS 50.00 failed, yesterday 09:01. The customer has not enough money.',
      },
    ]);
    const text = cardText(card);
    expect(listedIds(card)).toEqual(['P3', 'P2', 'P1']);
    expect(text).not.toMatch(/MENSAH|412/);
    expect(card.buttons?.map(({ label }) => label)).toEqual(['1', '2', '3', 'Charge']);
    expect((await desk.press(ama, card, '2'))[0]?.title).toBe('GHS 50.00 failed');
  });

  it('shows number and name in whole where the caller alone reads', async () => {
    await stored('P1', '2026-11-20T09:00:00Z');
    const own = { platform: 'telegram', channel: ama.id };
    expect((await customer('0244123456', { ...shop, ...own })).title).toBe(
      'KOFI MENSAH · 024 412 3456',
    );
  });

  it('has Charge, with the customer as far as the presser may see them, for people who may charge', async () => {
    await stored('P1', '2026-11-20T09:00:00Z');
    await desk.press(ama, await customer('0244123456'), 'Charge');
    expect(desk.asked.at(-1)).toMatchObject({
      form: { command: 'charge' },
      answers: { number: '024 412 3456' },
    });
    grants = () => allGrants({ may: (name) => name !== 'charge' });
    expect((await customer('0244123456')).buttons?.map(({ label }) => label)).toEqual(['1']);
  });

  it('says that there is no outcome yet', async () => {
    await stored('P1', '2026-11-22T09:00:00Z', { state: 'unknown' });
    expect(cardText(await customer('0244123456'))).toContain('There is no outcome yet.');
  });

  it('pages with More, and asks at the press whether the presser may see customers', async () => {
    for (let n = 10; n < 20; n++) await stored(`P${n}`, `2026-11-22T09:${n}:00Z`);
    const card = await customer('0244123456');
    const [second] = await desk.press(ama, card, 'More');
    expect(cardText(second)).toContain('10 completed · GHS 500.00');
    expect(listedIds(second)).toEqual(['P11', 'P10']);
    const [first] = await desk.press(ama, second, 'Newest');
    expect(first).toEqual(card);
    grants = () => ({ ...allGrants(), may: (command) => command === 'payments' });
    expect((await desk.press(ama, card, 'More'))[0]?.title).toMatch(/^You cannot see customers/);
  });

  it('takes the name of one of the own recent customers, and asks which of several', async () => {
    const named = (customerName: string, customerNumber: string) => ({
      customerName,
      customerNumber,
    });
    await stored('P1', '2026-11-20T09:00:00Z', {}, named('ADWOA BOATENG', '+233244000001'));
    expect((await customer('adwoa')).title).toBe('Adwoa B. · 024 *** 0001');
    await stored('P2', '2026-11-21T09:00:00Z', {}, named('ADWOA SARPONG', '+233244000002'));
    const which = await customer('Adwoa');
    expect(cardText(which)).toContain('You have 2 recent customers called "Adwoa".');
    const [card] = await desk.press(ama, which, 'Adwoa S. 024 *** 0002');
    expect(card?.title).toBe('Adwoa S. · 024 *** 0002');
  });

  it('offers to search a name that is not among them, to people who may see payments', async () => {
    await stored('P1', '2026-11-20T09:00:00Z', {
      requester: { platform: 'slack', id: 'U0OTHER', name: 'Esi' },
    });
    const [list] = await desk.press(ama, await customer('Kofi'), 'Search "Kofi"');
    expect(list?.title).toBe('Payments for "Kofi"');
    expect(listedIds(list)).toEqual(['P1']);
    grants = () => allGrants({ may: (name) => name !== 'payments' });
    const labels = (await customer('Kofi')).buttons?.map(({ label }) => label);
    expect(labels).toEqual(['Correct it']);
  });

  it('asks for the number when none was typed', async () => {
    await stored('P1', '2026-11-20T09:00:00Z');
    await desk.type(ama, 'customer', '');
    expect(desk.asked[0]?.form).toMatchObject({ command: 'customer', submitLabel: 'Show' });
    const [card] = await desk.submit(ama, { number: '0244123456' });
    expect(card?.title).toBe('Kofi M. · 024 *** 3456');
  });

  it.each([
    [
      '0201112223',
      'I found no payment of 020 111 2223. Check the number, or search by name: | /payments Adwoa',
    ],
    ['Adwoa', 'I found no "Adwoa" among your recent customers. Type the number.'],
    ['12', '"12" is too short'],
    ['0302123456', 'That is a landline.'],
  ])('answers %s with a sentence', async (words, sentence) => {
    expect(cardText(await customer(words))).toContain(sentence);
  });
});
