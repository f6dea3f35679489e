import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { FastClock } from '../support/fast-clock.ts';
import { type RunningApp, runApp } from '../support/run-app.ts';
import { startSlackWorkspace } from '../support/slack/workspace.ts';
import { slackSettings } from '../support/slack-shop.ts';
import { refusalOf } from '../support/telegram/refusal-of.ts';
import { TelegramSimulator } from '../support/telegram-simulator.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TEMPLATES = `
receipt: { text: "Thank you {name}. {shop} received {amount}.", from: SHOP }
ready: { text: "Your order is ready. {shop}" }
`;

const smsEnv = async (): Promise<Record<string, string>> => {
  const TEMPLATES_FILE = join(await tempFolder(), 'templates.yml');
  await writeFile(TEMPLATES_FILE, TEMPLATES);
  return { TEMPLATES_FILE, SMS_SENDER_ID: 'SHOP', PAYMENTS_NICKNAME: 'Adjoa Stores' };
};

/** Of kojo the right to send SMS is missing. */
const accessOf = (ama: string, kojo: string): string => `
roles:
  sales: {commands: [charge, sms, payments]}
  others: {commands: [payments]}
members:
  sales: ['${ama}']
  others: ['${kojo}']
`;

describe('a receipt', () => {
  it('on Slack is one press on the card, answered in private and reported in its thread', async () => {
    const slack = await startSlackWorkspace({
      transport: 'socket',
      people: ['ama', 'kojo'],
      channels: [{ name: 'sales' }],
    });
    onTestFinished(() => slack.stop());
    const [ama, kojo] = [slack.person('ama'), slack.person('kojo')];
    await runApp(
      { ...(await slackSettings(slack, 'socket')), ...(await smsEnv()) },
      { clock: new FastClock(), access: accessOf(`slack:${ama.id}`, `slack:${kojo.id}`) },
    );
    await ama.slash('sales', '/charge', '0244123456 50');
    await ama.press(await ama.ephemeral(/Charge GHS 50\.00\?/), 'Charge GHS 50.00');
    await slack.message('sales', /: completed/);
    const card = await slack.message('sales', /completed · GHS 50\.00/);
    expect(JSON.stringify(card.blocks)).toContain('Receipt');
    await kojo.press(card, 'Receipt');
    await kojo.ephemeral(/You cannot send SMS yet/);
    await ama.press(card, 'Receipt');
    await ama.ephemeral(/The receipt is being sent[\s\S]*Costs 1 SMS\./);
    const report = await slack.message('sales', /Receipt SMS: 1 of 1 accepted/);
    expect(report.thread).toBe(card.ts);
    await ama.press(card, 'Receipt');
    await ama.ephemeral(/Not sent again/);
    await eventually(async () => {
      const { blocks } = await slack.message('sales', /completed · GHS 50\.00/);
      expect(JSON.stringify(blocks)).not.toContain('Receipt');
    });
  });

  it('on Telegram is one press on the card, answered in the press and reported as a reply to it', async () => {
    const clock = new FastClock();
    const telegram = await TelegramSimulator.start({ now: () => clock.now() });
    onTestFinished(() => telegram.stop());
    await runApp(
      {
        PAYMENTS_BASE_URL: 'sandbox',
        TELEGRAM_BOT_TOKEN: telegram.token,
        TELEGRAM_API_ROOT: telegram.apiRoot,
        ...(await smsEnv()),
      },
      { clock, access: accessOf('telegram:1001', 'telegram:1002') },
    );
    const ama = telegram.person('Ama Mensah', 1001);
    const kojo = telegram.person('Kojo Boateng', 1002);
    const group = telegram.group('Sales', [ama, kojo]);
    ama.type(group, '/charge 0244123456 50');
    ama.press(await group.waitFor(/Charge GHS 50\.00\?/), 'Charge GHS 50.00');
    const card = (await group.waitFor(/: completed/)).replyTo;
    if (card === undefined) throw new Error('there is no card');
    await eventually(() =>
      expect(card.buttons?.flat()).toEqual(['Charge again', 'Receipt', 'Details']),
    );
    expect(await refusalOf(kojo.press(card, 'Receipt'), telegram.privateChat(kojo))).toContain(
      'You cannot send SMS yet',
    );
    expect(await refusalOf(ama.press(card, 'Receipt'), telegram.privateChat(ama))).toMatch(
      /The receipt is being sent[\s\S]*Costs 1 SMS/,
    );
    const report = await group.waitFor(/Receipt SMS: 1 of 1 accepted/);
    expect(report.replyTo?.id).toBe(card.id);
    await eventually(() => expect(card.buttons?.flat()).toEqual(['Charge again', 'Details']));
  });

  it('in the terminal is a word, and a template is sent by its name', async () => {
    const shop = await runApp(await smsEnv());
    shop.type('/charge 0244123456 50');
    await shop.shows('Charge GHS 50.00?');
    shop.type('yes');
    await shop.shows(': completed');
    await shop.shows(/completed · GHS 50\.00[\s\S]*receipt/i);
    shop.type('receipt');
    await shop.shows('Costs 1 SMS.');
    await shop.shows('Receipt SMS: 1 of 1 accepted');
    shop.type('/sms @ready 0244123456');
    await shop.shows('Your order is ready. Adjoa Stores');
    shop.type('yes');
    await shop.shows('SMS "Your order is ready. Adjoa Sto…": 1 of 1 accepted');
    shop.type('/sms @ready');
    await shop.shows('To?');
    shop.type('0201234567');
    await shop.shows(/To:\s+020 \*\*\* 4567/);
    shop.type('/sms @receipt 0244123456');
    await shop.shows('@receipt needs {name}, {amount}.');
  });

  it('with RECEIPT=always goes out by itself, once, also over a restart', async () => {
    const env = { ...(await smsEnv()), RECEIPT: 'always', TIME_ZONE: noonZone() };
    const sent = ({ app }: RunningApp) =>
      (app.sandbox?.requests ?? []).filter(({ path }) => path.endsWith('/send_sms'));
    const shop = await runApp(env);
    shop.type('/charge 0244123456 50');
    await shop.shows('Charge GHS 50.00?');
    shop.type('yes');
    await eventually(() => expect(sent(shop)).toHaveLength(1));
    expect(sent(shop)[0]?.body).toMatchObject({ sender_id: 'SHOP' });
    await shop.stop();
    const next = await runApp(env, { dir: shop.dir });
    next.type('/charge 0201234567 60');
    await next.shows('Charge GHS 60.00?');
    next.type('yes');
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
