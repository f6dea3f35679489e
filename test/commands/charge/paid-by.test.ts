import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import { parseMoney } from '../../../src/core/values/money.ts';
import { ama, efua } from '../../support/a-payment.ts';
import { cardText, factOf } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';

let { store, desk } = {} as DeskInHand;
let limits: Partial<Grants>;

beforeEach(async () => {
  limits = {};
  ({ store, desk } = await deskInHand(({ id }) => allGrants(id === ama.id ? limits : {})));
});

const questionTo = async (words: string): Promise<Card> => {
  const [card] = await desk.type(ama, 'charge', words);
  if (card === undefined) throw new Error(`${words}: nothing was asked`);
  return card;
};

describe('how a customer pays', () => {
  it.each([
    ['0264123456 12.50 GHS telecel checkout Order77', 'Checkout link, Telecel Cash', 'VOD', 'CRM'],
    ['0264123456 12.50 checkout telecel', 'Checkout link, Telecel Cash', 'VOD', 'CRM'],
    ['0264123456 checkout 12.50', 'Checkout link, AT Money', 'AIR', 'CRM'],
    ['0264123456 12.50 visa checkout', 'Checkout link, Visa', 'VIS', 'CRM'],
    ['0264123456 12.50 visa card Order77', 'Visa card', 'VIS', 'CRD'],
    ['0264123456 12.50 mastercard', 'Mastercard', 'MAS', 'CRD'],
    ['0264123456 12.50', 'AT Money', 'AIR', 'MOM'],
    ['0264123456 12.50 telecel', 'Telecel Cash', 'VOD', 'MOM'],
  ])('by %s is on the question and on the card, and is what is sent', async (...row) => {
    const [words, shown, network, option] = row;
    const question = await questionTo(words);
    expect(factOf(question, 'Network')).toBe(shown);
    await desk.press(ama, question, 'Charge');
    await desk.runUntil(() => expect(desk.gateway.sent).toHaveLength(1));
    expect(desk.gateway.sent[0]).toMatchObject({ network, option });
    const [payment] = (await store.listPayments({}, { limit: 1 })).payments;
    if (payment === undefined) throw new Error('nothing was stored');
    expect(cardText(paymentCard(payment, 'UTC'))).toContain(`${shown} · `);
  });

  it('is what was typed also when a form asks for the amount that is missing', async () => {
    await desk.type(ama, 'charge', '0264123456 telecel checkout');
    const [question] = await desk.submit(ama, { amount: '12.50' });
    expect(factOf(question, 'Network')).toBe('Checkout link, Telecel Cash');
  });

  it('is on the approval as well', async () => {
    const limit = parseMoney('10', 'GHS');
    if (!limit.ok) throw new Error('no limit');
    limits = { maxCharge: limit.value };
    await desk.press(ama, await questionTo('0264123456 checkout 51 counter 3'), 'Charge');
    await desk.runUntil(() => expect(desk.posted).toHaveLength(1));
    const [approval] = desk.posted;
    expect(factOf(approval?.card, 'Network')).toBe('Checkout link, AT Money');
    expect(factOf(approval?.card, 'Reference')).toBe('counter 3');
    await desk.press(efua, approval?.card, 'Approve', approval?.conversation);
  });
});
