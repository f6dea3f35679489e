import { beforeEach, describe, expect, it } from 'vitest';
import type { OutgoingMessage } from '../../../src/bots/bot.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { mirrorCard, outcomeCard, paymentCard } from '../../../src/commands/cards/payment-card.ts';
import { type Chat, Chats } from '../../../src/core/notices/chats.ts';
import { NoticeSender } from '../../../src/core/notices/notice-sender.ts';
import { NotifyRules } from '../../../src/core/notices/notify-rules.ts';
import { Outbox } from '../../../src/core/notices/outbox.ts';
import type { Finding, PaymentEvent } from '../../../src/core/payments/payment-event.ts';
import { Payments } from '../../../src/core/payments/payments.ts';
import { isOwed, outcomeNoticeId } from '../../../src/core/records/notice.ts';
import {
  type MirrorRule,
  NO_RULES,
  type ToldRules,
} from '../../../src/core/records/notify-rules.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Delivery, MessageRef } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperators } from '../../support/no-operators.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';
import { testSeal } from '../../support/test-seal.ts';

const ID = '01JD2M4X9QK7T3VB';
const FINANCE = { platform: 'telegram', channel: '-1009' };
const card: MessageRef = { conversation: shop, message: '1.1' };
const answer = { code: '000' };
const found = (finding: Finding): PaymentEvent => ({ kind: 'checked', finding });
const COMPLETED = found({ kind: 'completed', answer });
const FAILED = found({ kind: 'failed', answer, reason: 'Not enough money.' });
const LOST: PaymentEvent = { kind: 'lost', reason: 'cut', answer };

let clock: ManualClock;
let store: Store;
const merchants = [
  { name: 'osu', nickname: 'Osu', senderIds: [], conversations: ['slack:C0OSU'] },
  { name: 'tema', nickname: 'Tema', senderIds: [], conversations: ['slack:C0TEMA'] },
];

let rules: ToldRules;
let notify: NotifyRules;
let payments: Payments;
let outbox: Outbox;
let posts: OutgoingMessage[];
let edits: { ref: MessageRef; card: Card }[];
/** What the chat answers to the next post or edit. */
let says: (what: 'post' | 'edit') => Promise<Delivery['kind']>;

const deliver = async (what: 'post' | 'edit', ref: MessageRef): Promise<Delivery> => {
  const kind = await says(what);
  if (kind === 'delivered') return { kind, ref };
  return { kind: kind as 'gone' | 'unclear', reason: 'the chat says no' };
};
const chat: Chat<Card> = {
  post: async (message) => {
    posts.push(message);
    return deliver('post', { conversation: message.conversation, message: `9.${posts.length}` });
  },
  edit: async (ref, shown) => {
    edits.push({ ref, card: shown });
    return deliver('edit', ref);
  },
};

beforeEach(async () => {
  clock = new ManualClock();
  store = await openStore();
  rules = NO_RULES;
  posts = [];
  edits = [];
  says = async () => 'delivered';
  const alerts = noOperators({ store, clock });
  notify = new NotifyRules({ store, clock, inFile: () => rules, merchants });
  const policy = { scheduleMs: [10_000], giveUpMs: 72 * 3_600_000 };
  payments = new Payments({ seal: testSeal, store, clock, policy, alerts, notify });
  const byPlatform = new Map([
    ['slack', chat],
    ['telegram', chat],
  ]);
  const sender = new NoticeSender<Card>({
    store,
    chats: new Chats({ store, log: silentLog, byPlatform }),
    isStillAsked: async () => true,
    render: async (content) => {
      if (content.kind === 'mirror') return mirrorCard(content.payment, 'UTC', 'https://x/1');
      if (content.kind === 'card') return paymentCard(content.payment, 'UTC');
      if (content.kind === 'outcome') return outcomeCard(content.payment, 'UTC');
      throw new Error(content.kind);
    },
  });
  outbox = new Outbox({ store, clock, log: silentLog, alerts, sender });
});

const begun = async (changes: Partial<Payment> = {}): Promise<void> => {
  const { due: _, ...record } = aPayment({
    state: 'submitting',
    submittedAtMs: 1,
    card,
    ...changes,
  });
  await store.commit({ put: [{ kind: 'payment', record }] });
};
const happens = (event: PaymentEvent) => payments.record(ID, event);
const accepted = () => happens({ kind: 'accepted', answer });

