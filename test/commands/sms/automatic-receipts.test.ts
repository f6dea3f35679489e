import { describe, expect, it } from 'vitest';
import type { Put } from '../../../src/core/records/records.ts';
import { owedReceiptOf, smsDayOf } from '../../../src/core/records/stored-values.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { ama, aPayment } from '../../support/a-payment.ts';
import { textOf } from '../../support/card-text.ts';
import { allGrants } from '../../support/grants.ts';
import { smsSettings } from '../../support/sms-templates.ts';
import { changePayment } from '../../support/stored-payments.ts';
import { statusOf } from '../../support/stub-gateway.ts';
import { openTextingShop } from '../../support/texting-shop.ts';

const HOUR_MS = 3_600_000;

type Opened = Awaited<ReturnType<typeof openTextingShop>>;
let { shop, payment, paid, press, texts, reports } = {} as Opened;
const open = async (...how: Parameters<typeof openTextingShop>): Promise<void> => {
  ({ shop, payment, paid, press, texts, reports } = await openTextingShop(...how));
};

describe('RECEIPT=always', () => {
  const always = smsSettings({ receipt: 'always' });

  it('sends one receipt, and says so on no message', { tags: ['T42'] }, async () => {
    await open('completed', always);
    const done = await paid();
    await shop.pass(5_000);
    expect(texts()).toHaveLength(1);
    expect(reports()).toEqual([]);
    expect(await press('Receipt', done)).toMatch(/^Not sent again/);
  });

  it('sends none after a press that was faster', async () => {
    await open('completed', always);
    const during = shop.clock.now() + 12 * HOUR_MS;
    await shop.pass(during - shop.clock.now());
    const done = await paid();
    expect(await press('Receipt', done)).toMatch(/^The receipt is being sent/);
    await shop.pass(12 * HOUR_MS);
    expect(texts()).toHaveLength(1);
  });

  it('counts in the day of the requester, and is not held back by it', async () => {
    await open('completed', always);
    shop.grants = allGrants({ dailySms: 0 });
    await paid();
    await shop.pass(5_000);
    expect(texts()).toHaveLength(1);
    shop.grants = allGrants({ dailySms: 1 });
    expect(textOf(await shop.type('/sms 0244123456 Hello'))).toContain('Used today: 1.');
  });

  it('tells when it could not be sent, with the button', async () => {
    await open('completed', always);
    shop.gateway.onSms = () => ({ kind: 'refused', reason: 'No SMS are left.', answer: {} });
    await paid();
    await shop.pass(5_000);
    expect(reports()).toEqual(['Receipt SMS: not sent']);
  });

  it('waits for the morning between 20:00 and 7:00, over a restart', async () => {
    await open('completed', always);
    // 09:00 and eleven hours: the payment ends at 20:00:10.
    await shop.pass(11 * HOUR_MS);
    await paid();
    await shop.pass(3 * HOUR_MS);
    await shop.stop();
    await shop.start();
    await shop.pass(7.9 * HOUR_MS);
    expect(texts()).toEqual([]);
    await shop.pass(0.2 * HOUR_MS);
    expect(texts()).toHaveLength(1);
  });

  it('waits also when it is due in the night, as after a process that was down in the evening', async () => {
    await open('completed', always);
    await shop.pass(11 * HOUR_MS);
    const { id } = await paid();
    const owed = owedReceiptOf(id);
    const earlier = await shop.store.get('setting', owed.id);
    expect(earlier?.due?.atMs).toBe(Date.UTC(2026, 0, 16, 7));
    const now = { queue: 'sms', atMs: shop.clock.now() } as const;
    expect(await shop.store.commit({ put: [owed.put(id, earlier, now)] })).toBe(true);
    await shop.pass(10 * HOUR_MS);
    expect(texts()).toEqual([]);
    await shop.pass(HOUR_MS);
    expect(texts()).toHaveLength(1);
  });

  it('sends none of a payment that is in conflict by the morning', async () => {
    await open('completed', always);
    await shop.pass(11 * HOUR_MS);
    await paid();
    shop.gateway.onStatus = (id) => statusOf(id, 'failed');
    await shop.pass(14 * HOUR_MS);
    expect((await payment()).flag).toBe('conflict');
    expect(texts()).toEqual([]);
  });

  it.each([
    ['none', 5_000, []],
    ['one', 4_999, [expect.stringContaining('received GHS 50.00')]],
  ])('sends %s in the morning where %i of 5000 was given back in the night', async (...row) => {
    const [, amountMinor, sent] = row;
    await open('completed', always);
    await shop.pass(11 * HOUR_MS);
    const { id } = await paid();
    const givenBack = [{ id: 'g1', by: ama, atMs: 0, amountMinor }];
    await changePayment(shop.store, id, { givenBack });
    await shop.pass(11 * HOUR_MS);
    expect(texts()).toEqual(sent);
    expect(reports()).toEqual([]);
  });

  it('sends none of what failed', async () => {
    await open('failed', always);
    await paid();
    await shop.pass(HOUR_MS);
    expect(texts()).toEqual([]);
  });

  it.each(['commit-flushed', 'work-claimed', 'sms-stored', 'notice-begun'] as const)(
    'sends one receipt at most, and loses none but one that may have gone, with a kill at %s',
    async (moment) => {
      await open('completed', always);
      await shop.charge();
      await shop.pass(9_000);
      for (let death = 0; death < 4; death++) {
        shop.dieAt(moment);
        await shop.pass(30_000);
        shop.die();
        await shop.start();
      }
      await shop.pass(HOUR_MS);
      expect((await payment()).state).toBe('completed');
      // Killed between its record and its request, nobody knows whether it went: it is told, and not sent again.
      const toldUnclear = reports().filter((title) => title === 'Receipt SMS: not clear').length;
      expect(texts().length + toldUnclear).toBe(1);
    },
  );

  it('tells that it is not clear, and sends nothing again, after a kill between its record and its request', {
    tags: ['T42'],
  }, async () => {
    await open('completed', always);
    shop.dieAt('sms-stored');
    await shop.charge();
    await shop.pass(20_000);
    await shop.start();
    await shop.pass(HOUR_MS);
    expect(texts()).toEqual([]);
    expect(reports()).toEqual(['Receipt SMS: not clear']);
    expect(await press('Receipt', await payment())).toMatch(/^Not sent again/);
    await shop.pass(1_000);
    expect(texts()).toEqual([]);
  });
});

