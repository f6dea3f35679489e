import { Callbacks } from '../src/core/callbacks/callbacks.ts';
import { UnmatchedCallbacks } from '../src/core/callbacks/unmatched-callbacks.ts';
import { Payments } from '../src/core/payments/payments.ts';
import type { Payment } from '../src/core/records/payment.ts';
import type { AuditRow, Change } from '../src/core/records/records.ts';
import { systemClock } from '../src/core/runtime/clock.ts';
import { openSqliteStore } from '../src/core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../src/core/store/store.ts';
import { newTransactionId } from '../src/core/values/transaction-id.ts';
import { noOperators } from '../test/support/no-operators.ts';
import { testSeal } from '../test/support/test-seal.ts';
import { CALLBACK_SECRET } from './settings.ts';
import { silentLog } from './silent-log.ts';

/** A payment that waits for its callback, and where the callback goes. */
export type CallbackTarget = { readonly id: string; readonly path: string };

export type Fill = {
  /** Payments that ended, between a day and an hour ago. */
  readonly past: number;
  /** Payments without an outcome. */
  readonly open?: number;
  readonly platform?: 'slack' | 'telegram';
  /** Whether the open ones' checks are due now; otherwise in an hour. */
  readonly due?: boolean;
  /** Whether they have the audit rows that a life of a payment leaves. @default false */
  readonly audited?: boolean;
};

const IN_ONE_COMMIT = 500;
const HOUR_MS = 3_600_000;

/** Fills a data folder the way the program would: through the store. */
export const fillFolder = async (dir: string, fill: Fill): Promise<CallbackTarget[]> => {
  const { store } = await openSqliteStore({
    dir,
    log: silentLog,
    onFatal: (error) => {
      throw error;
    },
  });
  try {
    return await fillStore(store, fill);
  } finally {
    await store.close();
  }
};

export const fillStore = async (store: Store, fill: Fill): Promise<CallbackTarget[]> => {
  const nowMs = Date.now();
  const spacingMs = (22 * HOUR_MS) / Math.max(1, fill.past);
  const auditOf = fill.audited ? auditRows : undefined;
  await putAll(
    store,
    fill.past,
    (index) => pastPayment(nowMs - 23 * HOUR_MS + index * spacingMs, index),
    auditOf,
  );
  const open = await putAll(
    store,
    fill.open ?? 0,
    (index) => openPayment(nowMs, index, fill),
    auditOf,
  );
  const callbacks = new Callbacks({
    payments: new Payments({
      seal: testSeal,
      store,
      clock: systemClock,
      policy: { scheduleMs: [], giveUpMs: 0 },
      alerts: noOperators({ store, clock: systemClock }),
    }),
    clock: systemClock,
    unmatched: new UnmatchedCallbacks({ store, clock: systemClock, log: silentLog }),
    log: silentLog,
    secrets: [CALLBACK_SECRET],
    publicUrl: 'http://localhost',
  });
  return open.map((id) => ({ id, path: new URL(callbacks.address(id)).pathname }));
};

const putAll = async (
  store: Store,
  count: number,
  make: (index: number) => Payment,
  auditOf: (payment: Payment) => AuditRow[] = () => [],
): Promise<string[]> => {
  const ids: string[] = [];
  for (let from = 0; from < count; from += IN_ONE_COMMIT) {
    const length = Math.min(IN_ONE_COMMIT, count - from);
    const newRecords = () => Array.from({ length }, (_, index) => make(from + index));
    let records = newRecords();
    // Of so many made in one millisecond two may get the same id, and then all of them are refused.
    const change = (): Change => ({
      put: records.map((record) => ({ kind: 'payment', record })),
      audit: records.flatMap(auditOf),
    });
    while (!(await store.commit(change()))) records = newRecords();
    ids.push(...records.map(({ id }) => id));
  }
  return ids;
};

const auditRows = ({ id, requester, confirmedAtMs, terms }: Payment): AuditRow[] =>
  LIFE.map(({ what, before, after, ...detail }, at) => ({
    atMs: confirmedAtMs + at * 1_000,
    kind: 'payment',
    id,
    what,
    before,
    after,
    version: at + 1,
    ...(at === 0 ? { who: requester } : {}),
    detail: at === 0 ? { amount: terms.amount, requester } : detail,
  }));

const LIFE = [
  { what: 'confirmed', before: null, after: 'confirmed' },
  { what: 'submitting', before: 'confirmed', after: 'submitting' },
  { what: 'accepted', before: 'submitting', after: 'pending', answer: { code: '202' } },
  { what: 'callback', before: 'pending', after: 'pending', body: '{"status":"completed"}' },
] as const;

const pastPayment = (atMs: number, index: number): Payment => ({
  ...basePayment(Math.floor(atMs), index),
  state: index % 9 === 0 ? 'failed' : 'completed',
  settledAtMs: Math.floor(atMs) + 20_000,
  checks: 1,
  lastCheckAtMs: Math.floor(atMs) + 20_000,
  hints: 1,
  hintChecks: 1,
  ...cardIn('slack', index),
});

const openPayment = (nowMs: number, index: number, { platform = 'slack', due }: Fill): Payment => ({
  // No two in one millisecond, as in a shop.
  ...basePayment(nowMs - index, index),
  due: { queue: 'check', atMs: due ? nowMs : nowMs + HOUR_MS },
  state: 'pending',
  ...cardIn(platform, index),
});

const basePayment = (atMs: number, index: number): Omit<Payment, 'state' | 'conversation'> => {
  const id = newTransactionId(atMs);
  return {
    id,
    version: 1,
    terms: {
      amount: { amountMinor: 5000, currency: 'GHS' },
      // A thousand customers, none of whom is the one that is charged below.
      customerNumber: `+23320${String(1_000_000 + (index % 1000))}`,
      customerName: 'KOFI MENSAH',
      network: 'VOD',
      option: 'MOM',
      reference: id,
    },
    requester: { platform: 'slack', id: `U0B${String(index % 50).padStart(3, '0')}`, name: 'ama' },
    confirmedAtMs: atMs,
    submitByMs: atMs + 120_000,
    submittedAtMs: atMs,
    rateLimits: 0,
    checks: 0,
    hints: 0,
    hintChecks: 0,
    answer: { code: '202', message: 'received' },
  };
};

const cardIn = (platform: 'slack' | 'telegram', index: number) => {
  const conversation =
    platform === 'slack'
      ? { platform, workspace: 'T0BENCH', channel: `C0B${index % 50}` }
      : { platform, channel: String(1_000 + (index % 500)) };
  const message = platform === 'slack' ? `17000${index}.0001` : String(index + 1);
  return { conversation, card: { conversation, message } };
};
