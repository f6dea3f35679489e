import { beforeEach, describe, expect, it } from 'vitest';
import { Alerts } from '../../../src/core/notices/alerts.ts';
import { Payments } from '../../../src/core/payments/payments.ts';
import type { Put } from '../../../src/core/records/records.ts';
import { PoisonGuard } from '../../../src/core/recovery/poison-guard.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { ama, aPayment, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';
import { testSeal } from '../../support/test-seal.ts';

const policy = { scheduleMs: [10_000], giveUpMs: 3_600_000 };
const poison = 'P1.outcome';

let clock: ManualClock;
let store: Store;
let served: string[];

beforeEach(async () => {
  clock = new ManualClock();
  store = await openStore();
  served = [];
});

/** A process that starts now and serves what is due; serving `deadly` never comes back. */
const run = async (deadly: string | undefined) => {
  const alerts = new Alerts({ store, clock, log: silentLog, operators: [shop] });
  const payments = new Payments({ seal: testSeal, store, clock, policy, alerts });
  clock.jump(60_000);
  const poisonGuard = new PoisonGuard({ store, payments, alerts, clock, log: silentLog });
  clock.jump(60_000);
  for (const queue of ['notice', 'check', 'submit'] as const) {
    const work = await store.claim(queue, { nowMs: clock.now(), leaseMs: 45_000, limit: 10 });
    for (const each of work) {
      const died = Promise.withResolvers<void>();
      const serving = poisonGuard.around(each, async () => {
        served.push(each.record.id);
        if (each.record.id !== deadly) return;
        died.resolve();
        await new Promise(() => {});
      });
      await Promise.race([serving, died.promise]);
    }
  }
  return poisonGuard;
};

/** The same with all of it taken at once; how many were in hand together at most. */
const runAtOnce = async (serveOne: (id: string) => Promise<void>) => {
  const alerts = new Alerts({ store, clock, log: silentLog, operators: [shop] });
  const payments = new Payments({ seal: testSeal, store, clock, policy, alerts });
  clock.jump(60_000);
  const poisonGuard = new PoisonGuard({ store, payments, alerts, clock, log: silentLog });
  const work = await store.claim('notice', { nowMs: clock.now(), leaseMs: 45_000, limit: 10 });
  let inHand = 0;
  let most = 0;
  await Promise.all(
    work.map((each) =>
      poisonGuard.around(each, async () => {
        inHand += 1;
        most = Math.max(most, inHand);
        await serveOne(each.record.id);
        inHand -= 1;
      }),
    ),
  );
  return most;
};

const notice = (id: string): Put => ({
  kind: 'notice',
  record: {
    id,
    version: 1,
    due: { queue: 'notice', atMs: clock.now() },
    about: { kind: 'outcome', paymentId: 'P1', of: 'completed' },
    conversation: shop,
    to: ama,
    createdAtMs: clock.now(),
    attempts: 0,
    mayStand: false,
  },
});

