import { describe, expect, it } from 'vitest';
import type { Payment, PaymentFilter, SearchTerm } from '../../../src/core/records/payment.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { aPayment } from '../../support/a-payment.ts';
import {
  CONTRACT_NOW_MS,
  DAY_MS,
  type OpenEmpty,
  opened,
  payment,
  paymentAt,
  putAll,
} from './records.ts';

type Terms = Payment['terms'];

/** One payment a day, the last one today. */
const daily = (...some: readonly (Partial<Terms> & Pick<Partial<Payment>, 'state'>)[]): Payment[] =>
  some.map(({ state = 'completed', ...terms }, n) => ({
    ...paymentAt(CONTRACT_NOW_MS - (some.length - 1 - n) * DAY_MS),
    state,
    terms: { ...aPayment().terms, ...terms },
  }));

const ghs = (amountMinor: number) => ({ currency: 'GHS', amountMinor });

const found = async (
  store: Store,
  search: readonly SearchTerm[],
  filter: PaymentFilter = {},
): Promise<string[]> => {
  const { payments } = await store.listPayments({ ...filter, search }, { limit: 100 });
  return payments.map(({ terms }) => terms.reference);
};

export const paymentSearchCases = (name: string, open: OpenEmpty): void => {
  describe(`${name}: the search for payments`, () => {
    const withShop = async () => {
      const underTest = await opened(open);
      const payments = daily(
        { customerName: 'ADWOA MENSAH', reference: 'one', amount: ghs(50_00) },
        { customerName: 'KOFI MENSAH', reference: 'two', customerNumber: '+233244124567' },
        { customerName: 'Adwoaba Nyarkɔ', reference: 'three', state: 'failed' },
        { customerName: 'Ama Owusu', reference: 'Invoice 4567', amount: ghs(4_567_00) },
        {
          customerName: 'Zoé Adwoa-Ansah',
          reference: 'five',
          amount: { currency: 'USD', amountMinor: 50_00 },
        },
      );
      await putAll(underTest.store, payments.map(payment));
      return { ...underTest, payments };
    };

    it.each<[SearchTerm[], string[]]>([
      [[{ word: 'adwoa' }], ['five', 'three', 'one']],
      [[{ word: 'adw' }], ['five', 'three', 'one']],
      [[{ word: 'mensah' }], ['two', 'one']],
      [[{ word: 'zoe' }], ['five']],
      [[{ word: 'nyarko' }], ['three']],
      [[{ word: 'men' }, { word: 'adwoa' }], ['one']],
      [[{ word: 'mensah' }, { word: 'owusu' }], []],
      [[{ word: 'woa' }], []],
      [[{ word: 'invoice' }, { word: '4567' }], ['Invoice 4567']],
      // Of digits the beginning does not count.
      [[{ word: '45' }], []],
      [[{ lastDigits: '4567' }], ['two']],
      [[{ lastDigits: '456' }], []],
      [[{ amount: ghs(50_00) }], ['three', 'two', 'one']],
      [[{ amount: { currency: 'USD', amountMinor: 50_00 } }], ['five']],
      [[{ amount: ghs(50_01) }], []],
      [[{ word: '4567', lastDigits: '4567', amount: ghs(4_567_00) }], ['Invoice 4567', 'two']],
      [
        [{ word: 'adwoa' }, { amount: ghs(50_00) }],
        ['three', 'one'],
      ],
      [[{ person: 'am' }], ['five', 'Invoice 4567', 'three', 'two', 'one']],
      [[{ person: 'am' }, { word: 'zoe' }], ['five']],
      [[{ person: 'adwoa' }], []],
      [[{}], []],
    ])('for %o finds %o', async (search, references) => {
      const { store, reopen } = await withShop();
      expect(await found(store, search)).toEqual(references);
      expect(await found(await reopen(), search)).toEqual(references);
    });

    it('keeps to the other filters', async () => {
      const { store, payments } = await withShop();
      const adwoa = [{ word: 'adwoa' }];
      expect(await found(store, adwoa, { states: ['failed', 'refused'] })).toEqual(['three']);
      expect(await found(store, adwoa, { states: [] })).toEqual([]);
      expect(await found(store, adwoa, { requester: 'slack:U0AMA' })).toHaveLength(3);
      expect(await found(store, adwoa, { requester: 'slack:U0KOJO' })).toEqual([]);
      expect(await found(store, adwoa, { customerNumber: '+233244124567' })).toEqual([]);
      const sinceMs = payments[1]?.confirmedAtMs ?? 0;
      const untilMs = payments[4]?.confirmedAtMs ?? 0;
      expect(await found(store, adwoa, { sinceMs, untilMs })).toEqual(['three']);
      expect(await found(store, [{ word: 'mensah' }], { sinceMs, untilMs })).toEqual(['two']);
      expect(await found(store, adwoa, { endedSinceMs: untilMs })).toEqual(['five']);
    });

    it('pages without gap or repeat, also where a payment has several of the words', async () => {
      const { store } = await opened(open);
      const payments = daily(
        ...Array.from({ length: 9 }, (_, n) => ({
          customerName: n % 2 === 0 ? 'Adwoa Adwoaba' : 'Adwo Kofi',
          reference: `no ${n}`,
        })),
      );
      await putAll(store, payments.map(payment));
      const listed: Payment[] = [];
      for (let after: string | undefined, more = true; more; ) {
        const page = await store.listPayments(
          { search: [{ word: 'adwo' }] },
          { limit: 2, ...(after === undefined ? {} : { after }) },
        );
        listed.push(...page.payments);
        after = page.next;
        more = after !== undefined;
      }
      expect(listed).toEqual(payments.toReversed());
    });

    it('finds what begins with a word, however many words do', { tags: ['F76'] }, async () => {
      const { store } = await opened(open);
      const payments = daily(...Array.from({ length: 40 }, (_, n) => ({ reference: `inv${n}a` })), {
        reference: 'inv',
      });
      await putAll(store, payments.map(payment));
      expect(await found(store, [{ word: 'inv' }])).toHaveLength(41);
      expect(await found(store, [{ word: 'inv3' }])).toHaveLength(11);
    });

    it('stores a payment with names that are too long to be searched whole', async () => {
      const { store } = await opened(open);
      const long = (first: string) =>
        [first, ...Array.from({ length: 19 }, (_, n) => `${'가'.repeat(13)}${n}`)].join(' ');
      const [one = aPayment()] = daily({ customerName: long('adwoa'), reference: long('rent') });
      const record = { ...one, requester: { ...one.requester, name: long('ama') } };
      await putAll(store, [payment(record)]);
      const search = [{ word: 'adwoa' }, { lastDigits: '3456' }];
      expect((await store.listPayments({ search }, { limit: 5 })).payments).toEqual([record]);
    });

    it('takes what people type for what it is, whatever characters it has', async () => {
      const { store } = await withShop();
      for (const word of ["o'; --", '%', '_', '\u{10ffff}', 'ŋ'.repeat(50), 'a'.repeat(5_000)])
        expect(await found(store, [{ word }])).toEqual([]);
    });

    it('finds a payment by its first terms, however often it changes', async () => {
      const { store, payments } = await withShop();
      const [one = aPayment()] = payments;
      await store.commit({ put: [payment({ ...one, version: 2, state: 'failed' })] });
      await store.commit({ put: [payment({ ...one, version: 3, state: 'completed', hints: 4 })] });
      expect(await found(store, [{ word: 'adwoa' }])).toEqual(['five', 'three', 'one']);
      expect(await found(store, [{ word: 'adwoa' }], { states: ['failed'] })).toEqual(['three']);
    });

    it('finds nothing of a change that was not stored', async () => {
      const { store } = await opened(open);
      const [one = aPayment()] = daily({ customerName: 'Esi' });
      await putAll(store, [payment(one)]);
      const [other = aPayment()] = daily({ customerName: 'Esi' });
      const stale = payment({ ...one, version: 9 });
      expect(await store.commit({ put: [payment(other), stale] })).toBe(false);
      expect(await found(store, [{ word: 'esi' }])).toHaveLength(1);
    });
  });

  describe(`${name}: the totals of payments`, () => {
    const withShop = async () => {
      const underTest = await opened(open);
      const payments = daily(
        { customerName: 'Adwoa', amount: ghs(10_00) },
        { customerName: 'Adwoa', amount: ghs(20_50) },
        { customerName: 'Kofi', amount: { currency: 'USD', amountMinor: 3_00 } },
        { customerName: 'Adwoa', amount: ghs(99_00), state: 'failed' },
        { customerName: 'Kofi', amount: ghs(7_00), state: 'not sent' },
        { customerName: 'Kofi', amount: ghs(9_007_199_254_000), state: 'pending' },
      );
      await putAll(underTest.store, payments.map(payment));
      return { store: await underTest.reopen(), payments };
    };

    it('are none in an empty store', async () => {
      const { store } = await opened(open);
      expect(await store.totalPayments({})).toEqual({ totals: [], isWhole: true });
      expect(await store.totalPayments({ states: [] })).toEqual({ totals: [], isWhole: true });
      expect(await store.totalPayments({ search: [{ word: 'esi' }] })).toEqual({
        totals: [],
        isWhole: true,
      });
    });

    it('sum what was given back beside what was paid, also of what a search finds and of a run', async () => {
      const { store, payments } = await withShop();
      const alike = payments.filter(
        ({ state, terms }) => state === 'completed' && terms.amount.currency === 'GHS',
      );
      expect(alike).toHaveLength(2);
      const put = alike.map((before, row) => {
        const given = [100, 250].map((amountMinor, at) => ({
          id: `back${at}`,
          amountMinor,
          by: before.requester,
          atMs: 1,
        }));
        const after = { ...before, version: before.version + 1, bulk: { run: 'r1', row } };
        return payment({ ...after, givenBack: given });
      });
      await store.commit({ put });
      for (const filter of [{}, { states: ['completed'] }, { bulk: 'r1' }] as const) {
        const { totals } = await store.totalPayments(filter);
        const [back, ...others] = totals.filter(({ givenBackMinor }) => givenBackMinor !== 0);
        expect(back).toMatchObject({ state: 'completed', givenBackMinor: 700 });
        expect(others).toEqual([]);
      }
    });

    it('are counts and sums by state and currency', async () => {
      const { store } = await withShop();
      expect(await store.totalPayments({})).toEqual({
        totals: [
          { state: 'completed', currency: 'GHS', count: 2, amountMinor: 30_50, givenBackMinor: 0 },
          { state: 'completed', currency: 'USD', count: 1, amountMinor: 3_00, givenBackMinor: 0 },
          { state: 'failed', currency: 'GHS', count: 1, amountMinor: 99_00, givenBackMinor: 0 },
          { state: 'not sent', currency: 'GHS', count: 1, amountMinor: 7_00, givenBackMinor: 0 },
          {
            state: 'pending',
            currency: 'GHS',
            count: 1,
            amountMinor: 9_007_199_254_000,
            givenBackMinor: 0,
          },
        ],
        isWhole: true,
      });
    });

    it('are of the payments that the same filter lists', async () => {
      const { store, payments } = await withShop();
      const sinceMs = payments[1]?.confirmedAtMs ?? 0;
      const untilMs = payments[4]?.confirmedAtMs ?? 0;
      const filters: PaymentFilter[] = [
        { states: ['failed', 'not sent'] },
        { sinceMs },
        { sinceMs, untilMs },
        { untilMs, states: ['completed'] },
        { customerNumber: '+233244123456' },
        { customerNumber: '+233244123456', states: ['completed'], endedSinceMs: sinceMs },
        { requester: 'slack:U0AMA', sinceMs },
        { search: [{ word: 'adwoa' }] },
        { search: [{ word: 'ad' }, { lastDigits: '3456' }], states: ['completed'] },
        { search: [{ amount: ghs(7_00), word: 'adwoa' }], sinceMs },
        { endedSinceMs: sinceMs },
      ];
      for (const filter of filters) {
        const { payments: listed } = await store.listPayments(filter, { limit: 100 });
        const { totals } = await store.totalPayments(filter);
        expect(listed.length, JSON.stringify(filter)).toBeGreaterThan(0);
        expect(totals.reduce((sum, { count }) => sum + count, 0)).toBe(listed.length);
        for (const { state, currency, count, amountMinor } of totals) {
          const same = listed.filter(
            (one) => one.state === state && one.terms.amount.currency === currency,
          );
          expect([count, amountMinor]).toEqual([
            same.length,
            same.reduce((sum, { terms }) => sum + terms.amount.amountMinor, 0),
          ]);
        }
      }
    });
  });
};
