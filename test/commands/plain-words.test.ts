import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../src/commands/access/grants.ts';
import type { Card } from '../../src/commands/cards/card.ts';
import type { Conversation } from '../../src/core/values/conversation.ts';
import { ama, kojo, shop } from '../support/a-payment.ts';
import { cardText } from '../support/card-text.ts';
import { type DeskInHand, deskInHand } from '../support/desk.ts';
import { allGrants } from '../support/grants.ts';
import { storedPayments } from '../support/stored-payments.ts';

let grants: Grants;
let { store, desk } = {} as DeskInHand;

/** A direct message with the bot. */
const own: Conversation = { ...shop, channel: ama.id };

beforeEach(async () => {
  grants = allGrants();
  ({ store, desk } = await deskInHand(() => grants));
  const found = { kind: 'found', name: 'Adwoa Dogbe', status: 'active', answer: {} };
  Object.assign(desk.gateway, { lookUpAccount: async () => found });
});

const typed = async (text: string, where = own, who = ama): Promise<Card | undefined> => {
  const [first = '', ...rest] = text.split(' ');
  return (await desk.type(who, first, rest.join(' '), undefined, where))[0];
};
const title = async (text: string, where = own): Promise<string | undefined> =>
  (await typed(text, where))?.title;
const labels = (card: Card | undefined) => card?.buttons?.map(({ label }) => label);

