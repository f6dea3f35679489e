import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../src/core/cluster/cluster.ts';
import { localCluster } from '../../../src/core/cluster/cluster.ts';
import type { Gateway } from '../../../src/core/gateway/gateway.ts';
import type { PostJson } from '../../../src/core/gateway/post-json.ts';
import { sandboxProvider } from '../../../src/core/gateway/provider.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { silentLog } from '../../support/silent-log.ts';
import { accepted, paymentRequest, settings } from './scripted-gateway.ts';

const SECOND_MS = 1_000;
const TEN_MINUTES_S = 600;

const shopAt = (clock: ManualClock, cluster?: Cluster) => {
  const asked: { path: string; atMs: number }[] = [];
  const post: PostJson = async (path) => {
    asked.push({ path, atMs: clock.now() });
    return { kind: 'answered', httpStatus: 200, body: JSON.stringify(accepted) };
  };
  const gateway = sandboxProvider.createGateway(
    { ...settings, requestsPerSecond: 5 },
    { clock, log: silentLog, post, ...(cluster === undefined ? {} : { cluster }) },
  );
  const count = (path: string) => asked.filter((each) => each.path === path).length;
  return { gateway, asked, count };
};

const lookUp = (gateway: Gateway) =>
  gateway.lookUpAccount({ number: '+233244123456', network: 'MTN' });

describe('the rate of the payment service', () => {
  it('is shared half and half by people who ask six times a second and by the status checks', {
    tags: ['T29'],
  }, async () => {
    const clock = new ManualClock();
    const { gateway, count } = shopAt(clock);
    for (let check = 0; check < 8; check++) void keepChecking(gateway);
    for (let second = 0; second < TEN_MINUTES_S; second++) {
      for (let question = 0; question < 6; question++) void lookUp(gateway);
      await clock.advance(SECOND_MS);
    }
    const checks = count('/check_transaction_status');
    const lookups = count('/payment_account_lookup');
    // One place of five is left free for a payment.
    expect(checks + lookups).toBeGreaterThanOrEqual(TEN_MINUTES_S * 4);
    expect(Math.abs(checks - lookups)).toBeLessThanOrEqual(1);
  });

  it('is shared half and half on each of two instances, which have half of it each', async () => {
    const clock = new ManualClock();
    const cluster = localCluster(clock);
    const instances = [shopAt(clock, cluster), shopAt(clock, cluster)];
    for (const { gateway } of instances)
      for (let check = 0; check < 8; check++) void keepChecking(gateway);
    for (let second = 0; second < TEN_MINUTES_S; second++) {
      for (const { gateway } of instances)
        for (let question = 0; question < 6; question++) void lookUp(gateway);
      await clock.advance(SECOND_MS);
    }
    const asked = instances.flatMap((each) => each.asked).map(({ atMs }) => atMs);
    expect(asked.length).toBeGreaterThanOrEqual(TEN_MINUTES_S * 5);
    asked.sort((one, other) => one - other);
    for (let at = 1; at < asked.length; at++)
      expect((asked[at] ?? 0) - (asked[at - 1] ?? 0)).toBe(200);
    for (const { count } of instances) {
      expect(count('/check_transaction_status')).toBeGreaterThanOrEqual(TEN_MINUTES_S * 1.25);
      expect(count('/payment_account_lookup')).toBeGreaterThanOrEqual(TEN_MINUTES_S * 1.25 - 1);
    }
  });

  it('lets a payment of one instance wait for one request of the other at most', {
    tags: ['T29'],
  }, async () => {
    const clock = new ManualClock();
    const cluster = localCluster(clock);
    const [busy, paying] = [shopAt(clock, cluster), shopAt(clock, cluster)];
    for (let question = 0; question < 100; question++) {
      void lookUp(busy.gateway);
      void lookUp(paying.gateway);
    }
    await clock.advance(10 * SECOND_MS);
    const pressedAtMs = clock.now();
    void paying.gateway.makePayment(paymentRequest);
    await clock.advance(SECOND_MS);
    const [payment] = paying.asked.filter(({ path }) => path === '/make_payment');
    expect((payment?.atMs ?? Infinity) - pressedAtMs).toBeLessThanOrEqual(400);
  });

  it('is told to a person who waits too long for it, and a check that did is simply due again', async () => {
    const clock = new ManualClock();
    const { gateway } = shopAt(clock);
    const questions = Array.from({ length: 200 }, () => lookUp(gateway));
    const tooMany = await lookUp(gateway);
    expect(tooMany).toEqual({
      kind: 'noAnswer',
      answer: {},
      reason: 'Too many questions are waiting. Try again in a minute.',
    });
    await clock.advance(20 * SECOND_MS);
    const answers = await Promise.all(questions);
    expect(answers.filter(({ kind }) => kind === 'noAnswer')).not.toEqual([]);

    const away = shopAt(clock, unreachable);
    const check = away.gateway.checkStatus('PT7K3M9Q2XWZ', 'background');
    const payment = away.gateway.makePayment({ ...paymentRequest, sendByMs: clock.now() + 5_000 });
    await clock.advance(30 * SECOND_MS);
    expect(await check).toEqual({ kind: 'rateLimited', answer: {}, retryAfterMs: 5_000 });
    expect(await payment).toEqual({
      kind: 'notSent',
      reason: 'It could not be sent in time. Type the command again.',
    });
    expect(away.asked).toEqual([]);
  });
});

/** Its database cannot be asked. */
const unreachable: Cluster = {
  ...localCluster(new ManualClock()),
  reserve: async () => {
    throw new Error('the database is away');
  },
};

/** As the worker does: the next check begins when one has ended. */
const keepChecking = async (gateway: Gateway): Promise<never> => {
  for (;;) await gateway.checkStatus('PT7K3M9Q2XWZ', 'background');
};
