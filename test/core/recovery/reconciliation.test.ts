import { beforeEach, describe, expect, it } from 'vitest';
import { reconcileReport } from '../../../src/cli/reconcile-report.ts';
import { UnmatchedCallbacks } from '../../../src/core/callbacks/unmatched-callbacks.ts';
import type { StatusOutcome } from '../../../src/core/gateway/gateway.ts';
import { ChargeFreeze } from '../../../src/core/guards/charge-freeze.ts';
import { PaymentSubmitter } from '../../../src/core/payments/payment-submitter.ts';
import { Payments } from '../../../src/core/payments/payments.ts';
import { StatusChecker } from '../../../src/core/payments/status-checker.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import { runReconciliation } from '../../../src/core/recovery/reconciliation.ts';
import { systemRandom } from '../../../src/core/runtime/random.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { aPayment, shop } from '../../support/a-payment.ts';
import { FastClock } from '../../support/fast-clock.ts';
import { noOperators } from '../../support/no-operators.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';
import { StubGateway, statusOf } from '../../support/stub-gateway.ts';
import { testSeal } from '../../support/test-seal.ts';

const NOW_MS = Date.now();
const HOUR_MS = 3_600_000;
const notFound: StatusOutcome = { kind: 'noStatus', answer: { code: '067' } };

let store: Store;
let alerts: ReturnType<typeof noOperators>;
let payments: Payments;
let gateway: StubGateway;
let freeze: ChargeFreeze;
let unmatched: UnmatchedCallbacks;
let clock: FastClock;
/** What the service says of an id; anything else it does not know. */
let says: Map<string, StatusOutcome>;
let asked: string[];

beforeEach(async () => {
  clock = new FastClock(100);
  store = await openStore();
  alerts = noOperators({ store, clock });
  const policy = { scheduleMs: [10_000], giveUpMs: 72 * HOUR_MS };
  payments = new Payments({ seal: testSeal, store, clock, policy, alerts });
  gateway = new StubGateway();
  freeze = new ChargeFreeze(store);
  unmatched = new UnmatchedCallbacks({ store, clock, log: silentLog });
  says = new Map();
  asked = [];
  gateway.checkStatus = async (id) => {
    asked.push(id);
    return says.get(id) ?? notFound;
  };
});

const reconcile = (ids: readonly string[] = []) => {
  const checks = new StatusChecker({
    ...{ payments, store, gateway, clock, log: silentLog, alerts },
    random: systemRandom,
  });
  return runReconciliation({ store, payments, checks, freeze, unmatched, clock }, ids);
};

const stored = async (changes: Partial<Payment>, agoMs = 0): Promise<string> => {
  const confirmedAtMs = NOW_MS - agoMs;
  const unsealed = aPayment({ id: newTransactionId(confirmedAtMs), confirmedAtMs, ...changes });
  const record = { ...unsealed, seal: testSeal.of(unsealed) };
  await store.commit({ put: [{ kind: 'payment', record }] });
  return record.id;
};

const restoredAt = (backupAtMs: number) => freeze.set({ sinceMs: NOW_MS, backupAtMs }, clock.now());

