import { expect, onTestFinished } from 'vitest';
import type { Draft } from '../../../src/core/records/draft.ts';
import type { Due } from '../../../src/core/records/due.ts';
import type { Notice } from '../../../src/core/records/notice.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { FormAnswers, Put, Setting } from '../../../src/core/records/records.ts';
import type { SmsBatch } from '../../../src/core/records/sms-batch.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { aCharge, ama, aPayment, shop } from '../../support/a-payment.ts';

/** A store under test. `reopen` closes it and opens it again on the same data. */
export type StoreUnderTest = {
  readonly store: Store;
  reopen(): Promise<Store>;
  close(): Promise<void>;
  /** What becomes of it when the test has finished. @default `close` */
  leave?(): Promise<void>;
};

/** Opens an empty store. */
export type OpenEmpty = () => Promise<StoreUnderTest>;

/** Opens a store that is left when the test has finished. */
export const opened = async (open: OpenEmpty): Promise<StoreUnderTest> => {
  const underTest = await open();
  onTestFinished(() => underTest.leave?.() ?? underTest.close());
  return underTest;
};

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** The suite's payments were made around here; the store's own clock should be at or after it. */
export const CONTRACT_NOW_MS = Date.UTC(2026, 0, 15, 9, 0, 0);

export const aSetting = (changes: Partial<Setting> = {}): Setting => ({
  id: 'secret',
  version: 1,
  value: 'a',
  ...changes,
});

export const aNotice = (changes: Partial<Notice> = {}): Notice => ({
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

export const aForm = (changes: Partial<FormAnswers> = {}): FormAnswers => ({
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

export const aBatch = (changes: Partial<SmsBatch> = {}): SmsBatch => ({
  id: 'sms-1',
  version: 1,
  terms: { senderId: 'PAYTHREAD', text: 'Hello', recipients: ['+233244123456'] },
  requester: ama,
  conversation: shop,
  confirmedAtMs: 1_000,
  chunks: [],
  ...changes,
});

export const setting = (changes: Partial<Setting> = {}): Put => ({
  kind: 'setting',
  record: aSetting(changes),
});
export const payment = (record: Payment): Put => ({ kind: 'payment', record });
export const notice = (changes: Partial<Notice> = {}): Put => ({
  kind: 'notice',
  record: aNotice(changes),
});
export const draft = (record: Draft = aCharge()) => ({ kind: 'draft', record }) as const;

/** A setting that waits in a queue, named for the moment it is due. */
export const work = (id: string, atMs: number, queue: Due['queue'] = 'check'): Put =>
  setting({ id, due: { queue, atMs } });

/** A payment that ended long enough ago to be history, or one that is still open. */
export const paymentAt = (atMs: number, changes: Partial<Payment> = {}): Payment => {
  const { due: _, ...settled } = aPayment({
    id: newTransactionId(atMs),
    confirmedAtMs: atMs,
    state: 'completed',
    settledAtMs: atMs + 5_000,
  });
  return { ...settled, ...changes };
};

export const putAll = async (store: Store, puts: readonly Put[]): Promise<void> => {
  expect(await Promise.all(puts.map((put) => store.commit({ put: [put] })))).not.toContain(false);
};

export const idsOf = (puts: readonly { record: { id: string } }[]): string[] =>
  puts.map(({ record }) => record.id);
