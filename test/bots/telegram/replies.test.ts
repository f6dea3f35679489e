import { describe, expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { chargeInTelegram } from '../../support/telegram/charge.ts';
import { openTelegramShop } from '../../support/telegram-shop.ts';
import { together } from '../../support/together.ts';

const it = together();

const ACCESS = `
roles: { sales: { commands: [charge, status, sms] } }
members: { sales: [<@ama>, <@kojo>] }
`;

/** A group with the card of a charge of Ama's that was paid. */
const openShop = async () => {
  const shop = await openTelegramShop({
    people: { ama: 'Ama Mensah', kojo: 'Kojo Boateng', stranger: 'Yaw Darko' },
    chats: ({ telegram, ama, kojo, stranger }) => ({
      group: telegram.group('Sales', [ama, kojo, stranger]),
    }),
    env: { SMS_SENDER_ID: 'SHOP' },
    access: ACCESS,
  });
  const { ama, group } = shop;
  const card = await chargeInTelegram(ama, group, '0244123456 50');
  const outcome = await group.waitFor(/: completed/);
  await eventually(() => expect(card.text).toMatch(/completed/));
  const answerTo = (typed: { id: number }) =>
    group.waitFor(({ replyTo }) => replyTo?.id === typed.id);
  return { ...shop, card, outcome, answerTo };
};

describe('a reply to a card in Telegram', () => {
  it('with /status is about its payment', async () => {
    const { ama, group, card, outcome, answerTo } = await openShop();
    for (const replyTo of [card, outcome]) {
      const status = await answerTo(ama.type(group, '/status', { replyTo }));
      expect(status.text).toMatch(/GHS 50\.00.*completed/s);
      expect(status.text).toContain('Asked just now');
    }
  });

  it('with /charge is about its customer, with a confirmation of its own', async () => {
    const { ama, group, card, payments, answerTo } = await openShop();
    const question = await answerTo(ama.type(group, '/charge 20', { replyTo: card }));
    expect(question.text).toMatch(/Charge GHS 20\.00\?/);
    expect(question.text).toContain('024 412 3456');
    expect(payments()).toHaveLength(1);
    const form = await answerTo(ama.type(group, '/charge', { replyTo: card }));
    expect(form.text).toMatch(/Customer number: 024 412 3456.*Amount\?.*Last time GHS 50\.00/s);
  });

  it('with /sms is for its customer', async () => {
    const { ama, group, card, answerTo } = await openShop();
    const preview = await answerTo(ama.type(group, '/sms 2 bags are ready', { replyTo: card }));
    expect(preview.text).toMatch(/Send this SMS.*2 bags are ready/s);
    expect(preview.text).toMatch(/024 \S+ 3456/);
  });

  it('is overruled by what was typed', async () => {
    const { ama, group, card, answerTo } = await openShop();
    const question = await answerTo(ama.type(group, '/charge 0201234567 20', { replyTo: card }));
    expect(question.text).toContain('020 123 4567');
    const preview = await answerTo(ama.type(group, '/sms 0201234567 Hello', { replyTo: card }));
    expect(preview.text).toMatch(/020 \S+ 4567/);
    const status = await answerTo(ama.type(group, '/status 0123456789AB', { replyTo: card }));
    expect(status.text).toContain('I have no payment with this id');
  });

  it('shows a colleague no number, and gives a stranger nothing', async () => {
    const { kojo, stranger, group, card, answerTo } = await openShop();
    const sms = await answerTo(kojo.type(group, '/sms Hello', { replyTo: card }));
    expect(sms.text).toContain('This is a customer of Ama Mensah. I do not show you the number.');
    const question = await answerTo(kojo.type(group, '/charge 20', { replyTo: card }));
    expect(question.text).toMatch(/Charge GHS 20\.00\?/);
    expect(question.text).not.toContain('412 3456');
    const refusal = await answerTo(stranger.type(group, '/charge 20', { replyTo: card }));
    expect(refusal.text).toContain('You cannot charge yet');
  });

  it('about nothing is a command as ever', async () => {
    const { ama, group, answerTo } = await openShop();
    const help = await answerTo(ama.type(group, '/help'));
    const form = await answerTo(ama.type(group, '/status', { replyTo: help }));
    expect(form.text).toMatch(/Transaction id\?/);
  });
});
