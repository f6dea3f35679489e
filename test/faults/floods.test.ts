import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { attack, head, statusesOf } from '../support/attack.ts';
import { eventually } from '../support/eventually.ts';
import { openServiceShop } from '../support/service-shop.ts';
import { embeddedPremises, ShopInHand } from '../support/shop-in-hand.ts';
import { signedHeaders } from '../support/slack/delivery.ts';
import { openSlackShop } from '../support/slack-shop.ts';

const FORGED = 10_000;
/** Each is stored, one after the other because they are about one payment. */
const RIGHT = 1_000;
const LANES = 10;

/** The whole program in real time, with two payments that nobody has paid yet. */
const openShop = async () => {
  const shop = await openServiceShop(
    { status: () => 'pending' },
    { STATUS_CHECK_SCHEDULE: '10h' },
    { clock: systemClock },
  );
  const { service } = shop;
  for (const [number, taken] of [
    ['0244123456', 1],
    ['0244123457', 2],
  ] as const) {
    await shop.ask(`/charge ${number} 50`, new RegExp(`${number.slice(-4)}[^]*Charge GHS 50.00`));
    shop.type('yes');
    await eventually(() => expect(service.taken).toHaveLength(taken));
  }
  const [flooded, other] = service.taken;
  if (flooded === undefined || other === undefined) throw new Error('two were taken');
  const checksOf = ({ transactionId }: typeof other): number =>
    service.checks.filter((id) => id === transactionId).length;
  /** Sends the burst, and calls back for the other payment in the middle of it. */
  const flood = async (path: string, howMany: number) => {
    const request = head(path, 'content-length: 22').concat('{"status":"completed"}');
    let ended = 0;
    const lanes = Array.from({ length: LANES }, () => {
      const lane = attack(shop.app.port, request.repeat(howMany / LANES - 1));
      return { ...lane, closed: lane.closed.finally(() => ended++) };
    });
    const good = await other.callBack('{"status":"completed"}');
    // No lane has sent its last request yet.
    expect(ended).toBe(0);
    for (const { socket } of lanes)
      socket.write(request.replace('host: x', 'host: x\r\nconnection: close'));
    const answers = await Promise.all(lanes.map(({ closed }) => closed));
    return { good, statuses: answers.flatMap(statusesOf) };
  };
  return { ...shop, flooded, other, checksOf, flood };
};

const countsOf = (statuses: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(statuses)].map((each) => [
      each,
      statuses.filter((status) => status === each).length,
    ]),
  );

describe('callbacks by the thousands', () => {
  it('at forged addresses bring no check, and the good one among them is taken', {
    tags: ['F25', 'T2'],
  }, async () => {
    const { flooded, other, checksOf, flood, service } = await openShop();
    const startedMs = performance.now();
    const path = new URL(flooded.callbackUrl).pathname;
    const { good, statuses } = await flood(
      path.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      FORGED,
    );
    expect(good).toBe(200);
    await eventually(() => expect(checksOf(other)).toBe(1));
    expect(service.checks).toHaveLength(1);
    expect(statuses).toHaveLength(FORGED);
    const { '404': refused = 0, '429': limited = 0, ...rest } = countsOf(statuses);
    expect(rest).toEqual({});
    // A hundred, and one for each second that it took.
    expect(refused).toBeGreaterThanOrEqual(100);
    expect(refused).toBeLessThanOrEqual(101 + (performance.now() - startedMs) / 1_000);
    expect(limited).toBe(FORGED - refused);
  });

  it('at one right address are all taken, and bring a check at once and one after 4 seconds', {
    tags: ['F22', 'T2'],
  }, async () => {
    const { flooded, other, checksOf, flood } = await openShop();
    const startedMs = performance.now();
    const { good, statuses } = await flood(new URL(flooded.callbackUrl).pathname, RIGHT);
    expect([good, countsOf(statuses)]).toEqual([200, { '200': RIGHT }]);
    await eventually(() => expect(checksOf(other)).toBe(1));
    const tookMs = performance.now() - startedMs;
    expect(checksOf(flooded)).toBeGreaterThan(0);
    expect(checksOf(flooded)).toBeLessThanOrEqual(2 + Math.ceil(tookMs / 10_000));
  });

  it('that go on for a minute bring a check at once, after 4 seconds and then every 10', {
    tags: ['T2'],
  }, async () => {
    const shop = await ShopInHand.open(embeddedPremises());
    await shop.charge();
    await shop.pass(1_000);
    const [{ id = '' } = {}] = (await shop.store.listPayments({}, { limit: 1 })).payments;
    expect(shop.gateway.checked).toEqual([]);
    for (let tenths = 0; tenths < 600; tenths++) {
      expect(await shop.engine.callbacks.receive(id, '{}', 'application/json')).toBe(200);
      await shop.pass(100);
    }
    // At 0, 4, 14, 24, 34, 44 and 54 s: those of the schedule move with them.
    expect(shop.gateway.checked).toHaveLength(7);
  });
});

it('of thousands of unsigned requests, none keeps what Slack sends from the same address away', async () => {
  const { slack, ama } = await openSlackShop({ people: ['ama'] });
  const { port, pathname } = new URL(slack.eventsUrl);
  const body = 'command=%2Fcharge&text=0244123456+50';
  const forged = head(
    pathname,
    ...Object.entries(signedHeaders(body, { secret: 'not the secret' })).map((each) =>
      each.join(': '),
    ),
    'content-type: application/x-www-form-urlencoded',
    `content-length: ${body.length}`,
  ).concat(body);
  const flood = attack(Number(port), forged.repeat(2_000));
  await eventually(() => expect(flood.socket.bytesRead).toBeGreaterThan(100_000));
  await ama.slash('sales', '/whoami');
  flood.socket.end();
  const statuses = countsOf(statusesOf(await flood.closed));
  expect(Object.keys(statuses).sort()).toEqual(['401', '429']);
  expect(statuses['401']).toBeGreaterThanOrEqual(100);
});
