import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { FastClock } from '../support/fast-clock.ts';
import { type RunningApp, runApp } from '../support/run-app.ts';
import { startSlackWorkspace } from '../support/slack/workspace.ts';
import { slackSettings } from '../support/slack-shop.ts';
import { TelegramSimulator } from '../support/telegram-simulator.ts';

const COLLECTED =
  /Day's end: \d+ \w+ 2\d{3}[\s\S]*Opening balance: ?\s*not available[\s\S]*Collected: ?\s*GHS 50\.00 \(1 payment\)/;
const CLOSED = /\(closed\)[\s\S]*closed this day today[\s\S]*There are no corrections\./;

/** One payment of the terminal, which has ended. */
const sell = async (shop: RunningApp): Promise<void> => {
  shop.type('/charge 0244123456 50');
  await shop.shows('Charge GHS 50.00?');
  shop.type('yes');
  await shop.shows(': completed');
};

/** What the audit trail has of the day that was closed. */
const isSealed = (shop: RunningApp) =>
  eventually(async () => {
    const date = new Date(shop.clock.now()).toISOString().slice(0, 10);
    const rows = await shop.app.store.auditOf(`closed.${date}`);
    expect(rows.map(({ what }) => what)).toEqual(['closed']);
  });

it.each(['socket', 'http'] as const)(
  'in Slack by %s who may close sees the day in private and seals it, and others are refused',
  async (transport) => {
    const slack = await startSlackWorkspace({
      transport,
      people: ['ama', 'efua'],
      channels: [{ name: 'sales', members: ['ama', 'efua'] }],
    });
    onTestFinished(() => slack.stop());
    const [ama, efua] = [slack.person('ama'), slack.person('efua')];
    const access = `
roles: { sales: { commands: [charge] }, finance: { commands: [close, payments] } }
members: { sales: [slack:${ama.id}], finance: [slack:${efua.id}] }
`;
    const clock = new FastClock();
    const shop = await runApp(await slackSettings(slack, transport), { clock, access });
    await ama.slash('sales', '/charge', '0244123456 50');
    await ama.press(await ama.ephemeral(/Charge GHS 50\.00\?/), 'Charge GHS 50.00');
    await slack.message('sales', /: completed/);
    await ama.slash('sales', '/close', '');
    await ama.ephemeral(/You cannot close days yet/);
    await efua.slash('sales', '/close', '');
    await efua.press(await efua.ephemeral(COLLECTED), 'Close');
    await efua.ephemeral(CLOSED);
    await isSealed(shop);
    expect(await slack.transcript('sales')).not.toContain('Opening');
  },
);

it('in Telegram who may close gets the day in the private chat and seals it there', async () => {
  const clock = new FastClock();
  const telegram = await TelegramSimulator.start({ now: () => clock.now() });
  onTestFinished(() => telegram.stop());
  const efua = telegram.person('Efua Owusu', 1002);
  const own = telegram.privateChat(efua);
  const group = telegram.group('Sales', [efua]);
  const access = `
roles: { finance: { commands: [charge, close] } }
members: { finance: [telegram:1002] }
`;
  const env = {
    PAYMENTS_BASE_URL: 'sandbox',
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.apiRoot,
  };
  const shop = await runApp(env, { clock, access });
  efua.type(own, '/charge 0244123456 50');
  efua.press(await own.waitFor(/Charge GHS 50\.00\?/), 'Charge GHS 50.00');
  await own.waitFor(/: completed/);
  efua.type(group, '/close');
  efua.press(await own.waitFor(COLLECTED), 'Close');
  await own.waitFor(CLOSED);
  await isSealed(shop);
  expect(group.transcript()).not.toContain('Opening');
});

it('in the terminal the day is closed by its first word', async () => {
  const shop = await runApp();
  await sell(shop);
  shop.type('/close');
  await shop.shows(COLLECTED);
  shop.type('close');
  await shop.shows(CLOSED);
  await isSealed(shop);
});
