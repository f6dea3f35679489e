import { describe, expect, it } from 'vitest';
import type { AuditRow } from '../../../src/core/records/records.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { ama, shop } from '../../support/a-payment.ts';
import { CONTRACT_NOW_MS, DAY_MS, type OpenEmpty, opened, putAll, setting } from './records.ts';

const ID = newTransactionId(CONTRACT_NOW_MS);
/** Made at the same moment, so it begins with the same characters. */
const OTHER = newTransactionId(CONTRACT_NOW_MS);

const row = (what: string, changes: Partial<AuditRow> = {}): AuditRow => ({
  atMs: CONTRACT_NOW_MS,
  kind: 'payment',
  id: ID,
  what,
  before: null,
  after: 'pending',
  ...changes,
});

const write = async (store: Store, ...rows: AuditRow[]): Promise<void> => {
  for (const one of rows) expect(await store.commit({ audit: [one] })).toBe(true);
};

const whatOf = async (store: Store, id = ID): Promise<string[]> =>
  (await store.auditOf(id)).map(({ what }) => what);

export const auditCases = (name: string, open: OpenEmpty): void => {
  describe(`${name}: the audit trail`, () => {
    it('has nothing under an id that nothing happened to', async () => {
      const { store } = await opened(open);
      expect(await store.auditOf(ID)).toEqual([]);
      await write(store, row('confirmed', { id: OTHER }));
      for (const id of [ID, '', 'no id', 'a\0b', 'half \ud83d', '%', '.'])
        expect(await store.auditOf(id)).toEqual([]);
    });

    it('gives back a row as it was written, also after reopening', async () => {
      const { store, reopen } = await opened(open);
      const whole = row('confirmed', {
        version: 1,
        flag: 'conflict',
        who: { ...ama, name: 'Ɛyɛ "\u2028\u0000 half \ud83d' },
        where: shop,
        button: 'charge',
        detail: { body: `NUL \0, "id":"${ID}", \n\u0085`, code: 202, nested: { list: [1, null] } },
      });
      await write(store, whole);
      expect(await store.auditOf(ID)).toEqual([whole]);
      expect(await (await reopen()).auditOf(ID)).toEqual([whole]);
    });

    it('has the rows of one record in the order of its changes, whatever the clocks said', {
      tags: ['F46'],
    }, async () => {
      const { store, reopen } = await opened(open);
      const times = [5, 1, 9, 9, 2];
      await write(
        store,
        ...times.map((ms, n) => row(`step ${n}`, { atMs: CONTRACT_NOW_MS + ms, version: n + 1 })),
      );
      const wanted = times.map((_, n) => `step ${n}`);
      expect(await whatOf(store)).toEqual(wanted);
      expect(await whatOf(await reopen())).toEqual(wanted);
    });

    it('has what goes by the id and a dot as well, and nothing else', async () => {
      const { store } = await opened(open);
      const at = (ms: number) => ({ atMs: CONTRACT_NOW_MS + ms });
      await write(
        store,
        row('created', { ...at(0), kind: 'draft', after: 'open' }),
        row('somebody else', { ...at(1), id: OTHER }),
        row('confirmed', at(2)),
        row('longer', { ...at(3), id: `${ID}X` }),
        row('dashed', { ...at(3), id: `${ID}-1` }),
        row('slashed', { ...at(3), id: `${ID}/1` }),
        row('delivered', { ...at(4), kind: 'notice', id: `${ID}.outcome`, after: null }),
        row('named only', { ...at(5), id: 'x', detail: { paymentId: ID, id: ID } }),
        row('completed', { ...at(6), after: 'completed' }),
      );
      expect(await whatOf(store)).toEqual(['created', 'confirmed', 'delivered', 'completed']);
      expect(await whatOf(store, `${ID}.outcome`)).toEqual(['delivered']);
    });

    it('has several rows of one change, and none of a change that was not stored', {
      tags: ['I3'],
    }, async () => {
      const { store } = await opened(open);
      const audit = [row('created', { kind: 'draft' }), row('confirmed')];
      expect(await store.commit({ put: [setting()], audit })).toBe(true);
      expect(await store.commit({ put: [setting()], audit: [row('again')] })).toBe(false);
      expect(await whatOf(store)).toEqual(['created', 'confirmed']);
    });

    it('has a row as soon as its commit resolves, among 300 others', async () => {
      const { store } = await opened(open);
      const ids = Array.from({ length: 300 }, (_, n) => newTransactionId(CONTRACT_NOW_MS + n));
      await Promise.all(
        ids.map(async (id, n) => {
          await write(store, row('confirmed', { id, detail: { long: 'x'.repeat(5_000) } }));
          if (n % 30 === 0) expect(await whatOf(store, id)).toEqual(['confirmed']);
        }),
      );
      await write(store, ...ids.slice(0, 20).map((id) => row('completed', { id })));
      expect(await whatOf(store, ids[7])).toEqual(['confirmed', 'completed']);
      expect(await whatOf(store, ids[299])).toEqual(['confirmed']);
    });

    it('finds what happened under an id that is older or younger than all else', async () => {
      const { store } = await opened(open);
      const old = newTransactionId(CONTRACT_NOW_MS - 400 * DAY_MS);
      await write(store, row('confirmed', { id: old }), row('confirmed'));
      expect(await whatOf(store, old)).toEqual(['confirmed']);
      expect(await whatOf(store, newTransactionId(CONTRACT_NOW_MS + 400 * DAY_MS))).toEqual([]);
    });

    it('refuses to work once it is closed', async () => {
      const { store, close } = await opened(open);
      await putAll(store, [setting()]);
      await close();
      await expect(store.auditOf(ID)).rejects.toThrow();
    });
  });
};
