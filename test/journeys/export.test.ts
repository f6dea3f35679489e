import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Store } from '../../src/core/store/store.ts';
import { csvRows } from '../support/csv-rows.ts';
import { runApp } from '../support/run-app.ts';
import { runCommand } from '../support/run-command.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { storePayments } from '../support/stored-payments.ts';
import { fileOf } from '../support/telegram/sent-file.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { isSharedStore, storeSettings } from '../support/test-store.ts';
import { together } from '../support/together.ts';

const it = together();

const ACCESS = `
roles: { finance: {commands: [export, audit], reveal: true}, sales: {commands: [charge]} }
members: { finance: [<@ama>], sales: [<@yaw>] }
`;

const fill = (store: Store): Promise<void> =>
  storePayments(
    store,
    (['completed', 'completed', 'failed'] as const).map((state, at) => ({
      id: `P${at}`,
      state,
      confirmedAtMs: Date.now() - 1_000 * at,
    })),
  );

describe('payments are exported', () => {
  it.each(['http', 'socket'] as const)(
    'in Slack over %s: to the direct chat of who asked, listed by /audit exports, refused to others',
    async (transport) => {
      const { slack, ama, yaw, app } = await openSlackShop({
        transport,
        people: ['ama', 'yaw'],
        access: ACCESS.replace(', reveal: true', ''),
      });
      await fill(app.store);
      await ama.slash('sales', '/export', 'completed');
      const shared = await slack.file('@ama', /^payments-\d+\.csv$/);
      expect(csvRows(shared.bytes)).toMatchObject([
        { transaction_id: 'P0', customer_number: '024 *** 3456' },
        { transaction_id: 'P1' },
      ]);
      await ama.ephemeral(/The file is in our private chat[\s\S]*2, completed/);
      await ama.ask('sales', '/audit exports', /2 payments, completed, numbers shortened/);
      await yaw.ask('sales', '/export', /You cannot export payments yet/);
      expect(await slack.transcript('sales')).toBe('');
    },
  );

  it('in Telegram: to the private chat, also when it was typed in a group, listed by /audit exports, refused to others', async () => {
    const { telegram, ama, yaw, app } = await openTelegramShop({
      people: { ama: 'Ama Mensah', yaw: 'Yaw Owusu' },
      access: ACCESS,
    });
    await fill(app.store);
    const own = telegram.privateChat(ama);
    const group = telegram.group('Sales', [ama]);
    ama.type(group, '/export failed');
    const sent = await own.waitFor(/^TEST · Payments: failed$/);
    expect(csvRows(await fileOf(sent))).toMatchObject([
      { transaction_id: 'P2', customer_number: '0244123456' },
    ]);
    await group.waitFor(/The file is in our private chat/);
    await ama.ask(own, '/audit exports', /1 payment, failed/);
    const yaws = telegram.privateChat(yaw);
    await yaw.ask(yaws, '/export', /You cannot export payments yet/);
    expect(yaws.fromBot.filter(({ content }) => content.file !== undefined)).toEqual([]);
  });

  it('in the terminal as a file, and in a shell to standard output, beside a Paythread that runs', async () => {
    const shop = await runApp();
    await fill(shop.app.store);
    await shop.ask('/export today', 'The file is saved');
    const path = /File: +(\S+\.csv)/.exec(shop.screen())?.[1] ?? '';
    expect(path.startsWith(join(shop.dir, 'data', 'files'))).toBe(true);
    expect(csvRows(await readFile(path))).toHaveLength(3);
    const env = { DATA_DIR: join(shop.dir, 'data'), ...(await storeSettings(shop.dir)) };
    const { code, output } = await runCommand('export', ['--state', 'completed'], env);
    expect(code).toBe(0);
    const [text = '', end] = output.split(/(?=2 payments\n)/);
    expect(end).toBeDefined();
    expect(csvRows(text)).toMatchObject([
      { transaction_id: 'P0', customer_number: '0244123456', customer_name: 'KOFI MENSAH' },
      { transaction_id: 'P1' },
    ]);
    // A program keeps the embedded store to itself, and the shell says so.
    const trail = await shop.app.store.auditOf('exports');
    expect(trail.map(({ detail }) => detail?.['isWhole'])).toEqual(
      isSharedStore ? [true, true] : [true],
    );
    expect(end?.includes('This export is not in the audit trail')).toBe(!isSharedStore);
  });
});