describe('reconciling', () => {
  it('asks about what is open, what is young, what called back and what a person names', async () => {
    await restoredAt(NOW_MS - 10 * HOUR_MS);
    const open = await stored({ state: 'pending' }, 500 * HOUR_MS);
    const young = await stored({ state: 'completed' }, 33 * HOUR_MS);
    const old = await stored({ state: 'completed' }, 35 * HOUR_MS);
    const [stray, named] = [newTransactionId(NOW_MS), newTransactionId(NOW_MS)];
    await unmatched.keep(stray, '{}');
    await reconcile([named]);
    expect(asked.toSorted()).toEqual([open, young, stray, named].toSorted());
    expect(asked).not.toContain(old);
  });

  it('lifts the freeze when every question was answered, also by "not found"', async () => {
    await restoredAt(NOW_MS);
    const id = await stored({ state: 'unknown' });
    const result = await reconcile([newTransactionId(NOW_MS)]);
    expect(result).toMatchObject({ lifted: true, asked: 2, unanswered: [] });
    expect(await freeze.standing()).toBeUndefined();
    expect(await payments.get(id)).toMatchObject({ state: 'unknown' });
  });

  it.each<[string, StatusOutcome, number]>([
    ['no answer', { kind: 'noAnswer', answer: {}, reason: 'The service did not answer.' }, 3],
    ['too busy', { kind: 'rateLimited', answer: {}, retryAfterMs: 1_000 }, 3],
    ['refused keys', { kind: 'refused', answer: {}, reason: 'It refuses.', keysRefused: true }, 1],
  ])('leaves it standing after %s', { tags: ['F43'] }, async (_name, outcome, times) => {
    await restoredAt(NOW_MS);
    const id = await stored({ state: 'pending' });
    says.set(id, outcome);
    const result = await reconcile();
    expect(result).toMatchObject({ lifted: false, unanswered: [{ id }] });
    expect(asked).toHaveLength(times);
    expect(await freeze.standing()).toBeDefined();
    expect(reconcileReport(result, 'UTC')).toContain('so nothing is charged yet. Run it again');
    says.delete(id);
    expect(await reconcile()).toMatchObject({ lifted: true });
  });

  it('is right about what callbacks bring in while it asks', async () => {
    await restoredAt(NOW_MS);
    const first = newTransactionId(NOW_MS);
    const late = newTransactionId(NOW_MS);
    says.set(late, statusOf(late, 'completed', { amount: '20' }));
    gateway.checkStatus = async (id) => {
      if (id === first) await unmatched.keep(late, '{}');
      return says.get(id) ?? notFound;
    };
    const result = await reconcile([first]);
    expect(result.unknown).toEqual([
      { id: first, status: 'none' },
      { id: late, status: 'completed', amount: '20' },
    ]);
    expect(reconcileReport(result, 'UTC')).toMatch(
      new RegExp(`Paid at the payment service.*:\\n {2}${late} {2}completed {2}20\\n`),
    );
  });

  it('takes a bare failed for no end, of a payment here or elsewhere', async () => {
    await restoredAt(NOW_MS);
    const here = await stored({ state: 'pending' });
    const elsewhere = newTransactionId(NOW_MS);
    const answer = { code: '000' };
    for (const id of [here, elsewhere])
      says.set(id, { kind: 'status', status: 'failed', word: 'failed', answer });
    const result = await reconcile([elsewhere]);
    expect(result.unknown).toEqual([{ id: elsewhere, status: 'unrecognised' }]);
    expect(await payments.get(here)).toMatchObject({ state: 'pending', flag: 'conflict' });
  });

  it('settles what the service knows, shows what contradicts, and adds up before and after', {
    tags: ['I13'],
  }, async () => {
    await restoredAt(NOW_MS);
    const paid = await stored({ state: 'unknown' });
    const turned = await stored({ state: 'not sent' });
    for (const id of [paid, turned]) says.set(id, statusOf(id, 'completed'));
    const report = reconcileReport(await reconcile(), 'UTC');
    expect(report).toContain(`${paid}  unknown -> completed  GHS 50.00`);
    expect(report).toContain(`${turned}  not sent -> not sent (conflict)  GHS 50.00`);
    expect(report).toMatch(/^unknown +1 +GHS 50\.00 +0 +GHS 0\.00$/m);
    expect(report).toMatch(/^completed +0 +GHS 0\.00 +1 +GHS 50\.00$/m);
  });

  it('does not lift a restore that came meanwhile', async () => {
    await restoredAt(NOW_MS - HOUR_MS);
    gateway.checkStatus = async () => {
      await freeze.set({ sinceMs: NOW_MS + 5, backupAtMs: NOW_MS }, clock.now());
      return notFound;
    };
    const result = await reconcile([newTransactionId(NOW_MS)]);
    expect(result.lifted).toBe(false);
    expect(await freeze.standing()).toMatchObject({ sinceMs: NOW_MS + 5 });
  });

  it('finds nothing frozen and changes nothing but what every check would', async () => {
    const result = await reconcile();
    expect(result).toMatchObject({ frozen: undefined, lifted: false, asked: 0 });
    expect(reconcileReport(result, 'UTC')).toContain('There are no payments.');
    expect(await freeze.mark()).toBeUndefined();
  });
});

describe('while the freeze stands', () => {
  const submitter = () =>
    new PaymentSubmitter({
      ...{ seal: testSeal, payments, store, gateway, clock, log: silentLog, alerts },
      callbackUrl: (id) => `http://127.0.0.1/callbacks/${id}/x`,
      outbox: {
        postFirstCard: async () => {
          await atTheCard();
          return { kind: 'posted', card: { conversation: shop, message: '1' } };
        },
      },
      requestTimeoutMs: 30_000,
      random: systemRandom,
    });
  let atTheCard: () => Promise<void>;
  const serve = async (id: string): Promise<void> => {
    const payment = await payments.get(id);
    if (payment !== undefined) await submitter().serve(payment);
  };

  it.each([
    ['in time', 0],
    ['too late', 10 * HOUR_MS],
  ])('a confirmed payment is unknown and never sent: %s', async (_name, agoMs) => {
    atTheCard = async () => {};
    await restoredAt(NOW_MS);
    const id = await stored({ submitByMs: NOW_MS - agoMs + 120_000 }, agoMs);
    await serve(id);
    expect(await payments.get(id)).toMatchObject({
      state: 'unknown',
      due: { queue: 'check' },
      reason: expect.stringContaining('restored from a backup'),
    });
    expect(gateway.sent).toEqual([]);
  });

  it('neither is one sent whose store was exchanged while its card was posted', async () => {
    atTheCard = () => restoredAt(NOW_MS);
    const id = await stored({ submitByMs: NOW_MS + 120_000 * 100 });
    await serve(id);
    expect(await payments.get(id)).toMatchObject({ state: 'unknown' });
    expect(gateway.sent).toEqual([]);
  });
});
