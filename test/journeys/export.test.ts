import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/core/store/store.ts';
import { aPayment } from '../support/a-payment.ts';
import { runApp } from '../support/run-app.ts';
import { runCommand } from '../support/run-command.ts';
import { startSlackWorkspace } from '../support/slack/workspace.ts';
import { slackSettings } from '../support/slack-shop.ts';
import { TelegramSimulator } from '../support/telegram-simulator.ts';
import { isSharedStore, storeSettings } from '../support/test-store.ts';

const fill = async (store: Store): Promise<void> => {
  const nowMs = Date.now();
  const put = (['completed', 'completed', 'failed'] as const).map((state, at) => ({
    kind: 'payment' as const,
    record: { ...aPayment({ state }), id: `P${at}`, confirmedAtMs: nowMs - 1_000 * at },
  }));
  expect(await store.commit({ put })).toBe(true);
};

const rowsOf = (bytes: Buffer): Record<string, string>[] =>
  parse(bytes, { bom: true, columns: true, record_delimiter: '\r\n' });

describe('payments are exported', () => {
  it.each(['http', 'socket'] as const)(
    'in Slack over %s: to the direct chat of who asked, listed by /audit exports, refused to others',
    async (transport) => {
      const slack = await startSlackWorkspace({
        transport,
        people: ['ama', 'yaw'],
        channels: [{ name: 'sales' }],
      });
      onTestFinished(() => slack.stop());
      const [ama, yaw] = [slack.person('ama'), slack.person('yaw')];
      const access = `
roles:
  finance: {commands: [export, audit]}
  sales: {commands: [charge]}
members:
  finance: [slack:${ama.id}]
  sales: [slack:${yaw.id}]
`;
      const { app } = await runApp(await slackSettings(slack, transport), { access });
      await fill(app.store);
      await ama.slash('sales', '/export', 'completed');
      const shared = await slack.file('@ama', /^payments-\d+\.csv$/);
      expect(rowsOf(shared.bytes)).toMatchObject([
        { transaction_id: 'P0', customer_number: '024 *** 3456' },
        { transaction_id: 'P1' },
      ]);
      await ama.ephemeral(/The file is in our direct chat[\s\S]*2, completed/);
      await ama.slash('sales', '/audit', 'exports');
      await ama.ephemeral(/2 payments, completed, numbers shortened/);
      await yaw.slash('sales', '/export', '');
      await yaw.ephemeral(/You cannot export payments yet/);
      expect(await slack.transcript('sales')).toBe('');
    },
  );

  it('in Telegram: to the private chat, also when it was typed in a group, listed by /audit exports, refused to others', async () => {
    const telegram = await TelegramSimulator.start({ now: () => Date.now() });
    onTestFinished(() => telegram.stop());
    const access = `
roles:
  finance: {commands: [export, audit], reveal: true}
  sales: {commands: [charge]}
members:
  finance: [telegram:1001]
  sales: [telegram:1002]
`;
    const { app } = await runApp(
      {
        PAYMENTS_BASE_URL: 'sandbox',
        TELEGRAM_BOT_TOKEN: telegram.token,
        TELEGRAM_API_ROOT: telegram.apiRoot,
      },
      { access },
    );
    await fill(app.store);
    const ama = telegram.person('Ama Mensah', 1001);
    const own = telegram.privateChat(ama);
    const group = telegram.group('Sales', [ama]);
    ama.type(group, '/export failed');
    const sent = await own.waitFor(/^TEST · Payments: failed$/);
    const bytes = Buffer.from((await sent.content.file?.arrayBuffer()) ?? new ArrayBuffer());
    expect(rowsOf(bytes)).toMatchObject([{ transaction_id: 'P2', customer_number: '0244123456' }]);
    await group.waitFor(/The file is in our direct chat/);
    ama.type(own, '/audit exports');
    await own.waitFor(/1 payment, failed/);
    const yaw = telegram.person('Yaw Owusu', 1002);
    const yaws = telegram.privateChat(yaw);
    yaw.type(yaws, '/export');
    await yaws.waitFor(/You cannot export payments yet/);
    expect(yaws.fromBot.filter(({ content }) => content.file !== undefined)).toEqual([]);
  });

  it('in the terminal as a file, and in a shell to standard output, beside a Paythread that runs', async () => {
    const shop = await runApp();
    await fill(shop.app.store);
    shop.type('/export today');
    await shop.shows('The file is saved');
    const path = /File: +(\S+\.csv)/.exec(shop.screen())?.[1] ?? '';
    expect(path.startsWith(join(shop.dir, 'data', 'files'))).toBe(true);
    expect(rowsOf(await readFile(path))).toHaveLength(3);
    const env = { DATA_DIR: join(shop.dir, 'data'), ...(await storeSettings(shop.dir)) };
    const { code, output } = await runCommand('export', ['--state', 'completed'], env);
    expect(code).toBe(0);
    const [text = '', end] = output.split(/(?=2 payments, SHA-256 [0-9a-f]{64}\n)/);
    expect(end).toBeDefined();
    expect(rowsOf(Buffer.from(text))).toMatchObject([
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
