import { describe, expect, it } from 'vitest';
import type { AuditRow, Put } from '../../../src/core/records/records.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { aCharge, ama, aPayment } from '../../support/a-payment.ts';
import {
  aBatch,
  aForm,
  aNotice,
  aSetting,
  CONTRACT_NOW_MS,
  draft,
  notice,
  type OpenEmpty,
  opened,
  payment,
  paymentAt,
  putAll,
  setting,
} from './records.ts';

export const commitCases = (name: string, open: OpenEmpty): void => {
  describe(`${name}: commits`, () => {
    it('has nothing under an id that was never stored', async () => {
      const { store } = await opened(open);
      expect(await store.get('payment', newTransactionId(CONTRACT_NOW_MS))).toBeUndefined();
      expect(await store.get('payment', 'no id at all')).toBeUndefined();
      expect(await store.get('setting', 'secret')).toBeUndefined();
    });

    it('gives back every kind of record as it was stored, also after reopening', async () => {
      const { store, reopen } = await opened(open);
      const puts: Put[] = [
        payment(aPayment()),
        draft(),
        { kind: 'sms', record: aBatch() },
        notice({ due: { queue: 'notice', atMs: 2_000 } }),
        { kind: 'form', record: aForm() },
        setting(),
      ];
      expect(await store.commit({ put: puts })).toBe(true);
      const expectAll = async (from: Store) => {
        for (const { kind, record } of puts)
          expect(await from.get(kind, record.id)).toEqual(record);
      };
      await expectAll(store);
      await expectAll(await reopen());
    });

    it('lists the charges that wait for an approver, and no other draft, whatever was typed', async () => {
      const { store, reopen } = await opened(open);
      const warnings = ['"status":"awaiting approval"', 'a \u0000 and \ud800'];
      const waiting = aCharge({ id: 'waiting', status: 'awaiting approval', warnings });
      const decided = aCharge({ id: 'decided', status: 'awaiting approval' });
      const open_ = aCharge({ id: 'open', warnings });
      await putAll(store, [draft(waiting), draft(decided), draft(open_), setting()]);
      await putAll(store, [draft({ ...decided, version: 2, status: 'done' })]);
      expect(await store.draftsIn('awaiting approval')).toEqual([waiting]);
      expect(await (await reopen()).draftsIn('awaiting approval')).toEqual([waiting]);
    });

    it('lists the drafts of one person, whatever others are called', async () => {
      const { store } = await opened(open);
      const own = aCharge({ id: 'own' });
      const { requester } = own;
      const longer = aCharge({ id: 'longer', requester: { ...requester, id: `${requester.id}1` } });
      const named = aCharge({
        id: 'named',
        requester: { ...requester, id: 'U9', name: JSON.stringify(requester) },
      });
      await putAll(store, [draft(own), draft(longer), draft(named)]);
      expect(await store.draftsIn('open', { ...requester, name: 'any' })).toEqual([own]);
      expect(await store.draftsIn('done', requester)).toEqual([]);
    });

    it('takes no sign of an id for any other sign', { tags: ['T66'] }, async () => {
      const { store } = await opened(open);
      const of = (id: string) => aCharge({ id, requester: { platform: 'slack', id, name: 'A' } });
      const ids = ['U_1', 'UX1', 'u_1', 'U%', 'U%1', 'U', '%'];
      await putAll(
        store,
        ids.map((id) => draft(of(id))),
      );
      for (const id of ids)
        expect(await store.draftsIn('open', { platform: 'slack', id, name: 'A' })).toEqual([
          of(id),
        ]);
    });

    it('keeps records of different kinds with the same id apart', async () => {
      const { store } = await opened(open);
      await putAll(store, [setting({ id: 'x' }), notice({ id: 'x' })]);
      expect(await store.get('setting', 'x')).toEqual(aSetting({ id: 'x' }));
      expect(await store.get('notice', 'x')).toEqual(aNotice({ id: 'x' }));
      expect(await store.get('form', 'x')).toBeUndefined();
    });

    it('stores a new record only with version 1, and a known one only with the next version', async () => {
      const { store } = await opened(open);
      const stored = (version: number) =>
        store.commit({ put: [setting({ version, value: `v${version}` })] });
      expect(await stored(2)).toBe(false);
      expect(await stored(0)).toBe(false);
      expect(await stored(1)).toBe(true);
      expect(await stored(1)).toBe(false);
      expect(await stored(3)).toBe(false);
      expect(await stored(2)).toBe(true);
      expect(await store.get('setting', 'secret')).toEqual(aSetting({ version: 2, value: 'v2' }));
    });

    it('removes a record only with the version it has', async () => {
      const { store, reopen } = await opened(open);
      const removed = (version: number) =>
        store.commit({ remove: [{ kind: 'setting', id: 'secret', version }] });
      expect(await removed(1)).toBe(false);
      expect(await removed(0)).toBe(false);
      await putAll(store, [setting()]);
      expect(await removed(2)).toBe(false);
      expect(await removed(1)).toBe(true);
      expect(await removed(1)).toBe(false);
      expect(await store.get('setting', 'secret')).toBeUndefined();
      expect(await (await reopen()).get('setting', 'secret')).toBeUndefined();
    });

    it('takes a removed record again as a new one', async () => {
      const { store } = await opened(open);
      await putAll(store, [setting()]);
      await store.commit({ remove: [{ kind: 'setting', id: 'secret', version: 1 }] });
      expect(await store.commit({ put: [setting({ version: 2 })] })).toBe(false);
      expect(await store.commit({ put: [setting({ value: 'again' })] })).toBe(true);
      expect((await store.get('setting', 'secret'))?.value).toBe('again');
    });

    it('stores nothing of a change in which one version is stale', async () => {
      const { store, reopen } = await opened(open);
      await putAll(store, [setting({ id: 'stale' }), setting({ id: 'kept' })]);
      const change = {
        put: [
          setting({ id: 'new', due: { queue: 'check', atMs: 1 } }),
          payment(aPayment()),
          setting({ id: 'stale' }),
        ],
        remove: [{ kind: 'setting', id: 'kept', version: 1 }],
      } as const;
      expect(await store.commit(change)).toBe(false);
      const expectNothing = async (from: Store) => {
        expect(await from.get('setting', 'new')).toBeUndefined();
        expect(await from.get('payment', aPayment().id)).toBeUndefined();
        expect(await from.get('setting', 'kept')).toEqual(aSetting({ id: 'kept' }));
        expect(await from.claim('check', { nowMs: 10, leaseMs: 1, limit: 9 })).toEqual([]);
        expect((await from.listPayments({}, { limit: 9 })).payments).toEqual([]);
      };
      await expectNothing(store);
      await expectNothing(await reopen());
    });

    it('stores nothing of a change in which one removal is stale', async () => {
      const { store } = await opened(open);
      await putAll(store, [setting({ id: 'old' })]);
      const remove = [{ kind: 'setting', id: 'old', version: 7 }] as const;
      expect(await store.commit({ put: [setting({ id: 'new' })], remove })).toBe(false);
      expect(await store.get('setting', 'new')).toBeUndefined();
      expect(await store.get('setting', 'old')).toBeDefined();
    });

    it('replaces one record by another in one change', async () => {
      const { store } = await opened(open);
      await putAll(store, [setting({ id: 'old' })]);
      const remove = [{ kind: 'setting', id: 'old', version: 1 }] as const;
      expect(await store.commit({ put: [setting({ id: 'new' })], remove })).toBe(true);
      expect(await store.get('setting', 'old')).toBeUndefined();
      expect(await store.get('setting', 'new')).toBeDefined();
    });

    it('rejects a change that names a record twice, and one that removes a payment', async () => {
      const { store } = await opened(open);
      await expect(store.commit({ put: [setting(), setting({ version: 2 })] })).rejects.toThrow(
        /twice/,
      );
      await putAll(store, [payment(aPayment())]);
      const remove = [{ kind: 'payment', id: aPayment().id, version: 1 }] as const;
      await expect(store.commit({ remove })).rejects.toThrow(/never removed/);
      expect(await store.get('setting', 'secret')).toBeUndefined();
      expect(await store.get('payment', aPayment().id)).toBeDefined();
    });

    it('stores a change of audit rows alone, and an empty one', async () => {
      const { store } = await opened(open);
      const audit: AuditRow[] = [
        {
          atMs: 1,
          kind: 'payment',
          id: 'x',
          what: 'callback',
          before: null,
          after: null,
          who: ama,
        },
      ];
      expect(await store.commit({ audit })).toBe(true);
      expect(await store.commit({})).toBe(true);
    });

    it.each([
      ['other scripts', 'Ɛyɛ Ŋ €50 नमस्ते 你好 👩🏽‍🍳'],
      ['line ends of every kind', 'a\nb\r\nc\u2028d\u2029e\u0085f\u000bg\u000ch'],
      ['NUL and other control characters', 'a\u0000b\u0001c\u001bd\u007fe'],
      ['right-to-left marks and what joins', '\u202egnirts\u202c a\u200db\ufeff'],
      ['what looks like JSON or SQL', '"}],\n{"seq":1} \\u0000 \\\' OR 1=1; --'],
      ['nothing', ''],
    ])('gives back %s character by character', async (_, value) => {
      const { store, reopen } = await opened(open);
      const form = aForm({ answers: { text: value, [`key ${value}`]: 'x' } });
      await putAll(store, [setting({ value }), { kind: 'form', record: form }]);
      expect((await store.get('setting', 'secret'))?.value).toBe(value);
      const again = await reopen();
      expect((await again.get('setting', 'secret'))?.value).toBe(value);
      expect(await again.get('form', form.id)).toEqual(form);
    });

    it('does not change when the caller changes what it stored', async () => {
      const { store } = await opened(open);
      const answers: Record<string, string> = { number: '1' };
      await putAll(store, [{ kind: 'form', record: aForm({ answers }) }]);
      answers.number = '2';
      expect((await store.get('form', aForm().id))?.answers).toEqual({ number: '1' });
    });

    it('does not change when a reader changes what it got', async () => {
      const { store } = await opened(open);
      await putAll(store, [{ kind: 'form', record: aForm() }]);
      const spoil = async () => {
        const form = await store.get('form', aForm().id);
        // A store that hands out copies lets it happen, one that shares records forbids it.
        Object.assign(form?.answers ?? {}, { number: 'spoilt' });
      };
      await spoil().catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
      expect(await store.get('form', aForm().id)).toEqual(aForm());
    });

    it('lets exactly one of 50 that change the same version at once', async () => {
      const { store, reopen } = await opened(open);
      await putAll(store, [setting()]);
      const tries = Array.from({ length: 50 }, (_, index) =>
        store.commit({ put: [setting({ version: 2, value: `by ${index}` })] }),
      );
      const results = await Promise.all(tries);
      expect(results.filter((stored) => stored)).toHaveLength(1);
      const winner = `by ${results.indexOf(true)}`;
      expect((await store.get('setting', 'secret'))?.value).toBe(winner);
      expect((await (await reopen()).get('setting', 'secret'))?.value).toBe(winner);
    });

    it('lets exactly one of 50 make the same new record', { tags: ['F16'] }, async () => {
      const { store } = await opened(open);
      const record = paymentAt(CONTRACT_NOW_MS);
      const results = await Promise.all(
        Array.from({ length: 50 }, () => store.commit({ put: [payment(record)] })),
      );
      expect(results.filter((stored) => stored)).toHaveLength(1);
    });

    it('keeps all of 100 commits made at once', async () => {
      const { store, reopen } = await opened(open);
      const puts = Array.from({ length: 100 }, (_, n) => setting({ id: `s${n}`, value: `${n}` }));
      await putAll(store, puts);
      const again = await reopen();
      for (const { record } of puts) expect(await again.get('setting', record.id)).toEqual(record);
    });

    it('never shows half of a change to a reader', async () => {
      const { store } = await opened(open);
      const pair = (version: number) => [
        setting({ id: 'a', version, value: `${version}` }),
        setting({ id: 'b', version, value: `${version}` }),
      ];
      await store.commit({ put: pair(1) });
      const writing = (async () => {
        for (let version = 2; version <= 30; version++) await store.commit({ put: pair(version) });
      })();
      for (let reads = 0; reads < 30; reads++) {
        const before = await store.get('setting', 'a');
        const after = await store.get('setting', 'b');
        expect(Number(after?.value)).toBeGreaterThanOrEqual(Number(before?.value));
      }
      await writing;
    });

    it('refuses to work once it is closed', async () => {
      const { store, close } = await opened(open);
      await close();
      await expect(store.commit({ put: [setting()] })).rejects.toThrow();
      await expect(store.get('setting', 'secret')).rejects.toThrow();
    });
  });
};
