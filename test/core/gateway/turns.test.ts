import { afterEach, describe, expect, it } from 'vitest';
import { sandboxProvider } from '../../../src/core/gateway/provider.ts';
import { FairQueue, localSlots } from '../../../src/core/gateway/turns.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { jsonScript, type ScriptedHttp, startScriptedHttp } from '../../support/scripted-http.ts';
import { silentLog } from '../../support/silent-log.ts';
import { accepted, operations, settings } from './scripted-gateway.ts';

const A_PAYMENT = AbortSignal.abort('came');
const OTHERS = new AbortController().signal;

/** Lets many calls queue up and notes which were let through. */
const queueUp = (clock: ManualClock, perSecond: number, calls: number, of = A_PAYMENT) => {
  const nextSlot = localSlots(clock, perSecond);
  const passed: number[] = [];
  const pass = async () => {
    for (let call = 0; call < calls; call++) {
      await nextSlot(of);
      passed.push(call);
    }
  };
  void pass();
  return passed;
};

describe('the rate limit', () => {
  it('lets a second’s worth through at once, and the next when a second is over', async () => {
    const clock = new ManualClock();
    const passed = queueUp(clock, 5, 12);
    await clock.advance(999);
    expect(passed).toHaveLength(5);
    await clock.advance(1);
    expect(passed).toHaveLength(10);
    await clock.advance(1000);
    expect(passed).toEqual([...Array(12).keys()]);
  });

  it('holds in every stretch of a second, wherever it begins', {
    tags: ['F32', 'I12'],
  }, async () => {
    const clock = new ManualClock();
    const nextSlot = localSlots(clock, 5);
    const passedAtMs: number[] = [];
    let last = Promise.resolve();
    const take = () => {
      last = last.then(() => nextSlot(A_PAYMENT)).then(() => void passedAtMs.push(clock.now()));
    };
    // Bursts at odd moments, so that a bucket refilled drop by drop would let more through.
    for (const pauseMs of [0, 950, 130, 333, 90, 999, 1, 480, 700, 50]) {
      await clock.advance(pauseMs);
      for (let call = 0; call < 4; call++) take();
    }
    await clock.advance(60_000);
    expect(passedAtMs).toHaveLength(40);
    for (const fromMs of passedAtMs) {
      const within = passedAtMs.filter((atMs) => atMs >= fromMs && atMs < fromMs + 1000);
      expect(within.length).toBeLessThanOrEqual(5);
    }
  });

  it('knows rates below one and rates that are not whole', async () => {
    for (const [perSecond, expected] of [
      [0.5, 30],
      [2.5, 150],
      [1, 60],
    ] as const) {
      const clock = new ManualClock();
      const passed = queueUp(clock, perSecond, 200);
      await clock.advance(59_999);
      expect(passed).toHaveLength(expected);
    }
  });

  it.each([
    [5, 4],
    [4, 3],
    [3, 3],
    [1, 1],
    [0.5, 0.5],
  ])(
    'of %d a second lets %d of others through, and keeps a place for a payment from four on',
    async (perSecond, expected) => {
      const clock = new ManualClock();
      const passed = queueUp(clock, perSecond, 1_000, OTHERS);
      await clock.advance(59_999);
      expect(passed).toHaveLength(60 * expected);
    },
  );

  it('lets a payment through at once while others wait, whenever it comes', async () => {
    const clock = new ManualClock();
    const queue = new FairQueue(clock, localSlots(clock, 5));
    for (let call = 0; call < 150; call++) void queue.take('background', 3_600_000);
    for (const afterMs of [1, 999, 1_000, 1_130, 1_333, 1_700, 2_000]) {
      await clock.advance(afterMs);
      let isSent = false;
      void queue.take('money', 10_000).then(() => {
        isSent = true;
      });
      await clock.advance(0);
      expect(isSent).toBe(true);
    }
  });

  it('does not mind a wall clock that jumps', async () => {
    const clock = new ManualClock();
    const nextSlot = localSlots(clock, 1);
    await nextSlot(A_PAYMENT);
    clock.jump(-86_400_000);
    let passed = false;
    void nextSlot(A_PAYMENT).then(() => {
      passed = true;
    });
    await clock.advance(999);
    expect(passed).toBe(false);
    await clock.advance(1);
    expect(passed).toBe(true);
  });
});

describe('a gateway', () => {
  let service: ScriptedHttp;
  afterEach(() => service.stop());

  it('sends all its operations together no faster than allowed', { tags: ['T2'] }, async () => {
    service = await startScriptedHttp(jsonScript(200, accepted));
    const clock = new ManualClock();
    const gateway = sandboxProvider.createGateway(
      { ...settings, baseUrl: service.baseUrl, requestsPerSecond: 2 },
      { clock, log: silentLog },
    );
    const calls = Object.values(operations).map((call) => call(gateway));
    for (const [seen, advanceMs] of [
      [2, 999],
      [4, 1],
      [5, 1000],
    ] as const) {
      await clock.advance(advanceMs);
      await expect.poll(() => service.requests.length).toBe(seen);
    }
    await Promise.all(calls);
    expect(service.requests.map(({ path }) => path).sort()).toEqual(
      Object.keys(operations)
        .map((operation) => `/${operation}`)
        .sort(),
    );
  });
});
