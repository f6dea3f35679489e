import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { keepRetention, type RetireRequest } from '../../src/core/privacy/retention.ts';
import { verifyFolder } from '../../src/core/store/sqlite/verify-folder.ts';
import { isPseudonym } from '../../src/core/values/pseudonym.ts';
import { newTransactionId } from '../../src/core/values/transaction-id.ts';
import { aSetting, DAY_MS } from '../contracts/store/records.ts';
import { aPayment } from '../support/a-payment.ts';
import { capturedLog } from '../support/captured-log.ts';
import { CustomerHistory, EFUA, EFUAS_NAME, KOFI, kofiIn } from '../support/customer-history.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { contentsOf, openStoreIn } from '../support/store-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A store in use that has the history of a shop, and some days have passed since. */
const aShop = async (daysLater: number) => {
  const dir = await tempFolder();
  const clock = new ManualClock();
  const store = await openStoreIn(dir, { clock });
  const history = new CustomerHistory(store, clock);
  const ids = await history.lived();
  clock.jump(daysLater * DAY_MS);
  await history.tidied();
  await history.cancelled({ customerNumber: EFUA, customerName: EFUAS_NAME });
  return { dir, clock, store, history, ...ids };
};

const numbersIn = async (dir: string, pattern: RegExp): Promise<string[]> =>
  Object.entries(await contentsOf(dir)).flatMap(([name, text]) =>
    [...text.matchAll(pattern)].map(
      ({ index }) => `${name}: ${text.slice(index - 40, index + 40)}`,
    ),
  );

