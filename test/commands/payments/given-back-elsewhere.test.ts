import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import type { Caller } from '../../../src/commands/inbound.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Conversation } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, efua, kojo, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { storePayments } from '../../support/stored-payments.ts';

const KOJOS = { platform: 'slack', channel: 'D0KOJO' };
const AMAS = { platform: 'slack', channel: 'D0AMA' };
const LIMIT = { amountMinor: 1_000, currency: 'GHS' };

let { store, desk } = {} as DeskInHand;
let grants: (caller: Caller) => Partial<Grants>;

beforeEach(async () => {
  grants = ({ id }) =>
    id === ama.id ? { maxCharge: LIMIT, approve: false } : { approve: id === efua.id };
  ({ store, desk } = await deskInHand((caller) => allGrants(grants(caller))));
});

/** A payment that Kojo charged. */
const charged = async (conversation: Conversation): Promise<Payment> => {
  const { due: _, ...paid } = aPayment({ state: 'completed', settledAtMs: 2_000 });
  const payment = { ...paid, requester: kojo, conversation };
  await storePayments(store, [payment]);
  return payment;
};

/** Ama gives some of it back, in her private chat; the question to approvers. */
const askedByAma = async (payment: Payment, reason = 'Wrong size') => {
  const [details] = await desk.press(ama, paymentCard(payment, 'UTC'), 'Details', AMAS);
  await desk.press(ama, details, 'Given back', AMAS);
  const [said] = await desk.submit(ama, { amount: '30', reason }, AMAS);
  expect(cardText(said)).toMatch(/^Waiting for approval .*I will tell you here/);
  await desk.runUntil(() => expect(desk.posted).toHaveLength(1));
  return desk.posted[0];
};

const approved = async (question: (typeof desk.posted)[number] | undefined): Promise<Card[]> =>
  desk.press(efua, question?.card, 'Approve', question?.conversation);

const news = async () => {
  const told = () => desk.posted.filter(({ card: { title } }) => /^Approved/.test(title));
  await desk.runUntil(() => expect(told()).toHaveLength(1));
  return told()[0];
};

describe('what is given back of a payment that a colleague charged', () => {
  it('in their private chat is told to the person who gave it back, there, with the customer shortened', {
    tags: ['T90'],
  }, async () => {
    await approved(await askedByAma(await charged(KOJOS)));
    const { conversation, card } = (await news()) ?? {};
    expect(conversation).toEqual(AMAS);
    expect(cardText(card)).toMatch(/^Approved: GHS 30\.00 back to Kofi M\./);
    expect(desk.posted.map(({ conversation: { channel } }) => channel)).not.toContain('D0KOJO');
  });

  it('in a group is asked of the approvers in the group, and told where it was given back', async () => {
    const question = await askedByAma(await charged(shop));
    expect(question?.conversation).toEqual(shop);
    await approved(question);
    expect((await news())?.conversation).toEqual(AMAS);
  });

  it('can be approved where the right to it is of their own private chat alone', async () => {
    const payment = await charged(KOJOS);
    const before = grants;
    grants = (caller) =>
      caller.id === ama.id && caller.conversation.channel !== AMAS.channel
        ? { may: () => false, approve: false }
        : before(caller);
    const [said] = await approved(await askedByAma(payment));
    expect(cardText(said)).toMatch(/^Approved/);
  });

  it('is asked with a reason that has neither number nor name of the customer', {
    tags: ['T90'],
  }, async () => {
    const payment = await charged(shop);
    const question = await askedByAma(payment, 'Kofi Mensah came, 0244123456, or 024 412 3456');
    const text = cardText(question?.card);
    expect(text).toContain('Kofi M. came, 0•••••, or •••••3456');
    expect(text).not.toMatch(/Mensah/i);
  });
});
