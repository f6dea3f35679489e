import { beforeEach, describe, expect, it } from 'vitest';
import { onlyPayment } from '../support/only-payment.ts';
import { DEFAULT_SCHEDULE_MS, embeddedPremises, ShopInHand } from '../support/shop-in-hand.ts';
import { statusOf } from '../support/stub-gateway.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

let shop: ShopInHand;
beforeEach(async () => {
  shop = await ShopInHand.open(embeddedPremises());
});

const payment = () => onlyPayment(shop.store);
const settlesAs = (status: 'completed' | 'failed') => {
  shop.gateway.onStatus = (id) => statusOf(id, status);
};

describe('an outcome that does not come', () => {
  it('is asked for by the schedule, calls a person after 30 minutes and a day, and is never made up', {
    tags: ['F20', 'F30'],
  }, async () => {
    const asked: number[] = [];
    await shop.charge();
    await shop.quiet();
    const { submittedAtMs = 0 } = await payment();
    shop.gateway.onStatus = (id) => {
      asked.push((shop.clock.now() - submittedAtMs) / SECOND_MS);
      return statusOf(id, 'pending');
    };
    await shop.pass(29 * MINUTE_MS);
    const ladder = DEFAULT_SCHEDULE_MS.map((ms) => ms / SECOND_MS);
    const times = ladder.map((_, at) => ladder.slice(0, at + 1).reduce((a, b) => a + b, 0));
    expect(asked).toEqual(times.filter((atS) => atS <= 29 * 60));
    expect((await payment()).flag).toBeUndefined();
    await shop.pass(2 * MINUTE_MS);
    expect(await payment()).toMatchObject({
      state: 'pending',
      flag: 'needs a person',
      overdue: 'half an hour',
    });
    await shop.pass(24 * HOUR_MS);
    expect(await payment()).toMatchObject({ state: 'pending', overdue: 'a day' });
    await shop.pass(50 * HOUR_MS);
    expect(await payment()).toMatchObject({ state: 'pending', overdue: 'given up' });
    expect(shop.outcomes()).toEqual(Array(3).fill('pending'));
    expect(shop.alerts()).toHaveLength(3);
    // Hourly at the end, and over after three days.
    expect(asked.length).toBeLessThan(90);
    await shop.pass(24 * HOUR_MS);
    expect(asked.at(-1)).toBeLessThanOrEqual(72 * 3_600);
  });

  it('because the service knows nothing of it leaves it unknown at a second, a minute and an hour', {
    tags: ['F28'],
  }, async () => {
    shop.gateway.onPayment = () => ({ kind: 'unknown', answer: {}, reason: 'No answer came.' });
    shop.gateway.onStatus = () => ({ kind: 'noStatus', answer: { message: 'not found' } });
    await shop.charge();
    const seen: unknown[] = [];
    for (const ms of [SECOND_MS, MINUTE_MS, HOUR_MS]) {
      await shop.pass(ms);
      await shop.type(`/status ${(await payment()).id}`);
      const { state, flag } = await payment();
      seen.push([state, flag]);
    }
    expect(seen).toEqual([
      ['unknown', undefined],
      ['unknown', undefined],
      ['unknown', 'needs a person'],
    ]);
    expect(new Set(shop.outcomes())).toEqual(new Set(['unknown']));
    expect(shop.gateway.sent).toHaveLength(1);
  });

  it.each([
    ['401', { kind: 'refused', answer: { code: 'HTTP 401' }, reason: 'No.', keysRefused: true }],
    ['429', { kind: 'rateLimited', answer: {}, retryAfterMs: 90_000 }],
    ['garbage', { kind: 'noAnswer', answer: { code: 'HTTP 200' }, reason: 'Unreadable.' }],
  ] as const)(
    'because checks are answered with %s changes nothing',
    { tags: ['F31'] },
    async (name, answer) => {
      await shop.charge();
      shop.gateway.onStatus = () => answer;
      await shop.pass(10 * MINUTE_MS);
      expect(await payment()).toMatchObject({ state: 'pending' });
      const asked = shop.gateway.checked.length;
      expect(asked).toBeGreaterThan(3);
      expect(asked).toBeLessThan(12);
      expect(shop.outcomes()).toEqual([]);
      expect(shop.alerts()).toHaveLength(name === '401' ? 1 : 0);
      settlesAs('completed');
      await shop.pass(15 * MINUTE_MS);
      expect(shop.outcomes()).toEqual(['completed']);
    },
  );
});

describe('a settled payment', () => {
  it.each([
    ['completed', 'failed'],
    ['failed', 'completed'],
  ] as const)(
    'that was %s and then is said to be %s stays, loudly',
    { tags: ['F29', 'T18'] },
    async (first, then) => {
      await shop.charge();
      settlesAs(first);
      await shop.pass(MINUTE_MS);
      settlesAs(then);
      await shop.pass(25 * HOUR_MS);
      expect(await payment()).toMatchObject({ state: first, flag: 'conflict' });
      expect(shop.outcomes()).toEqual([first, first]);
      expect(JSON.stringify(shop.posted.at(-1)?.card)).toContain(
        `The payment service now says ${then}.`,
      );
      expect(shop.alerts()).toHaveLength(1);
    },
  );
});

describe('a clock that is set', () => {
  it.each([
    ['forward by 10 minutes', 10 * MINUTE_MS],
    ['back by 10 minutes', -10 * MINUTE_MS],
    ['forward by a day', 24 * HOUR_MS],
    ['back by a day', -24 * HOUR_MS],
  ])(
    '%s at any moment charges once, and a callback settles',
    { tags: ['F46'] },
    async (_how, byMs) => {
      const [question] = await shop.type('/charge 0244123456 50');
      shop.gateway.onPayment = async () => {
        shop.clock.jump(byMs);
        return { kind: 'accepted', answer: { code: '202' } };
      };
      await shop.press(question, 'Charge');
      await shop.quiet();
      await shop.pass(MINUTE_MS);
      shop.clock.jump(byMs);
      settlesAs('completed');
      const { id } = await payment();
      for (let callback = 0; callback < 3; callback++) {
        await shop.engine.callbacks.receive(id, '{}', 'application/json');
        await shop.pass(20 * SECOND_MS);
      }
      expect(await payment()).toMatchObject({ state: 'completed' });
      expect(shop.gateway.sent).toHaveLength(1);
      expect(shop.outcomes().filter((told) => told !== 'unknown')).toEqual(['completed']);
    },
  );
});

describe('a chat that is away for a day', () => {
  it('is told the end alone when it is back, and when that was', { tags: ['F53'] }, async () => {
    shop.gateway.onPayment = () => ({ kind: 'unknown', answer: {}, reason: 'No answer came.' });
    await shop.charge();
    await shop.quiet();
    shop.chatSays = () => 'not sent';
    shop.gateway.onStatus = (id) => statusOf(id, 'pending');
    await shop.pass(40 * MINUTE_MS);
    settlesAs('completed');
    await shop.pass(24 * HOUR_MS);
    expect(shop.posted).toHaveLength(1);
    shop.chatSays = () => 'delivered';
    await shop.pass(10 * MINUTE_MS);
    expect(shop.outcomes()).toEqual(['completed']);
    expect(shop.posted.map(({ key }) => key.replace(/^\w+\./, ''))).toHaveLength(2);
    const { settledAtMs = 0 } = await payment();
    expect(shop.clock.now() - settledAtMs).toBeGreaterThan(20 * HOUR_MS);
    expect(shop.posted.at(-1)?.card.title).toMatch(/: completed · \w+ \d{1,2} Jan \d\d:\d\d$/);
  });
});