/** Serves what is due until nothing is. */
const serveDue = async (): Promise<void> => {
  for (;;) {
    const due = await store.claim('notice', { nowMs: clock.now(), leaseMs: 45_000, limit: 10 });
    if (due.length === 0) return;
    for (const { kind, record } of due) if (kind === 'notice') await outbox.serve(record);
  }
};
/** Removes what is due to go. */
const tidy = async (): Promise<void> => {
  const due = await store.claim('tidy', { nowMs: clock.now(), leaseMs: 1_000, limit: 10 });
  const remove = due.map(({ kind, record: { id, version } }) => ({ kind, id, version }));
  await store.commit({ remove });
};
/** Titles of what was posted, with where. */
const told = () =>
  posts.map(({ conversation, card: shown }) => [conversation.channel, shown.title]);
const outcomes = () => told().filter(([channel]) => channel === shop.channel);
const mirrors = () => told().filter(([channel]) => channel === FINANCE.channel);
const level = (word: 'all' | 'problems' | 'none') => {
  rules = { ...rules, notify: [{ place: shop, level: word }] };
};
const mirrored = (mirror: MirrorRule) => {
  rules = {
    notify: [{ place: FINANCE, mirror }],
    branches: [{ name: 'Osu', conversations: ['slack:C0SALES'], members: [] }],
  };
};

