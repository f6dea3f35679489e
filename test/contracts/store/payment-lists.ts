import { describe, expect, it } from 'vitest';
import type { Payment, PaymentFilter } from '../../../src/core/records/payment.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { ama, aPayment } from '../../support/a-payment.ts';
import {
  CONTRACT_NOW_MS,
  DAY_MS,
  HOUR_MS,
  idsOf,
  type OpenEmpty,
  opened,
  payment,
  paymentAt,
  putAll,
} from './records.ts';

/** Pages through everything, `limit` at a time. */
const listAll = async (
  store: Store,
  filter: PaymentFilter,
  limit: number,
): Promise<{ payments: Payment[]; pages: number }> => {
  const payments: Payment[] = [];
  for (let after: string | undefined, pages = 1; ; pages++) {
    const page = await store.listPayments(filter, {
      limit,
      ...(after === undefined ? {} : { after }),
    });
    expect(page.payments.length).toBeLessThanOrEqual(limit);
    payments.push(...page.payments);
    if (page.next === undefined) return { payments, pages };
    after = page.next;
  }
};

export const paymentListCases = (name: string, open: OpenEmpty): void => {
  describe(`${name}: lists of payments`, () => {
    /** 30 payments over some months, most of them history by now, and reopened so that they are. */
    const withHistory = async () => {
      const underTest = await opened(open);
      const payments = Array.from({ length: 30 }, (_, n) =>
        paymentAt(CONTRACT_NOW_MS - (30 - n) * 3 * DAY_MS, {
          ...(n % 5 === 0 ? { state: 'pending' } : n % 5 === 1 ? { state: 'failed' } : {}),
          ...(n % 10 === 1 ? { flag: 'conflict' } : {}),
          ...(n % 5 === 0
            ? {}
            : { settledAtMs: CONTRACT_NOW_MS - (30 - n) * 3 * DAY_MS + (n % 4) * 9 * DAY_MS }),
          requester: n % 2 === 0 ? ama : { platform: 'telegram', id: '77', name: 'kojo' },
          terms: {
            ...aPayment().terms,
            ...(n % 7 === 0 ? { merchant: 'osu' } : n % 7 === 1 ? { merchant: "te'ma" } : {}),
            customerNumber: n % 3 === 0 ? '+233201112223' : '+233244123456',
            amount: {
              amountMinor: n % 4 === 0 ? 70_00 : 50_00,
              currency: n % 8 === 0 ? 'USD' : 'GHS',
            },
          },
        }),
      );
      await putAll(underTest.store, payments.map(payment));
      return {
        store: await underTest.reopen(),
        reopen: underTest.reopen,
        payments: payments.toReversed(),
      };
    };

    it('lists nothing in an empty store', async () => {
      const { store } = await opened(open);
      expect(await store.listPayments({}, { limit: 10 })).toEqual({ payments: [] });
    });

    it('lists what was confirmed last first, and within a millisecond by id, however it was stored', async () => {
      const { store } = await opened(open);
      const times = [3, 1, 4, 1, 0, 2].map((n) => CONTRACT_NOW_MS + n * 1_000);
      const payments = times.map((confirmedAtMs, n) => ({
        ...paymentAt(CONTRACT_NOW_MS - n * DAY_MS),
        confirmedAtMs,
      }));
      await putAll(store, payments.map(payment));
      const listed = await store.listPayments({}, { limit: 10 });
      const newestFirst = payments.toSorted(
        (a, b) => b.confirmedAtMs - a.confirmedAtMs || (a.id < b.id ? 1 : -1),
      );
      expect(listed).toEqual({ payments: newestFirst });
      expect((await listAll(store, {}, 1)).payments).toEqual(newestFirst);
    });

    it.each([1, 2, 7, 29, 30, 31])(
      'pages through all, %i at a time, without gap or repeat',
      async (limit) => {
        const { store, payments } = await withHistory();
        const all = await listAll(store, {}, limit);
        expect(all.payments).toEqual(payments);
        expect(all.pages).toBe(Math.ceil(payments.length / limit));
      },
    );

    it('filters by state, number, amount, flag, requester and time, and by all together', async () => {
      const { store, payments } = await withHistory();
      const sinceMs = CONTRACT_NOW_MS - 40 * DAY_MS;
      const cases: [PaymentFilter, (one: Payment) => boolean][] = [
        [{ states: ['pending'] }, (one) => one.state === 'pending'],
        [{ states: ['pending', 'failed'] }, (one) => one.state !== 'completed'],
        [{ states: [] }, () => false],
        [
          { customerNumber: '+233201112223' },
          (one) => one.terms.customerNumber === '+233201112223',
        ],
        [
          { customers: ['+233201112223', '+233209999999'], states: ['pending', 'completed'] },
          (one) => one.terms.customerNumber === '+233201112223' && one.state !== 'failed',
        ],
        [
          {
            customers: ['+233201112223', '+233244123456'],
            flag: 'conflict',
            endedSinceMs: sinceMs,
          },
          (one) =>
            one.flag === 'conflict' && Math.max(one.confirmedAtMs, one.settledAtMs ?? 0) >= sinceMs,
        ],
        [{ customers: [] }, () => false],
        [{ requester: 'telegram:77' }, (one) => one.requester.platform === 'telegram'],
        [{ requester: 'slack:77' }, () => false],
        [{ merchant: 'osu' }, ({ terms }) => terms.merchant === 'osu'],
        [
          { merchant: "te'ma", sinceMs },
          (one) => one.terms.merchant === "te'ma" && one.confirmedAtMs >= sinceMs,
        ],
        [
          { merchant: 'osu', states: ['failed', 'pending'] },
          (one) => one.terms.merchant === 'osu' && one.state !== 'completed',
        ],
        [{ merchant: 'none' }, () => false],
        [{ sinceMs }, (one) => one.confirmedAtMs >= sinceMs],
        [{ untilMs: sinceMs }, (one) => one.confirmedAtMs < sinceMs],
        [
          { sinceMs, untilMs: sinceMs + 20 * DAY_MS, states: ['completed'] },
          (one) =>
            one.state === 'completed' &&
            one.confirmedAtMs >= sinceMs &&
            one.confirmedAtMs < sinceMs + 20 * DAY_MS,
        ],
        [{ sinceMs, untilMs: sinceMs }, () => false],
        [
          { amount: { amountMinor: 70_00, currency: 'GHS' } },
          ({ terms }) => terms.amount.amountMinor === 70_00 && terms.amount.currency === 'GHS',
        ],
        [{ amount: { amountMinor: 70_01, currency: 'GHS' } }, () => false],
        [{ flag: 'conflict' }, (one) => one.flag === 'conflict'],
        [
          { flag: 'conflict', states: ['failed', 'refused'], requester: 'telegram:77' },
          (one) => one.flag === 'conflict' && one.requester.platform === 'telegram',
        ],
        [{ flag: 'needs a person' }, () => false],
        [
          { endedSinceMs: sinceMs },
          (one) => Math.max(one.confirmedAtMs, one.settledAtMs ?? 0) >= sinceMs,
        ],
        [
          {
            states: ['completed'],
            requester: 'slack:U0AMA',
            customerNumber: '+233244123456',
            sinceMs,
          },
          (one) =>
            one.state === 'completed' &&
            one.requester.id === 'U0AMA' &&
            one.terms.customerNumber === '+233244123456' &&
            one.confirmedAtMs >= sinceMs,
        ],
      ];
      for (const [filter, wanted] of cases)
        for (const limit of [3, 100])
          expect((await listAll(store, filter, limit)).payments).toEqual(payments.filter(wanted));
    });

    it('counts a payment confirmed at that very moment as since then', async () => {
      const { store } = await opened(open);
      await putAll(store, [payment(paymentAt(CONTRACT_NOW_MS))]);
      const since = async (sinceMs: number) =>
        (await store.listPayments({ sinceMs }, { limit: 9 })).payments.length;
      expect(await since(CONTRACT_NOW_MS)).toBe(1);
      expect(await since(CONTRACT_NOW_MS + 1)).toBe(0);
      const until = async (untilMs: number) =>
        (await store.listPayments({ untilMs }, { limit: 9 })).payments.length;
      expect(await until(CONTRACT_NOW_MS)).toBe(0);
      expect(await until(CONTRACT_NOW_MS + 1)).toBe(1);
    });

    it('lists nothing after a payment that is not stored', async () => {
      const { store } = await opened(open);
      await putAll(store, [payment(paymentAt(CONTRACT_NOW_MS))]);
      for (const after of ['', 'none', 'cut \ud83d', '\0'])
        expect(await store.listPayments({}, { limit: 9, after })).toEqual({ payments: [] });
    });

    it('finds by time what was confirmed long after its id was made', async () => {
      const { store, reopen } = await opened(open);
      const drafted = CONTRACT_NOW_MS - 5 * DAY_MS;
      const slow = { ...paymentAt(drafted), confirmedAtMs: drafted + 3 * DAY_MS };
      const between = paymentAt(drafted + DAY_MS);
      await putAll(store, [payment(slow), payment(between)]);
      const again = await reopen();
      const since = async (sinceMs: number) =>
        (await again.listPayments({ sinceMs }, { limit: 9 })).payments.map(({ id }) => id);
      expect(await since(drafted + 2 * DAY_MS)).toEqual([slow.id]);
      expect(await since(drafted + HOUR_MS)).toEqual([slow.id, between.id]);
    });

    it('keeps its place when payments are added between pages', async () => {
      const { store, payments } = await withHistory();
      const first = await store.listPayments({}, { limit: 10 });
      await putAll(store, [payment(paymentAt(CONTRACT_NOW_MS))]);
      const after = first.next ?? '';
      const second = await store.listPayments({}, { limit: 10, after });
      expect([...first.payments, ...second.payments]).toEqual(payments.slice(0, 20));
    });

    it('finds each payment of the past by its id', async () => {
      const { store, payments } = await withHistory();
      for (const one of payments) expect(await store.get('payment', one.id)).toEqual(one);
      expect(
        await store.get('payment', newTransactionId(CONTRACT_NOW_MS - 44 * DAY_MS)),
      ).toBeUndefined();
    });

    it('checks the version of a payment of the past as of any other', async () => {
      const { store, payments } = await withHistory();
      const one = payments[12] ?? aPayment();
      const stored = (version: number) =>
        store.commit({ put: [payment({ ...one, version, hints: version })] });
      expect(await stored(1)).toBe(false);
      expect(await stored(3)).toBe(false);
      expect(await stored(2)).toBe(true);
      expect(await stored(2)).toBe(false);
    });

    it('lets exactly one of 20 change a payment of the past at once', async () => {
      const { store, payments } = await withHistory();
      const one = payments[7] ?? aPayment();
      const results = await Promise.all(
        Array.from({ length: 20 }, () =>
          store.commit({ put: [payment({ ...one, version: 2, flag: 'conflict' })] }),
        ),
      );
      expect(results.filter((stored) => stored)).toHaveLength(1);
    });

    it('shows a changed payment of the past once and as it is now, also after reopening', async () => {
      const { store, reopen, payments } = await withHistory();
      const changed = payments.map(
        (one, n): Payment => (n % 4 === 0 ? { ...one, version: 2, flag: 'conflict' } : one),
      );
      await putAll(store, changed.filter(({ version }) => version === 2).map(payment));
      expect((await listAll(store, {}, 4)).payments).toEqual(changed);
      const again = await reopen();
      expect((await listAll(again, {}, 4)).payments).toEqual(changed);
      for (const one of changed) expect(await again.get('payment', one.id)).toEqual(one);
    });

    it('has an old payment due again once a commit says so', async () => {
      const { store, payments } = await withHistory();
      const one = payments[9] ?? aPayment();
      const due = { queue: 'check', atMs: 5 } as const;
      expect(await store.commit({ put: [payment({ ...one, version: 2, due })] })).toBe(true);
      const claimed = await store.claim('check', { nowMs: 5, leaseMs: 1, limit: 9 });
      expect(idsOf(claimed)).toEqual([one.id]);
    });
  });
};
