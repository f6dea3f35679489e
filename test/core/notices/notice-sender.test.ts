import { beforeEach, describe, expect, it } from 'vitest';
import { platforms } from '../../../src/bots/all-platforms.ts';
import type { OutgoingMessage } from '../../../src/bots/bot.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { noLabel } from '../../../src/commands/cards/sandbox-label.ts';
import { renderNotice } from '../../../src/commands/render-notice.ts';
import { NO_SMS } from '../../../src/commands/sms/text-buttons.ts';
import { Chats } from '../../../src/core/notices/chats.ts';
import { NoticeSender } from '../../../src/core/notices/notice-sender.ts';
import { Outbox } from '../../../src/core/notices/outbox.ts';
import type { Notice } from '../../../src/core/records/notice.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Delivery } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperators } from '../../support/no-operators.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';

const ref = { conversation: shop, message: '1.1' };
let store: Store;
let posted: OutgoingMessage[];
let edited: Card[];
let posting: Delivery;
let editing: Delivery;
/** Happens while a message or an edit is on its way. */
let meanwhile: () => Promise<void>;
let sender: NoticeSender<Card>;

beforeEach(async () => {
  store = await openStore();
  posted = [];
  edited = [];
  posting = { kind: 'delivered', ref };
  editing = { kind: 'delivered', ref };
  meanwhile = async () => {};
  const chat = {
    post: async (message: OutgoingMessage) => {
      posted.push(message);
      await meanwhile();
      return posting;
    },
    edit: async (_ref: unknown, card: Card) => {
      edited.push(card);
      await meanwhile();
      return editing;
    },
  };
  sender = new NoticeSender({
    store,
    chats: new Chats({ store, log: silentLog, byPlatform: new Map([['slack', chat]]) }),
    isStillAsked: async () => true,
    render: (content, shownIn) =>
      renderNotice(content, shownIn, {
        ...NO_SMS,
        clock: { now: () => 0 },
        timeZone: 'UTC',
        currency: 'GHS',
        mark: noLabel,
        platforms,
        paymentOf: async () => undefined,
        approvalQuestion: async () => ({ title: 'approve?', parts: [] }),
        approvalReminder: async () => ({ title: 'approve!', parts: [] }),
        givableRoles: () => [],
        linkTo: async () => undefined,
        linkToPayment: async () => undefined,
      }),
  });
});

const keep = (changes: Partial<Payment>) =>
  store.commit({ put: [{ kind: 'payment', record: aPayment({ card: ref, ...changes }) }] });

const notice = (about: Notice['about']): Notice => ({
  id: 'a notice',
  version: 1,
  about,
  conversation: shop,
  to: ama,
  createdAtMs: 1_000,
  attempts: 0,
  mayStand: false,
});
const paymentId = aPayment().id;
const deliver = (about: Notice['about']) => sender.send(notice(about), () => true);

/** Whether the claim still holds: it is lost when the payment is completed while a message is on its way. */
const lostWhenCompleted = (): (() => boolean) => {
  let isOurs = true;
  meanwhile = async () => {
    isOurs = false;
    await keep({ state: 'completed', version: 2 });
  };
  return () => isOurs;
};

describe('a card', () => {
  it('that shows the present state is delivered', async () => {
    await keep({ state: 'pending' });
    expect(await deliver({ kind: 'card', paymentId })).toMatchObject({ kind: 'delivered' });
    expect(edited.map(({ title }) => title)).toEqual(['GHS 50.00 pending · Kofi M.']);
  });

  it('whose payment went on while the edit was on its way was overtaken', async () => {
    await keep({ state: 'pending' });
    meanwhile = async () => void (await keep({ state: 'completed', version: 2 }));
    expect(await deliver({ kind: 'card', paymentId })).toEqual({ kind: 'overtaken' });
  });

  it('that may show an older state, sent too late and without an answer, is brought up to date again', async () => {
    await keep({ state: 'pending' });
    editing = { kind: 'unclear', reason: 'no answer' };
    const isOurs = lostWhenCompleted();
    const card = notice({ kind: 'card', paymentId });
    expect(await sender.send(card, isOurs)).toEqual({ kind: 'overtaken' });
  });

  it('that says pending and has to wait is never sent once the payment has ended', async () => {
    const clock = new ManualClock();
    const outbox = new Outbox({
      ...{ store, clock, sender, log: silentLog },
      alerts: noOperators({ store, clock }),
    });
    const owe = async (version: number) => {
      const due = { queue: 'notice', atMs: clock.now() } as const;
      const record = { ...notice({ kind: 'card', paymentId }), version, due };
      await store.commit({ put: [{ kind: 'notice', record }] });
      return record;
    };
    await keep({ state: 'pending' });
    const pending = await owe(1);
    editing = { kind: 'rateLimited', retryAfterMs: 5_000 };
    await outbox.serve(pending);
    await keep({ state: 'completed', version: 2 });
    const ended = await owe(2);
    editing = { kind: 'delivered', ref };
    await outbox.serve(pending);
    await outbox.serve(ended);
    // The first one was refused by the pace and not sent.
    expect(edited.map(({ title }) => title)).toEqual([
      'GHS 50.00 pending · Kofi M.',
      'GHS 50.00 completed · Kofi M.',
    ]);
  });

  it('is not overtaken by what it does not show', async () => {
    await keep({ state: 'pending' });
    meanwhile = async () => void (await keep({ state: 'pending', version: 2, hints: 1 }));
    expect(await deliver({ kind: 'card', paymentId })).toMatchObject({ kind: 'delivered' });
  });
});