/** Every row of every table, as text. */
const rowsIn = (dir: string): string[] => {
  const database = new DatabaseSync(join(dir, 'paythread.db'), { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const rows = tables.flatMap(({ name }) =>
    database
      .prepare(`SELECT * FROM ${name}`)
      .all()
      .map((row) => `${name}: ${JSON.stringify(Object.values(row))}`),
  );
  database.close();
  return rows;
};

const expectWhole = async (dir: string) => {
  const verdict = await verifyFolder(dir);
  expect(verdict.places).toEqual([]);
  return verdict;
};

describe('what ended longer ago than RETAIN', () => {
  it('loses number and name in a store that is in use, each customer under one pseudonym', {
    tags: ['T27'],
  }, async () => {
    const { dir, clock, store, kofis, efuas } = await aShop(90);
    const before = await expectWhole(dir);
    // The last of Efua's payments has no outcome yet.
    const open = efuas.at(-1) ?? '';
    expect(await store.retire({ beforeMs: clock.now() - 30 * DAY_MS })).toEqual({ payments: 5 });
    const after = await expectWhole(dir);
    expect(after.stored.isSameAs(before.stored)).toBe(true);
    const terms = async (id: string) => (await store.get('payment', id))?.terms;
    for (const theirs of [kofis, efuas.slice(0, -1)]) {
      const numbers = await Promise.all(
        theirs.map(async (id) => (await terms(id))?.customerNumber ?? ''),
      );
      expect(new Set(numbers).size).toBe(1);
      expect(numbers.every(isPseudonym)).toBe(true);
    }
    expect(await terms(open)).toMatchObject({ customerNumber: EFUA, customerName: EFUAS_NAME });
    expect((await store.auditOf(kofis[0] ?? '')).at(-1)).toMatchObject({ what: 'forgotten' });
    expect((await store.auditOf(kofis[0] ?? '')).at(-1)).not.toHaveProperty('who');
    const trail = await store.auditOf('forgotten');
    // One of the payments, and one of the questions and SMS that became none.
    expect(trail).toHaveLength(2);
    const later = await store.retire({ beforeMs: clock.now() - 30 * DAY_MS });
    expect(later).toEqual({ payments: 0 });
    expect(await store.auditOf('forgotten')).toEqual(trail);
    await store.close();
    await expectWhole(dir);
    const reopened = await openStoreIn(dir, { clock });
    expect((await reopened.listPayments({ customerNumber: KOFI }, { limit: 9 })).payments).toEqual(
      [],
    );
    await reopened.close();
    await expectWhole(dir);
    // Callbacks without a payment, guards of charges, and what one customer's payment says of another.
    const left = rowsIn(dir).filter(
      (row) =>
        kofiIn(row).length > 0 &&
        !/stray-callbacks|firstAtMs|charged:|on_behalf_of|for 024/.test(row),
    );
    expect(left.map((line) => line.slice(0, 300))).toEqual([]);
  });

  it('stays while it is younger, and while its month is still written', async () => {
    const { dir, clock, store, kofis } = await aShop(20);
    const { payments } = await store.retire({ beforeMs: clock.now() - 60 * DAY_MS });
    expect(payments).toBe(3);
    expect(
      isPseudonym((await store.get('payment', kofis[0] ?? ''))?.terms.customerNumber ?? ''),
    ).toBe(true);
    expect((await store.get('payment', kofis[2] ?? ''))?.terms.customerNumber).toBe(KOFI);
    expect((await numbersIn(dir, /\+233244123456/g)).length).toBeGreaterThan(0);
    await expectWhole(dir);
  });

  it('waits when something came for it since, until that is old as well', async () => {
    const { dir, clock, store, history, kofis } = await aShop(90);
    await history.calledBack(kofis[0] ?? '');
    await history.askedAgain(kofis[0] ?? '');
    expect(await store.retire({ beforeMs: clock.now() - 30 * DAY_MS })).toEqual({ payments: 4 });
    expect((await store.get('payment', kofis[0] ?? ''))?.terms.customerNumber).toBe(KOFI);
    clock.jump(70 * DAY_MS);
    await history.cancelled({ customerNumber: EFUA, customerName: EFUAS_NAME });
    expect(await store.retire({ beforeMs: clock.now() - 30 * DAY_MS })).toEqual({ payments: 1 });
    await store.close();
    await expectWhole(dir);
    await (await openStoreIn(dir, { clock })).close();
  });

  it('waits while an approver is asked about money that was given back of it', {
    tags: ['T27'],
  }, async () => {
    const { clock, store, history, kofis } = await aShop(90);
    await history.givingBack({ customerNumber: KOFI }, kofis[0]);
    expect(await store.retire({ beforeMs: clock.now() - 30 * DAY_MS })).toEqual({ payments: 4 });
    expect((await store.get('payment', kofis[0] ?? ''))?.terms.customerNumber).toBe(KOFI);
    const [{ id = '', version = 0 } = {}] = await store.draftsIn('awaiting approval');
    await store.commit({ remove: [{ kind: 'draft', id, version }] });
    expect(await store.retire({ beforeMs: clock.now() - 30 * DAY_MS })).toEqual({ payments: 1 });
  });

  it('stays as long as it has no outcome, also when nobody asks any more', {
    tags: ['T27'],
  }, async () => {
    const { clock, store } = await aShop(0);
    const { due: _, ...record } = aPayment({
      id: newTransactionId(clock.now()),
      state: 'unknown',
      confirmedAtMs: clock.now(),
    });
    await store.commit({ put: [{ kind: 'payment', record }] });
    clock.jump(90 * DAY_MS);
    await store.commit({ put: [{ kind: 'setting', record: aSetting() }] });
    await store.retire({ beforeMs: clock.now() - 30 * DAY_MS });
    expect((await store.get('payment', record.id))?.terms).toEqual(record.terms);
  });

  it('stays when the process stops in the middle, and goes the next time', async () => {
    const { dir, clock, store, kofis } = await aShop(90);
    const stop = AbortSignal.abort();
    const beforeMs = clock.now() - 30 * DAY_MS;
    await expect(store.retire({ beforeMs, stop })).rejects.toThrow(/aborted/);
    expect((await store.get('payment', kofis[0] ?? ''))?.terms.customerNumber).toBe(KOFI);
    expect(await store.retire({ beforeMs })).toEqual({ payments: 5 });
    await expectWhole(dir);
  });

  it('is looked for at the start and once a day, and a failure is told and tried again', async () => {
    const clock = new ManualClock();
    const asked: RetireRequest[] = [];
    const retire = async (request: RetireRequest) => {
      asked.push(request);
      if (asked.length === 2) throw new Error('no disk');
      return { payments: 7 };
    };
    const stopping = new AbortController();
    const { log, entries } = capturedLog();
    const kept = keepRetention(
      { retire, retainMs: 400 * DAY_MS, key: 'a key', clock, log },
      stopping.signal,
    );
    await eventually(() => expect(clock.sleeping).toBe(1));
    expect(asked).toEqual([
      { beforeMs: clock.now() - 400 * DAY_MS, key: 'a key', stop: stopping.signal },
    ]);
    await clock.advance(DAY_MS);
    await clock.advance(DAY_MS);
    expect(asked).toHaveLength(3);
    expect(entries.map(({ message }) => message)).toEqual([
      'payments older than RETAIN have lost number and name',
      'old payments could not lose number and name',
      'payments older than RETAIN have lost number and name',
    ]);
    stopping.abort();
    await kept;
  });
});
