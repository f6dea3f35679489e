import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { csvRows } from '../support/csv-rows.ts';
import { allPayments } from '../support/only-payment.ts';
import { runApp } from '../support/run-app.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

/** In the sandbox the last digits decide: `02` is not enough money. */
const DUES = 'number;amount;reference\n0244123450;50;Ama\n0244123451;20.50;Kofi\n0244x;5;Yaw\n';

const ACCESS = `
roles: { finance: {commands: [bulk]}, sales: {commands: [charge]} }
members: { finance: [<@ama>], sales: [<@yaw>] }
`;

describe('a file of charges', () => {
  it.each(['http', 'socket'] as const)(
    'in Slack over %s: dropped into the direct chat or beside a mention, shown, pressed, run, and once only',
    async (transport) => {
      const { slack, ama, yaw, app } = await openSlackShop({
        transport,
        people: ['ama', 'yaw'],
        channels: ['dues'],
        access: ACCESS,
      });
      await ama.sendFile('@ama', 'dues.csv', DUES);
      const left = await slack.file('@ama', /dues/);
      expect(csvRows(left.bytes)).toMatchObject([{ row: '4', number: '0244x' }]);
      const question = await slack.message('@ama', /Charge 2 customers: GHS 70\.50\?/);
      expect(await allPayments(app.store)).toEqual([]);
      await ama.press(question, 'Charge 2: GHS 70.50');
      await slack.message('@ama', /2 of 2 paid/);
      const end = await slack.message('@ama', /2 of 2 paid · GHS/);
      await ama.press(end, 'Result');
      const result = await slack.file('@ama', /result/);
      expect(csvRows(result.bytes).map(({ state }) => state)).toEqual(['completed', 'completed']);
      await ama.sendFile('dues', 'same.csv', DUES, '/bulk');
      await ama.ephemeral(/This file was charged already[\s\S]*2 of 2 · 2 paid/);
      await yaw.sendFile('@yaw', 'dues.csv', DUES);
      await slack.message('@yaw', /You cannot charge by file yet/);
      expect(await allPayments(app.store)).toHaveLength(2);
    },
  );

  it('in Telegram: in the private chat, and in a group with /bulk as its caption', async () => {
    const { telegram, ama, app } = await openTelegramShop({
      people: { ama: 'Ama Mensah', yaw: 'Yaw Owusu' },
      access: ACCESS,
    });
    const own = telegram.privateChat(ama);
    const group = telegram.group('Dues', [ama]);
    ama.sendDocument(own, 'dues.csv', DUES);
    const question = await own.waitFor(/Charge 2 customers: GHS 70\.50\?/);
    await ama.choose(own, question, 'Charge 2: GHS 70.50', /2 of 2 paid/);
    await own.waitFor(/2 of 2 paid · GHS/);
    ama.sendDocument(group, 'other name.csv', DUES, '/bulk');
    await group.waitFor(/This file was charged already/);
    // Without a caption it is nobody's in a group.
    ama.sendDocument(group, 'holiday.csv', 'a,b');
    ama.sendDocument(own, 'large.csv', Buffer.alloc(6_000_000, '1'));
    await own.waitFor(/larger than 5 MB/);
    ama.sendDocument(own, 'photo.csv', Buffer.from('89504e470d0a1a0a', 'hex'));
    await own.waitFor(/This is a picture, not a CSV file/);
    expect(group.fromBot).toHaveLength(1);
    expect(await allPayments(app.store)).toHaveLength(2);
  });

  it('in the terminal by its path, over a stop of the program', async () => {
    const shop = await runApp();
    const path = join(shop.dir, 'school fees.csv');
    const rows = Array.from({ length: 12 }, (_, row) => `02441234${10 + row},5`);
    await writeFile(path, ['number,amount', ...rows].join('\n'));
    await shop.ask(`/bulk ${path}`, 'Charge 12 customers: GHS 60.00?');
    await shop.press('Charge 12: GHS 60.00');
    await shop.shows(/[1-9]\d* of 12/);
    const again = await shop.restart();
    await again.shows('12 of 12 paid');
    const made = (await again.app.store.listPayments({}, { limit: 50 })).payments;
    expect(new Set(made.map(({ terms }) => terms.customerNumber)).size).toBe(12);
    expect(made).toHaveLength(12);
    await again.ask('/bulk /nowhere.csv', 'I cannot read /nowhere.csv');
  });
});
