import { expect, it } from 'vitest';
import { type ForgetRequest, forget as forgetCustomer } from '../../src/core/privacy/forget.ts';
import type { Store } from '../../src/core/store/store.ts';
import { isPseudonym } from '../../src/core/values/pseudonym.ts';
import { ama } from '../support/a-payment.ts';
import { CustomerHistory, EFUA, EFUAS_NAME, KOFI, kofiIn } from '../support/customer-history.ts';
import type { KeptStore } from '../support/kept-store.ts';

/** Kofi, unless the request is about somebody else. */
export const forget = (
  { inErasure, clock }: Pick<KeptStore, 'inErasure' | 'clock'>,
  changes: Partial<ForgetRequest> = {},
) => forgetCustomer(inErasure, { number: KOFI, who: ama, isSure: true, ...changes }, clock);

/** Where Kofi can still be read. */
export const tracesIn = async ({ texts }: Pick<KeptStore, 'texts'>): Promise<string[]> =>
  (await texts()).flatMap(kofiIn);

/** Does something in the history of a shop. */
export const inHistory = <T>(kept: KeptStore, work: (history: CustomerHistory) => Promise<T>) =>
  kept.within((store) => work(new CustomerHistory(store, kept.clock)));

/** What it keeps of a shop's customers, and which payments are whose. */
export const aShopsLife = async <Kept extends KeptStore>(open: () => Promise<Kept>) => {
  const kept = await open();
  return { kept, ...(await inHistory(kept, (history) => history.lived())) };
};

/** Those of these payments. */
export const termsOf = (store: Store, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await store.get('payment', id))?.terms));

/** What forgetting a customer does in every store. `open` gives an empty one. */
export const forgettingCases = (open: () => Promise<KeptStore>): void => {
  it('leaves neither number nor name anywhere, and the money as it was', async () => {
    const { kept, kofis, efuas } = await aShopsLife(open);
    const before = await kept.verify();
    expect(before.places).toEqual([]);
    expect((await tracesIn(kept)).length).toBeGreaterThan(50);
    // A head counts what is older than itself.
    kept.clock.jump(1);
    const answer = await forget(kept);
    expect(answer).toMatchObject({ kind: 'forgotten', found: { payments: 3, sms: 2 } });
    expect(await tracesIn(kept)).toEqual([]);
    const after = await kept.verify(before.head);
    expect(after).toMatchObject({ broken: 0, places: [], hasNoted: true });
    expect(after.stored.isSameAs(before.stored)).toBe(true);
    expect(after.audited.isSameAs(before.audited)).toBe(true);
    await kept.within(async (store) => {
      const { payments } = await store.listPayments({ customerNumber: KOFI }, { limit: 10 });
      expect(payments).toEqual([]);
      for (const search of [[{ word: 'kofi' }], [{ lastDigits: KOFI.slice(-4) }]])
        expect(await store.listPayments({ search }, { limit: 10 })).toEqual({ payments: [] });
      const theirs = await termsOf(store, kofis);
      const pseudonyms = new Set(theirs.map((terms) => terms?.customerNumber ?? ''));
      expect([...pseudonyms].map(isPseudonym)).toEqual([true]);
      expect(theirs.map((terms) => terms?.customerName)).toEqual(Array(3).fill('forgotten'));
      for (const terms of await termsOf(store, efuas))
        expect(terms).toMatchObject({ customerNumber: EFUA, customerName: EFUAS_NAME });
      const told = (await store.auditOf(kofis[0] ?? '')).at(-1);
      expect(told).toMatchObject({ what: 'forgotten', who: ama, before: 'completed' });
    });
  });

  it('only looks until it is told to be sure, and changes nothing then', async () => {
    const { kept } = await aShopsLife(open);
    const before = await kept.stored();
    expect(await forget(kept, { isSure: false })).toMatchObject({
      kind: 'found',
      found: { payments: 3, sms: 2, names: ['KOFI MENSAH'] },
    });
    expect(await kept.stored()).toEqual(before);
  });

  it('says that nothing is stored about a number, the second time as well, and changes nothing', async () => {
    const { kept } = await aShopsLife(open);
    for (const number of ['+233209999999', KOFI]) {
      if (number === KOFI) await forget(kept);
      const before = await kept.stored();
      expect(await forget(kept, { number })).toEqual({ kind: 'unknown' });
      expect(await kept.stored()).toEqual(before);
    }
  });

  it('has a new charge to the same number work as any, and forgets it under the same pseudonym', async () => {
    const { kept, kofis } = await aShopsLife(open);
    const first = await forget(kept);
    const again = await inHistory(kept, (history) =>
      history.paid({ customerNumber: KOFI, customerName: 'KOFI MENSAH' }),
    );
    const { payments } = await kept.within((store) =>
      store.listPayments({ customerNumber: KOFI }, { limit: 10 }),
    );
    expect(payments.map(({ id }) => id)).toEqual([again]);
    expect(await forget(kept)).toMatchObject({
      kind: 'forgotten',
      found: { payments: 1, sms: 0 },
      pseudonym: first.kind === 'forgotten' ? first.pseudonym : '',
    });
    expect(await tracesIn(kept)).toEqual([]);
    expect((await kept.verify()).places).toEqual([]);
    const numbers = await kept.within((store) => termsOf(store, [...kofis, again]));
    expect(new Set(numbers.map((terms) => terms?.customerNumber)).size).toBe(1);
  });

  it.each<[string, (history: CustomerHistory) => Promise<unknown>, RegExp]>([
    [
      'a payment without an outcome',
      (history) => history.sent({ customerNumber: KOFI }),
      /^payment \w+ \(GHS 50\.00\) has no outcome yet$/,
    ],
    [
      'a question that can be confirmed',
      (history) => history.shown({ customerNumber: KOFI }),
      /^charge \w+ is shown for confirmation$/,
    ],
    [
      'money that waits to be approved as given back',
      (history) => history.givingBack({ customerNumber: KOFI }),
      /^money given back of payment \w+ waits for approval$/,
    ],
    [
      'an SMS on its way',
      (history) => history.texted('sms-1', [KOFI, EFUA], 'Hello', { queue: 'sms', atMs: 0 }),
      /^SMS sms-1 is being sent$/,
    ],
    [
      'somebody else’s open payment that mentions the number',
      (history) => history.sent({ customerNumber: EFUA, reference: 'for 0244123456' }),
      /has no outcome yet$/,
    ],
  ])('waits for %s, and changes nothing', async (_name, happened, why) => {
    const kept = await open();
    await inHistory(kept, async (history) => {
      await history.paid({ customerNumber: KOFI });
      await happened(history);
    });
    const before = await kept.stored();
    const answer = await forget(kept);
    expect(answer).toMatchObject({ kind: 'wait', reasons: [{ what: expect.stringMatching(why) }] });
    expect(await kept.stored()).toEqual(before);
  });

  it('is told from details that somebody took away', async () => {
    const { kept } = await aShopsLife(open);
    await forget(kept);
    const id = await inHistory(kept, (history) => history.paid({ customerNumber: EFUA }));
    expect((await kept.verify()).places).toEqual([]);
    await kept.tamper(`DELETE FROM audit_details WHERE position =
      (SELECT min(position) FROM audit JOIN audit_details USING (position) WHERE id = '${id}')`);
    expect((await kept.verify()).places).toEqual([
      expect.stringMatching(/: its detail is gone, and no customer was forgotten since$/),
    ]);
  });
};
