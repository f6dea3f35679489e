import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Query } from '../../../src/core/store/sql/sql.ts';
import { pathIn } from '../../../src/core/store/sqlite/store-folder.ts';
import { aPayment } from '../../support/a-payment.ts';
import { openStoreIn } from '../../support/store-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const STATES = ['completed', 'failed', 'completed', 'unknown'] as const;

/** A hundred payments within a minute, seven of them in one millisecond. */
const paymentOf = (at: number, terms: Partial<Payment['terms']>): Payment => {
  const base = aPayment({ state: STATES[at % STATES.length] ?? 'failed' });
  const amount = { amountMinor: 100 + at, currency: 'GHS' };
  const givenBack = [{ id: `back${at}`, amountMinor: 1 + at, by: base.requester, atMs: 1 }];
  return {
    ...base,
    id: `P${at}`,
    confirmedAtMs: at >= 40 && at < 47 ? 24_000 : at * 600,
    terms: { ...base.terms, amount, ...terms },
    ...(at % 4 === 0 ? { givenBack } : {}),
  };
};

/** A store with a hundred payments, a way to read it, and in which turns of the event loop it was read. */
export const slicedStore = async (termsOf: (at: number) => Partial<Payment['terms']>) => {
  const dir = await tempFolder();
  const store = await openStoreIn(dir);
  const payments = Array.from({ length: 100 }, (_, at) => paymentOf(at, termsOf(at)));
  await store.commit({ put: payments.map((record) => ({ kind: 'payment', record })) });
  const database = new DatabaseSync(pathIn(dir, 'paythread.db'), { readOnly: true });
  onTestFinished(() => database.close());
  const read: number[] = [];
  let turn = 0;
  const select = <Row extends object>({ text, values }: Query): Row[] => {
    read.push(turn);
    return database.prepare(text).all(...values) as Row[];
  };
  /** In how many turns the store is read by this work. */
  const turnsOf = async (work: () => Promise<unknown>): Promise<number> => {
    read.length = 0;
    let isOver = false;
    const count = async () => {
      while (!isOver) {
        turn++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const counted = count();
    await work();
    isOver = true;
    await counted;
    return new Set(read).size;
  };
  return { store, select, read, turnsOf };
};
