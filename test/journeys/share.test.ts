import { describe, expect } from 'vitest';
import { runApp } from '../support/run-app.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { fileOf } from '../support/telegram/sent-file.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { templateSettings } from '../support/template-settings.ts';
import { together } from '../support/together.ts';

const it = together();

const TEMPLATES = 'receipt: { text: "Thank you. {shop} received {amount}.", from: SHOP }';

/** It stays pending. */
const CHECKOUT = '0244123406 50 checkout';
const TO_CUSTOMER = 'https://wa.me/233244123406?text=';

const ACCESS = `
roles: { sales: {commands: [charge, sms]}, others: {commands: [payments]} }
members: { sales: [<@ama>], others: [<@kojo>] }
`;

describe('where to pay is handed on', () => {
  it.each(['http', 'socket'] as const)(
    'in Slack over %s: by a link with the number that one person alone sees, and by a picture in the direct chat',
    { tags: ['T95'] },
    async (transport) => {
      const { slack, ama, kojo } = await openSlackShop({
        transport,
        people: ['ama', 'kojo'],
        env: await templateSettings(TEMPLATES),
        access: ACCESS,
      });
      await chargeInSlack(ama, 'sales', CHECKOUT);
      const card = await slack.message('sales', /GHS 50\.00 pending/);
      await ama.press(card, 'Send by WhatsApp');
      const own = await ama.ephemeral(/Send this by WhatsApp/);
      expect(JSON.stringify(own.blocks)).toContain(TO_CUSTOMER);
      await kojo.press(card, 'Send by WhatsApp');
      const others = await kojo.ephemeral(/You cannot see this number/);
      expect(JSON.stringify(others.blocks)).toContain('https://wa.me/?text=');
      await ama.press(card, 'QR');
      const picture = await slack.file('@ama', /^scan-to-pay\.png$/);
      expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG');
      for (const message of await slack.messages('sales'))
        expect(JSON.stringify(message)).not.toMatch(/wa\.me|244123406/);
    },
  );

  it('in Telegram: from a group in the private chat, never in the group', {
    tags: ['T95'],
  }, async () => {
    const { telegram, ama, group } = await openTelegramShop({
      people: { ama: 'Ama Mensah', kojo: 'Kojo Boateng' },
      chats: ({ telegram, ama, kojo }) => ({ group: telegram.group('Sales', [ama, kojo]) }),
      env: await templateSettings(TEMPLATES),
      access: ACCESS,
    });
    const own = telegram.privateChat(ama);
    await chargeInTelegram(ama, group, CHECKOUT);
    const card = await group.waitFor(/GHS 50\.00 pending/);
    ama.press(card, 'Send by WhatsApp');
    const answer = await own.waitFor(/Send this by WhatsApp/);
    expect(JSON.stringify(answer.content.buttons)).toContain(TO_CUSTOMER);
    ama.press(card, 'QR');
    const picture = await own.waitFor(/Scan to pay GHS 50\.00/);
    expect((await fileOf(picture)).subarray(1, 4).toString()).toBe('PNG');
    for (const message of group.fromBot)
      expect(JSON.stringify(message.versions)).not.toMatch(/wa\.me|244123406/);
  });

  it('in the terminal as a line to open, and a picture that is saved', async () => {
    const shop = await runApp(await templateSettings(TEMPLATES));
    await shop.charge(CHECKOUT);
    await shop.shows(/GHS 50\.00 pending/);
    await shop.ask('send by whatsapp', TO_CUSTOMER);
    await shop.ask('qr', /The picture is saved[\s\S]*scan-to-pay\.png/);
  });
});

describe('a receipt that went out by SMS is handed on as well', () => {
  it.each(['http', 'socket'] as const)(
    'in Slack over %s from the report of its SMS',
    async (transport) => {
      const { slack, ama } = await openSlackShop({
        transport,
        people: ['ama'],
        env: await templateSettings(TEMPLATES),
        access: ACCESS.replace('<@kojo>', ''),
      });
      await chargeInSlack(ama, 'sales', '0244123456 50');
      await slack.message('sales', /: completed/);
      await ama.press(await slack.message('sales', /GHS 50\.00 completed/), 'Receipt');
      const report = await slack.message('sales', /Receipt SMS: sent/);
      await ama.press(report, 'Send by WhatsApp');
      const { blocks } = await ama.ephemeral(/Thank you\. Adjoa Stores received GHS 50\.00/);
      expect(JSON.stringify(blocks)).toContain('https://wa.me/233244123456?text=Thank%20you');
    },
  );

  it('in Telegram from the Details', async () => {
    const { telegram, ama } = await openTelegramShop({
      people: { ama: 'Ama Mensah' },
      env: await templateSettings(TEMPLATES),
      access: ACCESS.replace('<@kojo>', ''),
    });
    const own = telegram.privateChat(ama);
    await chargeInTelegram(ama, own, '0244123456 50');
    const card = (await own.waitFor(/: completed/)).replyTo;
    if (card === undefined) throw new Error('there is no card');
    ama.press(card, 'Receipt');
    await own.waitFor(/Receipt SMS: sent/);
    ama.press(card, 'Details');
    ama.press(await own.waitFor(/^✅ .*GHS 50\.00 completed[\s\S]*Asked by/), 'Send by WhatsApp');
    const { content } = await own.waitFor(/Thank you\. Adjoa Stores received GHS 50\.00/);
    expect(JSON.stringify(content.buttons)).toContain(
      'https://wa.me/233244123456?text=Thank%20you',
    );
  });
});
