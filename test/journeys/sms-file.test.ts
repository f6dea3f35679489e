import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runApp } from '../support/run-app.ts';
import { startSlackWorkspace } from '../support/slack/workspace.ts';
import { slackSettings } from '../support/slack-shop.ts';
import { TelegramSimulator } from '../support/telegram-simulator.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DUES = 'number;name;amount\n0244123450;Ama;50\n0244123451;Kofi;20.50\n0244x;Yaw;5\n';

const smsEnv = async (): Promise<Record<string, string>> => {
  const TEMPLATES_FILE = join(await tempFolder(), 'templates.yml');
  await writeFile(TEMPLATES_FILE, 'due: { text: "Dear {name}, please bring {amount}. {shop}" }');
  return { TEMPLATES_FILE, SMS_SENDER_ID: 'SHOP', PAYMENTS_NICKNAME: 'Adjoa Stores' };
};

const accessOf = (ama: string, yaw: string): string => `
roles:
  office: {commands: [sms]}
  sales: {commands: [charge]}
members:
  office: ['${ama}']
  sales: ['${yaw}']
`;

describe('a file of SMS', () => {
  it.each(['http', 'socket'] as const)(
    'in Slack over %s: dropped into the direct chat with a template, shown, pressed, sent, and once only',
    async (transport) => {
      const slack = await startSlackWorkspace({
        transport,
        people: ['ama', 'yaw'],
        channels: [{ name: 'office', bot: true }],
      });
      onTestFinished(() => slack.stop());
      const [ama, yaw] = [slack.person('ama'), slack.person('yaw')];
      await runApp(
        { ...(await slackSettings(slack, transport)), ...(await smsEnv()) },
        { access: accessOf(`slack:${ama.id}`, `slack:${yaw.id}`) },
      );
      await ama.sendFile('@ama', 'dues.csv', DUES, 'sms @due');
      const left = await slack.file('@ama', /dues/);
      expect(left.bytes.toString()).toContain('0244x');
      const question = await slack.message('@ama', /Send 2 SMS\?/);
      expect(JSON.stringify(question.blocks)).toContain('Dear Ama, please bring GHS 50.00.');
      await ama.press(question, 'Send 2 SMS');
      const end = await slack.message('@ama', /2 of 2 accepted/);
      await ama.press(end, 'Result');
      const result = await slack.file('@ama', /result/);
      const rows: Record<string, string>[] = parse(result.bytes, { bom: true, columns: true });
      expect(rows.map(({ state, text }) => [state, text])).toEqual([
        ['accepted', 'Dear Ama, please bring GHS 50.00. Adjoa Stores'],
        ['accepted', 'Dear Kofi, please bring GHS 20.50. Adjoa Stores'],
      ]);
      await ama.sendFile('office', 'same.csv', DUES, 'sms @due');
      await ama.ephemeral(/This file was sent already[\s\S]*2 of 2 · 2 accepted/);
      await yaw.sendFile('@yaw', 'dues.csv', DUES, 'sms @due');
      await slack.message('@yaw', /You cannot send SMS yet/);
    },
  );

  it('in Telegram: with its caption, in the private chat and in a group; others are refused', async () => {
    const telegram = await TelegramSimulator.start({ now: () => Date.now() });
    onTestFinished(() => telegram.stop());
    await runApp(
      {
        PAYMENTS_BASE_URL: 'sandbox',
        TELEGRAM_BOT_TOKEN: telegram.token,
        TELEGRAM_API_ROOT: telegram.apiRoot,
        ...(await smsEnv()),
      },
      { access: accessOf('telegram:1001', 'telegram:1002') },
    );
    const ama = telegram.person('Ama Mensah', 1001);
    const own = telegram.privateChat(ama);
    const group = telegram.group('Office', [ama]);
    ama.sendDocument(own, 'dues.csv', DUES, '/sms @due');
    const question = await own.waitFor(/Send 2 SMS\?/);
    ama.press(question, 'Send 2 SMS');
    const end = await own.waitFor(/2 of 2 accepted[\s\S]*2 of 2 · 2 accepted/);
    ama.press(end, 'Result');
    const sent = await own.waitFor(({ content: { file } }) => /result/.test(file?.name ?? ''));
    const rows: Record<string, string>[] = parse((await sent.content.file?.text()) ?? '', {
      bom: true,
      columns: true,
    });
    expect(rows.map(({ state }) => state)).toEqual(['accepted', 'accepted']);
    const yaw = telegram.person('Yaw Owusu', 1002);
    const yaws = telegram.privateChat(yaw);
    yaw.sendDocument(yaws, 'dues.csv', DUES, '/sms @due');
    await yaws.waitFor(/You cannot send SMS yet/);
    ama.sendDocument(group, 'same.csv', DUES, '/sms @due');
    await group.waitFor(/This file was sent already/);
    ama.sendDocument(group, 'dues.csv', DUES, '/sms @dew');
    await group.waitFor(/There is no template/);
  });

  it('in the terminal by its path, over a stop of the program', async () => {
    const env = await smsEnv();
    const shop = await runApp(env);
    const path = join(shop.dir, 'school dues.csv');
    const rows = Array.from({ length: 12 }, (_, row) => `02441234${10 + row},Ama,5`);
    await writeFile(path, ['number,name,amount', ...rows].join('\n'));
    shop.type(`/sms @due ${path}`);
    await shop.shows('Send 12 SMS?');
    const button = /\[(\d+)\] Send 12 SMS/.exec(shop.screen())?.[1] ?? '1';
    shop.type(button);
    await shop.shows(/[1-9]\d* of 12/);
    await shop.stop();
    const again = await runApp(env, { dir: shop.dir });
    await again.shows('12 of 12 · 12 accepted');
    again.type('/sms @due /nowhere.csv');
    await again.shows('I cannot read /nowhere.csv');
    again.type('/sms @due 0244123456');
    await again.shows('Send me a file with the columns number, name, amount');
  });
});