describe('work that ends the process', () => {
  it('is set aside after three tries and told to the operators; the rest is served', {
    tags: ['F49'],
  }, async () => {
    await store.commit({ put: [notice(poison), notice('P2.outcome')] });
    for (let start = 0; start < 5; start++) await run(poison);
    expect(served.filter((id) => id === poison)).toHaveLength(3);
    expect(served).toContain('P2.outcome');
    expect((await store.get('notice', poison))?.due?.atMs).toBeGreaterThan(clock.now() + 3_000_000);
    expect(await store.get('notice', `aside.notice.${poison}.alert`)).toMatchObject({
      about: { alert: { kind: 'set aside', work: 'notice', id: poison } },
    });
    expect(await store.get('setting', `tries:notice/${poison}`)).toBeUndefined();
  });

  it('is told from what was only in hand beside it: what a process left in hand is served one at a time', async () => {
    const ids = [poison, 'P2.outcome', 'P3.outcome', 'P4.outcome'];
    await store.commit({ put: ids.map(notice) });
    const begun = new Set<string>();
    const allInHand = Promise.withResolvers<void>();
    void runAtOnce(async (id) => {
      begun.add(id);
      if (begun.size === ids.length) allInHand.resolve();
      // The process ends here.
      await new Promise(() => {});
    });
    await allInHand.promise;
    // Long enough for another one to begin, if it may.
    expect(
      await runAtOnce(async () => void (await store.commit({ put: [notice('P9.card')] }))),
    ).toBe(1);
    expect(await runAtOnce(async () => void (await store.get('notice', poison)))).toBe(
      ids.length + 1,
    );
  });

  it('is not work that only fails', async () => {
    const left = notice(poison);
    await store.commit({ put: [left] });
    clock.jump(60_000);
    const alerts = new Alerts({ store, clock, log: silentLog, operators: [] });
    const payments = new Payments({ seal: testSeal, store, clock, policy, alerts });
    const poisonGuard = new PoisonGuard({ store, payments, alerts, clock, log: silentLog });
    for (let i = 0; i < 5; i++)
      await expect(
        poisonGuard.around(left, async () => {
          throw new Error('the chat is away');
        }),
      ).rejects.toThrow('the chat is away');
    expect((await store.get('notice', poison))?.due).toBeDefined();
  });

  it('leaves a payment to a person for an hour, as unknown as it was', {
    tags: ['F49'],
  }, async () => {
    const record = aPayment({ state: 'unknown', due: { queue: 'check', atMs: clock.now() } });
    await store.commit({ put: [{ kind: 'payment', record }] });
    for (let start = 0; start < 4; start++) await run(record.id);
    expect(await store.get('payment', record.id)).toMatchObject({
      state: 'unknown',
      flag: 'needs a person',
      overdue: 'set aside',
    });
    const { due } = (await store.get('payment', record.id)) ?? {};
    expect(due?.atMs).toBeGreaterThan(clock.now() + 3_500_000);
  });

  it('gives up a payment that was never sent', async () => {
    const record = aPayment({ due: { queue: 'submit', atMs: clock.now() } });
    await store.commit({ put: [{ kind: 'payment', record }] });
    for (let start = 0; start < 4; start++) await run(record.id);
    expect(await store.get('payment', record.id)).toMatchObject({ state: 'not sent' });
  });

  it('is not work that a stop cut off, however often', { tags: ['F85'] }, async () => {
    await store.commit({ put: [notice(poison)] });
    for (let start = 0; start < 5; start++) {
      const guard = await run(poison);
      await guard.stop();
      // The process is ended while it is still being served.
      expect(await store.get('setting', `tries:notice/${poison}`)).toBeUndefined();
    }
    expect(served.filter((id) => id === poison)).toHaveLength(5);
    for (let start = 0; start < 5; start++) await run(poison);
    expect(served.filter((id) => id === poison)).toHaveLength(8);
  });

  it('is not work that begins while a process stops', { tags: ['F85'] }, async () => {
    const left = notice(poison);
    await store.commit({ put: [left] });
    const guard = await run(undefined);
    const begun = Promise.withResolvers<void>();
    void guard.around(left, () => {
      begun.resolve();
      return new Promise(() => {});
    });
    // The count is on its way to the store.
    await guard.stop();
    await begun.promise;
    expect(await store.get('setting', `tries:notice/${poison}`)).toBeUndefined();
  });

  it('is never looked for in what this process made itself: no count is stored', async () => {
    const alerts = new Alerts({ store, clock, log: silentLog, operators: [] });
    const payments = new Payments({ seal: testSeal, store, clock, policy, alerts });
    const poisonGuard = new PoisonGuard({ store, payments, alerts, clock, log: silentLog });
    clock.jump(1);
    const fresh = notice(poison);
    await poisonGuard.around(fresh, async () => {
      expect(await store.get('setting', `tries:notice/${poison}`)).toBeUndefined();
    });
  });
});
