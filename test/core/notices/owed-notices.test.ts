import { describe, expect, it } from 'vitest';
import {
  cardNotice,
  oweNotices,
  oweProgress,
  paymentNotices,
  postedMessage,
} from '../../../src/core/notices/owed-notices.ts';
import { newNotice } from '../../../src/core/records/notice.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { aPayment, shop } from '../../support/a-payment.ts';

const card = { conversation: shop, message: '1.1' };
const NOW = 9_000;

/** What is owed, as the kind of the notice, what an outcome tells, and when. */
const owedNotices = (before: Payment, after: Payment, nowMs: number) =>
  paymentNotices(before, after, nowMs).map(({ about, due }) => ({
    kind: about.kind,
    ...(about.kind === 'outcome' ? { of: about.of } : {}),
    atMs: due?.atMs,
  }));

describe('the edit that tells progress', () => {
  const edit = newNotice(
    { id: 'N1', about: { kind: 'bulk edit', runId: 'R1' }, conversation: shop },
    NOW,
    NOW + 2_000,
  );

  it.each([
    ['is owed where none is', undefined, [{ version: 1, dueAtMs: NOW + 2_000 }]],
    ['is told by an earlier one that is not due', NOW + 1, []],
    [
      'is owed anew where the earlier one may be on its way',
      NOW,
      [{ version: 5, dueAtMs: NOW + 2_000 }],
    ],
  ])('%s', async (_what, earlierDueMs, owed) => {
    const earlier =
      earlierDueMs === undefined
        ? undefined
        : { ...edit, version: 4, due: { queue: 'notice', atMs: earlierDueMs } };
    const store = { get: async () => earlier } as unknown as Pick<Store, 'get'>;
    const puts = await oweProgress(store, edit, NOW);
    expect(
      puts.map(({ record }) => ({ version: record.version, dueAtMs: record.due?.atMs })),
    ).toEqual(owed);
  });
});

describe('the message of a notice', () => {
  const notice = newNotice(
    { id: 'N1', about: { kind: 'bulk edit', runId: 'R1' }, conversation: shop },
    NOW,
  );
  const { due: _, ...given } = notice;

  it.each([
    ['is where it was posted', { ...notice, message: card }, card],
    ['is waited for while it is owed', notice, 'waiting'],
    ['is none once it could not be posted', given, undefined],
    ['is none where there is no notice', undefined, undefined],
  ])('%s', async (_what, stored, message) => {
    const store = { get: async () => stored } as unknown as Pick<Store, 'get'>;
    expect(await postedMessage(store, 'N1')).toEqual(message);
  });
});

describe('the first post of a message that is edited later', () => {
  const about = { kind: 'mirror', paymentId: 'P1' } as const;
  const changed = (nowMs: number) => newNotice({ id: 'N1', about, conversation: shop }, nowMs);
  const dueMs = async (earlierDueMs: number, nowMs: number) => {
    const due = { queue: 'notice', atMs: earlierDueMs } as const;
    const store = { get: async () => ({ ...changed(0), due }) } as unknown as Pick<Store, 'get'>;
    const [put] = await oweNotices(store, [changed(nowMs)]);
    return put?.record.due?.atMs;
  };

  it('is put off once by a change, while it may be on its way', async () => {
    expect(await dueMs(NOW, NOW + 20_000)).toBe(NOW + 65_000);
  });

  it('is not put off again by the changes that follow, nor where it is tried again later', {
    tags: ['F101'],
  }, async () => {
    expect(await dueMs(NOW + 65_000, NOW + 40_000)).toBe(NOW + 65_000);
    expect(await dueMs(NOW + 1, NOW)).toBe(NOW + 1);
  });
});

describe('the notices of a change', () => {
  it('owes nothing while the request is on its way', () => {
    const before = aPayment({ card });
    expect(owedNotices(before, { ...before, state: 'submitting' }, NOW)).toEqual([]);
  });

  it('says on the card why it waits when the service is too busy, and takes it back', () => {
    const sending = aPayment({ state: 'submitting', card });
    const busy = aPayment({ state: 'confirmed', rateLimits: 1, card });
    const again = { ...sending, rateLimits: 1 };
    expect(owedNotices(sending, busy, NOW)).toEqual([{ kind: 'card', atMs: NOW }]);
    expect(owedNotices(busy, again, NOW)).toEqual([{ kind: 'card', atMs: NOW }]);
  });

  it('says on the card what the newest contradiction is', () => {
    const before = aPayment({ state: 'pending', card, flag: 'conflict', reason: 'another amount' });
    expect(owedNotices(before, { ...before, reason: 'another id' }, NOW)).toEqual([
      { kind: 'card', atMs: NOW },
    ]);
  });

  it('tells no other word while a person is called already', () => {
    const before = aPayment({ state: 'submitting', flag: 'needs a person', overdue: 'set aside' });
    expect(owedNotices(before, { ...before, state: 'unknown' }, NOW)).toEqual([]);
  });

  it('brings the card up to date when the service has taken the request', () => {
    const before = aPayment({ state: 'submitting', card });
    expect(owedNotices(before, { ...before, state: 'pending' }, NOW)).toEqual([
      { kind: 'card', atMs: NOW },
    ]);
  });

  for (const state of ['completed', 'failed', 'not sent', 'refused'] as const)
    it(`tells ${state} on the card and in its thread`, () => {
      const before = aPayment({ state: 'pending', card });
      expect(owedNotices(before, { ...before, state }, NOW)).toEqual([
        { kind: 'card', atMs: NOW },
        { kind: 'outcome', of: state, atMs: NOW },
      ]);
    });

  it('tells the requester even when there is no card', () => {
    const before = aPayment();
    expect(owedNotices(before, { ...before, state: 'not sent' }, NOW)).toEqual([
      { kind: 'outcome', of: 'not sent', atMs: NOW },
    ]);
  });

  it('speaks of unknown only when it lasts', () => {
    const before = aPayment({ state: 'submitting', card });
    const owed = owedNotices(before, { ...before, state: 'unknown' }, NOW);
    expect(owed).toContainEqual({ kind: 'outcome', of: 'unknown', atMs: NOW + 30_000 });
  });

  it('tells a conflict once', () => {
    const before = aPayment({ state: 'failed', card });
    const after = { ...before, flag: 'conflict' as const };
    expect(owedNotices(before, after, NOW)).toContainEqual({
      kind: 'outcome',
      of: 'conflict',
      atMs: NOW,
    });
    expect(owedNotices(after, { ...after, checks: 3 }, NOW)).toEqual([]);
  });
});

it('a notice is owed as the next version of the one that has its id', async () => {
  const [first, second] = [aPayment({ card }), aPayment({ card, id: 'another' })];
  const earlier = { ...cardNotice(first, NOW), version: 3 };
  const puts = await oweNotices(
    // Of all kinds of records only notices are asked for.
    { get: async (_kind, id) => (id === earlier.id ? (earlier as never) : undefined) },
    [cardNotice(first, NOW), cardNotice(second, NOW)],
  );
  expect(puts.map(({ record }) => record.version)).toEqual([4, 1]);
});
