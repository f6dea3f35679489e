import { beforeEach, describe, expect, it } from 'vitest';
import { Alerts } from '../../../src/core/notices/alerts.ts';
import type { Attempt } from '../../../src/core/notices/notice-sender.ts';
import { Outbox } from '../../../src/core/notices/outbox.ts';
import { isOwed, type Notice } from '../../../src/core/records/notice.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Delivery } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperators } from '../../support/no-operators.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';

const ID = '01JD2M4X9QK7T3VB';
const ref = { conversation: shop, message: '1.2' };
const DELIVERED: Delivery = { kind: 'delivered', ref };
const ARCHIVED: Delivery = { kind: 'gone', reason: 'is_archived' };
let clock: ManualClock;
let store: Store;
let answers: Attempt[];
let delivered: Notice[];
let outbox: Outbox;

const put = (record: Notice) => store.commit({ put: [{ kind: 'notice', record }] });
const owed = (changes: Partial<Notice> = {}): Notice => ({
  id: `${ID}.outcome`,
  version: 1,
  due: { queue: 'notice', atMs: clock.now() },
  about: { kind: 'outcome', paymentId: ID, of: 'completed' },
  conversation: shop,
  to: ama,
  createdAtMs: clock.now(),
  attempts: 0,
  mayStand: false,
  ...changes,
});

type Sender = ConstructorParameters<typeof Outbox>[0]['sender'];
/** An outbox that sends like this. What it sends is in `delivered`. */
const outboxThat = (
  send: Sender['send'],
  alerts = noOperators({ store, clock }),
  postCard: Sender['postCard'] = async () => DELIVERED,
) => {
  const keepAndSend: Sender['send'] = (notice, isOurs) => {
    delivered.push(notice);
    return send(notice, isOurs);
  };
  const sender: Sender = { send: keepAndSend, postCard };
  return new Outbox({ alerts, store, clock, log: silentLog, sender });
};

/** Claims and serves whatever is due now. */
const serveDue = async () => {
  const work = await store.claim('notice', { nowMs: clock.now(), leaseMs: 60_000, limit: 10 });
  await Promise.all(
    work.map((each) => (each.kind === 'notice' ? outbox.serve(each.record) : undefined)),
  );
  return work.length;
};
/** Serves a notice so many times, after the longest wait each time; says which attempts knew that it may stand. */
const tryTimes = async (times: number): Promise<boolean[]> => {
  for (let tries = 0; tries < times; tries++) {
    expect(await serveDue()).toBe(1);
    clock.jump(300_000);
  }
  return delivered.map(({ mayStand }) => mayStand);
};
/** Undefined: told, or given up. */
const kept = async (id = owed().id) => {
  const notice = await store.get('notice', id);
  return isOwed(notice) ? notice : undefined;
};

beforeEach(async () => {
  clock = new ManualClock();
  store = await openStore();
  answers = [];
  delivered = [];
  outbox = outboxThat(async () => answers.shift() ?? DELIVERED);
  await put(owed());
});

