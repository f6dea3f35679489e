import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { FastClock } from '../support/fast-clock.ts';
import { merchantsFile, serviceOfMerchants } from '../support/merchants-file.ts';
import { runApp } from '../support/run-app.ts';
import { startSlackWorkspace } from '../support/slack/workspace.ts';
import { slackSettings } from '../support/slack-shop.ts';
import { TelegramSimulator } from '../support/telegram-simulator.ts';

describe('several merchants', () => {
  it.each(['http', 'socket'] as const)(
    'are paid by conversation, in Slack over %s and in Telegram at the same time',
    async (transport) => {
      const clock = new FastClock();
      const slack = await startSlackWorkspace({
        transport,
        people: ['ama'],
        channels: [{ name: 'osu' }, { name: 'kasoa' }],
      });
      onTestFinished(() => slack.stop());
      const telegram = await TelegramSimulator.start({ now: () => clock.now() });
      onTestFinished(() => telegram.stop());
      const ama = slack.person('ama');
      const kofi = telegram.person('Kofi Mensah', 1001);
      const group = telegram.group('Tema', [kofi]);
      const { service, settings } = await serviceOfMerchants();
      const access = `
roles: {all: {commands: '*'}}
members: {all: ['slack:${ama.id}', 'telegram:1001']}
`;
      await runApp(
        {
          ...(await slackSettings(slack, transport)),
          TELEGRAM_BOT_TOKEN: telegram.token,
          TELEGRAM_API_ROOT: telegram.apiRoot,
          ...settings,
          MERCHANTS_FILE: await merchantsFile({
            osu: `slack:${await slack.channelId('osu')}`,
            tema: `telegram:${group.id}`,
          }),
        },
        { clock, access },
      );
      await ama.slash('osu', '/charge', '0244123456 50');
      const question = await ama.ephemeral(/Merchant[\s\S]*osu/);
      await ama.press(question, 'Charge GHS 50.00');
      await slack.message('osu', /: completed/);
      kofi.type(group, '/charge 0244123456 60');
      kofi.press(await group.waitFor(/Charge GHS 60\.00\?[\s\S]*tema/), 'Charge GHS 60.00');
      await group.waitFor(/: completed/);
      expect(service.taken.map(({ amount, by }) => [amount, by])).toEqual([
        [50, 'osu/7'],
        [60, 'tema/8'],
      ]);
      expect(new Set(service.checkedBy)).toEqual(new Set(['osu/7', 'tema/8']));
      await ama.slash('kasoa', '/charge', '0244123456 50');
      await ama.ephemeral(/This conversation belongs to no merchant/);
      expect(service.taken).toHaveLength(2);
    },
  );

  it('are paid in the terminal, and a payment outlives the merchant that left the file', async () => {
    const { service, settings } = await serviceOfMerchants();
    const file = await merchantsFile({ tema: 'telegram:-100', osu: 'terminal:local' });
    const shop = await runApp({ ...settings, MERCHANTS_FILE: file });
    shop.type('/charge 0244123456 50');
    await shop.shows('Charge GHS 50.00?');
    shop.type('yes');
    await eventually(() => expect(service.taken.map(({ by }) => by)).toEqual(['osu/8']));
    await shop.shows(': completed');
    const { payments } = await shop.app.store.listPayments({}, { limit: 1 });
    expect(payments).toMatchObject([{ terms: { merchant: 'osu' } }]);
    await shop.stop();
    const without = await merchantsFile({ tema: 'terminal:local' });
    const later = await runApp({ ...settings, MERCHANTS_FILE: without }, { dir: shop.dir });
    later.type(`/status ${payments[0]?.id}`);
    await later.shows(/MERCHANTS_FILE has no merchant "osu" any more/);
  });
});
