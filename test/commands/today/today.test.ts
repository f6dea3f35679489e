import { beforeEach, describe, expect, it } from 'vitest';
import type { EngineOptions } from '../../../src/app/engine-options.ts';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Delivery, Person } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, kojo, shop } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const osu = { platform: 'slack', channel: 'C0OSU' };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let store: Store;
let clock: ManualClock;
let desk: Desk;
let grants: (person: Person) => Partial<Grants>;

const open = (more: Partial<EngineOptions> = {}): Desk =>
  openDesk(store, clock, undefined, undefined, undefined, {
    ...more,
    access: {
      grantsOf: async (caller) => allGrants(grants(caller)),
      toldRules: () => ({
        notify: [],
        branches: [{ name: 'Osu', conversations: ['slack:C0OSU'], members: [] }],
      }),
    },
  });

beforeEach(async () => {
  grants = () => ({});
  store = await openStore();
  // A Sunday.
  clock = new ManualClock(Date.parse('2026-11-22T16:00:00Z'));
  desk = open();
});

let ids = 0;
const stored = async (cedis: number, changes: Partial<Payment> & { at?: string } = {}) => {
  const { at, ...more } = changes;
  const confirmedAtMs = at === undefined ? clock.now() - MINUTE_MS : Date.parse(at);
  const { due: _, ...base } = aPayment({ state: 'completed', settledAtMs: confirmedAtMs });
  const terms = { ...base.terms, amount: { amountMinor: cedis * 100, currency: 'GHS' } };
  const record: Payment = { ...base, id: `P${ids++}`, confirmedAtMs, terms, ...more };
  expect(await store.commit({ put: [{ kind: 'payment', record }] })).toBe(true);
};
const inOsu = (cedis: number, changes: Partial<Payment> = {}) =>
  stored(cedis, { conversation: osu, ...changes });
const labels = (card: Card | undefined): string[] =>
  (card?.buttons ?? []).map(({ label }) => label);
const told = (cards: readonly Card[]): string => cards.map(cardText).join('\n');

describe('/today', () => {
  it('says what was taken so far, given back and net, by person, beside the same weekday at the same time', async () => {
    const by = ama;
    const givenBack = [{ id: 'b1', amountMinor: 1_000, by, atMs: clock.now() }];
    await stored(50, { givenBack });
    await stored(30, { requester: kojo });
    await stored(7, { state: 'failed' });
    await stored(9, { state: 'pending', requester: kojo });
    await stored(40, { at: '2026-11-15T15:00:00Z' });
    await stored(500, { at: '2026-11-15T17:00:00Z' });
    await stored(900, { at: '2026-11-21T15:00:00Z' });
    expect(textOf(await desk.type(ama, 'today', ''))).toBe(
      'Today: Sun 22 Nov | 2 completed · GHS 80.00 · GHS 10.00 given back · net GHS 70.00 · 1 pending · 1 failed | ama · GHS 50.00 · GHS 10.00 given back · net GHS 40.00 · 1 completed, Kojo · GHS 30.00 · 1 completed | Sun 15 Nov until 16:00: 1 completed · GHS 40.00 · now 100 % more | As of 16:00.',
    );
  });

  it("is a person's own day with the word me or the button, and for those who may not see payments", async () => {
    await stored(50);
    await stored(30, { requester: kojo });
    const [mine] = await desk.type(kojo, 'today', 'me');
    expect(cardText(mine)).toMatch(/^Today, Kojo: Sun 22 Nov \| 1 completed · GHS 30\.00/);
    const [all] = await desk.press(kojo, mine, 'All of today');
    expect(cardText(all)).toContain('GHS 80.00');
    expect(told(await desk.press(ama, all, 'My day'))).toMatch(/^Today, ama.*GHS 50\.00/);
    grants = () => ({ may: (right) => right !== 'payments' });
    const [own] = await desk.type(kojo, 'today', '');
    expect(cardText(own)).toMatch(/^Today, Kojo.*GHS 30\.00/);
    expect(labels(own)).toEqual([]);
    expect(told(await desk.press(ama, all, 'My day'))).not.toContain('GHS 80.00');
  });

  it('is of the branch where it is typed in its conversation', { tags: ['T52'] }, async () => {
    await stored(50);
    await inOsu(30);
    const typed = await desk.type(ama, 'today', '', undefined, osu);
    expect(textOf(typed)).toMatch(/^Today, Osu: Sun 22 Nov \| 1 completed · GHS 30\.00/);
  });
});

