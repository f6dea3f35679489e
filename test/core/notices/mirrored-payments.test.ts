import { beforeEach, describe, expect, it } from 'vitest';
import { type MirrorRule, NO_RULES } from '../../../src/core/records/notify-rules.ts';
import type { Delivery } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { removeDue } from '../../support/remove-due.ts';
import { COMPLETED, FAILED, FINANCE, ToldPayment } from './told-payment.ts';

let payment: ToldPayment;
beforeEach(async () => {
  payment = await ToldPayment.open();
});

const mirrors = () => payment.told().filter(([channel]) => channel === FINANCE.channel);

describe('a mirrored payment', () => {
  /** It is completed while the next message is posted, to which the chat answers this. */
  const completesDuringPost = (answers: Delivery['kind']) => {
    payment.says = async (what) => {
      if (what === 'edit') return 'delivered';
      payment.says = async () => 'delivered';
      await payment.happens(COMPLETED);
      return answers;
    };
  };

  it('is one message elsewhere, edited as it goes on, with number and name shortened', async () => {
    payment.mirrored({ states: { pending: 'all' } });
    await payment.shownPending();
    await payment.settles(COMPLETED);
    await payment.settles(FAILED);
    expect(mirrors()).toEqual([['-1009', 'GHS 50.00 pending · Kofi M.']]);
    const there = payment.edits.filter(({ ref }) => ref.conversation.channel === FINANCE.channel);
    expect(there.map(({ ref, card: { title } }) => [ref.message, title])).toEqual([
      [there[0]?.ref.message, 'GHS 50.00 completed · Kofi M.'],
      [there[0]?.ref.message, 'GHS 50.00 completed · Kofi M.'],
    ]);
    expect(there[1]?.card.tone).toBe('warning');
    expect(JSON.stringify([payment.posts, payment.edits])).not.toContain('0244123456');
    expect(payment.posts[0]?.card.buttons).toEqual([
      { kind: 'link', label: 'See the card', url: 'https://x/1' },
    ]);
    expect(payment.posts[0]?.card.mention).toBeUndefined();
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
  ])('is told where the rule for it fits, which is one for %s', async (_what, rule, count) => {
    payment.mirrored(rule);
    await payment.pending();
    await payment.settles(COMPLETED);
    expect(mirrors()).toHaveLength(count);
    expect(payment.outcomes()).toHaveLength(1);
  });

  it('is still edited once its rule is gone', async () => {
    payment.mirrored({ states: { pending: 'all' } });
    await payment.shownPending();
    payment.rules = NO_RULES;
    await payment.settles(COMPLETED);
    expect(payment.edits.at(-1)?.ref.conversation).toEqual(FINANCE);
  });

  it('is not told where another merchant is charged for, whatever the rule', {
    tags: ['T69'],
  }, async () => {
    const rule = (channel: string) => ({
      place: { platform: 'slack', channel },
      mirror: { states: { pending: 'all' } } as const,
    });
    payment.rules = { branches: [], notify: ['C0OSU', 'C0TEMA', FINANCE.channel].map(rule) };
    await payment.pending({ terms: { ...aPayment().terms, merchant: 'osu' } });
    await payment.serveDue();
    const channels = payment.told().map(([channel]) => channel);
    expect(new Set(channels)).toEqual(new Set(['C0OSU', FINANCE.channel]));
  });

  it('is not told in its own conversation, nor where an administrator chose none', async () => {
    payment.rules = {
      ...NO_RULES,
      notify: [{ place: shop, mirror: { states: { completed: 'all' } } }],
    };
    await payment.pending();
    await payment.settles(COMPLETED);
    expect(payment.told()).toHaveLength(1);
    payment.mirrored({ states: { completed: 'all' } });
    await payment.notify.set(FINANCE, 'none', ama);
    expect((await payment.notify.of(aPayment({ state: 'completed' }))).mirrors).toEqual([]);
  });

  it('stays one message when it changes while the first one is posted', async () => {
    payment.mirrored({ states: { pending: 'all' } });
    await payment.pending();
    completesDuringPost('delivered');
    await payment.serveDue();
    expect(mirrors()).toHaveLength(1);
    expect(payment.edits.at(-1)?.card.title).toBe('GHS 50.00 completed · Kofi M.');
  });

  it('stays one message when no answer comes to the first post: what the next attempt finds is edited', async () => {
    payment.mirrored({ states: { pending: 'all' } });
    await payment.pending();
    completesDuringPost('unclear');
    await payment.serveDue();
    payment.clock.jump(60_000);
    await payment.serveDue();
    const [first, second] = payment.posts.filter(
      ({ conversation }) => conversation.channel === FINANCE.channel,
    );
    expect(second).toMatchObject({ key: first?.key, mayStand: true });
    // What is found tells the state that it was posted with.
    expect(payment.edits.at(-1)).toMatchObject({
      ref: { conversation: FINANCE },
      card: { title: 'GHS 50.00 completed · Kofi M.' },
    });
  });

  describe('once the payment has ended', () => {
    const NOTED = { kind: 'noted', id: 'n1', note: 'Ama knows', by: ama } as const;
    const amount = { amountMinor: 2_000, currency: 'GHS' };
    const GIVEN_BACK = { kind: 'given back', id: 'g1', amount, by: ama } as const;
    const anyState: MirrorRule = { states: { pending: 'all', completed: 'all' } };
    const given = () =>
      payment.edits.filter(({ ref }) => ref.conversation.channel === FINANCE.channel);

    it.each([NOTED, GIVEN_BACK])(
      'is not told anew by a rule that came later: $kind',
      async (event) => {
        await payment.pending();
        await payment.settles(COMPLETED);
        payment.mirrored(anyState);
        await payment.settles(event);
        expect(mirrors()).toEqual([]);
        // What calls for a person is told all the same.
        await payment.settles(FAILED);
        expect(mirrors()).toHaveLength(1);
      },
    );

    it('is edited by what was given back, and not posted again once its message is forgotten', async () => {
      payment.mirrored(anyState);
      await payment.shownPending();
      await payment.settles(COMPLETED);
      await payment.settles(GIVEN_BACK);
      expect(cardText(given().at(-1)?.card)).toContain('Net GHS 30.00');
      payment.clock.jump(31 * 24 * 3_600_000);
      await removeDue(payment.store, payment.clock);
      await payment.settles({ ...GIVEN_BACK, id: 'g2' });
      expect(mirrors()).toHaveLength(1);
    });

    it('is still posted where its first message was not out before', async () => {
      payment.mirrored(anyState);
      await payment.pending();
      await payment.happens(COMPLETED);
      await payment.happens(GIVEN_BACK);
      payment.clock.jump(60_000);
      await payment.serveDue();
      expect(mirrors()).toHaveLength(1);
      expect(given()).toEqual([]);
    });
  });

  it('is not told anew by a note, by a rule that came later', async () => {
    await payment.shownPending();
    payment.mirrored({ states: { pending: 'all' } });
    await payment.settles({ kind: 'noted', id: 'n1', note: 'Ama knows', by: ama });
    await payment.settles(COMPLETED);
    expect(mirrors()).toEqual([]);
  });

  it('that cannot be posted is left to its own conversation', async () => {
    payment.mirrored({ states: { completed: 'all' } });
    await payment.pending();
    payment.says = async (what) =>
      what === 'post' && payment.posts.at(-1)?.conversation.channel === FINANCE.channel
        ? 'gone'
        : 'delivered';
    await payment.settles(COMPLETED);
    expect(payment.told()).toHaveLength(2);
    expect(payment.outcomes()).toHaveLength(1);
  });
});