describe('a notice', () => {
  it('is forgotten once it stands', async () => {
    await serveDue();
    expect(await kept()).toBeUndefined();
    expect(await serveDue()).toBe(0);
  });

  it('waits as long as the platform asks, without counting it as a failure', {
    tags: ['F52'],
  }, async () => {
    answers = [{ kind: 'rateLimited', retryAfterMs: 7_000 }];
    await serveDue();
    clock.jump(6_999);
    expect(await serveDue()).toBe(0);
    clock.jump(1);
    expect(await serveDue()).toBe(1);
    expect(await kept()).toBeUndefined();
  });

  it('is tried again for ever, ever more slowly, and remembers that it may stand already', {
    tags: ['F51'],
  }, async () => {
    answers = Array(30).fill({ kind: 'unclear', reason: 'timeout' });
    expect((await tryTimes(30)).slice(0, 2)).toEqual([false, true]);
    expect(await kept()).toMatchObject({ attempts: 30, mayStand: true });
    await serveDue();
    expect(await kept()).toBeUndefined();
  });

  it('that the platform refuses for a day goes elsewhere, and one that gets no answer does not', {
    tags: ['F92'],
  }, async () => {
    const refused = {
      kind: 'not sent',
      reason: 'Slack says access_denied',
      isRefused: true,
    } as const;
    answers = [refused, { kind: 'not sent', reason: 'no connection' }, refused];
    await serveDue();
    clock.jump(23 * 3_600_000);
    await serveDue();
    expect(await kept()).toMatchObject({ conversation: shop, attempts: 2 });
    clock.jump(3_600_000);
    await serveDue();
    expect((await kept())?.conversation).toEqual({ platform: ama.platform, channel: ama.id });
  });

  it.each<[string, Attempt]>([
    ['was told to wait', { kind: 'rateLimited', retryAfterMs: 7_000 }],
    ['was certainly not delivered', { kind: 'not sent', reason: 'ECONNREFUSED' }],
  ])('that %s is tried again as one that cannot stand yet', async (_what, answer) => {
    answers = [answer, answer];
    expect(await tryTimes(3)).toEqual([false, false, false]);
  });

  it('that may stand already still may after a later attempt that certainly did not arrive', async () => {
    answers = [
      { kind: 'unclear', reason: 'timeout' },
      { kind: 'not sent', reason: 'ECONNREFUSED' },
      { kind: 'rateLimited', retryAfterMs: 7_000 },
    ];
    expect(await tryTimes(4)).toEqual([false, true, true, true]);
  });

  it('goes to the person directly when the conversation is lost, and ends when that fails too', async () => {
    answers = [ARCHIVED, { kind: 'gone', reason: 'user is gone' }];
    await serveDue();
    expect(await kept()).toMatchObject({ conversation: { platform: 'slack', channel: 'U0AMA' } });
    await serveDue();
    expect(await kept()).toBeUndefined();
  });

  it('goes to the operators when nobody else can be reached, who hear of the lost conversation', {
    tags: ['F54'],
  }, async () => {
    const operators = [{ platform: 'slack', channel: 'C0OPS' }];
    outbox = outboxThat(
      async ({ conversation }) => (conversation.channel === 'C0OPS' ? DELIVERED : ARCHIVED),
      new Alerts({ store, clock, log: silentLog, operators }),
    );
    for (let i = 0; i < 4; i++) await serveDue();
    expect(delivered.map(({ about, conversation }) => [about.kind, conversation.channel])).toEqual([
      ['outcome', 'C0SALES'],
      ['outcome', 'U0AMA'],
      ['alert', 'C0OPS'],
      ['outcome', 'C0OPS'],
      ['alert', 'C0OPS'],
    ]);
    const alerts = delivered.flatMap(({ about }) => (about.kind === 'alert' ? [about.alert] : []));
    expect(alerts).toMatchObject([
      { kind: 'conversation lost', conversation: { channel: 'C0SALES' } },
      { kind: 'conversation lost', conversation: { channel: 'U0AMA' } },
    ]);
    expect(await kept()).toBeUndefined();
  });

  it('about the card is dropped with its conversation', async () => {
    const card = owed({ id: 'x.card', about: { kind: 'card', paymentId: 'x' } });
    await put(card);
    answers = [ARCHIVED, ARCHIVED];
    await serveDue();
    expect(await kept('x.card')).toBeUndefined();
  });

  it('follows its group to the new id', { tags: ['F54'] }, async () => {
    const conversation = { platform: 'slack', channel: 'C1NEW' };
    answers = [{ kind: 'moved', conversation }];
    await serveDue();
    await serveDue();
    expect(delivered.at(-1)?.conversation).toEqual(conversation);
  });

  it('that was overwritten while it was on its way leaves the newer one owed', async () => {
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<Delivery>();
    outbox = outboxThat(async () => (delivered.length > 1 ? DELIVERED : arrival));
    const first = serveDue();
    await expect.poll(() => delivered.length).toBe(1);
    const newer = owed({
      version: 2,
      about: { kind: 'outcome', paymentId: ID, of: 'conflict' },
    });
    await put(newer);
    const second = serveDue();
    arrive(DELIVERED);
    await Promise.all([first, second]);
    expect(delivered.map(({ about }) => (about.kind === 'outcome' ? about.of : ''))).toEqual([
      'completed',
      'conflict',
    ]);
    expect(await kept()).toBeUndefined();
    // Both were seen in the chat, so both are in the books.
    const rows = await store.auditOf(newer.id);
    expect(rows.map(({ what, before }) => [what, before])).toEqual([
      ['delivered', 'outcome completed'],
      ['delivered', 'outcome conflict'],
    ]);
  });

  it('whose attempt had no answer is no repetition where it goes when its conversation is lost', async () => {
    answers = [
      { kind: 'unclear', reason: 'no answer' },
      { kind: 'gone', reason: 'channel_not_found' },
    ];
    await serveDue();
    clock.jump(60_000);
    await serveDue();
    await serveDue();
    expect(delivered.map(({ conversation, mayStand }) => [conversation.channel, mayStand])).toEqual(
      [
        [shop.channel, false],
        [shop.channel, true],
        [ama.id, false],
      ],
    );
  });

  it('that told what was over by then owes an edit of its message, until that is done', async () => {
    answers = [
      { kind: 'stale', message: ref, told: 'unknown' },
      { kind: 'unclear', reason: 'no answer' },
    ];
    await serveDue();
    expect(await kept()).toBeUndefined();
    const edit = `${owed().id}.1.2`;
    const about = { kind: 'stale outcome', paymentId: ID, told: 'unknown' };
    await serveDue();
    expect(await kept(edit)).toMatchObject({ about: { ...about, message: ref }, attempts: 1 });
    await clock.advance(2_000);
    await serveDue();
    expect(await kept(edit)).toBeUndefined();
    expect(delivered.map(({ id }) => id)).toEqual([owed().id, edit, edit]);
  });

  it.each([
    ['a card that may show', { kind: 'card', paymentId: 'x' }],
    ['an outcome that may tell', { kind: 'outcome', paymentId: 'x', of: 'unknown' }],
  ] as const)(
    '%s what is over, after what came next, has that told again',
    async (_what, about) => {
      const id = `x.${about.kind}`;
      await put(owed({ id, about }));
      const told: string[] = [];
      const instance = (name: string, meanwhile: () => Promise<Delivery>) =>
        outboxThat(async (notice) => {
          if (notice.id !== id) return DELIVERED;
          told.push(`${name} ${notice.version}`);
          return meanwhile();
        });
      const other = instance('other', async () => DELIVERED);
      outbox = instance('slow', async () => {
        // The payment goes on, and another instance tells that while this attempt is on its way.
        await put(owed({ id, about, version: 2 }));
        const [newer] = await store.claim('notice', {
          nowMs: clock.now(),
          leaseMs: 60_000,
          limit: 1,
        });
        if (newer?.kind === 'notice') await other.serve(newer.record);
        return { kind: 'unclear', reason: 'no answer' };
      });
      await serveDue();
      outbox = other;
      await serveDue();
      expect(told).toEqual(['slow 1', 'other 2', 'other 4']);
    },
  );

  it('that is slow to be written down does not take the next of its name with it', async () => {
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<Delivery>();
    outbox = outboxThat(() => arrival);
    const slow = serveDue();
    await expect.poll(() => store.nextDueMs('notice')).toBe(clock.now() + 60_000);
    // Another instance meanwhile tells what came next, and the payment changes once more.
    await put(owed({ version: 2 }));
    outbox = outboxThat(async () => DELIVERED);
    await serveDue();
    const told = await store.get('notice', owed().id);
    const next = owed({ version: (told?.version ?? 0) + 1 });
    await put(next);
    arrive(DELIVERED);
    await slow;
    expect(await kept()).toEqual(next);
  });

  it('that was told is forgotten after an hour', async () => {
    await serveDue();
    const told = await store.get('notice', owed().id);
    expect(told?.due).toEqual({ queue: 'tidy', atMs: clock.now() + 3_600_000 });
  });

  it('that arrived after a newer one, delivered elsewhere and forgotten, is owed again', async () => {
    outbox = outboxThat(async (notice) => {
      if (delivered.length > 1) return DELIVERED;
      // The other instance, meanwhile.
      const key = { kind: 'notice', id: notice.id } as const;
      await put(owed({ version: 2 }));
      await store.commit({ remove: [{ ...key, version: 2 }] });
      return { kind: 'overtaken' };
    });
    await serveDue();
    expect(await serveDue()).toBe(1);
    expect(delivered).toHaveLength(2);
    expect(await kept()).toBeUndefined();
  });

  it('is left to others by a process that stood still: its name may mean a newer one by now', {
    tags: ['F45'],
  }, async () => {
    outbox = outboxThat(async (notice) => {
      await clock.advance(45_000);
      // The other instance delivered it; then the payment changed, and a notice is owed anew.
      await store.commit({ remove: [{ kind: 'notice', id: notice.id, version: 1 }] });
      await put(owed());
      return DELIVERED;
    });
    await serveDue();
    expect(await kept()).toBeDefined();
  });

  it('is not sent by a process that stood still before it could: another one has it by then', async () => {
    const asked: boolean[] = [];
    outbox = outboxThat(async (_, isOurs) => {
      asked.push(isOurs());
      await clock.advance(45_000);
      asked.push(isOurs());
      return { kind: 'late' };
    });
    await serveDue();
    expect(asked).toEqual([true, false]);
    expect(await kept()).toBeDefined();
  });

  it('is delivered once although somebody sets the clock meanwhile', {
    tags: ['F46'],
  }, async () => {
    outbox = outboxThat(async () => {
      clock.jump(86_400_000);
      return DELIVERED;
    });
    await serveDue();
    expect(await kept()).toBeUndefined();
  });
});

describe('the first card of a payment', () => {
  const card = { id: `${ID}.card`, about: { kind: 'card', paymentId: ID } } as const;
  let posts: number;
  let posting: Outbox;
  beforeEach(() => {
    posts = 0;
    posting = outboxThat(
      async () => DELIVERED,
      noOperators({ store, clock }),
      async () => {
        posts += 1;
        return { kind: 'not sent', reason: 'HTTP 503' };
      },
    );
  });

  it('that cannot be posted is tried again, and its failed attempts are counted', async () => {
    expect((await posting.postFirstCard(aPayment())).kind).toBe('waiting');
    expect(posts).toBe(1);
    expect(await store.get('notice', card.id)).toMatchObject({ attempts: 1 });
  });

  it('is not posted again after another process posted it, and the edit that one owes stays owed', {
    tags: ['F45'],
  }, async () => {
    await store.commit({ put: [{ kind: 'payment', record: aPayment({ card: ref }) }] });
    await put(owed(card));
    expect((await posting.postFirstCard(aPayment())).kind).toBe('waiting');
    expect(posts).toBe(0);
    expect(await kept(card.id)).toEqual(owed(card));
  });
});
