import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Outbox } from '../../src/core/notices/outbox.ts';
import { PaymentSubmitter } from '../../src/core/payments/payment-submitter.ts';
import { Payments } from '../../src/core/payments/payments.ts';
import { StatusChecker } from '../../src/core/payments/status-checker.ts';
import type { ChargeDraft } from '../../src/core/records/draft.ts';
import type { Clock } from '../../src/core/runtime/clock.ts';
import { systemRandom } from '../../src/core/runtime/random.ts';
import { openSqliteStore } from '../../src/core/store/sqlite/open-sqlite-store.ts';
import { newShortId, newTransactionId } from '../../src/core/values/transaction-id.ts';
import { noOperators } from '../../test/support/no-operators.ts';
import { testSeal } from '../../test/support/test-seal.ts';
import { gatewayAtHand } from '../gateway-at-hand.ts';
import { silentLog } from '../silent-log.ts';

/**
 * Leads payments through their whole lives in one process, five a second by a clock of its own: that is the
 * pace at which the program itself sends at most, and time must pass for payments to be archived.
 */
export type Lived = { readonly residentMb: number; readonly aliveMb: number };

const MB = 1024 * 1024;
const PACE_MS = 200;
const AT_ONCE = 50;

let nowMs = Date.now();
/** Time passes with the payments alone, so nobody who sleeps is in anybody's way. */
const sleepers = new Set<() => void>();
const clock: Clock = {
  now: () => nowMs,
  monotonic: () => nowMs,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const wakeAtMs = nowMs + ms;
      const wake = () => {
        if (nowMs < wakeAtMs && !signal?.aborted) return;
        sleepers.delete(wake);
        resolve();
      };
      sleepers.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
    }),
};
const tick = async (): Promise<void> => {
  nowMs += PACE_MS * AT_ONCE;
  for (const wake of [...sleepers]) wake();
  await setImmediate();
};

const { store } = await openSqliteStore({
  dir: process.env['DATA_DIR'] ?? '',
  log: silentLog,
  onFatal: (error) => {
    throw error;
  },
});
const policy = { scheduleMs: [10_000], giveUpMs: 3_600_000 };
const payments = new Payments({
  seal: testSeal,
  store,
  clock,
  policy,
  alerts: noOperators({ store, clock }),
});
const gateway = gatewayAtHand();
const conversation = { platform: 'slack', workspace: 'T0BENCH', channel: 'C0BENCH' };
const common = { store, clock, log: silentLog };
const outbox = new Outbox({
  ...common,
  alerts: noOperators({ store, clock }),
  sender: {
    send: async () => ({ kind: 'nothing' }),
    postCard: async ({ id }) => ({ kind: 'delivered', ref: { conversation, message: id } }),
  },
});
const submitter = new PaymentSubmitter({
  seal: testSeal,
  ...common,
  alerts: noOperators({ store, clock }),
  payments,
  gateway,
  requestTimeoutMs: 30_000,
  random: systemRandom,
  callbackUrl: (id) => `http://127.0.0.1/${id}`,
  outbox,
});
const checks = new StatusChecker({
  ...common,
  payments,
  gateway,
  alerts: noOperators({ store, clock }),
  random: systemRandom,
});

const ama = { platform: 'slack', id: 'U0BENCH', name: 'ama' };

const draftOf = (): ChargeDraft => {
  const paymentId = newTransactionId(clock.now());
  return {
    id: newShortId(),
    version: 1,
    kind: 'charge',
    paymentId,
    warnings: [],
    terms: {
      amount: { amountMinor: 5000, currency: 'GHS' },
      customerNumber: '+233244123456',
      customerName: 'KOFI MENSAH',
      network: 'MTN',
      option: 'MOM',
      reference: paymentId,
    },
    requester: ama,
    conversation,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + 600_000,
    status: 'open',
  };
};

const live = async (): Promise<void> => {
  const draft = draftOf();
  await store.commit({ put: [{ kind: 'draft', record: draft }] });
  const confirmed = await payments.confirm(draft, ama);
  if (confirmed === undefined) throw new Error('not confirmed');
  await submitter.serve(confirmed);
  const hinted = await payments.record(confirmed.id, { kind: 'callback', message: 'completed' });
  if (hinted === undefined) throw new Error('not there');
  await checks.serve(hinted.payment);
  for (const kind of ['card', 'outcome']) {
    const notice = await store.get('notice', `${confirmed.id}.${kind}`);
    if (notice !== undefined) await outbox.serve(notice);
  }
  const done = await store.get('draft', draft.id);
  if (done !== undefined)
    await store.commit({ remove: [{ kind: 'draft', id: done.id, version: done.version }] });
};

// As the program does once it has started.
setFlagsFromString('--heap-growing-percent=100');

process.on('message', ({ count }: { count: number }) => {
  const run = async (): Promise<Lived> => {
    for (let led = 0; led < count; led += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, live));
      await tick();
    }
    // A checkpoint that is under way has its say first.
    for (let turn = 0; turn < 50; turn++) await setImmediate();
    globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    return { residentMb: rss / MB, aliveMb: (heapUsed + external) / MB };
  };
  run().then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.stack }),
  );
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.send?.({ ready: true, port: 0 });
