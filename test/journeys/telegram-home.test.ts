import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

/** Ama sells, Efua approves and sees the money, Yaw may do nothing. */
const ACCESS = `
roles:
  sales: {commands: [charge, status], maxCharge: 500 GHS, dailyLimit: 2000 GHS}
  finance: {commands: [balance, payments], approve: true}
members: { sales: [<@ama>], finance: [<@efua>] }
`;

const openShop = (transport: 'polling' | 'webhook' = 'polling') =>
  openTelegramShop({
    transport,
    people: { ama: 'Ama', efua: 'Efua', yaw: 'Yaw' },
    chats: ({ telegram, ama, efua, yaw }) => ({
      group: telegram.group('Sales', [ama, efua, yaw]),
      amas: telegram.privateChat(ama),
      efuas: telegram.privateChat(efua),
      yaws: telegram.privateChat(yaw),
    }),
    access: ACCESS,
  });

describe('what a shop does today, behind /start in a private chat of Telegram', () => {
  it.each(['polling', 'webhook'] as const)(
    'is one message by %s: what the person does most, what waits, what was paid, each line once',
    async (transport) => {
      const { ama, amas, payments } = await openShop(transport);
      // Its number ends in 06: it stays pending.
      for (const words of ['0244123456 20', '0244123406 50']) {
        await chargeInTelegram(ama, amas, words);
        await amas.waitFor(words.endsWith('20') ? /: completed/ : /GHS 50\.00 pending/);
      }
      const home = await ama.ask(amas, '/start', /Your shop/);
      expect(home.text).toMatch(
        /^TEST · Your shop, as of \d\d:\d\d\n\nYour day: Up to GHS 500\.00 a charge\. GHS 1,930\.00 of GHS 2,000\.00 is left today\.\n\n⏳ Waiting\n\n1\. ⏳ GHS 50\.00 · .* · Ama\n\nToday: 1 completed · GHS 20\.00 · 1 pending · 0 failed\n\n2\. ✅ GHS 20\.00 · .* · Ama$/,
      );
      expect(home.buttons).toEqual([
        ['1', '2'],
        ['Check now', 'Charge a customer'],
        ['Today', 'Help'],
      ]);
      ama.press(home, '1');
      await amas.waitFor(/^⏳ TEST · GHS 50\.00 pending[\s\S]*Asked by/);
      ama.press(home, '2');
      await amas.waitFor(/^✅ TEST · GHS 20\.00 completed[\s\S]*Asked by/);
      await ama.choose(amas, home, 'Today', /Today, Ama: /);
      await ama.choose(amas, home, 'Help', /Paythread[\s\S]*\/charge 0244123456 50 · /);
      const check = ama.press(home, 'Check now');
      await eventually(() => expect(check.answer).toMatch(/pending/));
      await ama.choose(amas, home, 'Charge a customer', /number/i);
      expect(payments()).toHaveLength(2);
    },
  );

  it('shows an approver the question that ends first, and one press there decides it', async () => {
    const { ama, efua, group, efuas, payments } = await openShop();
    for (const words of ['0244123456 700', '0244123457 800'])
      await chargeInTelegram(ama, group, words);
    await group.waitFor(/asks to charge GHS 800\.00/);
    await eventually(async () => {
      const { text } = await efua.ask(efuas, '/start', /Your shop/);
      expect(text).toMatch(/Balances\n\nSMS: .*\nPayout: .*\nCollection: .*\n\nAs of \d\d/);
    });
    const home = efuas.fromBot.at(-1);
    expect(home?.text).toMatch(
      /^TEST · Your shop, .*\n\n⚠️ Ama asks to charge GHS 700\.00\n\nAsked by: Ama[\s\S]*⏳ 1 more to approve\n\nYour day: You approve charges of other people\.\n\nToday: No payments yet\./,
    );
    expect(home?.text).not.toContain('800');
    expect(payments()).toEqual([]);
    if (home === undefined) throw new Error('there is no home');
    efua.press(home, 'Approve GHS 700.00');
    await group.waitFor(/GHS 700\.00.*: completed/);
    await eventually(() => expect(home.text).toMatch(/Approved for Ama: GHS 700\.00/));
    expect(payments()).toHaveLength(1);
    await efua.ask(efuas, '/start', /asks to charge GHS 800\.00[\s\S]*1\. ✅ GHS 700\.00/);
  });

  it('is help in a group, and to a person without rights the way to get them', {
    tags: ['T26'],
  }, async () => {
    const { ama, yaw, group, yaws } = await openShop();
    const help = await ama.ask(group, '/start', /Paythread[\s\S]*\/charge/);
    expect(help.text).not.toMatch(/Your shop|Up to GHS/);
    const { text } = await yaw.ask(yaws, '/start', /Paythread/);
    expect(text).toMatch(/To get access, send your id: \/whoami/);
    expect(text).not.toMatch(/Your shop|GHS \d/);
  });
});