describe('an outcome', () => {
  it('is told as long as it is so', async () => {
    await keep({ state: 'unknown' });
    await deliver({ kind: 'outcome', paymentId, of: 'unknown' });
    await keep({ state: 'unknown', version: 2, flag: 'conflict' });
    await deliver({ kind: 'outcome', paymentId, of: 'conflict' });
    expect(posted.map(({ card }) => card.title)).toEqual(
      Array(2).fill('GHS 50.00 from Kofi M.: unknown'),
    );
  });

  it('that the end came before, told by another instance, says so itself and is not told twice', async () => {
    await keep({ state: 'unknown' });
    meanwhile = async () => {
      meanwhile = async () => {};
      await keep({ state: 'completed', version: 2 });
    };
    const delivery = await deliver({ kind: 'outcome', paymentId, of: 'unknown' });
    expect(delivery).toMatchObject({ kind: 'delivered' });
    expect(edited.map(({ title }) => title)).toEqual([
      'GHS 50.00 from Kofi M.: unknown, then completed',
    ]);
  });

  it('of a conflict that has another state by now says so itself, though it is a conflict still', async () => {
    await keep({ state: 'pending', flag: 'conflict' });
    meanwhile = async () => {
      meanwhile = async () => {};
      await keep({ state: 'completed', version: 2, flag: 'conflict' });
    };
    await deliver({ kind: 'outcome', paymentId, of: 'conflict' });
    expect(edited.map(({ title }) => title)).toEqual([
      'GHS 50.00 from Kofi M.: pending, then completed',
    ]);
  });

  it('that cannot say so itself at once is stale, and put right by an edit later, not told twice', async () => {
    await keep({ state: 'unknown' });
    editing = { kind: 'not sent', reason: 'HTTP 503' };
    meanwhile = async () => {
      meanwhile = async () => {};
      await keep({ state: 'completed', version: 2 });
    };
    expect(await deliver({ kind: 'outcome', paymentId, of: 'unknown' })).toEqual({
      kind: 'stale',
      message: ref,
      told: 'unknown',
    });
    editing = { kind: 'delivered', ref };
    const about = { kind: 'stale outcome', paymentId, message: ref, told: 'unknown' } as const;
    expect(await deliver(about)).toMatchObject({ kind: 'delivered' });
    expect(edited.map(({ title }) => title)).toEqual(
      Array(2).fill('GHS 50.00 from Kofi M.: unknown, then completed'),
    );
    expect(posted).toHaveLength(1);
  });

  it('that may stand there too late is overtaken as well, so that the end is told after it', async () => {
    await keep({ state: 'unknown' });
    posting = { kind: 'unclear', reason: 'no answer' };
    const isOurs = lostWhenCompleted();
    const about = { kind: 'outcome', paymentId, of: 'unknown' } as const;
    const outcome = await sender.send(notice(about), isOurs);
    expect(outcome).toEqual({ kind: 'overtaken', of: 'completed' });
  });

  it('is not told, and no card is edited, by a process whose claim ran out while it read', async () => {
    await keep({ state: 'completed' });
    const late = (about: Notice['about']) => sender.send(notice(about), () => false);
    expect(await late({ kind: 'outcome', paymentId, of: 'completed' })).toEqual({ kind: 'late' });
    expect(await late({ kind: 'card', paymentId })).toEqual({ kind: 'late' });
    expect([posted, edited]).toEqual([[], []]);
  });

  it('unknown stands as it is when the service merely began to know of it', async () => {
    await keep({ state: 'unknown' });
    meanwhile = async () => void (await keep({ state: 'pending', version: 2 }));
    expect(await deliver({ kind: 'outcome', paymentId, of: 'unknown' })).toMatchObject({
      kind: 'delivered',
    });
  });

  it.each(['pending', 'completed'] as const)(
    'unknown is not told of a payment that is %s by now',
    async (state) => {
      await keep({ state });
      const delivery = await deliver({ kind: 'outcome', paymentId, of: 'unknown' });
      expect(delivery).toEqual({ kind: 'nothing' });
      expect(posted).toEqual([]);
    },
  );
});
