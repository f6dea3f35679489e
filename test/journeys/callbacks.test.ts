import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { ServicePlot, TakenPayment } from '../support/obliging-service.ts';
import { openServiceShop } from '../support/service-shop.ts';
import { together } from '../support/together.ts';

const it = together();

/** A shop in the terminal before a service whose timing the test decides. */
const openShop = async (plot: ServicePlot, env: Record<string, string> = {}) => {
  const shop = await openServiceShop(plot, env);
  await shop.charge('0244123456 50');
  return shop;
};

/** The payment, once the service has it. */
const takenIn = ({ service }: Awaited<ReturnType<typeof openShop>>): Promise<TakenPayment> =>
  eventually(() => {
    expect(service.taken).toHaveLength(1);
    return service.taken[0] as TakenPayment;
  });

const outcomes = (screen: string): string[] => screen.match(/from KOFI MENSAH: \w+/g) ?? [];
/** No check comes by schedule while a test runs: only callbacks bring them. */
const NO_SCHEDULE = { STATUS_CHECK_SCHEDULE: '10h' };

describe('a callback', () => {
  it('that comes before the acknowledgement settles the payment after it', {
    tags: ['F21'],
  }, async () => {
    const statuses: number[] = [];
    const shop = await openShop(
      {
        beforeAnswer: async ({ callBack }) =>
          void statuses.push(await callBack('{"status":"completed"}')),
        status: () => 'completed',
      },
      NO_SCHEDULE,
    );
    await shop.shows(': completed');
    expect(statuses).toEqual([200]);
    expect(shop.service.taken).toHaveLength(1);
    expect(outcomes(shop.screen())).toHaveLength(1);
  });

  it('that comes a hundred times, twenty at once, tells one outcome', {
    tags: ['F22'],
  }, async () => {
    const shop = await openShop({ status: () => 'completed' }, NO_SCHEDULE);
    const payment = await takenIn(shop);
    for (let i = 0; i < 5; i++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => payment.callBack('{"status":"completed"}')),
      );
      expect(new Set(answers)).toEqual(new Set([200]));
    }
    await shop.shows(': completed');
    expect(outcomes(shop.screen())).toHaveLength(1);
  });

  it('that lies changes nothing: the service is asked, and its word counts', {
    tags: ['F24', 'T1'],
  }, async () => {
    const shop = await openShop({ status: () => 'pending' }, NO_SCHEDULE);
    const payment = await takenIn(shop);
    await shop.shows('pending ·');
    await payment.callBack(
      JSON.stringify({ transaction_id: payment.transactionId, status: 'completed', amount: 50 }),
    );
    await eventually(() => expect(shop.service.checks.length).toBeGreaterThan(0));
    expect(outcomes(shop.screen())).toEqual([]);
  });

  it.each([
    ['shape A', '{"transaction_id":"ID","status":"000","amount":50}', 'application/json'],
    [
      'shape B',
      '{"trans_ref":"ID","trans_id":"99","trans_status":"000/01","message":"SUCCESSFUL"}',
      'application/json',
    ],
    ['a form', 'trans_ref=ID&trans_status=000%2F01', 'application/x-www-form-urlencoded'],
    ['nothing', '', 'text/plain'],
  ])('is understood in the form of %s', async (_name, body, contentType) => {
    const shop = await openShop({ status: () => 'SUCCESS' }, NO_SCHEDULE);
    const payment = await takenIn(shop);
    await payment.callBack(body.replaceAll('ID', payment.transactionId), contentType);
    await shop.shows(': completed');
  });

  it('after the outcome that contradicts it is told as such, and the outcome stays', {
    tags: ['F23'],
  }, async () => {
    let word = 'failed';
    const shop = await openShop({ status: () => word });
    await shop.shows(': failed');
    word = 'completed';
    await shop.service.taken[0]?.callBack('{}');
    await shop.shows(
      'A person should ask the payment service. Until then do not ask the customer again.',
    );
    await shop.ask('/payments', /⚠️ GHS [\d.]+ · /);
  });

  it('is not needed: the schedule settles as well', { tags: ['F20'] }, async () => {
    let asked = 0;
    const shop = await openShop({ status: () => (++asked < 4 ? 'pending' : 'completed') });
    await shop.shows(': completed');
    expect(outcomes(shop.screen())).toHaveLength(1);
  });

  it('about another amount settles nothing and calls a person', { tags: ['F26'] }, async () => {
    const shop = await openShop({
      status: (payment) => {
        Object.assign(payment, { amount: 5000 });
        return 'completed';
      },
    });
    await shop.shows('The payment service speaks of GHS 5,000.00, not of GHS 50.00');
    expect(outcomes(shop.screen()).filter((text) => /completed/.test(text))).toEqual([]);
  });
});
