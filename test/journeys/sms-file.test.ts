import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { csvRows } from '../support/csv-rows.ts';
import { runApp } from '../support/run-app.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { sentFile } from '../support/telegram/sent-file.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { templateSettings } from '../support/template-settings.ts';
import { together } from '../support/together.ts';

const it = together();

const DUES = 'number;name;amount\n0244123450;Ama;50\n0244123451;Kofi;20.50\n0244x;Yaw;5\n';

const TEMPLATES = 'due: { text: "Dear {name}, please bring {amount}. {shop}" }';

const ACCESS = `
roles: { office: {commands: [sms]}, sales: {commands: [charge]} }
members: { office: [<@ama>], sales: [<@yaw>] }
`;

describe('a file of SMS', () => {
  it.each(['http', 'socket'] as const)(
    'in Slack over %s: dropped into the direct chat with a template, shown, pressed, sent, and once only',
    async (transport) => {
      const { slack, ama, yaw } = await openSlackShop({
        transport,
        people: ['ama', 'yaw'],
        channels: ['office'],
        env: await templateSettings(TEMPLATES),
        access: ACCESS,
      });
      await ama.sendFile('@ama', 'dues.csv', DUES, 'sms @due');
      const left = await slack.file('@ama', /dues/);
      expect(left.bytes.toString()).toContain('0244x');
      const question = await slack.message('@ama', /Send 2 SMS\?/);
      expect(JSON.stringify(question.blocks)).toContain('Dear Ama, please bring GHS 50.00.');
      await ama.press(question, 'Send 2 SMS');
      const end = await slack.message('@ama', /2 of 2 sent/);
      await ama.press(end, 'Result');
      const result = await slack.file('@ama', /result/);
      expect(csvRows(result.bytes).map(({ state, text }) => [state, text])).toEqual([
        ['sent', 'Dear Ama, please bring GHS 50.00. Adjoa Stores'],
        ['sent', 'Dear Kofi, please bring GHS 20.50. Adjoa Stores'],
      ]);
      await ama.sendFile('office', 'same.csv', DUES, 'sms @due');
      await ama.ephemeral(/This file was sent already[\s\S]*2 of 2 · 2 sent/);
      await yaw.sendFile('@yaw', 'dues.csv', DUES, 'sms @due');
      await slack.message('@yaw', /You cannot send SMS yet/);
    },
  );

  it('in Telegram: with its caption, in the private chat and in a group; others are refused', async () => {
    const { telegram, ama, yaw } = await openTelegramShop({
      people: { ama: 'Ama Mensah', yaw: 'Yaw Owusu' },
      env: await templateSettings(TEMPLATES),
      access: ACCESS,
    });
    const own = telegram.privateChat(ama);
    const group = telegram.group('Office', [ama]);
    ama.sendDocument(own, 'dues.csv', DUES, '/sms @due');
    const question = await own.waitFor(/Send 2 SMS\?/);
    ama.press(question, 'Send 2 SMS');
    const end = await own.waitFor(/2 of 2 sent/);
    ama.press(end, 'Result');
    const result = await sentFile(own, /result/);
    expect(csvRows(result).map(({ state }) => state)).toEqual(['sent', 'sent']);
    const yaws = telegram.privateChat(yaw);
    yaw.sendDocument(yaws, 'dues.csv', DUES, '/sms @due');
    await yaws.waitFor(/You cannot send SMS yet/);
    ama.sendDocument(group, 'same.csv', DUES, '/sms @due');
    await group.waitFor(/This file was sent already/);
    ama.sendDocument(group, 'dues.csv', DUES, '/sms @dew');
    await group.waitFor(/There is no template/);
  });

  it('in the terminal by its path, over a stop of the program', async () => {
    const shop = await runApp(await templateSettings(TEMPLATES));
    const path = join(shop.dir, 'school dues.csv');
    const rows = Array.from({ length: 12 }, (_, row) => `02441234${10 + row},Ama,5`);
    await writeFile(path, ['number,name,amount', ...rows].join('\n'));
    await shop.ask(`/sms @due ${path}`, 'Send 12 SMS?');
    await shop.press('Send 12 SMS');
    await shop.shows(/[1-9]\d* of 12/);
    const again = await shop.restart();
    await again.shows('12 of 12 sent');
    await again.ask('/sms @due /nowhere.csv', 'I cannot read /nowhere.csv');
    await again.ask('/sms @due 0244123456', 'Send me a file with the columns number, name, amount');
  });
});
