import { beforeEach, describe, expect, it } from 'vitest';
import type { StatusOutcome } from '../../../src/core/gateway/gateway.ts';
import { Payments } from '../../../src/core/payments/payments.ts';
import { StatusChecker } from '../../../src/core/payments/status-checker.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import { systemRandom } from '../../../src/core/runtime/random.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { aPayment } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperators } from '../../support/no-operators.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';
import { StubGateway, statusOf } from '../../support/stub-gateway.ts';
import { testSeal } from '../../support/test-seal.ts';

let clock: ManualClock;
let store: Store;
let gateway: StubGateway;
let checks: StatusChecker;

beforeEach(async () => {
  clock = new ManualClock();
  store = await openStore();
  gateway = new StubGateway();
  const alerts = noOperators({ store, clock });
  const policy = { scheduleMs: [10_000], giveUpMs: 259_200_000 };
  const payments = new Payments({ seal: testSeal, store, clock, policy, alerts });
  checks = new StatusChecker({
    ...{ payments, store, gateway, clock, alerts },
    ...{ log: silentLog, random: systemRandom },
  });
});

/** Questions that wait for their answers. */
const hang = (): ((outcome: StatusOutcome) => void)[] => {
  const waiting: ((outcome: StatusOutcome) => void)[] = [];
  gateway.onStatus = () => new Promise((resolve) => void waiting.push(resolve));
  return waiting;
};

const pending = async (): Promise<Payment> => {
  const due = { queue: 'check', atMs: clock.now() } as const;
  const record = aPayment({ state: 'pending', submittedAtMs: clock.now(), due });
  await store.commit({ put: [{ kind: 'payment', record }] });
  return record;
};

describe('a check that is due while the service is being asked already', () => {
  it('is no question of its own; what is asked settles it', async () => {
    const payment = await pending();
    const waiting = hang();
    const first = checks.serve(payment);
    for (let more = 0; more < 5; more++) await checks.serve(payment);
    expect(gateway.checked).toHaveLength(1);
    waiting[0]?.(statusOf(payment.id, 'completed'));
    await first;
    expect((await store.get('payment', payment.id))?.state).toBe('completed');
  });

  it('is asked beside one that may hang, and beside no more than one', async () => {
    const payment = await pending();
    const waiting = hang();
    const asking = [checks.serve(payment)];
    await clock.advance(2_000);
    asking.push(checks.serve(payment));
    await clock.advance(2_000);
    await checks.serve(payment);
    expect(gateway.checked).toHaveLength(2);
    waiting[1]?.(statusOf(payment.id, 'completed'));
    await asking[1];
    expect((await store.get('payment', payment.id))?.state).toBe('completed');
    waiting[0]?.({ kind: 'noAnswer', answer: {}, reason: 'No answer came.' });
    await asking[0];
    gateway.onStatus = (id) => statusOf(id, 'completed');
    await checks.serve(payment);
    expect(gateway.checked).toHaveLength(3);
  });
});