describe('the receipts of a large file', () => {
  it('write as many bytes each, however many went out before on that day', async () => {
    await open('completed', smsSettings({ receipt: 'always' }));
    const { store, clock } = shop;
    const day = smsDayOf(`${ama.platform}:${ama.id}`).id;
    const owe = async (count: number): Promise<void> => {
      const nowMs = clock.now();
      const put = Array.from({ length: count }).flatMap((): Put[] => {
        const { due: _, ...base } = aPayment();
        const id = newTransactionId(nowMs);
        const times = { confirmedAtMs: nowMs - 60_000, settledAtMs: nowMs };
        return [
          { kind: 'payment', record: { ...base, ...times, id, state: 'completed' } },
          owedReceiptOf(id).put(id, undefined, { queue: 'sms', atMs: nowMs }),
        ];
      });
      await store.commit({ put });
    };
    const bytesAfter = async (count: number): Promise<number> => {
      await owe(count - texts().length);
      for (let at = 0; at < 200 && texts().length < count; at++) await shop.pass(1_000);
      expect(texts()).toHaveLength(count);
      return (await store.get('setting', day))?.value.length ?? 0;
    };
    const few = await bytesAfter(5);
    expect(await bytesAfter(300)).toBeLessThanOrEqual(few + 50);
    // All of them count.
    shop.grants = allGrants({ dailySms: 1 });
    expect(textOf(await shop.type('/sms 0244123456 Hello'))).toContain('Used today: 300.');
  });
});
