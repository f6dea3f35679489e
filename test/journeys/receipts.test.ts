import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type RunningApp, runApp } from '../support/run-app.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { refusalOf } from '../support/telegram/refusal-of.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { templateSettings } from '../support/template-settings.ts';
import { together } from '../support/together.ts';

const TEMPLATES = `
receipt: { text: "Thank you {name}. {shop} received {amount}.", from: SHOP }
ready: { text: "Your order is ready. {shop}" }
`;

/** Of kojo the right to send SMS is missing. */
const ACCESS = `
roles: { sales: {commands: [charge, sms, payments, status]}, others: {commands: [payments]} }
members: { sales: [<@ama>], others: [<@kojo>] }
`;

describe('a receipt', () => {
  const it = together();

  it('on Slack is one press on the card, told once, in its thread', async () => {
    const { slack, ama, kojo } = await openSlackShop({
      transport: 'socket',
      people: ['ama', 'kojo'],
      env: await templateSettings(TEMPLATES),
      access: ACCESS,
    });
    await chargeInSlack(ama, 'sales', '0244123456 50');
    await slack.message('sales', /: completed/);
    const card = await slack.message('sales', /GHS 50\.00 completed/);
    expect(JSON.stringify(card.blocks)).toContain('Receipt');
    await kojo.choose(card, 'Receipt', /You cannot send SMS yet/);
    await ama.press(card, 'Receipt');
    const report = await slack.message('sales', /Receipt SMS: sent/);
    expect(report.thread).toBe(card.ts);
    expect(ama.ephemerals().join()).not.toContain('receipt');
    await ama.choose(card, 'Receipt', /Not sent again/);
    await eventually(async () => {
      const { blocks } = await slack.message('sales', /GHS 50\.00 completed/);
      expect(JSON.stringify(blocks)).not.toContain('Receipt');
    });
  });

  it('on Slack is told to the presser where its report is in another channel', async () => {
    const { slack, ama, app } = await openSlackShop({
      transport: 'socket',
      people: ['ama', 'kojo'],
      channels: ['sales', 'finance'],
      env: await templateSettings(TEMPLATES),
      access: ACCESS,
    });
    await chargeInSlack(ama, 'sales', '0244123456 50');
    await slack.message('sales', /: completed/);
    const { payments } = await app.store.listPayments({}, { limit: 1 });
    const status = await ama.ask('finance', `/paystatus ${payments[0]?.id}`, /completed/);
    await ama.choose(status, 'Receipt', /The receipt is being sent/);
    await slack.message('sales', /Receipt SMS: sent/);
  });

  it('on Telegram is one press on the card, answered in the press and reported as a reply to it', async () => {
    const { telegram, ama, kojo, group } = await openTelegramShop({
      people: { ama: 'Ama Mensah', kojo: 'Kojo Boateng' },
      chats: ({ telegram, ama, kojo }) => ({ group: telegram.group('Sales', [ama, kojo]) }),
      env: await templateSettings(TEMPLATES),
      access: ACCESS,
    });
    await chargeInTelegram(ama, group, '0244123456 50');
    const card = (await group.waitFor(/: completed/)).replyTo;
    if (card === undefined) throw new Error('there is no card');
    await eventually(() =>
      expect(card.buttons?.flat()).toEqual(['Charge again', 'Receipt', 'Details']),
    );
    expect(await refusalOf(kojo.press(card, 'Receipt'), telegram.privateChat(kojo))).toContain(
      'You cannot send SMS yet',
    );
    const press = ama.press(card, 'Receipt');
    await eventually(() =>
      expect(press.answer).toMatch(/The receipt is being sent[\s\S]*Costs 1 SMS/),
    );
    const report = await group.waitFor(/Receipt SMS: sent/);
    expect(report.replyTo?.id).toBe(card.id);
    await eventually(() => expect(card.buttons?.flat()).toEqual(['Charge again', 'Details']));
  });

  it('in the terminal is a word, and a template is sent by its name', async () => {
    const shop = await runApp(await templateSettings(TEMPLATES));
    await shop.charge('0244123456 50');
    await shop.shows(': completed');
    await shop.shows(/GHS 50\.00 completed[\s\S]*receipt/i);
    await shop.ask('receipt', 'Receipt SMS: sent');
    await shop.ask('/sms @ready 0244123456', 'Your order is ready. Adjoa Stores');
    await shop.ask('yes', 'SMS "Your order is ready. Adjoa Sto…": sent');
    await shop.ask('/sms @ready', 'To?');
    await shop.ask('0201234567', /To:\s+020 \*\*\* 4567/);
    await shop.ask('/sms @receipt 0244123456', '@receipt needs {name}, {amount}.');
  });

  it('with RECEIPT=always goes out by itself, once, also over a restart', async () => {
    const env = {
      ...(await templateSettings(TEMPLATES)),
      RECEIPT: 'always',
      TIME_ZONE: noonZone(),
    };
    const sent = ({ app }: RunningApp) =>
      (app.sandbox?.requests ?? []).filter(({ path }) => path.endsWith('/send_sms'));
    const shop = await runApp(env);
    await shop.charge('0244123456 50');
    await eventually(() => expect(sent(shop)).toHaveLength(1));
    expect(sent(shop)[0]?.body).toMatchObject({ sender_id: 'SHOP' });
    const next = await shop.restart();
    await next.charge('0201234567 60');
    await eventually(() => expect(sent(next)).toHaveLength(1));
    expect(JSON.stringify(sent(next)[0]?.body)).toContain('GHS 60.00');
    expect(next.screen()).not.toContain('Receipt SMS');
  });
});

/** A time zone in which it is about noon now: receipts wait in the night. */
const noonZone = (): string => {
  const ahead = 12 - new Date().getUTCHours();
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
};
