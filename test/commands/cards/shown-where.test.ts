import { beforeEach, describe, expect, it } from 'vitest';
import type { Notice } from '../../../src/core/records/notice.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Conversation } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const own: Conversation = { platform: 'slack', channel: 'D0AMA' };
const direct: Conversation = { platform: 'slack', channel: ama.id };
const operators: Conversation = { platform: 'slack', channel: 'C0OPS' };
const operatorAlone: Conversation = { platform: 'slack', channel: 'D0OPERATOR' };
const WHOLE = /KOFI MENSAH/;
const SHORT = /Kofi M\./;

const notice: Omit<Notice, 'about'> = {
  id: 'a notice',
  version: 1,
  conversation: shop,
  to: ama,
  createdAtMs: 1_000,
  attempts: 0,
  mayStand: false,
};

let store: Store;
let desk: Desk;
beforeEach(async () => {
  const clock = new ManualClock();
  store = await openStore();
  desk = openDesk(store, clock);
});

const deliver = async (record: Notice): Promise<void> => {
  await store.commit({ put: [{ kind: 'notice', record }] });
  await desk.engine.outbox.serve(record);
};

const told = async (
  typedIn: Conversation,
  shownIn: Conversation,
  about: Notice['about'],
): Promise<string> => {
  const payment = aPayment({ state: 'completed', conversation: typedIn, version: 1 });
  await store.commit({ put: [{ kind: 'payment', record: payment }] });
  await deliver({ ...notice, conversation: shownIn, about });
  return desk.posted.map(({ card }) => cardText(card)).join();
};
const outcome = { kind: 'outcome', paymentId: aPayment().id, of: 'completed' } as const;

describe('the outcome of a payment', () => {
  it.each([
    ['the direct chat where it was typed', own, own],
    ['the requester’s direct chat, when the channel is lost', shop, direct],
  ])('names the customer whole in %s', async (_, typedIn, shownIn) => {
    expect(await told(typedIn, shownIn, outcome)).toMatch(WHOLE);
  });

  it.each([
    ['the channel where it was typed', shop, shop],
    ['the operators’ channel, when the direct chat where it was typed is lost', own, operators],
    ['the direct chat of an operator', own, operatorAlone],
  ])('shortens the name in %s', { tags: ['T26'] }, async (_, typedIn, shownIn) => {
    const text = await told(typedIn, shownIn, outcome);
    expect(text).toMatch(SHORT);
    expect(text).not.toMatch(WHOLE);
  });
});

describe('the payment card', () => {
  const about = { kind: 'card', paymentId: aPayment().id } as const;
  const edited = async (typedIn: Conversation, card: Conversation): Promise<string> => {
    const payment = aPayment({
      state: 'completed',
      conversation: typedIn,
      card: { conversation: card, message: '1.1' },
      version: 1,
    });
    await store.commit({ put: [{ kind: 'payment', record: payment }] });
    await deliver({ ...notice, conversation: typedIn, about });
    return desk.edited.map(cardText).join();
  };

  it('names the customer whole where the requester is alone', async () => {
    expect(await edited(own, own)).toMatch(WHOLE);
  });

  it('shortens the name where it stands among others', async () => {
    expect(await edited(own, operators)).not.toMatch(WHOLE);
  });
});

describe('the report on an SMS', () => {
  const sms = { kind: 'sms', batchId: 'B1' } as const;
  it.each([
    ['as it was sent in the direct chat where it was typed', own, /Call 0244123456/],
    [
      'without phone numbers in the operators’ channel',
      operators,
      /Call [^0]*•|Call (?!0244123456)/,
    ],
  ])('quotes the text %s', async (_, shownIn, quote) => {
    const terms = { senderId: 'SHOP', text: 'Call 0244123456', recipients: ['+233201234567'] };
    await store.commit({
      put: [
        {
          kind: 'sms',
          record: {
            id: 'B1',
            version: 1,
            terms,
            requester: ama,
            conversation: own,
            confirmedAtMs: 0,
            chunks: [],
          },
        },
      ],
    });
    await deliver({ ...notice, conversation: shownIn, about: sms });
    expect(desk.posted.map(({ card }) => cardText(card)).join()).toMatch(quote);
  });
});