describe('in a private chat, without a command', () => {
  it.each(['0244123456 50', '024 412 3456 50', '+233244123456 50 GHS', '50 0244123456'])(
    '%s asks for a charge, and charges nothing before the press',
    async (text) => {
      const card = await typed(text);
      expect(card?.title).toBe('Charge GHS 50.00?');
      expect(await storedPayments(store)).toEqual([]);
      await desk.press(ama, card, 'Charge', own);
      expect(await storedPayments(store)).toHaveLength(1);
    },
  );

  it('reads network and reference as /charge does', async () => {
    expect(cardText(await typed('0244123456 50 telecel Invoice 17'))).toMatch(
      /Network: Telecel Cash.*Invoice 17/,
    );
  });

  it('corrects an amount as /charge does', async () => {
    expect(labels(await typed('0244123456 5o'))).toEqual(['Correct it']);
  });

  it.each(['refund', 'given back', 'Return of shoes', '5o refunded'])(
    'a number and an amount with %s ask for no charge: the money is meant for the customer',
    async (words) => {
      const card = await typed(`0244123456 50 ${words}`);
      expect(card?.title).toBe('I did not understand that');
      expect(labels(card)).not.toContain('Correct it');
    },
  );

  it('a name and an amount are a charge of an own recent customer, and of no other', async () => {
    const card = await typed('0244123456 50');
    expect(await title('Adwoa 50')).toBe('I did not understand that');
    await desk.press(ama, card, 'Charge', own);
    expect(await title('Adwoa 50')).toMatch(/^Charge GHS 50\.00/);
    expect(await title('adwoa 60')).toBe('Charge GHS 60.00?');
    const others = { ...shop, channel: kojo.id };
    expect((await typed('Adwoa 60', others, kojo))?.title).toBe('I did not understand that');
  });

  describe('with days and states in them', () => {
    const paidBy = async (customerName: string): Promise<void> => {
      const found = { kind: 'found', name: customerName, status: 'active', answer: {} };
      Object.assign(desk.gateway, { lookUpAccount: async () => found });
      await desk.press(ama, await typed('0244123456 70'), 'Charge', own);
    };

    it.each([
      ['NOVISI AGBEKO', 'Nov 2025', 'No payments, 1 to 30 Nov 2025'],
      ['NOVISI AGBEKO', '15 Nov', 'No payments'],
      ['NOVISI AGBEKO', 'Novisi 15 Nov', 'Nothing found, '],
      ['NOVISI AGBEKO', 'Novisi 70 pending today', 'Payments for "Novisi 70", today, pending'],
      ['NOVISI AGBEKO', '0244123456 open', 'Payments of 024 412 3456, open'],
      ['NOVISI AGBEKO', 'Novisi 50 paid yesterday', 'Nothing found, yesterday, completed'],
      ['NOVISI AGBEKO', '0244123456 15 Nov', 'Nothing found, '],
      ['NOVISI AGBEKO', '15 Nov 0244123456', 'Nothing found, '],
      ['NOVISI AGBEKO', '0244123456 7 days', 'Payments of 024 412 3456, 9 to 15 Jan'],
      ['NOVISI AGBEKO', '0244123456 today', 'Payments of 024 412 3456, today'],
    ])('a customer of the name %s: %s searches', async (customerName, text, wanted) => {
      await paidBy(customerName);
      expect(await title(text)).toMatch(new RegExp(`^(${wanted})`));
    });

    it.each([
      ['NOVISI AGBEKO', 'no 50'],
      ['NOVISI AGBEKO', 'Nov 50'],
      ['NOVISI AGBEKO', 'Nov Agbeko 50'],
      ['NOVISI AGBEKO', 'visi 50'],
      ['CHRISTOPHER OSEI', 'top 10'],
      ['TOPE OSEI', 'top 10'],
      ['YESUTOR KOFI', 'yes 50'],
      ['FRIDAY OSEI', 'Friday 50'],
      ['FRIDAY OSEI', 'Friday Osei 50'],
      ['PAIDOO KOFI', 'paid 50'],
      ['NOVISI AGBEKO', '0244123456 50 failed'],
      ['NOVISI AGBEKO', '0244123456 50 Friday'],
      ['NOVISI AGBEKO', '0244123456 50 March rent'],
      ['NOVISI AGBEKO', 'Novisi 50 today rent'],
      ['NOVISI AGBEKO', '0244123456 50 tomorrow'],
      ['NOVISI AGBEKO', 'Novisi 50 31 Feb'],
    ])('a customer of the name %s: %s is not certain, and charges nobody', async (name, text) => {
      await paidBy(name);
      expect(await title(text)).toBe('I did not understand that');
    });

    it.each([
      ['NOVISI AGBEKO', 'Novisi 50'],
      ['NOVISI AGBEKO', 'agb 50'],
      ['NOVISI AGBEKO', 'Novisi 50 rent'],
      ['MARY-ANN ƐTƆ', 'ann eto 50'],
      ['BOB OSEI', 'Bob 50'],
      ['NOVISI AGBEKO', '0244123456 50 rent'],
      ['NOVISI AGBEKO', '0244123456 50 "March rent"'],
    ])('a customer of the name %s: %s is a charge', async (customerName, text) => {
      await paidBy(customerName);
      expect(await title(text)).toBe('Charge GHS 50.00?');
    });
  });

  it.each([
    ['who paid today?', 'Payments, today, completed'],
    ['Who has paid', 'Payments, today, completed'],
    ['who has not paid yesterday?', 'No open or failed payments yesterday'],
    ['today', 'Today: Thu 15 Jan'],
    ['Today?', 'Today: Thu 15 Jan'],
    ['My day', 'Today, ama: Thu 15 Jan'],
    ['who has paid 0244123456', 'Nothing found, completed'],
    ['failed today', 'No failed payments today'],
    ['balance', 'The balances'],
    ['What is the balance?', 'The balances'],
  ])('%s is understood', async (text, wanted) => {
    await desk.press(ama, await typed('0244123456 50'), 'Charge', own);
    expect(await title(text)).toMatch(new RegExp(`^(${wanted}|No .*payments)`));
  });

  it('offers three next steps for anything else, which press nothing by a guess', async () => {
    const card = await typed('blue shoes please');
    expect(card?.title).toBe('I did not understand that');
    expect(labels(card)).toEqual([
      'Search "blue shoes please"',
      'Charge a customer',
      'All commands',
    ]);
    expect((await desk.press(ama, card, 'Search', own))[0]?.title).toBe('Nothing found');
    expect((await desk.press(ama, card, 'All', own))[0]?.title).toBe('All you can do');
    expect(labels(await typed('0244123456'))).toEqual([
      'Charge this number',
      'Search "0244123456"',
      'All commands',
    ]);
  });

  it('offers nothing that the person may not do', async () => {
    grants = allGrants({ may: (name) => name === 'payments', roles: ['some'], admin: false });
    expect(labels(await typed('blue shoes'))).toEqual([
      'Search "blue shoes"',
      "Today's payments",
      'All commands',
    ]);
    expect(await title('0244123456 50')).toBe('You cannot charge yet');
    expect(await title('balance')).toBe('You cannot see balances yet');
  });

  it('stops at a card number before anything is read out of it', async () => {
    expect(cardText(await typed('4111 1111 1111 1111 50'))).not.toContain('4111');
    expect(await storedPayments(store)).toEqual([]);
  });
});

it('where others read along such words are none of the bot’s business', async () => {
  for (const text of ['0244123456 50', 'who paid today?', 'blue shoes']) {
    const card = await typed(text, shop);
    expect(card?.title).toBe('I did not understand that');
    expect(card?.buttons).toBeUndefined();
  }
});