describe('a conversation', () => {
  it.each([
    ['all', 'completed', 1],
    ['all', 'failed', 1],
    ['problems', 'completed', 0],
    ['problems', 'failed', 1],
    ['none', 'completed', 0],
    ['none', 'failed', 0],
  ] as const)(
    'with %s is told %s in so many messages, and its card shows it: %i',
    async (word, end, count) => {
      level(word);
      await begun();
      await accepted();
      await happens(end === 'completed' ? COMPLETED : FAILED);
      await serveDue();
      expect(outcomes()).toHaveLength(count);
      const state = (await payments.get(ID))?.state;
      expect(edits.at(-1)).toMatchObject({
        ref: card,
        card: { title: `${state} · GHS 50.00 · Kofi M. · by ama` },
      });
      // The audit trail and the lists do not depend on a rule.
      expect((await store.auditOf(ID)).some(({ after }) => after === state)).toBe(true);
    },
  );

  it('is told what an administrator chose there, before what the file says, until they choose again', async () => {
    level('none');
    await notify.set(shop, 'all', ama);
    await begun();
    await accepted();
    await happens(FAILED);
    await serveDue();
    expect(outcomes()).toHaveLength(1);
    expect(await notify.inForce(shop)).toMatchObject({ level: 'all', by: ama });
    expect(await store.auditOf('notify')).toMatchObject([{ who: ama, before: null, after: 'all' }]);
  });

  it('is told the end of what it was told as unknown: the last message is true', async () => {
    level('problems');
    await begun();
    await happens(LOST);
    clock.jump(30_000);
    await serveDue();
    await happens(COMPLETED);
    await serveDue();
    expect(outcomes().map(([, title]) => title)).toEqual([
      'GHS 50.00 from Kofi M.: unknown',
      'GHS 50.00 from Kofi M.: completed',
    ]);
  });

  it('is told it also when it came while the message was on its way', async () => {
    level('problems');
    await begun();
    await happens(LOST);
    clock.jump(30_000);
    says = async (what) => {
      if (what === 'edit' || posts.length > 1) return 'delivered';
      await happens(COMPLETED);
      // The process dies before it can store that the message stands.
      throw new Error('dead');
    };
    await serveDue().catch(() => {});
    clock.jump(60_000);
    await serveDue();
    expect(outcomes().map(([, title]) => title)).toEqual([
      'GHS 50.00 from Kofi M.: unknown',
      'GHS 50.00 from Kofi M.: completed',
    ]);
  });

  it.each(['was set aside after it ended the process', 'was posted before the clock was set back'])(
    'is told it also when the message %s',
    async (how) => {
      level('problems');
      await begun();
      await happens(LOST);
      clock.jump(30_000);
      says = async (what) => {
        if (what === 'edit') return 'delivered';
        throw new Error('dead');
      };
      await serveDue().catch(() => {});
      says = async () => 'delivered';
      if (how.includes('clock')) clock.jump(-400_000);
      else {
        const notice = await store.get('notice', outcomeNoticeId(ID));
        if (!isOwed(notice)) throw new Error('it is owed');
        const due = { ...notice.due, atMs: clock.now() + 3_600_000 };
        await store.commit({ put: [{ kind: 'notice', record: { ...notice, version: 2, due } }] });
      }
      await happens(COMPLETED);
      await serveDue();
      expect(outcomes().map(([, title]) => title)).toEqual([
        'GHS 50.00 from Kofi M.: unknown',
        'GHS 50.00 from Kofi M.: completed',
      ]);
    },
  );

  it('is told it also days later, when it chose none meanwhile', async () => {
    await begun();
    await happens(LOST);
    clock.jump(30_000);
    await serveDue();
    level('none');
    clock.jump(3 * 24 * 3_600_000);
    await tidy();
    await happens(COMPLETED);
    await serveDue();
    expect(outcomes().map(([, title]) => title)).toEqual([
      'GHS 50.00 from Kofi M.: unknown',
      'GHS 50.00 from Kofi M.: completed',
    ]);
  });

  it('is told a completed payment that is contradicted later', async () => {
    level('problems');
    await begun();
    await accepted();
    await happens(COMPLETED);
    await happens(FAILED);
    await serveDue();
    expect(outcomes()).toHaveLength(1);
    expect((await payments.get(ID))?.flag).toBe('conflict');
  });

  it.each([
    ['gone', 'a card that was deleted'],
    ['nothing', 'a group with a new id, whose old messages cannot be edited'],
  ])('is told the outcome after all when the card cannot be edited: %s, %s', async (how) => {
    level('none');
    await begun();
    await accepted();
    await serveDue();
    if (how === 'gone') says = async (what) => (what === 'edit' ? 'gone' : 'delivered');
    else
      await new Chats({ store, log: silentLog, byPlatform: new Map() }).rememberMove(
        'slack',
        shop.channel,
        'C0NEW',
      );
    await happens(COMPLETED);
    await serveDue();
    expect(posts.map(({ card: shown }) => shown.title)).toEqual([
      'GHS 50.00 from Kofi M.: completed',
    ]);
  });

  it('is told the outcome once when two edits of its card fail', async () => {
    level('none');
    await begun();
    await accepted();
    await serveDue();
    says = async (what) => {
      if (what === 'post') return 'delivered';
      // The card changes again while it is edited.
      await happens({ kind: 'texted', of: 'receipt', batchId: 'S1' });
      return 'gone';
    };
    await happens(COMPLETED);
    const first = await store.get('notice', `${ID}.card`);
    if (first === undefined) throw new Error('it is owed');
    await outbox.serve(first);
    const outcome = await store.get('notice', outcomeNoticeId(ID));
    if (outcome === undefined) throw new Error('it is owed');
    await outbox.serve(outcome);
    await serveDue();
    expect(outcomes()).toHaveLength(1);
  });

  it('is told the contradiction of an outcome that the card was to tell alone', async () => {
    level('problems');
    await begun();
    await accepted();
    await serveDue();
    says = async (what) => (what === 'edit' ? 'gone' : 'delivered');
    await happens(COMPLETED);
    await happens(FAILED);
    await serveDue();
    expect(outcomes()).toHaveLength(1);
    expect(posts[0]?.key).toContain('.outcome.conflict.');
  });

  it('is told the outcome of a payment without a card, whatever the rule', async () => {
    level('none');
    const { card: _, ...without } = aPayment({ state: 'submitting', submittedAtMs: 1, card });
    const { due: __, ...record } = without;
    await store.commit({ put: [{ kind: 'payment', record }] });
    await happens({ kind: 'refused', reason: 'no', answer });
    await serveDue();
    expect(outcomes()).toHaveLength(1);
  });
});

