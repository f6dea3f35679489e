import { expect, it, onTestFinished } from 'vitest';
import { digestsOf } from '../../src/core/records/digest.ts';
import { dayAt } from '../../src/core/values/calendar-day.ts';
import { eventually } from '../support/eventually.ts';
import { FastClock } from '../support/fast-clock.ts';
import { runApp } from '../support/run-app.ts';
import { startSlackWorkspace } from '../support/slack/workspace.ts';
import { slackSettings } from '../support/slack-shop.ts';
import { TelegramSimulator } from '../support/telegram-simulator.ts';

const DIGEST = /Day so far, \w+ \d+ \w+ until \d\d:\d\d[\s\S]*0 completed · GHS 0\.00/;

it.each(['socket', 'http'] as const)(
  'Slack by %s is told the day in the conversation that DIGEST names, and nowhere else',
  async (transport) => {
    const slack = await startSlackWorkspace({
      transport,
      people: ['ama'],
      channels: ['sales', 'finance'].map((name) => ({ name, members: ['ama'] })),
    });
    onTestFinished(() => slack.stop());
    const digest = { DIGEST: `slack:${await slack.channelId('finance')}`, DIGEST_AT: '00:00' };
    await runApp(
      { ...(await slackSettings(slack, transport)), ...digest },
      { clock: new FastClock() },
    );
    await slack.message('finance', DIGEST);
    expect(await slack.messages('sales')).toEqual([]);
  },
);

it('Telegram is told the day', async () => {
  const clock = new FastClock();
  const telegram = await TelegramSimulator.start({ now: () => clock.now() });
  onTestFinished(() => telegram.stop());
  const own = telegram.privateChat(telegram.person('Efua Owusu', 1002));
  const { app } = await runApp(
    {
      PAYMENTS_BASE_URL: 'sandbox',
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.apiRoot,
      DIGEST: 'telegram:1002',
      DIGEST_AT: '00:00',
    },
    { clock },
  );
  await own.waitFor(DIGEST);
  const { id } = digestsOf(dayAt(clock.now(), 'Africa/Accra'));
  await eventually(async () => expect(await app.store.get('setting', id)).toBeDefined());
});

it('the terminal is told no day: it asks with /report', async () => {
  const shop = await runApp({ DIGEST_AT: '00:00' });
  shop.type('/report');
  await shop.shows('0 completed · GHS 0.00');
});
