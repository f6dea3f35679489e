import { describe, expect, it, onTestFinished } from 'vitest';
import type { Notice } from '../../src/core/notice.ts';
import type { Draft } from '../../src/core/payments/draft.ts';
import type { Payment } from '../../src/core/payments/payment.ts';
import type { SmsBatch } from '../../src/core/sms-batch.ts';
import type {
  AuditRow,
  Due,
  FormAnswers,
  PaymentFilter,
  Put,
  Setting,
  Store,
} from '../../src/core/store/store.ts';
import { newTransactionId } from '../../src/core/transaction-id.ts';
import { aCharge, ama, aPayment, shop } from '../support/a-payment.ts';

/** A store under test. `reopen` closes it and opens it again on the same data. */
export type StoreUnderTest = {
  readonly store: Store;
  reopen(): Promise<Store>;
  close(): Promise<void>;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The suite's payments were made around here; the store's own clock should be at or after it. */
export const CONTRACT_NOW_MS = Date.UTC(2026, 0, 15, 9, 0, 0);

const aSetting = (changes: Partial<Setting> = {}): Setting => ({
  id: 'secret',
  version: 1,
  value: 'a',
  ...changes,
});

const aNotice = (changes: Partial<Notice> = {}): Notice => ({
  id: 'notice-1',
  version: 1,
  about: { kind: 'card', paymentId: '01JD2M4X9QK7T3VB' },
  conversation: shop,
  to: ama,
  createdAtMs: 1_000,
  attempts: 0,
  mayStand: false,
  ...changes,
});

const aForm = (changes: Partial<FormAnswers> = {}): FormAnswers => ({
  id: 'slack|T1|C0SALES||U0AMA',
  version: 1,
  session: 'k3',
  command: 'charge',
  answers: { number: '0244123456' },
  done: ['number'],
  conversation: shop,
  person: ama,
  ...changes,
});

const aBatch = (changes: Partial<SmsBatch> = {}): SmsBatch => ({
  id: 'sms-1',
  version: 1,
  terms: { senderId: 'PAYTHREAD', text: 'Hello', recipients: ['+233244123456'] },
  requester: ama,
  conversation: shop,
  confirmedAtMs: 1_000,
  chunks: [],
  ...changes,
});

const setting = (changes: Partial<Setting> = {}): Put => ({
  kind: 'setting',
  record: aSetting(changes),
});
const payment = (record: Payment): Put => ({ kind: 'payment', record });
const notice = (changes: Partial<Notice> = {}): Put => ({
  kind: 'notice',
  record: aNotice(changes),
});
const draft = (changes: Partial<Draft> = {}): Put => ({ kind: 'draft', record: aCharge(changes) });

/** A setting that waits in a queue, named for the moment it is due. */
const work = (id: string, atMs: number, queue: Due['queue'] = 'check'): Put =>
  setting({ id, due: { queue, atMs } });

/** A payment that ended long enough ago to be history, or one that is still open. */
const paymentAt = (atMs: number, changes: Partial<Payment> = {}): Payment => {
  const { due: _, ...settled } = aPayment({
    id: newTransactionId(atMs),
    confirmedAtMs: atMs,
    state: 'completed',
    settledAtMs: atMs + 5_000,
  });
  return { ...settled, ...changes };
};

const putAll = async (store: Store, puts: readonly Put[]): Promise<void> => {
  expect(await Promise.all(puts.map((put) => store.commit({ put: [put] })))).not.toContain(false);
};

const idsOf = (puts: readonly { record: { id: string } }[]): string[] =>
  puts.map(({ record }) => record.id);

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

/** What every store must do. `open` gives an empty store. */
export const storeContract = (name: string, open: () => Promise<StoreUnderTest>): void => {
  const opened = async (): Promise<StoreUnderTest> => {
    const underTest = await open();
    onTestFinished(() => underTest.close());
    return underTest;
  };

  describe(`${name}: commits`, () => {
    it('has nothing under an id that was never stored', async () => {
      const { store } = await opened();
      expect(await store.get('payment', newTransactionId(CONTRACT_NOW_MS))).toBeUndefined();
      expect(await store.get('payment', 'no id at all')).toBeUndefined();
      expect(await store.get('setting', 'secret')).toBeUndefined();
    });

    it('gives back every kind of record as it was stored, also after reopening', async () => {
      const { store, reopen } = await opened();
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

    it('keeps records of different kinds with the same id apart', async () => {
      const { store } = await opened();
      await putAll(store, [setting({ id: 'x' }), notice({ id: 'x' })]);
      expect(await store.get('setting', 'x')).toEqual(aSetting({ id: 'x' }));
      expect(await store.get('notice', 'x')).toEqual(aNotice({ id: 'x' }));
      expect(await store.get('form', 'x')).toBeUndefined();
    });

    it('stores a new record only with version 1, and a known one only with the next version', async () => {
      const { store } = await opened();
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
      const { store, reopen } = await opened();
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
      const { store } = await opened();
      await putAll(store, [setting()]);
      await store.commit({ remove: [{ kind: 'setting', id: 'secret', version: 1 }] });
      expect(await store.commit({ put: [setting({ version: 2 })] })).toBe(false);
      expect(await store.commit({ put: [setting({ value: 'again' })] })).toBe(true);
      expect((await store.get('setting', 'secret'))?.value).toBe('again');
    });

    it('stores nothing of a change in which one version is stale', async () => {
      const { store, reopen } = await opened();
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
      const { store } = await opened();
      await putAll(store, [setting({ id: 'old' })]);
      const remove = [{ kind: 'setting', id: 'old', version: 7 }] as const;
      expect(await store.commit({ put: [setting({ id: 'new' })], remove })).toBe(false);
      expect(await store.get('setting', 'new')).toBeUndefined();
      expect(await store.get('setting', 'old')).toBeDefined();
    });

    it('replaces one record by another in one change', async () => {
      const { store } = await opened();
      await putAll(store, [setting({ id: 'old' })]);
      const remove = [{ kind: 'setting', id: 'old', version: 1 }] as const;
      expect(await store.commit({ put: [setting({ id: 'new' })], remove })).toBe(true);
      expect(await store.get('setting', 'old')).toBeUndefined();
      expect(await store.get('setting', 'new')).toBeDefined();
    });

    it('rejects a change that names a record twice, and one that removes a payment', async () => {
      const { store } = await opened();
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
      const { store } = await opened();
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
      const { store, reopen } = await opened();
      const form = aForm({ answers: { text: value, [`key ${value}`]: 'x' } });
      await putAll(store, [setting({ value }), { kind: 'form', record: form }]);
      expect((await store.get('setting', 'secret'))?.value).toBe(value);
      const again = await reopen();
      expect((await again.get('setting', 'secret'))?.value).toBe(value);
      expect(await again.get('form', form.id)).toEqual(form);
    });

    it('does not change when the caller changes what it stored', async () => {
      const { store } = await opened();
      const answers: Record<string, string> = { number: '1' };
      await putAll(store, [{ kind: 'form', record: aForm({ answers }) }]);
      answers.number = '2';
      expect((await store.get('form', aForm().id))?.answers).toEqual({ number: '1' });
    });

    it('does not change when a reader changes what it got', async () => {
      const { store } = await opened();
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
      const { store, reopen } = await opened();
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

    it('lets exactly one of 50 make the same new record', async () => {
      const { store } = await opened();
      const record = paymentAt(CONTRACT_NOW_MS);
      const results = await Promise.all(
        Array.from({ length: 50 }, () => store.commit({ put: [payment(record)] })),
      );
      expect(results.filter((stored) => stored)).toHaveLength(1);
    });

    it('keeps all of 100 commits made at once', async () => {
      const { store, reopen } = await opened();
      const puts = Array.from({ length: 100 }, (_, n) => setting({ id: `s${n}`, value: `${n}` }));
      await putAll(store, puts);
      const again = await reopen();
      for (const { record } of puts) expect(await again.get('setting', record.id)).toEqual(record);
    });

    it('never shows half of a change to a reader', async () => {
      const { store } = await opened();
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
      const { store, close } = await opened();
      await close();
      await expect(store.commit({ put: [setting()] })).rejects.toThrow();
      await expect(store.get('setting', 'secret')).rejects.toThrow();
    });
  });

  describe(`${name}: due work`, () => {
    it('gives what is due, oldest first, and no more than asked for', async () => {
      const { store } = await opened();
      await putAll(store, [work('30', 30), work('10', 10), work('40', 40), work('20', 20)]);
      const claimed = (limit: number) => store.claim('check', { nowMs: 30, leaseMs: 1_000, limit });
      expect(idsOf(await claimed(2))).toEqual(['10', '20']);
      expect(idsOf(await claimed(9))).toEqual(['30']);
      expect(await claimed(9)).toEqual([]);
    });

    it('gives the whole record with its kind', async () => {
      const { store } = await opened();
      const record = aNotice({ due: { queue: 'notice', atMs: 5 } });
      await putAll(store, [{ kind: 'notice', record }]);
      const claimed = await store.claim('notice', { nowMs: 5, leaseMs: 1, limit: 1 });
      expect(claimed).toEqual([{ kind: 'notice', record }]);
    });

    it('keeps the queues apart', async () => {
      const { store } = await opened();
      await putAll(store, [work('c', 1, 'check'), work('s', 1, 'submit'), work('t', 1, 'tidy')]);
      expect(idsOf(await store.claim('submit', { nowMs: 9, leaseMs: 1, limit: 9 }))).toEqual(['s']);
      expect(await store.claim('sms', { nowMs: 9, leaseMs: 1, limit: 9 })).toEqual([]);
      expect(await store.nextDueMs('sms')).toBeUndefined();
    });

    it('gives a record to one caller until the lease ends', async () => {
      const { store } = await opened();
      await putAll(store, [work('w', 10)]);
      const claimAt = async (nowMs: number) =>
        idsOf(await store.claim('check', { nowMs, leaseMs: 100, limit: 9 }));
      expect(await claimAt(10)).toEqual(['w']);
      expect(await claimAt(109)).toEqual([]);
      expect(await claimAt(110)).toEqual(['w']);
      expect(await claimAt(111)).toEqual([]);
    });

    it('gives each of 200 records to exactly one of 10 callers', async () => {
      const { store } = await opened();
      await putAll(
        store,
        Array.from({ length: 200 }, (_, n) => work(`w${n}`, n)),
      );
      const claims = await Promise.all(
        Array.from({ length: 10 }, () =>
          store.claim('check', { nowMs: 1_000, leaseMs: 1_000, limit: 30 }),
        ),
      );
      const ids = claims.flatMap((puts) => idsOf(puts));
      expect(ids).toHaveLength(200);
      expect(new Set(ids).size).toBe(200);
    });

    it('ends a lease with the next commit of the record', async () => {
      const { store } = await opened();
      await putAll(store, [work('w', 10)]);
      await store.claim('check', { nowMs: 10, leaseMs: 100_000, limit: 9 });
      await putAll(store, [setting({ id: 'w', version: 2, due: { queue: 'check', atMs: 20 } })]);
      expect(await store.nextDueMs('check')).toBe(20);
      const claimed = await store.claim('check', { nowMs: 20, leaseMs: 1, limit: 9 });
      expect(claimed.map(({ record }) => record.version)).toEqual([2]);
    });

    it('keeps a lease when a commit of the record was refused', async () => {
      const { store } = await opened();
      await putAll(store, [work('w', 10)]);
      await store.claim('check', { nowMs: 10, leaseMs: 1_000, limit: 9 });
      expect(await store.commit({ put: [work('w', 5)] })).toBe(false);
      expect(await store.claim('check', { nowMs: 500, leaseMs: 1, limit: 9 })).toEqual([]);
    });

    it('has no work left in a record that was removed or is no longer due', async () => {
      const { store } = await opened();
      await putAll(store, [work('gone', 10), work('done', 10), work('moved', 10)]);
      await store.commit({ remove: [{ kind: 'setting', id: 'gone', version: 1 }] });
      await putAll(store, [
        setting({ id: 'done', version: 2 }),
        setting({ id: 'moved', version: 2, due: { queue: 'sms', atMs: 10 } }),
      ]);
      expect(await store.claim('check', { nowMs: 99, leaseMs: 1, limit: 9 })).toEqual([]);
      expect(await store.nextDueMs('check')).toBeUndefined();
      expect(idsOf(await store.claim('sms', { nowMs: 99, leaseMs: 1, limit: 9 }))).toEqual([
        'moved',
      ]);
    });

    it('gives a released record again from the moment that was said', async () => {
      const { store } = await opened();
      await putAll(store, [work('w', 10)]);
      await store.claim('check', { nowMs: 10, leaseMs: 100_000, limit: 9 });
      await store.release('setting', 'w', 50);
      expect(await store.nextDueMs('check')).toBe(50);
      const claimAt = async (nowMs: number) =>
        idsOf(await store.claim('check', { nowMs, leaseMs: 100, limit: 9 }));
      expect(await claimAt(49)).toEqual([]);
      expect(await claimAt(50)).toEqual(['w']);
      expect(await claimAt(60)).toEqual([]);
    });

    it('does nothing when something is released that nobody has claimed', async () => {
      const { store } = await opened();
      await putAll(store, [work('w', 10)]);
      await store.release('setting', 'w', 5_000);
      await store.release('setting', 'nobody', 5_000);
      expect(await store.nextDueMs('check')).toBe(10);
    });

    it('does not let a late release move newer work', async () => {
      const { store } = await opened();
      await putAll(store, [work('w', 10)]);
      await store.claim('check', { nowMs: 10, leaseMs: 1_000, limit: 9 });
      await putAll(store, [setting({ id: 'w', version: 2, due: { queue: 'check', atMs: 20 } })]);
      await store.release('setting', 'w', 5_000);
      expect(await store.nextDueMs('check')).toBe(20);
    });

    it('says when the next record may be claimed', async () => {
      const { store } = await opened();
      expect(await store.nextDueMs('check')).toBeUndefined();
      await putAll(store, [work('30', 30), work('10', 10), work('20', 20)]);
      expect(await store.nextDueMs('check')).toBe(10);
      await store.claim('check', { nowMs: 20, leaseMs: 100, limit: 9 });
      expect(await store.nextDueMs('check')).toBe(30);
      await store.claim('check', { nowMs: 30, leaseMs: 500, limit: 9 });
      expect(await store.nextDueMs('check')).toBe(120);
    });

    it('is due as stored after reopening', async () => {
      const { store, reopen } = await opened();
      await putAll(store, [work('10', 10), work('20', 20)]);
      await store.claim('check', { nowMs: 20, leaseMs: 100_000, limit: 1 });
      const again = await reopen();
      expect(await again.nextDueMs('check')).toBeDefined();
      expect(idsOf(await again.claim('check', { nowMs: 200_000, leaseMs: 1, limit: 9 }))).toContain(
        '20',
      );
    });

    it('tells those who listen about new work, until they stop', async () => {
      const { store } = await opened();
      const heard: Due[] = [];
      const stop = store.onDue((due) => heard.push(due));
      await putAll(store, [work('w', 10), setting({ id: 'idle' })]);
      await expect.poll(() => heard).toEqual([{ queue: 'check', atMs: 10 }]);
      expect(await store.commit({ put: [work('w', 5)] })).toBe(false);
      await putAll(store, [work('x', 30, 'sms')]);
      await expect.poll(() => heard).toHaveLength(2);
      expect(heard[1]).toEqual({ queue: 'sms', atMs: 30 });
      stop();
      await putAll(store, [work('y', 40)]);
      const claimed = await store.claim('check', { nowMs: 40, leaseMs: 1, limit: 9 });
      expect(claimed).toHaveLength(2);
      expect(heard).toHaveLength(2);
    });

    it('can claim what it was told about', async () => {
      const { store } = await opened();
      const claims: Promise<Put[]>[] = [];
      store.onDue(() => claims.push(store.claim('check', { nowMs: 10, leaseMs: 1_000, limit: 9 })));
      await putAll(store, [work('w', 10)]);
      await expect.poll(() => claims.length).toBe(1);
      expect(idsOf((await Promise.all(claims)).flat())).toEqual(['w']);
    });

    it('survives a listener that throws', async () => {
      const { store } = await opened();
      store.onDue(() => {
        throw new Error('not today');
      });
      expect(await store.commit({ put: [work('w', 10)] })).toBe(true);
      expect(await store.nextDueMs('check')).toBe(10);
    });
  });

  describe(`${name}: lists of payments`, () => {
    /** 30 payments over some months, most of them history by now, and reopened so that they are. */
    const withHistory = async () => {
      const underTest = await opened();
      const payments = Array.from({ length: 30 }, (_, n) =>
        paymentAt(CONTRACT_NOW_MS - (30 - n) * 3 * DAY_MS, {
          ...(n % 5 === 0 ? { state: 'pending' } : n % 5 === 1 ? { state: 'failed' } : {}),
          requester: n % 2 === 0 ? ama : { platform: 'telegram', id: '77', name: 'kojo' },
          terms: {
            ...aPayment().terms,
            customerNumber: n % 3 === 0 ? '+233201112223' : '+233244123456',
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
      const { store } = await opened();
      expect(await store.listPayments({}, { limit: 10 })).toEqual({ payments: [] });
    });

    it('lists newest first, by id, however they were stored', async () => {
      const { store } = await opened();
      const payments = [3, 1, 4, 0, 2].map((n) => paymentAt(CONTRACT_NOW_MS + n * 1_000));
      await putAll(store, payments.map(payment));
      const listed = await store.listPayments({}, { limit: 10 });
      const ids = payments.map(({ id }) => id).sort();
      expect(listed.payments.map(({ id }) => id)).toEqual(ids.toReversed());
      expect(listed.next).toBeUndefined();
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

    it('filters by state, number, requester and time, and by all together', async () => {
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
        [{ requester: 'telegram:77' }, (one) => one.requester.platform === 'telegram'],
        [{ requester: 'slack:77' }, () => false],
        [{ sinceMs }, (one) => one.confirmedAtMs >= sinceMs],
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
      const { store } = await opened();
      await putAll(store, [payment(paymentAt(CONTRACT_NOW_MS))]);
      const since = async (sinceMs: number) =>
        (await store.listPayments({ sinceMs }, { limit: 9 })).payments.length;
      expect(await since(CONTRACT_NOW_MS)).toBe(1);
      expect(await since(CONTRACT_NOW_MS + 1)).toBe(0);
    });

    it('finds by time what was confirmed long after its id was made', async () => {
      const { store, reopen } = await opened();
      const drafted = CONTRACT_NOW_MS - 5 * DAY_MS;
      const slow = { ...paymentAt(drafted), confirmedAtMs: drafted + 3 * DAY_MS };
      const between = paymentAt(drafted + DAY_MS);
      await putAll(store, [payment(slow), payment(between)]);
      const again = await reopen();
      const since = async (sinceMs: number) =>
        (await again.listPayments({ sinceMs }, { limit: 9 })).payments.map(({ id }) => id);
      expect(await since(drafted + 2 * DAY_MS)).toEqual([slow.id]);
      expect(await since(drafted + HOUR_MS)).toEqual([between.id, slow.id]);
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
