import { describe, expect } from 'vitest';
import type { Store } from '../../src/core/store/store.ts';
import { newTransactionId } from '../../src/core/values/transaction-id.ts';
import { aPayment } from '../support/a-payment.ts';
import { runApp } from '../support/run-app.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { storePayments } from '../support/stored-payments.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

/** Ten payments of today and nine of others, the last one failed. */
const fill = (store: Store): Promise<void> => {
  const sinceMs = Date.now() - 1_000;
  return storePayments(
    store,
    Array.from({ length: 19 }, (_, at) => ({
      id: newTransactionId(sinceMs + at),
      state: at === 18 ? 'failed' : 'completed',
      confirmedAtMs: sinceMs + at,
      terms: {
        ...aPayment().terms,
        customerName: at < 10 ? 'ADWOA SARPONG' : 'KOFI MENSAH',
        customerNumber: at < 10 ? '+233244124567' : '+233244123456',
      },
    })),
  );
};

const ACCESS = `
roles: { finance: {commands: [payments, customer]}, sales: {commands: [charge]} }
members: { finance: [<@ama>], sales: [<@yaw>] }
`;

const ADWOAS = /Payments for "Adwoa"\s+10 completed · GHS 500\.00 · 0 pending · 0 failed/;
const CUSTOMER = /Adwoa S\. · 024 \*\*\* 4567\s+10 completed · GHS 500\.00/;

describe('payments are found', () => {
  it('in Slack: totals first, More, Details, a customer, and a refusal for others', async () => {
    const { ama, yaw, app } = await openSlackShop({ people: ['ama', 'yaw'], access: ACCESS });
    await fill(app.store);
    const list = await ama.ask('sales', '/payments Adwoa', ADWOAS);
    await ama.choose(list, 'More', /Payments for "Adwoa"[\s\S]*Newest/);
    await ama.press(await ama.ask('sales', '/payments today failed', /1 failed/), '1');
    await ama.ephemeral(/GHS 50\.00 failed/);
    await ama.ask('sales', '/customer 0244124567', CUSTOMER);
    await ama.submit(await ama.form('sales', '/customer'), { 'Customer number': '0244124567' });
    await yaw.ask('sales', '/customer 0244124567', /You cannot see customers/);
    await yaw.choose(list, 'More', /You cannot see payments yet/);
  });

  it('in Telegram: totals first, More in the same message, and a customer', async () => {
    const { telegram, ama, app } = await openTelegramShop({
      people: { ama: 'Ama Mensah', yaw: 'Yaw Owusu' },
      access: ACCESS,
    });
    await fill(app.store);
    const own = telegram.privateChat(ama);
    const list = await ama.ask(own, '/payments Adwoa', ADWOAS);
    ama.press(list, 'More');
    await expect.poll(() => list.text).toMatch(/\n2\. ✅ GHS 50\.00(?![\s\S]*\n3\.)/);
    expect(list.text).toMatch(ADWOAS);
    ama.type(own, '/customer 0244124567');
    await own.waitFor(/ADWOA SARPONG · 024 412 4567\s+10 completed · GHS 500\.00/);
  });

  it('in the terminal: totals first, by the last digits, and not found in a sentence', async () => {
    const shop = await runApp();
    await fill(shop.app.store);
    await shop.ask('/payments', '18 completed · GHS 900.00 · 0 pending · 1 failed');
    shop.type('/payments 4567');
    await shop.shows(
      'Searched: numbers ending in 4567, amount GHS 4,567.00, references with 4567.',
    );
    shop.type('/payments Efua');
    await shop.shows(
      'I found no payment for "Efua". Search by number, name, amount, reference or date.',
    );
    await shop.ask('/customer 0244124567', 'Last outcome: GHS 50.00 completed, today');
  });
});
