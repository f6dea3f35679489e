import { beforeEach, describe, expect, it } from 'vitest';
import { isOwed, outcomeNoticeId } from '../../../src/core/records/notice.ts';
import { ama, aPayment, shop } from '../../support/a-payment.ts';
import { removeDue } from '../../support/remove-due.ts';
import { answer, COMPLETED, card, FAILED, ID, ToldPayment } from './told-payment.ts';

let payment: ToldPayment;
beforeEach(async () => {
  payment = await ToldPayment.open();
});

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
      payment.level(word);
      await payment.pending();
      await payment.settles(end === 'completed' ? COMPLETED : FAILED);
      expect(payment.outcomes()).toHaveLength(count);
      const state = (await payment.payments.get(ID))?.state;
      expect(payment.edits.at(-1)).toMatchObject({
        ref: card,
        card: { title: `GHS 50.00 ${state} · Kofi M.` },
      });
      // The audit trail and the lists do not depend on a rule.
      expect((await payment.store.auditOf(ID)).some(({ after }) => after === state)).toBe(true);
    },
  );

  it('is told what an administrator chose there, before what the file says, until they choose again', async () => {
    payment.level('none');
    await payment.notify.set(shop, 'all', ama);
    await payment.pending();
    await payment.settles(FAILED);
    expect(payment.outcomes()).toHaveLength(1);
    expect(await payment.notify.inForce(shop)).toMatchObject({ level: 'all', by: ama });
    expect(await payment.store.auditOf('notify')).toMatchObject([
      { who: ama, before: null, after: 'all' },
    ]);
  });

  it('is told the end of what it was told as unknown: the last message is true', async () => {
    payment.level('problems');
    await payment.unanswered();
    await payment.serveDue();
    await payment.settles(COMPLETED);
    expect(payment.outcomes()).toEqual(['unknown', 'completed']);
  });

  it('is told it also when it came while the message was on its way', async () => {
    payment.level('problems');
    await payment.unanswered();
    payment.says = async (what) => {
      if (what === 'edit' || payment.posts.length > 1) return 'delivered';
      await payment.happens(COMPLETED);
      // The process dies before it can store that the message stands.
      throw new Error('dead');
    };
    await payment.serveDue().catch(() => {});
    payment.clock.jump(60_000);
    await payment.serveDue();
    expect(payment.outcomes()).toEqual(['unknown', 'completed']);
  });

  it.each([
    'was set aside after it ended the process',
    'was posted before the clock was set back',
    'was posted by a clock that was ahead, before its time by the right one',
  ])('is told it also when the message %s', { tags: ['F77'] }, async (how) => {
    payment.level('problems');
    await payment.unanswered();
    payment.says = async (what) => {
      if (what === 'edit') return 'delivered';
      throw new Error('dead');
    };
    await payment.serveDue().catch(() => {});
    payment.says = async () => 'delivered';
    if (how.includes('set back')) payment.clock.jump(-400_000);
    else if (how.includes('ahead')) payment.clock.jump(-15_000);
    else {
      const notice = await payment.store.get('notice', outcomeNoticeId(ID));
      if (!isOwed(notice)) throw new Error('it is owed');
      const due = { ...notice.due, atMs: payment.clock.now() + 3_600_000 };
      await payment.store.commit({
        put: [{ kind: 'notice', record: { ...notice, version: 2, due } }],
      });
    }
    await payment.settles(COMPLETED);
    expect(payment.outcomes()).toEqual(['unknown', 'completed']);
  });

  it('is told it also days later, when it chose none meanwhile', async () => {
    await payment.unanswered();
    await payment.serveDue();
    payment.level('none');
    payment.clock.jump(3 * 24 * 3_600_000);
    await removeDue(payment.store, payment.clock);
    await payment.settles(COMPLETED);
    expect(payment.outcomes()).toEqual(['unknown', 'completed']);
  });

  it('is told a completed payment that is contradicted later', async () => {
    payment.level('problems');
    await payment.pending();
    await payment.happens(COMPLETED);
    await payment.settles(FAILED);
    expect(payment.outcomes()).toHaveLength(1);
    expect((await payment.payments.get(ID))?.flag).toBe('conflict');
  });

  it.each([
    ['gone', 'a card that was deleted'],
    ['nothing', 'a group with a new id, whose old messages cannot be edited'],
  ])('is told the outcome after all when the card cannot be edited: %s, %s', async (how) => {
    payment.level('none');
    await payment.shownPending();
    if (how === 'gone') payment.noEdits();
    else await payment.chats.rememberMove('slack', shop.channel, 'C0NEW');
    await payment.settles(COMPLETED);
    expect(payment.posts.map(({ card: { title } }) => title)).toEqual([
      'GHS 50.00 from Kofi M.: completed',
    ]);
  });

  it('is told the outcome once when two edits of its card fail', async () => {
    payment.level('none');
    await payment.shownPending();
    payment.says = async (what) => {
      if (what === 'post') return 'delivered';
      // The card changes again while it is edited.
      await payment.happens({ kind: 'texted', of: 'receipt', batchId: 'S1' });
      return 'gone';
    };
    await payment.happens(COMPLETED);
    const first = await payment.store.get('notice', `${ID}.card`);
    if (first === undefined) throw new Error('it is owed');
    await payment.outbox.serve(first);
    const outcome = await payment.store.get('notice', outcomeNoticeId(ID));
    if (outcome === undefined) throw new Error('it is owed');
    await payment.outbox.serve(outcome);
    await payment.serveDue();
    expect(payment.outcomes()).toHaveLength(1);
  });

  it('is told the contradiction of an outcome that the card was to tell alone', async () => {
    payment.level('problems');
    await payment.shownPending();
    payment.noEdits();
    await payment.happens(COMPLETED);
    await payment.settles(FAILED);
    expect(payment.outcomes()).toHaveLength(1);
    expect(payment.posts[0]?.key).toContain('.outcome.conflict.');
  });

  it('is told the outcome of a payment without a card, whatever the rule', async () => {
    payment.level('none');
    const { card: _, due: __, ...record } = aPayment({ state: 'submitting', submittedAtMs: 1 });
    await payment.store.commit({ put: [{ kind: 'payment', record }] });
    await payment.settles({ kind: 'refused', reason: 'no', answer });
    expect(payment.outcomes()).toHaveLength(1);
  });
});
