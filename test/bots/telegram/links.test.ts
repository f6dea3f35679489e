import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../support/telegram/refusal-of.ts';
import { openTelegramShop } from '../../support/telegram-shop.ts';

const ACCESS = `
roles:
  sales: { commands: [charge, lookup], maxCharge: 500 GHS }
  owner: { commands: "*", admin: true }
members: { sales: [<@ama>], owner: [<@owner>] }
`;

const openShop = () =>
  openTelegramShop({
    people: { ama: 'Ama Mensah', owner: 'Efua Owusu', stranger: 'Kojo Boateng' },
    access: ACCESS,
  });

describe('a link that opens the Telegram bot', { tags: ['T40'] }, () => {
  it('types the charge, which its opener confirms as ever', async () => {
    const { telegram, payments, ama, stranger } = await openShop();
    const own = telegram.privateChat(ama, { started: false });
    const question = await ama.ask(own, '/start charge_0244123456_50-25', /Charge GHS 50\.25\?/);
    expect(question.text).toContain('024 412 3456');
    expect(payments()).toEqual([]);
    const press = stranger.press(question, 'Charge GHS 50.25');
    expect(await refusalOf(press, telegram.privateChat(stranger))).toMatch(/cannot charge/);
    expect(payments()).toEqual([]);
    await ama.choose(own, question, 'Charge GHS 50.25', /: completed/);
    expect(payments()).toHaveLength(1);
  });

  it('without an amount asks for it', async () => {
    const { telegram, ama } = await openShop();
    const own = telegram.privateChat(ama);
    await ama.ask(own, '/start charge_0244123456', /Amount\?/);
  });

  it('gives no right that its opener lacks, and lifts no limit', async () => {
    const { telegram, payments, ama, stranger } = await openShop();
    const strange = telegram.privateChat(stranger);
    await stranger.ask(strange, '/start charge_0244123456_50', /You cannot charge yet/);
    const own = telegram.privateChat(ama);
    ama.type(own, '/start charge_0244123456_600');
    await own.waitFor(/Nothing was charged[\s\S]*above your limit/);
    expect(payments()).toEqual([]);
  });

  it('runs no other command, whoever opens it', async () => {
    const { telegram, owner, ama } = await openShop();
    const own = telegram.privateChat(owner);
    for (const payload of ['suspend_1001', 'balance', 'lookup_0244123456']) {
      const typed = owner.type(own, `/start ${payload}`);
      const answer = await own.waitFor((message) => message.replyTo?.id === typed.id);
      expect(answer.text).toMatch(/^.*Paythread\n/);
    }
    ama.type(telegram.privateChat(ama), '/charge 0244123456 50');
    await telegram.privateChat(ama).waitFor(/Charge GHS 50\.00\?/);
  });

  it('that is malformed is answered with a sentence and does nothing', async () => {
    const { telegram, payments, ama } = await openShop();
    const own = telegram.privateChat(ama);
    for (const payload of [
      ...['charge', 'charge_', 'charge_0244123456_', 'charge_0244123456_50_card', 'charge_x_50'],
      ...['charge_0244123456_50-2', 'charge_0244123456_-50', 'charge_4111111111111111_50'],
    ]) {
      const typed = ama.type(own, `/start ${payload}`);
      const answer = await own.waitFor((message) => message.replyTo?.id === typed.id);
      expect(answer.text).toMatch(/did not understand this link\. Nothing was charged/);
    }
    await ama.ask(own, '/start charge_0302123456_50', /Please check/);
    expect(payments()).toEqual([]);
  });
});