describe('a mirrored payment', () => {
  it('is one message elsewhere, edited as it goes on, with number and name shortened', async () => {
    mirrored({ states: { pending: 'all' } });
    await begun();
    await accepted();
    await serveDue();
    await happens(COMPLETED);
    await serveDue();
    await happens(FAILED);
    await serveDue();
    expect(mirrors()).toEqual([['-1009', 'pending · GHS 50.00 · Kofi M. · by ama']]);
    const there = edits.filter(({ ref }) => ref.conversation.channel === FINANCE.channel);
    expect(there.map(({ ref, card: { title } }) => [ref.message, title])).toEqual([
      [there[0]?.ref.message, 'completed · GHS 50.00 · Kofi M. · by ama'],
      [there[0]?.ref.message, 'completed · GHS 50.00 · Kofi M. · by ama'],
    ]);
    expect(there[1]?.card.tone).toBe('warning');
    expect(JSON.stringify([posts, edits].map((all) => all))).not.toContain('0244123456');
    expect(posts[0]?.card.buttons).toEqual([
      { kind: 'link', label: 'See the card', url: 'https://x/1' },
    ]);
    expect(posts[0]?.card.mention).toBeUndefined();
  });

  it.each<[string, MirrorRule, number]>([
    ['completed from 50', { states: { completed: { amountMinor: 5000, currency: 'GHS' } } }, 1],
    ['completed from 50.01', { states: { completed: { amountMinor: 5001, currency: 'GHS' } } }, 0],
    [
      'another currency, which is not comparable',
      { states: { completed: { amountMinor: 9000, currency: 'USD' } } },
      1,
    ],
    ['failed alone', { states: { failed: 'all' } }, 0],
    ['its branch', { states: { completed: 'all' }, branch: 'Osu' }, 1],
    ['another branch', { states: { completed: 'all' }, branch: 'Tema' }, 0],
    ['its requester', { states: { completed: 'all' }, person: 'slack:U0AMA' }, 1],
    ['another requester', { states: { completed: 'all' }, person: 'slack:U0X' }, 0],
  ])('is told by a rule that fits: %s', async (_what, rule, count) => {
    mirrored(rule);
    await begun();
    await accepted();
    await happens(COMPLETED);
    await serveDue();
    expect(mirrors()).toHaveLength(count);
    expect(outcomes()).toHaveLength(1);
  });

  it('is still edited once its rule is gone', async () => {
    mirrored({ states: { pending: 'all' } });
    await begun();
    await accepted();
    await serveDue();
    rules = NO_RULES;
    await happens(COMPLETED);
    await serveDue();
    expect(edits.at(-1)?.ref.conversation).toEqual(FINANCE);
  });

  it('is not told where another merchant is charged for, whatever the rule', {
    tags: ['T69'],
  }, async () => {
    const rule = (channel: string) => ({
      place: { platform: 'slack', channel },
      mirror: { states: { pending: 'all' } } as const,
    });
    rules = { branches: [], notify: ['C0OSU', 'C0TEMA', FINANCE.channel].map(rule) };
    await begun({ terms: { ...aPayment().terms, merchant: 'osu' } });
    await accepted();
    await serveDue();
    const channels = told().map(([channel]) => channel);
    expect(new Set(channels)).toEqual(new Set(['C0OSU', FINANCE.channel]));
  });

  it('is not told in its own conversation, nor where an administrator chose none', async () => {
    rules = { ...NO_RULES, notify: [{ place: shop, mirror: { states: { completed: 'all' } } }] };
    await begun();
    await accepted();
    await happens(COMPLETED);
    await serveDue();
    expect(told()).toHaveLength(1);
    mirrored({ states: { completed: 'all' } });
    await notify.set(FINANCE, 'none', ama);
    expect((await notify.of(aPayment({ state: 'completed' }))).mirrors).toEqual([]);
  });

  it('stays one message when it changes while the first one is posted', async () => {
    mirrored({ states: { pending: 'all' } });
    await begun();
    await accepted();
    says = async (what) => {
      if (what === 'edit') return 'delivered';
      says = async () => 'delivered';
      await happens(COMPLETED);
      return 'delivered';
    };
    await serveDue();
    expect(mirrors()).toHaveLength(1);
    expect(edits.at(-1)?.card.title).toBe('completed · GHS 50.00 · Kofi M. · by ama');
  });

  it('stays one message when no answer comes to the first post: what the next attempt finds is edited', async () => {
    mirrored({ states: { pending: 'all' } });
    await begun();
    await accepted();
    says = async (what) => {
      if (what === 'edit') return 'delivered';
      says = async () => 'delivered';
      await happens(COMPLETED);
      return 'unclear';
    };
    await serveDue();
    clock.jump(60_000);
    await serveDue();
    const [first, second] = posts.filter(
      ({ conversation }) => conversation.channel === FINANCE.channel,
    );
    expect(second).toMatchObject({ key: first?.key, mayStand: true });
    // What is found tells the state that it was posted with.
    expect(edits.at(-1)).toMatchObject({
      ref: { conversation: FINANCE },
      card: { title: 'completed · GHS 50.00 · Kofi M. · by ama' },
    });
  });

  it('that cannot be posted is left to its own conversation', async () => {
    mirrored({ states: { completed: 'all' } });
    await begun();
    await accepted();
    says = async (what) =>
      what === 'post' && posts.at(-1)?.conversation.channel === FINANCE.channel
        ? 'gone'
        : 'delivered';
    await happens(COMPLETED);
    await serveDue();
    expect(told()).toHaveLength(2);
    expect(outcomes()).toHaveLength(1);
  });
});
