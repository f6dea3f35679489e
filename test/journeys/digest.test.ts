import { expect } from 'vitest';
import { digestsOf } from '../../src/core/records/digest.ts';
import { dayAt } from '../../src/core/values/calendar-day.ts';
import { eventually } from '../support/eventually.ts';
import { runApp } from '../support/run-app.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

const DIGEST = /Day so far, \w+ \d+ \w+ until \d\d:\d\d[\s\S]*0 completed · GHS 0\.00/;

it.each(['socket', 'http'] as const)(
  'Slack by %s is told the day in the conversation that DIGEST names, and nowhere else',
  async (transport) => {
    const { slack } = await openSlackShop({
      transport,
      people: ['ama'],
      channels: ['sales', 'finance'],
      env: { DIGEST: '<#finance>', DIGEST_AT: '00:00' },
    });
    await slack.message('finance', DIGEST);
    expect(await slack.messages('sales')).toEqual([]);
  },
);

it('Telegram is told the day', async () => {
  const { telegram, efua, app, clock } = await openTelegramShop({
    people: { efua: 'Efua Owusu' },
    env: { DIGEST: '<@efua>', DIGEST_AT: '00:00' },
  });
  await telegram.privateChat(efua).waitFor(DIGEST);
  const { id } = digestsOf(dayAt(clock.now(), 'Africa/Accra'));
  await eventually(async () => expect(await app.store.get('setting', id)).toBeDefined());
});

it('the terminal is told no day: it asks with /report', async () => {
  const shop = await runApp({ DIGEST_AT: '00:00' });
  await shop.ask('/report', '0 completed · GHS 0.00');
});