describe('the day that is kept in a conversation', () => {
  const keep = async (where = shop) => {
    const [card] = await desk.type(ama, 'today', '', undefined, where);
    return desk.press(ama, card, 'Keep here', where);
  };
  /** A minute later, until there are so many messages and edits. */
  const later = async (posts: number, edits: number, ms = MINUTE_MS) => {
    clock.jump(ms);
    await desk.runUntil(() =>
      expect([desk.posted.length, desk.edits.length]).toEqual([posts, edits]),
    );
  };

  it('is posted and pinned once, and edited at most once a minute, where something changed', async () => {
    await stored(50);
    expect(told(await keep())).toMatch(/^Kept here/);
    await later(1, 0, 0);
    clock.jump(10_000);
    await desk.runUntil(() => expect(desk.pins).toEqual(['1.1']));
    await stored(30);
    await stored(20);
    await later(1, 1);
    expect(cardText(desk.edits[0]?.card)).toContain('3 completed · GHS 100.00');
    // Nothing changed: nothing is edited.
    clock.jump(MINUTE_MS);
    await stored(5);
    await later(1, 2);
    expect(cardText(desk.edits[1]?.card)).toContain('4 completed · GHS 105.00');
    expect(desk.pins).toEqual(['1.1']);
  });

  it('goes on after a restart, and on another instance', { tags: ['F101'] }, async () => {
    await stored(50);
    await keep();
    await later(1, 0, 0);
    const other = open();
    await stored(30);
    clock.jump(MINUTE_MS);
    await other.runUntil(() => expect(other.edits).toHaveLength(1));
    expect(other.posted).toEqual([]);
  });

  it('is one message a day: the next begins with its first payment, and takes the pin', async () => {
    await keep();
    await later(1, 0, 0);
    expect(cardText(desk.posted[0]?.card)).toContain('0 completed');
    clock.jump(10_000);
    await desk.runUntil(() => expect(desk.pins).toEqual(['1.1']));
    await later(1, 0, DAY_MS);
    await stored(30);
    await later(2, 0);
    expect(cardText(desk.posted[1]?.card)).toContain('Today: Mon 23 Nov | 1 completed');
    clock.jump(10_000);
    await desk.runUntil(() => expect(desk.pins).toEqual(['1.2']));
  });

  it('says kindly that it could not be pinned, and stays as it is', {
    tags: ['F101'],
  }, async () => {
    desk.chat.pin = 'refused';
    await keep();
    await later(1, 0, 0);
    await later(1, 1, 10_000);
    expect(cardText(desk.edits[0]?.card)).toContain('I may not pin here.');
    expect(desk.pins).toEqual([]);
  });

  it('is pinned with the next edit once the bot may pin, as its note says', async () => {
    desk.chat.pin = 'refused';
    await keep();
    await later(1, 0, 0);
    await later(1, 1, 10_000);
    desk.chat.pin = 'done';
    await stored(30);
    await later(1, 2);
    expect(desk.pins).toEqual(['1.1']);
    expect(cardText(desk.edits[1]?.card)).not.toContain('I may not pin');
  });

  it('takes the pin of the day before away also where the first answer is lost', {
    tags: ['F101'],
  }, async () => {
    await keep();
    await later(1, 0, 0);
    clock.jump(10_000);
    await desk.runUntil(() => expect(desk.pins).toEqual(['1.1']));
    clock.jump(DAY_MS);
    await stored(30);
    await later(2, 0, 0);
    // The unpin is not answered.
    desk.chat.unpin = 'no answer';
    clock.jump(10_000);
    await desk.runUntil(() => expect(desk.pins).toEqual(['1.1', '1.2']));
    desk.chat.unpin = 'done';
    clock.jump(MINUTE_MS);
    await desk.runUntil(() => expect(desk.pins).toEqual(['1.2']));
  });

  it('shows the end of its day before the next begins', { tags: ['F101'] }, async () => {
    await stored(50);
    await keep();
    await later(1, 0, 0);
    const midnightMs = Date.parse('2026-11-23T00:00:00Z');
    await stored(30, { confirmedAtMs: midnightMs - 10_000 });
    clock.jump(midnightMs + 90_000 - clock.now());
    await stored(7);
    await later(1, 1, 0);
    expect(cardText(desk.edited[0])).toMatch(
      /^Today: Sun 22 Nov \| 2 completed · GHS 80\.00.*Sun 15 Nov: .*This day is over\.$/,
    );
    await later(2, 1);
    expect(cardText(desk.posted[1]?.card)).toMatch(/^Today: Mon 23 Nov \| 1 completed · GHS 7\.00/);
  });

  it('goes on in a group that gets a new id, in a message of its own, and can be stopped there', {
    tags: ['F101'],
  }, async () => {
    await keep();
    await later(1, 0, 0);
    await desk.engine.rememberMove(shop.platform, shop.channel, 'C0NEW');
    const there = { ...shop, channel: 'C0NEW' };
    const [card] = await desk.type(ama, 'today', '', undefined, there);
    expect(labels(card)).toContain('Stop keeping');
    await stored(50);
    await later(2, 0);
    expect(desk.posted[1]?.conversation).toEqual(there);
    expect(told(await desk.press(ama, card, 'Stop keeping', there))).toMatch(/^No longer kept/);
    expect(labels((await desk.type(ama, 'today', ''))[0])).toContain('Keep here');
  });

  it('goes on under the new id also where its look of a minute is stored meanwhile', {
    tags: ['F101'],
  }, async () => {
    await keep();
    await later(1, 0, 0);
    const commit = store.commit.bind(store);
    store.commit = async (change) => {
      store.commit = commit;
      const now = await store.get('setting', 'kept-day:slack:C0SALES');
      if (now !== undefined)
        await commit({ put: [{ kind: 'setting', record: { ...now, version: now.version + 1 } }] });
      return commit(change);
    };
    await desk.engine.rememberMove(shop.platform, shop.channel, 'C0NEW');
    expect(await store.get('setting', 'kept-day:slack:C0SALES')).toBeUndefined();
    expect(await store.get('setting', 'kept-day:slack:C0NEW')).toBeDefined();
  });

  it('ends where its conversation is of another branch or merchant by now', {
    tags: ['T52'],
  }, async () => {
    await stored(700);
    await inOsu(50);
    await keep(osu);
    await later(1, 0, 0);
    expect(cardText(desk.posted[0]?.card)).toContain('GHS 50.00');
    desk = openDesk(store, clock);
    clock.jump(MINUTE_MS);
    await desk.runUntil(async () =>
      expect((await store.auditOf('kept-day:slack:C0OSU')).at(-1)).toMatchObject({
        what: 'kept no longer',
        detail: { reason: 'the conversation is of another merchant or branch' },
      }),
    );
    expect([desk.posted, desk.edits]).toEqual([[], []]);
  });

  const DELETED: Delivery = { kind: 'gone', reason: 'message_not_found', isDeleted: true };
  const lastRow = async () => (await store.auditOf('kept-day:slack:C0SALES')).at(-1);

  it('ends when somebody deletes its message: another is posted only where it is kept anew', {
    tags: ['F101'],
  }, async () => {
    await keep();
    await later(1, 0, 0);
    desk.chat.edit = DELETED;
    await stored(30);
    clock.jump(MINUTE_MS);
    await desk.runUntil(async () =>
      expect(await lastRow()).toMatchObject({ what: 'kept no longer' }),
    );
    expect(told(await keep())).toMatch(/^Kept here/);
    await later(2, 0, 0);
    expect(cardText(desk.posted[1]?.card)).toContain('1 completed · GHS 30.00');
    expect(labels((await desk.type(ama, 'today', ''))[0])).toContain('Stop keeping');
  });

  it('is a new message where it is kept anew, which takes the pin: the one before may be deleted', {
    tags: ['F101'],
  }, async () => {
    await keep();
    await later(1, 0, 0);
    clock.jump(10_000);
    await desk.runUntil(() => expect(desk.pins).toEqual(['1.1']));
    await desk.press(ama, (await desk.type(ama, 'today', ''))[0], 'Stop keeping');
    await keep();
    await later(2, 0, 0);
    clock.jump(10_000);
    await desk.runUntil(() => expect(desk.pins).toEqual(['1.2']));
  });

  it('is kept also where its last edit is stored between read and commit of the press', async () => {
    await keep();
    await later(1, 0, 0);
    await desk.press(ama, (await desk.type(ama, 'today', ''))[0], 'Stop keeping');
    const commit = store.commit.bind(store);
    store.commit = async (change) => {
      store.commit = commit;
      const now = await store.get('notice', 'kept-day:slack:C0SALES.2026-11-22');
      if (now !== undefined)
        await commit({ put: [{ kind: 'notice', record: { ...now, version: now.version + 1 } }] });
      return commit(change);
    };
    expect(told(await keep())).toMatch(/^Kept here/);
    await later(2, 0, 0);
  });

  const REFUSED: Delivery = { kind: 'gone', reason: 'restricted_action', remedy: 'Ask them.' };
  const operators = [{ platform: 'slack', channel: 'C0OPS' }];
  const toldOperators = () =>
    desk.posted.filter(({ conversation }) => conversation.channel === 'C0OPS');

  it('goes on once the bot may write again, and the operators are told that it may not', {
    tags: ['F101'],
  }, async () => {
    desk = open({ operators });
    await keep();
    await later(1, 0, 0);
    desk.chat.edit = REFUSED;
    await stored(30);
    clock.jump(MINUTE_MS);
    await desk.runUntil(() => expect(toldOperators()).toHaveLength(1));
    expect(cardText(toldOperators()[0]?.card)).toMatch(
      /The day is not kept up to date there\. .*C0SALES: restricted_action/,
    );
    delete desk.chat.edit;
    await stored(20);
    await later(2, 1);
    expect(cardText(desk.edited[0])).toContain('2 completed · GHS 50.00');
  });

  it('ends where its next message is refused, and the operators are told', {
    tags: ['F101'],
  }, async () => {
    desk = open({ operators });
    desk.chat.post = ({ channel }) => (channel === shop.channel ? REFUSED : undefined);
    await keep();
    await desk.runUntil(async () =>
      expect(await lastRow()).toMatchObject({ what: 'kept no longer' }),
    );
    await desk.runUntil(() => expect(toldOperators()).toHaveLength(1));
    expect(desk.posted).toHaveLength(1);
  });

  it('is stopped also where the look of a minute is stored between read and commit of the press', async () => {
    await keep();
    const [card] = await desk.type(ama, 'today', '');
    const commit = store.commit.bind(store);
    store.commit = async (change) => {
      store.commit = commit;
      const [id = ''] = change.remove?.map((one) => one.id) ?? [];
      const now = await store.get('setting', id);
      if (now !== undefined)
        await commit({ put: [{ kind: 'setting', record: { ...now, version: now.version + 1 } }] });
      expect(await commit(change)).toBe(false);
      return false;
    };
    expect(told(await desk.press(ama, card, 'Stop keeping'))).toMatch(/^No longer kept here/);
    expect(await store.get('setting', 'kept-day:slack:C0SALES')).toBeUndefined();
  });

  it('is for administrators who see payments, decided at the press, and not in a private chat', {
    tags: ['T52'],
  }, async () => {
    const [card] = await desk.type(ama, 'today', '');
    for (const but of [{ admin: false }, { may: (right: string) => right !== 'payments' }]) {
      grants = () => but;
      expect(labels((await desk.type(ama, 'today', ''))[0])).not.toContain('Keep here');
      expect(told(await desk.press(ama, card, 'Keep here'))).toMatch(
        /^You cannot keep the day here/,
      );
    }
    grants = () => ({});
    const alone = { platform: 'slack', channel: ama.id };
    expect(told(await desk.press(ama, card, 'Keep here', alone))).toMatch(/^Not in a private chat/);
    await desk.press(ama, card, 'Keep here');
    const [kept] = await desk.type(ama, 'today', '');
    grants = () => ({ admin: false });
    expect(told(await desk.press(kojo, kept, 'Stop keeping'))).toMatch(/^You cannot keep/);
    grants = () => ({});
    expect(told(await desk.press(ama, kept, 'Stop keeping'))).toMatch(/^No longer kept here/);
    const rows = await store.auditOf('kept-day:slack:C0SALES');
    expect(rows.map(({ what }) => what)).toEqual(['kept here', 'kept no longer']);
  });
});
